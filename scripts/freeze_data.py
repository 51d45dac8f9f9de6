"""What ``scripts/freeze.py`` records: files of our own, and the lines that are typed of all data."""

import csv
import io
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

MODELS = {
    "two": (["no", "yes"], 160, 1),
    "three": (["cat", "dog", "fox"], 240, 3),
    "ten": ([*"abcdefghij"], 300, 4),
    "twelve": ([f"kind {k}" for k in range(12)], 360, 4),
    "awkward": (['a<b> "q"', "*c*;d", "=e"], 90, 2),
}
"""Files of our own -> classes, cases, decimals. "two" has ties and outcomes of rounded 0, "three" has groups,
dates and units, and "twelve" has rare classes."""


def made(name: str, tempered: float = 1.4) -> str:
    """A file of our own as CSV, the same each time; ``tempered`` another way, another model of its cases."""
    classes, n, digits = MODELS[name]
    m, rng = len(classes), np.random.default_rng([*name.encode()])
    truth = rng.dirichlet(0.02 + 0.8 * (0.5 ** np.arange(m) if name == "twelve" else np.ones(m)), size=n)
    labels = [classes[rng.choice(m, p=row)] for row in truth]
    table = pd.DataFrame(truth**tempered, columns=classes)
    table = table.div(table.sum(axis=1), axis=0).round(digits)
    table[classes[-1]] = (1 - table[classes[:-1]].sum(axis=1)).clip(lower=0)  # may sum to a little more
    more: dict[str, Any] = {"float_format": f"%.{digits}f", "index": False, "lineterminator": "\n"}
    if name == "awkward":  # a cell and a label are missing, a row sums to 0.8
        table.iloc[6, 1], labels[19], table.iloc[11] = np.nan, "", [0.5, 0.2, 0.1]
        table["label"] = labels
        return "\ufeff" + table.to_csv(sep=";", decimal=",", na_rep="NA", **more) + "\n\n"
    table["case"], table["site"] = range(1, n + 1), [*(["North", "East", "South"] * n)[:n]]
    table["age"] = rng.integers(20, 80, n)
    if name == "three":
        table["date"] = pd.date_range("2025-03-01", periods=n, freq="9h").strftime("%Y-%m-%d")
        table["patient"] = [f"P{i // 2:03}" for i in range(n)]
    table["label"] = labels
    return str(table.to_csv(**more))


def write_data(data: Path, examples: dict[str, Callable[[], str]]) -> list[str]:
    """Write all files that are read into a folder; the names of the data."""
    texts = {name: text() for name, text in examples.items()} | {name: made(name) for name in MODELS}
    for name, text in (texts | {f"{name}-b": made(name, 0.7) for name in ("two", "three")}).items():
        (data / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
        if name in ("three", "clinic", "digits-forest"):
            pd.read_csv(io.StringIO(text)).to_parquet(data / f"{name}.parquet")
    run = Path("assets/examples/digits-training.npz")
    (data / run.name).write_bytes(run.read_bytes())
    return list(texts)


def tasks(commands: Sequence[str], names: Sequence[str], data: Path) -> list[tuple[str, str, str]]:
    """All that is recorded: ("pages", data, "" or "uploaded"), and ("cli", data, what is typed).

    Raises
    ------
    SystemExit : nothing is said here of a command that is registered.
    """
    found = [("pages", name, "uploaded" if name in MODELS else "") for name in names]
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    table = [(of, words.strip()) for of, words in (line.split(":", 1) for line in lines if line[0] != "#")]
    first = {words.split(" ")[0] for _, words in table}
    if unknown := [command for command in commands if command not in first]:
        raise SystemExit(
            f"Nothing is recorded of the command {unknown[0]!r}: give it lines in scripts/freeze_data.txt."
        )
    for of, words in table:
        if of == "every":
            ending = [
                c for c in commands if c != "app" or words in ("--help", "nothing.csv")
            ]  # it would begin
            found += [("cli", "wrong", f"{command} {words}".strip()) for command in ending]
        else:
            found += [
                ("cli", name, filled(words, name, data)) for name in (names if of == "*" else of.split())
            ]
    return found


def filled(words: str, name: str, data: Path) -> str:
    """A line with the names of files and class."""
    if "{" not in words:
        return words
    awkward, text = name == "awkward", (data / f"{name}.csv").read_text("utf-8-sig")
    first = next(csv.reader(text.splitlines(), delimiter=";" if awkward else ","))[0]
    file = f"{name}.csv" + " --leave-out-rows 7,12,20" * awkward
    return words.format(f=file, p=f"{name}.parquet", b=f"{name}-b.csv", c=shlex.quote(first))
