"""The cases of a bin, and what is said of arrows and their cases."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.binning import Binning, MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.examples import load_example
from calibcore.lenses import CanonicalLens, GroupsLens, RegionLens, TopKLens, rows_through
from calibcore.predictions import InputError, Predictions
from calibcore.reliability import Reliability, bin_members, reliability
from calibcore.words import (
    arrow_label,
    arrows_drawn,
    arrows_sentence,
    corners_sentence,
    group_name,
    member_rows,
    members_sentence,
)

P = Predictions.from_arrays(
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.75, 0.05, 0.2]],
    [0, 1, 1, 2, 0],
    ("cat", "dog", "fox"),
    {"patient": ["p1", "p2", "p3", "p4", "p5"]},
)
BINS = SimplexBinning(2)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def found() -> Reliability:
    return reliability(P, BINS, n_resamples=9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("binning", [SimplexBinning(4), UniformBinning(3), MedianVarianceBinning(9)])
def test_members_are_the_cases_whose_means_the_bin_has(binning: Binning, weighted: bool) -> None:
    p = load_example("wine")
    w = np.linspace(0.5, 2, p.n) if weighted else np.ones(p.n)
    if weighted:
        p = Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=w)
    found = reliability(p, binning, n_resamples=9)
    held = []
    for b in range(found.n_bins):
        rows = bin_members(p, binning, b)
        held += rows.tolist()
        assert len(rows) == found.counts[b]
        assert_allclose(np.average(p.probs[rows], axis=0, weights=w[rows]), found.mean_prediction[b])
        assert_allclose(np.average(p.onehot()[rows], axis=0, weights=w[rows]), found.observed[b])
        assert (np.diff(rows) > 0).all()
    assert sorted(held) == list(range(p.n))


def test_no_such_bin() -> None:
    for b in (-1, 2):
        with pytest.raises(InputError, match="expected 0 to 1"):
            bin_members(P, BINS, b)


def test_rows_that_a_lens_shows() -> None:
    assert_array_equal(rows_through(TopKLens(2), P), np.arange(5))
    inner = RegionLens(CanonicalLens(), "fox", 0.15, 1)
    assert_array_equal(rows_through(inner, P), [3, 4])
    assert_array_equal(rows_through(RegionLens(inner, "cat", 0.5, 1), P), [4])


def test_members_as_a_table_name_the_row_of_the_file_and_other_columns() -> None:
    lens = RegionLens(GroupsLens({"pets": ("cat", "dog"), "wild": ("fox",)}), "cat", 0.5, 1)
    seen = lens(P)
    rows = member_rows(P, seen, rows_through(lens, P), np.array([1, 2]))
    given = [plain(" | ".join(map(str, row.values()))) for row in rows]
    assert given == ["3 | p3 | 90.0 % | 10.0 % | pets | dog", "5 | p5 | 80.0 % | 20.0 % | pets | cat"]
    assert list(rows[0]) == ["Row", "patient (column)", "pets", "wild", "Happened", "Class"]
    assert "Class" not in member_rows(P, P, np.arange(5), np.array([0]))[0]


def test_at_most_fifty_members_are_listed() -> None:
    p = load_example("wine")
    assert len(member_rows(p, p, np.arange(p.n), np.arange(60))) == 50
    found = reliability(p, UniformBinning(1), n_resamples=9)
    assert members_sentence(found, 0, "wine").endswith("The first 50 are below.")


def test_the_sentences_about_an_arrow(found: Reliability) -> None:
    assert plain(arrow_label(found, 1, "day")) == "3 days · cat: 75 %, fox: 13 %, dog: 12 %"
    assert plain(members_sentence(found, 1)) == (
        "3 cases. Predicted on average: cat: 75 %, fox: 13 %, dog: 12 %. "
        "Happened: cat: 67 %, dog: 33 %, fox: 0 %."
    )
    assert corners_sentence(found, "day") == (
        "The corners are 'cat', 'dog' and 'fox'. Each arrow leads from what the model said of similar days "
        "to what happened."
    )


def test_how_many_arrows_are_drawn(found: Reliability) -> None:
    found = replace(found, expected_outside=0.31)
    chance = " Were the model calibrated, we would expect about 0.3 long ones."
    assert arrows_drawn(found, 1, 99) == "All 2 arrows are drawn." + chance
    assert arrows_drawn(found, 3, 99, "day") == (
        "1 of 2 arrows are drawn, those of 3 days or more; the others stand for 2 of 5 days." + chance
    )
    assert arrows_drawn(found, 1, 1).startswith("1 of 2 arrows are drawn, the fullest bins; the others")
    assert arrows_drawn(found, 4, 99).startswith("No bin holds 4 cases: the fullest has 3.")
    one = reliability(P, SimplexBinning(1), n_resamples=9)
    assert arrows_drawn(one, 1, 99).startswith("All predictions are in one bin, so there is one arrow.")


def test_weighted_cases_are_told_without_chance() -> None:
    p = Predictions.from_arrays(P.probs, P.labels, P.class_names, weights=[1, 2, 1, 2, 1])
    found = reliability(p, BINS)
    assert arrows_drawn(found, 1, 99) == "All 2 arrows are drawn."
    assert arrows_sentence(found).endswith("; weighted cases do not say what chance allows.")


def test_the_fullest_bins_and_the_default_of_how_full() -> None:
    p = load_example("wine")
    found = reliability(p, SimplexBinning(5), n_resamples=9)
    literal = sorted(sorted(range(found.n_bins), key=lambda b: (-found.counts[b], b))[:4])
    assert found.fullest(1, 4).tolist() == literal
    assert found.fullest(5).tolist() == [b for b in range(found.n_bins) if found.counts[b] >= 5]
    assert found.only(found.fullest(5)).n_cases == found.n_cases == p.n
    assert found.fewest_worth_showing == 5
    assert reliability(P, BINS, n_resamples=9).fewest_worth_showing == 3  # the fullest has no more
    many = replace(found, counts=np.array([30_000]), histogram=np.array([30_000]))
    assert many.fewest_worth_showing == 15


@pytest.mark.parametrize(
    ("members", "name"),
    [
        (["cat"], "cat"),
        (["cat", "dog"], "cat, dog"),
        (["elephant", "giraffe", "rhinoceros"], "elephant, giraffe + 1"),
        (["a" * 40, "b"], "a" * 40 + " + 1"),
    ],
)
def test_a_group_without_a_name_is_named_by_its_classes(members: list[str], name: str) -> None:
    assert group_name(members) == name
