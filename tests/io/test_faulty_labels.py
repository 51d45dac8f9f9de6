"""A column is the labels by what stands in its filled rows; a row without a label, or class, is named."""

import io

import numpy as np
import pandas as pd
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read

CLASSES = ["melanoma", "naevus", "keratosis"]
N = 60


def table(labels: list[object], classes: list[str] = CLASSES, label: str = "diagnosis") -> pd.DataFrame:
    probs = np.random.default_rng(1).multinomial(100, [0.3, 0.4, 0.3], N) / 100
    columns: dict[str, object] = {
        "PatID": list(range(5000, 5000 - N, -1)),
        "Site": ["Basel", "Bern", "St. Gallen"] * (N // 3),
    }
    columns |= {f"proba_{name}": probs[:, k] for k, name in enumerate(classes)}
    return pd.DataFrame({**columns, label: labels})


def as_file(frame: pd.DataFrame, ending: str) -> bytes:
    buffer = io.BytesIO()
    if ending == "xlsx":
        frame.to_excel(buffer, index=False)
    elif ending == "parquet":
        frame.to_parquet(buffer)
    else:
        text = frame.to_csv(index=False) if ending == "csv" else frame.to_json(orient="records")
        return text.encode()
    return buffer.getvalue()


def refused(frame: pd.DataFrame, ending: str = "csv") -> InputError:
    with pytest.raises(InputError) as caught:
        read(as_file(frame, ending), name=f"x.{ending}")
    return caught.value


def named(odd: object, row: int = 6) -> list[object]:
    labels: list[object] = [CLASSES[i % 3] for i in range(N)]
    labels[row - 1] = odd
    return labels


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "json"])
def test_one_row_without_a_label_does_not_lose_the_column(ending: str) -> None:
    for empty in (None, "", "  "):
        error = refused(table(named(empty)), ending)
        assert str(error).startswith(
            "Row 6 has no label in column 'diagnosis'. Expected a label in every row."
        )
        assert [remedy.change for remedy in error.remedies] == [{"leave_out_rows": (6,)}]
    for odd in ("NA", "?", "lentigo", "-"):
        error = refused(table(named(odd)), ending)
        assert str(error).startswith(f"Row 6 has label '{odd}'. The classes are 'melanoma', 'naevus'")
        assert [remedy.change for remedy in error.remedies] == [{"leave_out_rows": (6,)}]
    spelled = read(as_file(table(named("Melanoma ")), ending), name=f"x.{ending}")
    assert spelled.label_source == "column:diagnosis"


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "json"])
def test_whole_numbers_with_a_gap_are_labels_too(ending: str) -> None:
    for first in (0, 1):
        labels = [float(i % 3 + first) if i != 5 else np.nan for i in range(N)]
        for classes in (["0", "1", "2"], CLASSES):
            error = refused(table(labels, classes), ending)
            assert str(error).startswith("Row 6 has no label in column 'diagnosis'.")


def test_every_fault_of_the_labels_is_said_at_once() -> None:
    labels = named("lentigo")
    labels[8] = None
    error = refused(table(labels))
    assert "Row 9 has no label in column 'diagnosis'." in str(error)
    assert "Row 6 has label 'lentigo'." in str(error)
    assert error.remedies[0].change == {"leave_out_rows": (6, 9)}
    options = ReadOptions().mended(error.remedies[0])
    assert read(as_file(table(labels), "csv"), options=options).label_source == "column:diagnosis"


def test_one_column_of_a_class_and_outcomes_with_a_gap() -> None:
    frame = table([*([1, 0, 0] * (N // 3))])[["PatID", "Site", "proba_melanoma", "diagnosis"]]
    frame["sex"] = ["m", "f"] * (N // 2)
    frame.loc[5, "diagnosis"] = np.nan
    error = refused(frame)
    assert str(error).startswith("Row 6 has no label in column 'diagnosis'.")


def test_a_column_called_otherwise_is_offered_only_if_it_holds_the_classes() -> None:
    frame = table(named(None)).drop(columns="diagnosis")
    assert [remedy.change for remedy in refused(frame).remedies] == [{}]
    assert "Site" not in "".join(remedy.words for remedy in refused(frame).remedies)


def test_two_columns_of_classes_of_which_one_has_a_gap_are_a_question() -> None:
    frame = table(named(None))
    frame["biopsy"] = [CLASSES[(i // 2) % 3] for i in range(N)]
    error = refused(frame)
    assert str(error).startswith(
        "The columns 'diagnosis', 'biopsy' could all be the labels. Row 6 has no label"
    )
    assert [remedy.change for remedy in error.remedies] == [
        {"label_column": "diagnosis"},
        {"label_column": "biopsy"},
    ]
    frame["biopsy"] = [label or "naevus" for label in named(None)]
    assert read(as_file(frame, "csv")).label_source == "column:biopsy"
