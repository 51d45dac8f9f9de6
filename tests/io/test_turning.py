"""Predictions with a row a class and a column a case: said, and turned round where a person says so."""

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import Predictions
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.words.readings import with_flags
from tests.io.readings import NAMES, THREE, WHICH, N, holds_three

TURN = {"transpose": True}


def saved(write: Callable[..., Any], *arrays: Any, **named: Any) -> bytes:
    buffer = io.BytesIO()
    write(buffer, *arrays, **named)
    return buffer.getvalue()


def npz(**arrays: Any) -> bytes:
    return saved(np.savez, **arrays)


def csv(rows: Any, header: bool = False) -> bytes:
    return pd.DataFrame(rows).to_csv(index=False, header=header).encode()


T = THREE.T
HOT = np.eye(3, dtype=int)[WHICH]
LABELS = csv(WHICH)
PARQUET = saved(lambda b: pd.DataFrame(T, columns=[str(i) for i in range(N)]).to_parquet(b))
SURE = {
    "labels": (npz(probabilities=T, labels=WHICH), None),
    "labels by another name": (npz(probabilities=T, y=WHICH), None),
    "labels in a column": (npz(probs=T, labels=WHICH[:, None]), None),
    "labels in a row": (npz(probs=T, labels=WHICH[None]), None),
    "one-hot labels": (npz(probs=T, labels=HOT), None),
    "one-hot labels, transposed": (npz(probs=T, labels=HOT.T), None),
    "names of no meaning": (npz(a=T, b=WHICH), None),
    "per cent": (npz(probs=100 * T, labels=WHICH), None),
    "logarithms": (npz(logp=np.log(T + 1e-12), labels=WHICH), None),
    "names of classes": (npz(probs=T, labels=NAMES[WHICH], class_names=NAMES), None),
    "a file of labels": (npz(probs=T), LABELS),
    "one array": (saved(np.save, T), LABELS),
    "CSV": (csv(T), LABELS),
    "CSV of pandas": (csv(T, header=True), LABELS),
    "Parquet": (PARQUET, LABELS),
    "JSON": (json.dumps({"probs": T.tolist(), "labels": WHICH.tolist()}).encode(), None),
    "JSON of rows": (json.dumps(T.tolist()).encode(), LABELS),
}
"""Files whose columns are probabilities, with their labels."""


def refused(data: bytes, labels: bytes | None = None, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(data, labels=labels, options=ReadOptions(**options))
    return caught.value


@pytest.mark.parametrize("title", SURE)
def test_one_remedy_turns_what_has_a_row_a_class(title: str) -> None:
    data, labels = SURE[title]
    error = refused(data, labels)
    assert f"looks transposed: it has 3 rows and {N} columns, and its columns " in str(error)
    assert [dict(remedy.change) for remedy in error.remedies] == [TURN]
    assert with_flags(error, ReadOptions()).endswith(" Turn it round with --transpose.")
    reading = read(data, labels=labels, options=ReadOptions().mended(error.remedies[0]))
    assert np.allclose(reading.predictions.probs, THREE, atol=1e-9)
    assert (reading.predictions.labels == WHICH).all()
    assert any(f"was turned round, as asked: 3 × {N} became {N} × 3." in note for note in reading.notes)


def test_the_sentence_says_sizes_and_sums() -> None:
    assert str(refused(*SURE["labels"])) == (
        f"The array 'probabilities' looks transposed: it has 3 rows and {N} columns, and its columns sum to "
        f"1, not its rows. The array 'labels' has {N} labels. Expected a row per case and a column per class."
    )
    assert "its columns sum to 100, not" in str(refused(*SURE["per cent"]))
    assert "its columns hold logarithms of what sums to 1, not" in str(refused(*SURE["logarithms"]))


@pytest.mark.parametrize("labels", [None, LABELS])
def test_of_logits_it_is_only_said_that_they_may_be_transposed(labels: bytes | None) -> None:
    logits = np.log(T + 0.01) + np.arange(N)
    data = saved(np.save, logits) if labels else npz(logits=logits, labels=WHICH)
    error = refused(data, labels)
    assert f"may be transposed: it has 3 rows and {N} columns." in str(error)
    p = read(data, labels=labels, options=ReadOptions(values="logits", transpose=True)).predictions
    assert np.allclose(p.probs, (THREE + 0.01) / 1.03, atol=1e-9)


@pytest.mark.parametrize("options", [{}, {"values": "logits"}, {"renormalise": True}])
def test_without_labels_it_is_not_mended_by_other_means(options: dict[str, Any]) -> None:
    assert "looks transposed" in str(refused(npz(probs=T), **options))


def test_a_wide_array_is_known_before_its_width_is_refused() -> None:
    many = np.tile(THREE, (200, 1))
    error = refused(saved(np.save, many.T), csv(np.tile(WHICH, 200)))
    assert [dict(remedy.change) for remedy in error.remedies] == [TURN]


def test_rows_are_left_out_once_it_is_turned() -> None:
    for data, labels in (SURE["labels"], SURE["one array"], SURE["CSV"]):
        options = ReadOptions(transpose=True, leave_out_rows=(5,))
        p = read(data, labels=labels, options=options).predictions
        assert np.allclose(p.probs, np.delete(THREE, 4, axis=0), atol=1e-9)


def test_nothing_else_is_turned() -> None:
    assert holds_three(read(npz(probs=THREE, labels=WHICH)))
    assert "looks transposed" not in str(refused(npz(probs=THREE, labels=WHICH[:-1])))
    assert "3 rows of predictions and 5 labels" in str(refused(csv(T), csv(WHICH[:5])))
    for data, labels in ((npz(probs=THREE, labels=[0, 1, 2]), None), (saved(np.save, THREE), csv([0, 1, 2]))):
        assert f"{N} rows of predictions and " in str(refused(data, labels))  # as many labels as classes
    with pytest.raises(InputError, match=r"expected the same number of both\.$"):
        Predictions.from_arrays(THREE, [0, 1, 2])
    named = pd.DataFrame(THREE, columns=NAMES).assign(label=NAMES[WHICH]).to_csv(index=False).encode()
    assert "cannot be turned round: its columns have names" in str(refused(named, transpose=True))
    assert "none could be turned round" in str(refused(npz(labels=WHICH, y=HOT), transpose=True))
    square = THREE[:3]
    assert (read(npz(probs=square, labels=[0, 1, 2])).predictions.probs == square).all()


@pytest.mark.parametrize(
    ("probs", "says"), [(T, "look transposed, as their columns sum to 1"), (4 * T - 2, "may be transposed")]
)
def test_arrays_in_memory_are_said_to_be_transposed(probs: Any, says: str) -> None:
    with pytest.raises(InputError, match=f"3 rows of predictions and {N} labels") as caught:
        Predictions.from_arrays(probs, WHICH)
    assert f"The predictions have {N} columns and {says}" in str(caught.value)
    assert "(probs.T)" in str(caught.value)
    with pytest.raises(InputError, match=r"probs\.T"):
        Predictions.from_logits(probs, WHICH)
