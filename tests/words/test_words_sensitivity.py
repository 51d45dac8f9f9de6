"""Sentences about other bins and about classes, compared with their numbers."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.diagram.reliability import reliability
from calibcore.hypothesis_tests import TestResult
from calibcore.sensitivity.binnings import BinningSensitivity, LeftClosedBinning, Way, binning_sensitivity
from calibcore.settings import DiagnosisSpec
from calibcore.words.phrases import p_words, points, pvalue
from calibcore.words.sensitivity import (
    SCHEMES,
    chosen_way,
    edge_words,
    exploratory,
    sensitivity_rows,
    sensitivity_sentence,
    way_words,
)
from calibcore.words.tables import csv_of

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
        "It depends on the bins: the average gap (ECE) is 2.1 to 4.8 points over 2 ways, above what chance "
        "allows (exact p of the ECE ≤ 0.05, of this lens alone, not adjusted) in 1 of them."
    )
    assert sensitivity_sentence(tried(above)) == (
        "However the cases are binned, the average gap (ECE) is above what chance allows: "
        "2.1 points over 1 way, exact p of the ECE ≤ 0.05 in each, of this lens alone, not adjusted."
    )
    assert sensitivity_sentence(tried(within, replace(within, ece=0.01), alpha=0.1)) == (
        "However the cases are binned, the average gap (ECE) is what chance allows: "
        "1.0 to 4.8 points over 2 ways, exact p of the ECE > 0.1 in each, of this lens alone, not adjusted."
    )


def test_a_p_at_the_level_stands_above_chance_as_everywhere() -> None:
    assert "in each" in sensitivity_sentence(tried(way(p=0.05)))
    assert "is what chance allows" in sensitivity_sentence(tried(way(p=0.0501)))


def test_squared_distances_have_no_points() -> None:
    said = sensitivity_sentence(tried(way(ece=0.0021), way(ece=0.0048), distance="squared-euclidean"))
    assert "0.0021 to 0.0048 over 2 ways" in said


def test_a_picked_p_is_called_exploratory_and_the_adjusted_one_said() -> None:
    assert exploratory(tried(way(), way())) == (
        "A p picked from these is exploratory: whoever tries many bins finds some that suit. "
        "The smallest one, adjusted for both ways: p = 0.004, the smallest possible "
        "(exact for independent cases)."
    )
    assert "p = 0.004, the smallest possible (exact" in exploratory(tried(way()))
    assert "p = 0.004 (exact" in exploratory(tried(way(p=0.004)))


def test_your_own_bins() -> None:
    assert chosen_way(tried(way(), way(p=0.9))) == (
        "Your bins (10 equal-width bins, 9 with cases): 3.6 points, "
        "1.0 to 3.0 points if calibrated; exact test of this ECE: p = 0.002, the smallest possible."
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
    ("p", "least", "words", "short"),
    [
        (0.034, False, "p = 0.034", "0.034"),
        (1.0, False, "p = 1", "1"),
        (0.995, False, "p > 0.99", "> 0.99"),
        (0.01, True, "p = 0.01, the smallest possible", "0.01 (smallest)"),
        (0.00005, True, "p < 0.0001, the smallest possible", "< 0.0001 (smallest)"),
        (float("nan"), False, "–", "–"),
    ],
)
def test_p_in_words(p: float, least: bool, words: str, short: str) -> None:
    assert p_words(p, least) == words
    assert p_words(p, least, short=True) == short


def test_only_an_exact_p_is_zero() -> None:
    assert pvalue(TestResult(1.0, 0.0, "made", "exact")) == "p = 0"
    assert pvalue(TestResult(99.0, 0.0, "made", "asymptotic")) == "p < 0.0001"
    assert pvalue(TestResult(99.0, 0.0, "made", "bound")) == "p < 0.0001"


def test_a_bound_is_written_so() -> None:
    assert p_words(0.39, bound=True) == "p ≤ 0.39"
