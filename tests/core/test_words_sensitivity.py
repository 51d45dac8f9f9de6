"""Sentences about other bins and about classes, compared with their numbers."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.classes import ClassesByEvidence, ClassEvidence, classes_by_evidence
from calibcore.predictions import Predictions
from calibcore.reliability import reliability
from calibcore.sensitivity import BinningSensitivity, LeftClosedBinning, Way, binning_sensitivity
from calibcore.spec import DiagnosisSpec
from calibcore.words import (
    SCHEMES,
    chosen_way,
    class_title,
    classes_alt,
    classes_note,
    classes_sentence,
    csv_of,
    edge_words,
    evidence_rows,
    exploratory,
    p_words,
    points,
    sensitivity_rows,
    sensitivity_sentence,
    way_words,
)

DIAGRAM = reliability(
    Predictions.from_arrays([[0.2, 0.8], [0.7, 0.3]], [0, 0], ("cat", "not cat")), UniformBinning(2)
)


def way(binning=UniformBinning(10), ece=0.036, p=0.002, number=10, held=9) -> Way:
    return Way(binning, number, held, ece, 0.02, 0.01, 0.03, p)


def tried(*ways: Way, smallest: float = 0.004, **changes) -> BinningSensitivity:
    return replace(BinningSensitivity(ways, 0, smallest, 2, 499, "total-variation", 0.05), **changes)


def test_the_range_and_where_it_stands() -> None:
    above, within = way(ece=0.021), way(EqualMassBinning(4), ece=0.048, p=0.3, number=4, held=4)
    assert sensitivity_sentence(tried(above, within)) == (
        "It depends on the bins: the average gap (ECE) is 2.1 to 4.8 points over 2 ways, "
        "above chance (p ≤ 0.05) in 1 of them."
    )
    assert sensitivity_sentence(tried(above)) == (
        "However the cases are binned, the average gap (ECE) stands above chance: "
        "2.1 points over 1 way, p ≤ 0.05 in each."
    )
    assert sensitivity_sentence(tried(within, replace(within, ece=0.01), alpha=0.1)) == (
        "However the cases are binned, the average gap (ECE) stays within chance: "
        "1.0 to 4.8 points over 2 ways, p > 0.1 in each."
    )


def test_a_p_at_the_level_stands_above_chance_as_everywhere() -> None:
    assert "in each" in sensitivity_sentence(tried(way(p=0.05)))
    assert "stays within" in sensitivity_sentence(tried(way(p=0.0501)))


def test_squared_distances_have_no_points() -> None:
    said = sensitivity_sentence(tried(way(ece=0.0021), way(ece=0.0048), distance="squared-euclidean"))
    assert "0.0021 to 0.0048 over 2 ways" in said


def test_a_picked_p_is_called_exploratory_and_the_adjusted_one_said() -> None:
    assert exploratory(tried(way(), way())) == (
        "A p picked from these is exploratory: whoever tries many bins finds some that suit. "
        "The smallest one, adjusted for both ways: p = 0.004 (exact for independent cases)."
    )
    assert "p = 0.002, the smallest possible (exact" in exploratory(tried(way(), smallest=0.002))


def test_your_own_bins() -> None:
    assert chosen_way(tried(way(), way(p=0.9))) == (
        "Your bins (10 equal-width bins, 9 with cases): 3.6 points, "
        "1.0 to 3.0 points if calibrated; p = 0.002."
    )


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        (0.036, "changes nothing here"),
        (0.0361, "changes next to nothing here"),
        (0.044, "changes the ECE by up to 0.8 points."),
        (0.028, "changes the ECE by up to 0.8 points."),
    ],
)
def test_what_the_edge_rule_changes(theirs: float, words: str) -> None:
    assert words in edge_words(tried(way(), way(LeftClosedBinning(10), ece=theirs)))


def test_without_another_edge_rule_nothing_is_said_about_it() -> None:
    assert edge_words(tried(way(), m=3)) == ""


def test_ways_in_words() -> None:
    assert way_words(way(held=10), 2) == "10 equal-width bins"
    assert way_words(way(UniformBinning(1), number=1, held=1), 2) == "1 equal-width bin"
    assert way_words(way(LeftClosedBinning(10)), 2) == (
        "10 equal-width bins, edges to the bin above, 9 with cases"
    )
    assert way_words(way(UniformBinning(2), held=11), 3) == (
        "2 equal-width intervals per class, 11 with cases"
    )
    assert way_words(way(UniformBinning(3), held=3), 3) == "3 equal-width intervals per class"
    median = way(MedianVarianceBinning(25), number=4, held=4)
    assert way_words(median, 2) == "bins split at the median, 25 cases or more each, 4 with cases"


def test_every_scheme_has_a_name_and_a_row() -> None:
    rng = np.random.default_rng(0)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(3), 60), rng.integers(3, size=60))
    found = binning_sensitivity(p, DiagnosisSpec(resamples=19))
    assert set(found.schemes) <= set(SCHEMES)
    rows, exact = sensitivity_rows(found), sensitivity_rows(found, exact=True)
    assert len(rows) == len(exact) == len(found.ways)
    for row, full, of in zip(rows, exact, found.ways, strict=True):
        assert full["ece"] == of.ece
        assert full["p"] == of.pvalue
        assert row["With cases"] == full["bins with cases"] == of.held
        assert row["Average gap (ECE)"] == points(of.ece)
    assert exact[0]["binning"] == "uniform:2"
    assert len(csv_of(exact).splitlines()) == len(rows) + 1


@pytest.mark.parametrize(
    ("p", "smallest", "words"),
    [
        (0.034, 0.0, "p = 0.034"),
        (1.0, 0.0, "p = 1"),
        (0.995, 0.1, "p > 0.99"),
        (0.01, 0.01, "p = 0.01, the smallest possible"),
    ],
)
def test_p_in_words(p: float, smallest: float, words: str) -> None:
    assert p_words(p, smallest) == words


# --- classes ----------------------------------------------------------------


def evidence(name="cat", ece=0.063, adjusted=0.005, p=0.0005) -> ClassEvidence:
    return ClassEvidence(name, DIAGRAM, ece, 0.015, 0.009, 0.022, 5.0, p, adjusted)


def looked_at(*classes: ClassEvidence, left_out: tuple[str, ...] = ()) -> ClassesByEvidence:
    return ClassesByEvidence(classes, left_out, UniformBinning(10), "total-variation", 0.05, 1999)


def test_the_class_that_stands_out_and_how_many_do() -> None:
    cat, dog, fox = evidence(), evidence("dog", adjusted=0.04), evidence("fox", adjusted=0.06)
    off = "6.3 points off on average, 0.9 to 2.2 points if calibrated; adjusted p = 0.005"
    assert classes_sentence(looked_at(cat, dog, fox)) == (
        f"'cat' stands out most: {off}. 2 of 3 classes differ from what happened by more than chance allows."
    )
    assert "1 of 2 classes differs from" in classes_sentence(looked_at(cat, fox))
    assert "All 2 classes differ from" in classes_sentence(looked_at(cat, dog))
    none = classes_sentence(looked_at(replace(fox, adjusted=1.0), fox))
    assert none.startswith("None of 2 classes differs from what happened by more than chance allows. 'fox' ")
    assert none.endswith("adjusted p = 1.")


def test_the_smallest_adjusted_p_is_the_number_of_classes_in_all_redraws() -> None:
    classes = [evidence(str(k), adjusted=10 / 2000) for k in range(10)]
    assert "adjusted p = 0.005, the smallest possible." in classes_sentence(looked_at(*classes))


def test_classes_that_are_left_out_are_named() -> None:
    note = classes_note(looked_at(evidence(), evidence("dog")))
    assert note.endswith("p is exact for independent cases, adjusted for the 2 classes looked at (Holm).")
    note = classes_note(looked_at(evidence(), left_out=tuple("abcdefg")))
    assert "Drawn are the 1 that the model gives most probability, whatever happened; not 'a'" in note
    assert note.endswith("'e' and 2 more.")


def test_titles_and_alternative_text() -> None:
    assert class_title(evidence(), "total-variation") == "6.3 points, p = 0.005"
    said = classes_alt((evidence(), evidence("dog", ece=0.01, adjusted=1.0)), "total-variation")
    assert said == "cat: 6.3 points, p = 0.005; dog: 1.0 point, p = 1"


def test_rows_of_classes_are_their_numbers() -> None:
    rng = np.random.default_rng(1)
    p = Predictions.from_arrays(
        rng.dirichlet(np.ones(3), 60), rng.integers(3, size=60), ("cat", "=dog", "fox")
    )
    found = classes_by_evidence(p, DiagnosisSpec())
    rows, exact = evidence_rows(found), evidence_rows(found, exact=True)
    for row, full, c in zip(rows, exact, found.classes, strict=True):
        assert row["Class"] == full["class"] == c.name
        assert (full["ece"], full["p"], full["adjusted p"]) == (c.ece, c.pvalue, c.adjusted)
        assert row["Bins outside"] == f"{c.diagram.outside.sum()} of {c.diagram.n_bins}"
    assert "'=dog" in csv_of(exact)
