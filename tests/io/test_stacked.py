"""Several models below each other in one file are asked about; other cases that repeat are said."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import DiagnosisSpec, InputError, Predictions
from calibcore.errors import SeveralModelsError
from calibcore.io import ReadOptions, models_in, read
from calibcore.io.options import names_from_words
from calibcore.io.roles.stacked import stacked
from calibcore.io.row_groups import RowGroups
from calibcore.questions.groups import words as grouping
from calibcore.words.readings import with_flags
from tests.cli.commands import run
from tests.quick import survey_groups

N = 120


def one(seed: int = 0, n: int = N, m: int = 2) -> pd.DataFrame:
    """A table of cases with an id."""
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.ones(m), n)
    y = (rng.random(n)[:, None] > g.cumsum(axis=1)).sum(axis=1)
    table = pd.DataFrame({"ID": np.arange(n), "y_true": y})
    if m == 2:
        return table.assign(y_score=g[:, 1])
    return table.assign(y_true=[f"c{k}" for k in y], **{f"c{k}": g[:, k] for k in range(m)})


def several(values: list[Any], by: str = "variant", table: pd.DataFrame | None = None) -> pd.DataFrame:
    """The same cases once for each value, with predictions of their own for two classes."""
    rng = np.random.default_rng(1)
    table = one() if table is None else table
    parts = [table.assign(**{by: value}) for value in values]
    if "y_score" in table:
        parts = [
            part.assign(y_score=np.clip(part.y_score + rng.normal(0, 0.01, len(part)), 0.001, 0.999))
            for part in parts
        ]
    return pd.concat(parts, ignore_index=True)


def as_read(table: pd.DataFrame, **options: Any) -> Predictions:
    return read(table.to_csv(index=False).encode(), name="x.csv", options=ReadOptions(**options)).predictions


def asked(table: pd.DataFrame, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        as_read(table, **options)
    return caught.value


NAMED = one().assign(ID=[f"case {i}" for i in range(N)])
MANY = one(m=4)
KINDS = {
    "three variants": several(["A", "B", "C"]),
    "shuffled rows": several(["A", "B"]).sample(frac=1, random_state=1),
    "numbers": several([1, 2, 3], "model"),
    "epochs": several(list(range(12)), "epoch"),
    "floats": several(["A", "B"], table=one().assign(ID=np.arange(N) + 0.0)),
    "texts": several(["A", "B"], table=NAMED),
    "other names": several(["A", "B"], "source", NAMED.rename(columns={"ID": "scan"})),
    "many classes": several(["A", "B"], "network", MANY),
    "augmentations": several([0, 1, 2, 3, 4], "tta"),
    "repeats": several(["r1", "r2"], "repeat").assign(fold=np.tile(np.arange(2 * N) % 5, 1)),
    "one row missing": several(["A", "B", "C"]).drop(index=200),
    "copies": several(["A", "B"], table=one().drop(columns="y_score").assign(y_score=0.3)),
    "no id": several(["A", "B"]).drop(columns="ID"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.some(5)
def test_which_of_several_models_is_asked(kind: str) -> None:
    table = KINDS[kind]
    error = asked(table)
    assert "no independent cases" in str(error)
    assert "compare them" in str(error)
    assert isinstance(error, SeveralModelsError)
    by = error.model_column
    values = [remedy.change["model"] for remedy in error.remedies[:-1] if remedy.change]
    assert set(error.models) == set(map(str, table[by].tolist()))
    assert tuple(values) == error.models[:6]
    options = ReadOptions().mended(error.remedies[0])
    assert (options.model, options.model_column) == (values[0], by)
    kept = as_read(table, model=options.model, model_column=options.model_column)
    mine = table[table[by].astype(str) == values[0]]
    assert kept.n == len(mine)
    if "y_score" in mine:
        assert kept.probs[:, 1].tolist() == pytest.approx(mine.y_score.tolist(), abs=1e-12)
    assert f"{len(mine)} rows of {len(table):,} were kept, as asked" in " ".join(kept.notes)
    assert stacked(kept) is None
    whole = as_read(table, rows_where=error.remedies[-1].change["rows_where"])
    assert whole.n == len(table)
    assert "p may be too small" in " ".join(whole.notes)


def test_two_columns_together_say_which_model() -> None:
    """Models with several seeds each: every pair is one model, and one of both columns may be asked for."""
    table = several(["s1", "s2"], "seed", several(["A", "B"], "model"))
    error = asked(table)
    assert isinstance(error, SeveralModelsError)
    assert "stands in 4 rows with the same label, once for each of 4 pairs of 'model' and 'seed'" in str(
        error
    )
    assert error.models == ("A / s1", "B / s1", "A / s2", "B / s2")
    for place, remedy in enumerate(error.remedies[:4]):
        kept = as_read(table, **remedy.change)
        a, s = error.models[place].split(" / ")
        mine = table[(table.model == a) & (table.seed == s)]
        assert kept.probs[:, 1].tolist() == pytest.approx(mine.y_score.tolist(), abs=1e-12)
    second = asked(table, model="A", model_column="model")
    assert "once for each of 2 values of 'seed'" in str(second)
    assert as_read(table, model="A", model_column="model", rows_where=("seed=s1",)).n == N
    assert as_read(table, rows_where=("model=A", "seed=s1")).n == N
    assert names_from_words("model=A,seed=s1") == ("model=A", "seed=s1")


PAIRS = {
    "names that say nothing": ("alpha", "beta", ["x", "y"]),
    "a setting": ("model", "temperature", [0.0, 0.7]),
    "numbers": ("run", "seed", [1, 2]),
    "a prompt": ("llm", "prompt", ["short", "long"]),
}


@pytest.mark.some(3)
@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("ids", [True, False])
def test_pairs_are_all_read_and_compared(kind: str, ids: bool) -> None:
    """Also where a pair is missing, and where the order of the labels alone tells that cases are the same."""
    first, second, values = PAIRS[kind]
    table = several(values, second, several(["A", "B"], first))
    table = table[(table[first] != "B") | (table[second] != values[1])]
    if not ids:
        table = table.drop(columns="ID").rename(columns={first: "model", second: "prompt"})
    error = asked(table)
    assert isinstance(error, SeveralModelsError)
    assert len(error.models) == 3
    data = table.to_csv(index=False).encode()
    models = models_in(data, name="x.csv", options=ReadOptions(model_column=error.model_column)).readings
    assert {reading.predictions.n for reading in models.values()} == {N}
    assert tuple(models) == error.models
    if ids:
        assert tuple(models_in(data, name="x.csv").readings) == error.models


def test_each_model_comes_with_its_first_rows() -> None:
    rng = np.random.default_rng(8)
    said, true, sure = rng.choice(list("ABC"), 2 * N), list("ABC" * 40) * 2, rng.uniform(0.3, 1, 2 * N)
    columns = {"id": list(range(N)) * 2, "answer": said, "confidence": sure.round(2), "gold": true}
    error = asked(pd.DataFrame({**columns, "llm": ["a"] * N + ["b"] * N}))
    for start, remedy in zip((0, N), error.remedies, strict=False):
        assert [dict(row) for row in remedy.rows] == [
            {
                "answered": said[i],
                "sure": f"{round(sure[i], 2):.3g}",
                "truth": true[i],
                "was": "right" if said[i] == true[i] else "wrong",
            }
            for i in range(start, start + 3)
        ]
    named = asked(several(["A", "B"], "model").drop(columns="ID").iloc[:-7])
    assert "says which model" in str(named)
    assert [len(remedy.rows) for remedy in named.remedies] == [3, 3, 0]


def test_rows_that_no_column_tells_apart_are_counted_as_they_are() -> None:
    table = several(["A", "B"], table=pd.concat([one()] * 3))
    error = asked(table)
    assert "stands in 6 rows with the same label, 3 for each of 2 values of 'variant'" in str(error)
    assert "once" not in str(error)
    uneven = pd.concat([table, table.iloc[:40]])
    assert "stands in several rows with the same label, for each of 2 values of 'variant'" in str(
        asked(uneven)
    )


def test_pairs_that_are_called_alike_are_told_apart() -> None:
    table = several(["b / c", "c"], "seed", several(["a", "a / b"], "model"))
    error = asked(table)
    assert isinstance(error, SeveralModelsError)
    assert len(set(error.models)) == 4
    assert {as_read(table, **remedy.change).n for remedy in error.remedies[:4]} == {N}


def test_rows_keep_their_numbers_and_values_that_are_not_there_are_refused() -> None:
    table = several(["A", "B"])
    reading = read(
        table.to_csv(index=False).encode(),
        options=ReadOptions(rows_where=("variant=B",), leave_out_rows=(1, N + 2)),
    )
    assert [row.number for row in reading.first_rows] == [N + 1, N + 3, N + 4]
    table["y_score"] = table["y_score"].astype(object)
    table.loc[N + 4, "y_score"] = "none at all"
    with pytest.raises(InputError, match=f"[Rr]ow {N + 5}"):
        as_read(table, rows_where=("variant=B",))
    assert "It has 'A', 'B'." in str(asked(table, rows_where=("variant=Z",)))
    assert "expected the name of a column" in str(asked(table, rows_where=("A",)))
    odd = several(["a=b, c", "d"], "my=name")
    flags = with_flags(asked(odd), ReadOptions())
    assert "--model 'a=b, c' --model-column my=name" in flags
    assert as_read(odd, model="a=b, c", model_column="my=name").n == N
    assert as_read(odd, rows_where=("my=name=a=b, c",)).n == N


def test_labels_in_a_file_of_their_own() -> None:
    table = several(["A", "B"])
    labels = one()[["ID", "y_true"]].to_csv(index=False).encode()
    probs = table.drop(columns="y_true").to_csv(index=False).encode()
    kept = read(probs, labels=labels, options=ReadOptions(rows_where=("variant=B",))).predictions
    assert kept.n == N
    assert kept.labels.tolist() == one().y_true.tolist()


REPEATS = {
    "annotators": several(["A", "B"], "rater").assign(
        y_true=np.random.default_rng(5).permutation(np.arange(2 * N) % 2)
    ),
    "bootstrap": one().sample(2 * N, replace=True, random_state=0),
    "exact copies": pd.concat([one(), one()]),
    "visits": several([1, 2, 3], "visit").sample(200, random_state=0),
}


@pytest.mark.parametrize("kind", REPEATS)
def test_other_cases_that_repeat_are_said(kind: str) -> None:
    table = REPEATS[kind]
    p = as_read(table)
    (note,) = [note for note in p.notes if "different values of 'ID'" in note]
    assert note.startswith(f"{len(table)} rows hold {table.ID.nunique()} ")
    assert "name this column as the unit" in note
    assert ("repeat another one in every cell" in note) == (kind in ("bootstrap", "exact copies"))


NOT_REPEATED = {
    "an id a row": one(),
    "sites": one().assign(ID=np.arange(N), site=np.arange(N) % 12, site_id=np.arange(N) % 12),
    "a counter that begins anew": pd.concat([one(s).rename(columns={"ID": "row"}) for s in range(4)]),
    "folds of other cases": pd.concat(
        [one(s).assign(fold=s, ID=lambda t, s=s: t.ID + 1_000 * s) for s in range(3)]
    ),
    "one outcome": several(["A", "B"]).assign(y_true=lambda t: (t.ID == 1).astype(int)).drop(columns="ID"),
    "no other columns": one().drop(columns="ID"),
}


@pytest.mark.parametrize("kind", NOT_REPEATED)
def test_nothing_is_said_of_cases_that_stand_alone(kind: str) -> None:
    p = as_read(NOT_REPEATED[kind])
    assert not [note for note in p.notes if "may be too small" in note]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, few = tmp_path / "x.csv", ("--resamples", "99", "--alpha", "0.5")
    KINDS["three variants"].to_csv(file, index=False)
    code, out, err = run(capsys, "survey", file, *few)
    assert (code, out) == (2, "")
    assert "only variant B with --model B --model-column variant" in err
    assert err.strip().endswith("or compare them all with 'compare FILE --model-column variant'.")
    code, out, err = run(capsys, "survey", file, *few, "--rows-where", "variant=B", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["lenses"][0]["diagnosis"]["data"]["n"] == N
    code, _, err = run(capsys, "groups", file, *few, "--rows-where", "all", "--by", "variant", "--json")
    assert (code, err.strip()[-15:]) == (0, "with --unit ID.")
    by_unit = ("--rows-where", "all", "--unit", "ID", "--json")
    code, _, err = run(capsys, "survey", file, *few, *by_unit)
    assert (code, err) == (0, "")
    KINDS["three variants"].to_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match="keep those of one model in the file"):
        RowGroups(tmp_path / "x.parquet", ReadOptions(rows_where=("variant=B",)))


def test_groups_of_one_case_s_rows_have_no_exact_p_together() -> None:
    p = as_read(KINDS["three variants"], rows_where=("all",))
    spec = DiagnosisSpec(resamples=99, alpha=0.5)
    found = survey_groups(p, ["variant"], spec, worst=True)
    of_units = survey_groups(p, ["variant"], DiagnosisSpec(resamples=99, alpha=0.5, unit="ID"))
    alone = survey_groups(as_read(KINDS["three variants"], rows_where=("variant=A",)), ["ID"], spec)
    assert (found.global_pvalue, found.worst, found.global_at_floor) == (None, None, False)
    assert all(group.pvalue is not None for group in found.groups)
    sentence = grouping.global_sentence(found)
    assert sentence.startswith("All groups together have no p")
    assert "rows of the same 'ID' have the same label" in sentence
    assert "exact" not in sentence
    assert type(found).from_json(found.to_json()).global_withheld == found.global_withheld
    for other in (of_units, alone):
        assert other.global_withheld is None
        assert other.global_pvalue is not None
