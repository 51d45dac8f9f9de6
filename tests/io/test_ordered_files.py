"""The order of classes: said by a person, or asked where names suggest one."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.data.class_order import order_to_ask
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read, read_labels
from calibcore.io.reading import file_columns_are, reordered
from calibcore.words.readings import order_on_the_command_line
from tests.cli.commands import run

ORDER = ("low", "medium", "high")
R = np.random.default_rng(3)
G = R.dirichlet(np.ones(3), 40).round(3)
G[:, 2] = (1 - G[:, 0] - G[:, 1]).round(3)
Y = [("high", "low", "medium")[k] for k in R.integers(0, 3, 40)]


def table(names: tuple[str, ...] = ("high", "low", "medium")) -> bytes:
    """The columns in the order of the alphabet, as most programs write them."""
    words = dict(zip(("high", "low", "medium"), names, strict=True))
    rows = [",".join([*(f"{p:.3f}" for p in g), words[y]]) for g, y in zip(G, Y, strict=True)]
    return "\n".join([",".join([*names, "truth"]), *rows]).encode()


def test_an_order_is_said() -> None:
    reading = read(table(), options=ReadOptions(ordered=ORDER))
    p, plain = reading.predictions, read(table()).predictions
    assert (p.class_names, p.ordered, plain.ordered) == (ORDER, True, False)
    np.testing.assert_allclose(p.probs, G[:, [1, 2, 0]], atol=1e-12)
    assert [p.class_names[k] for k in p.labels] == Y
    assert "Classes in order, the lowest first, as said: 'low', 'medium', 'high'." in reading.notes
    assert reading.probability_columns == ORDER
    for row in reading.first_rows:
        assert row.probs == pytest.approx(G[row.number - 1, [1, 2, 0]])
        assert ORDER[row.label] == Y[row.number - 1]
    sample = read(table(), options=ReadOptions(ordered=ORDER, sample=10)).predictions
    assert sample.ordered


def test_columns_that_are_others_are_so_in_the_order_that_is_said() -> None:
    turned = ("medium", "low", "high")
    reading = read(table(), options=ReadOptions(ordered=ORDER, columns_are=turned))
    # the column that says low holds medium, and the other way round
    np.testing.assert_allclose(reading.predictions.probs, G[:, [2, 1, 0]], atol=1e-12)
    assert [ORDER[k] for k in reading.predictions.labels] == Y
    straight = read(table(), options=ReadOptions(ordered=ORDER))
    again = reordered(straight, file_columns_are(straight, turned))
    assert (again.predictions.probs == reading.predictions.probs).all()
    assert again.predictions.ordered


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (("low", "medium"), "The order names 'low', 'medium', and the classes are"),
        (("low", "medium", "huge"), "expected each of them once"),
        (("low", "low", "high"), "expected each of them once"),
    ],
)
def test_another_order_is_refused(order: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read(table(), options=ReadOptions(ordered=order))


def test_what_has_no_order_is_refused() -> None:
    two = b"no,yes,truth\n0.2,0.8,yes\n0.9,0.1,no\n"
    with pytest.raises(InputError, match="two have none"):
        read(two, options=ReadOptions(ordered=("no", "yes")))
    sure = b"confidence,correct\n0.9,1\n0.6,0\n0.7,1\n"
    with pytest.raises(InputError, match="no classes in order"):
        read(sure, options=ReadOptions(ordered=ORDER))
    several = b"a_prob,b_prob,a_true,b_true\n0.9,0.8,1,1\n0.2,0.7,0,1\n0.2,0.1,0,0\n"
    with pytest.raises(InputError, match="such classes have no order"):
        read_labels(several, options=ReadOptions(ordered=ORDER))


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (("high", "low", "medium"), ORDER),
        (("10", "2", "1"), ("1", "2", "10")),
        (("Grade 3", "Grade 1", "Grade 2"), ("Grade 1", "Grade 2", "Grade 3")),
        (("stage II", "stage IV", "stage I"), ("stage I", "stage II", "stage IV")),
        (("T3", "T1", "T2"), ("T1", "T2", "T3")),
        (("mild", "Severe", "none", "moderate"), ("none", "mild", "moderate", "Severe")),
        (("high risk", "low risk", "medium risk"), ("low risk", "medium risk", "high risk")),
        (("very low", "low", "high"), ("very low", "low", "high")),
        (("low risk", "none", "high risk"), ("none", "low risk", "high risk")),
        (("mildly", "severely", "moderately"), ("mildly", "moderately", "severely")),
        (
            ("moderately differentiated", "poorly differentiated", "undifferentiated", "well differentiated"),
            ("well differentiated", "moderately differentiated", "poorly differentiated", "undifferentiated"),
        ),
        (("high", "low"), None),
        (("cat", "dog", "owl"), None),
        (("class 0", "class 1", "class 2"), None),
        (("A", "B", "C"), None),
        (("low", "mild", "high"), None),  # two words of one step
        (("grade 1", "stage 2", "grade 3"), None),
        (tuple(map(str, range(21))), None),
    ],
)
def test_names_that_suggest_an_order(names: tuple[str, ...], order: tuple[str, ...] | None) -> None:
    assert order_to_ask(names) == order


def test_an_order_is_asked_and_never_guessed() -> None:
    reading = read(table())
    assert order_on_the_command_line(reading) == (
        "The classes may be in order, 'low' the lowest and 'high' the highest, as grades are. Say so with "
        "--ordered low,medium,high, or that they are not with --ordered none."
    )
    assert not reading.predictions.ordered
    assert not order_on_the_command_line(read(table(), options=ReadOptions(ordered=("none",))))
    assert not order_on_the_command_line(read(table(), options=ReadOptions(ordered=ORDER)))
    assert not order_on_the_command_line(read(table(("owl", "cat", "dog"))))


def test_in_python() -> None:
    p = Predictions.from_arrays(G, Y, ["high", "low", "medium"], ordered=ORDER)
    assert p.fingerprint == read(table(), options=ReadOptions(ordered=ORDER)).predictions.fingerprint
    with pytest.raises(InputError, match="sorted by their names, which is no order"):
        Predictions.from_arrays(G, Y, ordered=True)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grades.csv"
    path.write_bytes(table())
    words = ("survey", path, "--resamples", 99, "--ordered", "low,medium,high")
    code, said, error = run(capsys, *words, "--json")
    document = json.loads(said)
    assert (code, error) == (0, "")
    assert [look["lens"]["kind"] for look in document["lenses"]] == ["top-k", "canonical", "up-to", "up-to"]
    assert [look["lens"].get("class_name") for look in document["lenses"]] == [None, None, "low", "medium"]
    assert document["lenses"][2]["verdict"]["lens"]["kind"] == "up-to"
    scores = document["lenses"][1]["diagnosis"]["scores"]
    g = G[:, [1, 2, 0]]
    plain = 0.0
    for i, name in enumerate(Y):
        for k in range(2):
            plain += (sum(g[i, : k + 1]) - (ORDER.index(name) <= k)) ** 2 / len(Y)
    assert scores["rps"] == pytest.approx(plain)
    code, said, error = run(capsys, "diagnose", path, "--resamples", 99, "--lens", "up-to:low")
    assert code == 2
    assert "Declare the order: --ordered" in error


@pytest.mark.parametrize(
    "names", [("p_ge_2", "p_ge_3", "p_ge_4"), ("P(y>1)", "P(y>2)", "P(y>3)"), ("p2", "p3", "p4")]
)
@pytest.mark.parametrize("rises", [False, True])
def test_cumulative_columns_are_no_logits(names: tuple[str, ...], rises: bool) -> None:
    at_least = np.sort(R.uniform(0.02, 0.98, (40, 3)).round(3), axis=1)[:, :: 1 if rises else -1]
    rows = [[*map(str, row), str(1 + i % 4)] for i, row in enumerate(at_least)]
    data = "\n".join(map(",".join, [[*names, "grade"], *rows])).encode()
    for options in (ReadOptions(), ReadOptions(label_column="grade", probability_columns=names)):
        with pytest.raises(InputError, match="seem to be cumulative, how likely at ") as caught:
            read(data, options=options)
        assert not caught.value.remedies
        assert ("at most" if rises else "at least") in str(caught.value)
        assert "differences" in str(caught.value)
