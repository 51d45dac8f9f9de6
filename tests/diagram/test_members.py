"""The cases of a bin: the rows that the diagram counted, as a table and as a CSV."""

import csv
import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import DiagnosisSpec, Predictions
from calibcore.data.examples import load_example
from calibcore.diagnose import reliability_for
from calibcore.diagram.binning import Binning, EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.diagram.bins import rows_of_bins
from calibcore.diagram.reliability import reliability
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, PooledLens, RegionLens, TopKLens
from calibcore.words.diagram import (
    bin_words,
    member_rows,
    members,
    members_csv,
    members_sentence,
    shown_of,
)
from calibcore.words.tables import safe_cell

LENSES: tuple[tuple[Lens, Binning], ...] = (
    (TopKLens(1), UniformBinning(10)),
    (ClassLens("grower 2"), EqualMassBinning(5)),
    (CanonicalLens(), MedianVarianceBinning(10)),
    (RegionLens(ClassLens("grower 2"), "grower 1", 0.1, 1.0), UniformBinning(5)),
    (PooledLens(), UniformBinning(10)),
)


@pytest.mark.parametrize(("lens", "binning"), LENSES)
def test_the_members_are_the_cases_that_the_diagram_counted(lens: Lens, binning: Binning) -> None:
    induced = lens(load_example("wine"))
    found = reliability(induced, binning, n_resamples=9)
    seen = []
    for b in range(found.n_bins):
        rows = rows_of_bins(induced, binning, [b])
        assert len(rows) == found.counts[b]
        assert_allclose(induced.probs[rows].mean(axis=0), found.mean_prediction[b])
        assert_allclose(induced.onehot()[rows].mean(axis=0), found.observed[b])
        assert np.all(np.diff(rows) > 0)
        seen.append(rows)
    assert_array_equal(np.sort(np.concatenate(seen)), np.arange(induced.n))
    assert_array_equal(rows_of_bins(induced, binning, [1, 0]), np.sort(np.concatenate(seen[:2])))
    assert len(rows_of_bins(induced, binning, [])) == 0


def test_weights_order_the_bins_as_the_diagram_does() -> None:
    rng = np.random.default_rng(3)
    p = Predictions.from_arrays(
        rng.dirichlet(np.ones(3), 60), rng.integers(3, size=60), weights=rng.gamma(0.3, size=60) + 1e-3
    )
    found = reliability(p, MedianVarianceBinning(5))
    for b in range(found.n_bins):
        rows = rows_of_bins(p, MedianVarianceBinning(5), [b])
        assert p.weights is not None
        assert_allclose(np.average(p.probs[rows], axis=0, weights=p.weights[rows]), found.mean_prediction[b])


def test_labels_choose_no_members() -> None:
    p = load_example("wine")
    other = Predictions.from_arrays(p.probs, (p.labels + 1) % 3, p.class_names)
    spec = DiagnosisSpec(lens=CanonicalLens(), binning=MedianVarianceBinning(10))
    assert_array_equal(members(p, spec, [2]), members(other, spec, [2]))


def small() -> Predictions:
    return Predictions.from_arrays(
        [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.9, 0.05, 0.05]],
        [0, 2, 2, 1],
        ["cat", "=dog", "fox"],
        {"name": ["=1+1", "Ann", "@x", "-3"], "age": [3, -4, 5, 6]},
    )


def test_a_row_says_what_was_predicted_what_happened_and_the_rest_of_the_file() -> None:
    spec = DiagnosisSpec(lens=TopKLens(1), binning=UniformBinning(2))
    rows = list(member_rows(small(), spec, np.array([1, 3])))
    assert rows[0] == {
        "Row": 2, "Confidence": "50.0\N{NO-BREAK SPACE}%", "Top class": "=dog", "Happened": "fox",
        "Through the lens": "miss", "name": "Ann", "age": -4,
    }  # fmt: skip
    assert rows[1]["Row"] == 4
    assert "Through the lens" not in next(member_rows(small(), DiagnosisSpec(), np.array([0])))


def test_rows_are_those_of_the_file_behind_a_region_and_behind_pairs() -> None:
    region = DiagnosisSpec(lens=RegionLens(ClassLens("fox"), "cat", 0.0, 0.5), binning=UniformBinning(1))
    rows = list(member_rows(small(), region, members(small(), region, [0])))
    assert [row["Row"] for row in rows] == [2, 3]
    pairs = DiagnosisSpec(lens=PooledLens(), binning=UniformBinning(1))
    rows = list(member_rows(small(), pairs, members(small(), pairs, [0])))
    assert [row["Row"] for row in rows] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]


def test_many_classes_are_told_in_words_and_written_in_full() -> None:
    p = load_example("digits-forest")
    spec = DiagnosisSpec(binning=UniformBinning(1))
    shown = next(member_rows(p, spec, np.array([0])))
    assert len([name for name in shown if name.startswith("Predicted")]) == 1
    written = list(csv.DictReader(io.StringIO(members_csv(p, spec, [0]))))
    said = [float(written[0][f"predicted {name}"]) for name in p.class_names]
    assert_array_equal(said, p.probs[int(written[0]["Row"]) - 1])


def test_no_cell_of_the_csv_is_a_formula() -> None:
    spec = DiagnosisSpec(lens=CanonicalLens(), binning=UniformBinning(1))
    written = list(csv.reader(io.StringIO(members_csv(small(), spec, [0]))))
    assert len(written) == 5
    for row in written:
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in row)
    assert [row[-2] for row in written[1:]] == ["'=1+1", "Ann", "'@x", "'-3"]
    assert [row[-1] for row in written[1:]] == ["3", "-4", "5", "6"]  # numbers are no formulas
    assert all(safe_cell(c + "x") == f"'{c}x" for c in "=+-@\t")
    assert safe_cell("\r=1") == "'\n=1"  # a line break is quoted, a return alone is not


def test_the_sentence_counts_the_cases_of_the_bin() -> None:
    p, spec = load_example("breast-cancer"), DiagnosisSpec(lens=ClassLens("malignant"))
    found = reliability_for(p, spec)
    rows = members(p, spec, [1])
    hits = sum(row["Happened"] == "malignant" for row in member_rows(p, spec, rows))
    sentence = members_sentence(found, [1], "patient")
    assert f"({hits} of {len(rows)} patients)" in sentence
    assert "we would expect" in sentence
    both = members_sentence(found, [0, 1], "patient")
    assert f"of {found.counts[:2].sum()} patients)" in both
    assert "we would expect" not in both
    assert f"{len(rows)} patients" in bin_words(found, 1, "patient")


def test_many_classes_and_weights_have_sentences_too() -> None:
    p = load_example("wine")
    found = reliability_for(p, DiagnosisSpec(binning=MedianVarianceBinning(10)))
    assert members_sentence(found, [0]).endswith("points apart.")
    assert members_sentence(found, [0, 1]).startswith("2 bins of ")
    w = Predictions.from_arrays([[0.7, 0.3]] * 4, [0, 0, 0, 1], weights=[1, 1, 1, 3])
    found = reliability(w, UniformBinning(10))
    assert "it happened 50.0\N{NO-BREAK SPACE}%, weighted" in members_sentence(found, [0])


def test_what_a_table_leaves_out_is_said() -> None:
    assert shown_of(1, 50, "image") == "The one image."
    assert shown_of(50, 50, "image") == "All 50 images."
    assert shown_of(1204, 50).startswith("The first 50 of 1,204 cases")
