"""Tables -> files, as pandas, R, spreadsheets and others write them."""

import csv
import gzip
import io
import json
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from calibcore.data.predictions import Predictions
from calibcore.io import ReadOptions, read
from tests.hostile.corpus import written
from tests.hostile.grammar.drawing import Rng, Truth, chance, classes_of, pick, plan_of, table_of, truth_of


@dataclass(frozen=True)
class Drawn:
    """A file, perhaps with a second one of labels, and what they mean.

    Attributes
    ----------
    answerable : whether the files hold what is needed; if not, any reading is wrong
    must_ask : whether they leave open what they mean: taken without a question is wrong, whatever is taken
    said : a pattern of what has to be said, in a note or a question; with it no question is needed
    others : what is right as well, once somebody has chosen it
    never : words that say no class, but a model, a part of the data or a unit; "" for none
    says : a pattern of the sentence where it is not read; "" for any
    """

    data: bytes
    name: str
    truth: Truth
    tags: tuple[str, ...]
    labels: bytes | None = None
    labels_name: str = "labels.csv"
    answerable: bool = True
    must_ask: bool = False
    said: str = ""
    others: tuple[Truth, ...] = ()
    never: tuple[str, ...] = ()
    says: str = ""

    def reading(self, options: ReadOptions) -> Predictions:
        """What comes of it; :class:`InputError` if it is refused."""
        names = {"name": self.name, "labels_name": self.labels_name}
        return read(self.data, labels=self.labels, options=options, **names).predictions


FORMATS = ("csv",) * 12 + ("tsv", "semicolon", "semicolon", "excel", "percent", "r", "index", "quoted",
           "records", "columns", "pandas", "parquet", "parquet", "xlsx", "xlsx", "feather", "jsonl", "bars",
           "gzip",
           "utf16", "old mac", "ends", "spaces", "split", "sheets", "western", "r names", "r semicolons",
           "no leading zero")  # fmt: skip


def drawn(seed: int, cases: tuple[int, int] = (16, 60)) -> Drawn:
    """A plausible file of so many cases, the higher number not reached."""
    rng = np.random.default_rng([14, seed])
    names, pair = classes_of(rng)
    plan = plan_of(rng, names, pair)
    truth = truth_of(rng, names, int(rng.integers(*cases)), plan.decimals)
    shape = rng.random()
    if shape < 0.08 and plan.form == "many":
        return bare(rng, truth, plan)
    table, predictions, labels = table_of(rng, plan, truth)
    tags = tuple(plan.tags)
    if shape < 0.22 and labels:
        return two_files(rng, table, labels, truth, tags)
    data, name, how = as_file(rng, table, predictions)
    return Drawn(data, name, truth, (*tags, how), answerable=bool(labels))


def bare(rng: Rng, truth: Truth, plan: Any) -> Drawn:
    """Numbers without names: arrays, or text without a header. Classes are counted."""
    first = int(pick(rng, (0, 0, 0, 1)))
    truth = replace(truth, names=tuple(str(k + first) for k in range(truth.m)))
    y, p = truth.labels + first, truth.probs
    kind = pick(rng, ("csv", "npy", "npz", "npz", "json", "two npy", "two csv", "pandas", "pandas two"))
    tags = ("without names", kind, f"labels from {first}", f"{truth.m} classes")
    both = np.c_[p, y]
    if kind == "csv":
        return Drawn(csv_of(both.tolist(), ","), "p.csv", truth, tags)
    if kind == "npy":
        return Drawn(written(np.save, both), "p.npy", truth, tags)
    if kind == "npz":
        more: dict[str, Any] = {}
        if chance(rng, 0.3):
            more[pick(rng, ("preds", "y_pred", "pred"))] = p.argmax(axis=1) + first
        keys = pick(
            rng, (("probs", "labels"), ("y_prob", "y_true"), ("proba", "y"), ("predictions", "targets"))
        )
        return Drawn(written(np.savez, **{keys[0]: p, keys[1]: y}, **more), "p.npz", truth, (*tags, *more))
    if kind == "json":
        return Drawn(json.dumps({"probs": p.tolist(), "labels": y.tolist()}).encode(), "p.json", truth, tags)
    if kind == "two npy":
        return Drawn(written(np.save, p), "p.npy", truth, tags, written(np.save, y), "y.npy")
    if kind == "two csv":
        return Drawn(csv_of(p.tolist(), ","), "p.csv", truth, tags, csv_of([[v] for v in y.tolist()], ","))
    if kind == "pandas":
        return Drawn(pd.DataFrame(both).to_csv(index=False).encode(), "p.csv", truth, tags)
    probs = pd.DataFrame(p).to_csv(index=False).encode()
    return Drawn(probs, "p.csv", truth, tags, pd.Series(y).to_csv(index=False).encode())


