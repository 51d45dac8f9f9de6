"""Readings to choose from: what each shows is what it gives, also by the flags that are named."""

import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.reading import reordered
from calibcore.io.roles.table_reading import row_cells
from calibcore.words.readings import first_rows, flags_beyond, with_flags
from tests.cli.commands import run
from tests.io.readings import table

N = 30
RNG = np.random.default_rng(2)
P = np.round(RNG.beta(0.7, 0.7, N), 3)
Y = (RNG.random(N) < P).astype(int)
PROBS = RNG.dirichlet(np.full(3, 0.6), N).round(4)
PROBS[:, 2] = (1 - PROBS[:, 0] - PROBS[:, 1]).round(4)
WHICH = np.array([RNG.choice(3, p=row / row.sum()) for row in PROBS])
NAMES = np.array(["cat", "dog", "owl"])
ANIMALS = dict(zip(NAMES, PROBS.T, strict=True))
OTHERS = {f"b: {name}": column for name, column in zip(NAMES, np.roll(PROBS, 1, axis=0).T, strict=True)}
TURNED = np.random.default_rng(3).permutation(N)


FILES: dict[str, tuple[bytes, bytes | None, int]] = {
    "two sets": (table({**ANIMALS, **OTHERS, "label": NAMES[WHICH]}), None, 2),
    "two labels": (table({**ANIMALS, "label": NAMES[WHICH], "target": np.roll(NAMES[WHICH], 1)}), None, 2),
    "two polarities": (table({"p_x7, new": 1 - P, "label": Y}), None, 2),
    "labels of a pair": (table({"p": P, "outcome": np.array(["u", "v, w"])[Y]}), None, 2),
    "percent or not": (table({"risk_percent": P / 2, "label": Y}), None, 2),
    "an open base": (table({**ANIMALS, "label": np.where(WHICH == 0, 2, WHICH)}), None, 2),
    "two orders": (
        table({"owl": PROBS[:, 2], "cat": PROBS[:, 0], "dog": PROBS[:, 1], "y": WHICH})[:400].rsplit(
            b"\n", 1
        )[0],
        None,
        2,
    ),
    "a name that says nothing": (table({**ANIMALS, "species": WHICH}), None, 1),
    "two ways to join": (
        pd.DataFrame(ANIMALS).to_csv().encode(),
        pd.DataFrame({"label": NAMES[WHICH]}).iloc[TURNED].to_csv().encode(),
        2,
    ),
    "a case or names": (b"0,1,2\n0.25,0.75,1\n1,0,1\n0,1,2\n", None, 2),
    "logits": (
        table(
            {name: np.log(column + 0.01) + 3 for name, column in ANIMALS.items()} | {"label": NAMES[WHICH]}
        ),
        None,
        1,
    ),
}


def shown_rows(reading: Reading) -> tuple[dict[str, str], ...]:
    """What stands there for the first rows of a file that was read."""
    names = reading.predictions.class_names
    return tuple(row_cells(names, row.probs, names[row.label]) for row in reading.first_rows)


def refused(name: str) -> InputError:
    data, labels, _ = FILES[name]
    with pytest.raises(InputError) as caught:
        read(data, name="x.csv", labels=labels)
    return caught.value


def given(name: str, options: ReadOptions) -> Reading:
    data, labels, _ = FILES[name]
    return read(data, name="x.csv", labels=labels, options=options)


@pytest.mark.parametrize("name", FILES)
def test_each_reading_is_what_its_flags_give_and_its_rows_show(name: str) -> None:
    error = refused(name)
    assert len(error.remedies) == FILES[name][2]
    said = with_flags(error, ReadOptions())
    assert "--" not in str(error)
    shown = []
    for remedy in error.remedies:
        options = ReadOptions().mended(remedy)
        flags = flags_beyond(options, ReadOptions())
        assert flags in said
        typed = parser().parse_args(["survey", "x.csv", *shlex.split(flags)])
        assert options_from(typed) == options
        reading = given(name, options)
        if remedy.rows:
            assert shown_rows(reading) == remedy.rows
            assert len(remedy.rows) == 3
        shown.append(first_rows(reading))
    assert len(set(shown)) == len(shown)


def test_the_rows_that_were_read_in_words() -> None:
    reading = read(table({**ANIMALS, "label": NAMES[WHICH]}))
    first = ", ".join(f"{name} {PROBS[0, k]:.3g}" for k, name in enumerate(NAMES))
    assert first_rows(reading)[0] == f"row 1: {first}, was {NAMES[WHICH[0]]}"
    assert len(first_rows(reading)) == 3
    turned = reordered(reading, ("dog", "cat", "owl"))
    first = ", ".join(f"{name} {PROBS[0, k]:.3g}" for name, k in zip(NAMES, (1, 0, 2), strict=True))
    assert first_rows(turned)[0] == f"row 1: {first}, was {NAMES[WHICH[0]]}"
    assert first_rows(reading.of_sample(5)) == first_rows(reading)
    left = read(table({**ANIMALS, "label": NAMES[WHICH]}), options=ReadOptions(leave_out_rows=(1, 3)))
    assert [row.split(":")[0] for row in first_rows(left)] == ["row 2", "row 4", "row 5"]
    many = RNG.dirichlet(np.ones(12), 8)
    wide = read(table({f"class {k:02}": many[:, k] for k in range(12)} | {"label": ["class 03"] * 8}))
    assert first_rows(wide)[0].endswith(", 5 more classes, was class 03")
    two = read(table({"was": P, "is": 1 - P, "label": np.array(["is", "was"])[Y]}))
    assert first_rows(two)[0] == f"row 1: was {P[0]:.3g}, is {1 - P[0]:.3g}, was: {['is', 'was'][Y[0]]}"


def test_at_most_one_question_where_several_things_are_open() -> None:
    """The label and what it stands for in one."""
    data = table(
        {"owl": PROBS[:6, 2], "cat": PROBS[:6, 0], "dog": PROBS[:6, 1], "species": [0, 1, 2, 0, 1, 2]}
    )
    with pytest.raises(InputError) as caught:
        read(data)
    for remedy in caught.value.remedies:
        assert set(remedy.change) == {"label_column", "class_names"}
        assert read(data, options=ReadOptions().mended(remedy)).predictions.n == 6


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(FILES["two polarities"][0])

    words = ("diagnose", path, "--resamples", 19, "--json")
    code, said, error = run(capsys, *words)
    assert (code, said) == (2, "")
    assert "It holds the probabilities of '1' with --class-names 0,1 (first row:" in error
    one, other = (run(capsys, *words, "--class-names", names)[1] for names in ("0,1", "1,0"))
    assert one != other != ""