def two_files(rng: Rng, table: pd.DataFrame, labels: list[str], truth: Truth, tags: tuple[str, ...]) -> Drawn:
    """Labels in a file of their own: by position, or by an id, in the same order or in another."""
    rest = [name for name in table.columns if name not in labels]
    predictions, second = table[rest], table[labels]
    kind = pick(rng, ("rows", "rows", "ids", "shuffled ids", "named otherwise", "no header"))
    if kind in ("ids", "shuffled ids", "named otherwise"):
        ids = [f"c{k:04d}" for k in rng.permutation(5000)[: truth.n]]
        if chance(rng, 0.5):
            ids = [int(name[1:]) for name in ids]
        own = {"named otherwise": "case"}.get(kind, "sample_id")
        predictions = pd.concat([pd.Series(ids, name="sample_id"), predictions], axis=1)
        second = pd.concat([pd.Series(ids, name=own), second], axis=1)
        if kind != "ids":
            second = second.iloc[rng.permutation(truth.n)]
    header = kind != "no header" or len(labels) > 1
    return Drawn(
        predictions.to_csv(index=False).encode(),
        "predictions.csv",
        truth,
        (*tags, "two files", kind),
        second.to_csv(index=False, header=header).encode(),
    )


def csv_of(
    rows: list[list[Any]], separator: str, decimal: str = ".", quoting: int = csv.QUOTE_MINIMAL
) -> bytes:
    """Rows of cells as text."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator="\n")  # type: ignore[arg-type]
    for row in rows:
        writer.writerow([repr(c).replace(".", decimal) if isinstance(c, float) else c for c in row])
    return out.getvalue().encode()


def as_file(rng: Rng, table: pd.DataFrame, predictions: list[str]) -> tuple[bytes, str, str]:
    """The table in some format, the name of the file, and what was done."""
    kind = pick(rng, FORMATS)
    match kind:
        case "tsv":
            return table.to_csv(index=False, sep="\t").encode(), "t.tsv", kind
        case "semicolon":
            return table.to_csv(index=False, sep=";", decimal=",").encode(), "t.csv", kind
        case "excel":
            text = table.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n")
            return b"\xef\xbb\xbf" + text.encode(), "t.csv", kind
        case "percent":
            if any("%" in name or "pct" in name or "percent" in name for name in predictions):
                return table.to_csv(index=False).encode(), "t.csv", "csv"
            if any(table[name].max() > 1 or table[name].min() < 0 for name in predictions):
                return table.to_csv(index=False).encode(), "t.csv", "csv"
            signed = table.copy()
            for name in predictions:
                signed[name] = [
                    f"{float(np.round(100 * x, 10)):g}%" if x == np.round(x, 6) else f"{100 * x!r}%"
                    for x in table[name].tolist()
                ]
            return signed.to_csv(index=False).encode(), "t.csv", "percent signs"
        case "r":
            named = table.copy()
            named.index = pd.Index([str(i + 1) for i in range(len(table))])
            text = named.to_csv(quoting=csv.QUOTE_NONNUMERIC)
            if chance(rng, 0.5):
                return text.removeprefix('"",').encode(), "t.csv", "R, a header one short"
            return text.encode(), "t.csv", "R"
        case "r names":
            mangled = [re.sub(r"[^\w.]", ".", name) for name in table.columns]
            if len(set(mangled)) < len(mangled) or any(name[:1].isdigit() for name in mangled):
                return table.to_csv(index=False).encode(), "t.csv", "csv"
            return table.set_axis(mangled, axis=1).to_csv(index=False).encode(), "t.csv", kind
        case "r semicolons":
            named = table.set_axis([str(i + 1) for i in range(len(table))])
            text = named.to_csv(quoting=csv.QUOTE_NONNUMERIC, sep=";", decimal=",")
            return text.removeprefix('"";').encode(), "t.csv", kind
        case "western":
            text = table.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n")
            try:
                return text.encode("cp1252"), "t.csv", kind
            except UnicodeEncodeError:
                return text.encode(), "t.csv", "semicolon"
        case "no leading zero":
            text = re.sub(r"(?<![\w.])0\.(\d)", r".\1", table.to_csv(index=False))
            return text.encode(), "t.csv", kind
        case "index":
            return table.to_csv().encode(), "t.csv", kind
        case "quoted":
            return table.to_csv(index=False, quoting=csv.QUOTE_ALL).encode(), "t.csv", kind
        case "records":
            return table.to_json(orient="records").encode(), "t.json", kind
        case "columns":
            return json.dumps(table.to_dict("list")).encode(), "t.json", kind
        case "pandas":
            return table.to_json().encode(), "t.json", "JSON of pandas"
        case "jsonl":
            return table.to_json(orient="records", lines=True).encode(), "t.jsonl", kind
        case "parquet":
            return written(table.to_parquet), "t.parquet", kind
        case "feather":
            return written(table.to_feather), "t.feather", kind
        case "bars":
            return table.to_csv(index=False, sep="|").encode(), "t.txt", kind
        case "gzip":
            return gzip.compress(table.to_csv(index=False).encode(), mtime=0), "t.csv.gz", kind
        case "utf16":
            return table.to_csv(index=False, sep="\t").encode("utf-16"), "t.txt", kind
        case "old mac":
            text = table.to_csv(index=False)
            return (text if '"' in text else text.replace("\n", "\r")).encode(), "t.csv", kind
        case "ends":
            if table.isin([""]).any(axis=None) or any("\n" in str(x) for x in table.to_numpy().ravel()):
                return table.to_csv(index=False).encode(), "t.csv", "csv"
            return (
                table.to_csv(index=False).replace("\n", ",\n").encode() + b"\n\n",
                "t.csv",
                "a comma ends each row",
            )
        case "spaces":
            text = io.StringIO()
            writer = csv.writer(text, delimiter=",", lineterminator="\n")
            writer.writerows([table.columns.tolist(), *table.to_numpy().tolist()])
            if '"' in text.getvalue():
                return table.to_csv(index=False).encode(), "t.csv", "csv"
            return text.getvalue().replace(",", " , ").encode(), "t.csv", "spaces around commas"
        case "split":
            return table.to_json(orient="split").encode(), "t.json", kind
        case "sheets":
            out = io.BytesIO()
            with pd.ExcelWriter(out) as book:
                table.to_excel(book, sheet_name="results", index=False)
                pd.DataFrame({"model": ["a"], "date": ["2026"]}).to_excel(
                    book, sheet_name="about", index=False
                )
            return out.getvalue(), "t.xlsx", "two sheets"
        case "xlsx":
            return written(table.to_excel, index=False), "t.xlsx", kind
    return table.to_csv(index=False).encode(), "t.csv", "csv"


def plain_table(rng: Rng) -> tuple[pd.DataFrame, Drawn]:
    """A table without quotation marks, and the file that it would be, without its content."""
    while True:
        names, pair = classes_of(rng)
        plan = plan_of(rng, names, pair)
        truth = truth_of(rng, names, int(rng.integers(16, 60)), plan.decimals)
        table, _, labels = table_of(rng, plan, truth)
        if labels and '"' not in table.to_csv(index=False):
            return table, Drawn(b"", "t.csv", truth, tuple(plan.tags))
