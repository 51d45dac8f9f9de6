"""What is said of arrows and corners."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import SimplexBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.transforms.lenses import CanonicalLens, RegionLens, TopKLens
from calibcore.words.arrows import arrow_label, arrows_drawn, arrows_sentence, corners_sentence, group_name

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


def test_rows_that_a_lens_shows() -> None:
    assert_array_equal(TopKLens(2).rows(P), np.arange(5))
    inner = RegionLens(CanonicalLens(), "fox", 0.15, 1)
    assert_array_equal(inner.rows(P), [3, 4])
    assert_array_equal(RegionLens(inner, "cat", 0.5, 1).rows(P), [4])


def test_the_sentences_about_an_arrow(found: Reliability) -> None:
    assert plain(arrow_label(found, 1, "day")) == "3 days · cat: 75 %, fox: 13 %, dog: 12 %"
    assert corners_sentence(found, "day") == (
        "The corners are 'cat', 'dog' and 'fox'. Each arrow leads from what the model said of similar days "
        "to what happened."
    )


def test_how_many_arrows_are_drawn(found: Reliability) -> None:
    assert arrows_drawn(found, 1, 99) == "All 2 arrows are drawn."
    assert arrows_drawn(found, 3, 99, "day") == (
        "1 of 2 arrows are drawn, those of 3 days or more; the others stand for 2 of 5 days."
    )
    assert arrows_drawn(found, 1, 1).startswith("1 of 2 arrows are drawn, the fullest bins; the others")
    assert arrows_drawn(found, 4, 99).startswith("No bin holds 4 cases: the fullest has 3.")
    one = reliability(P, SimplexBinning(1), n_resamples=9)
    assert arrows_drawn(one, 1, 99).startswith("All predictions are in one bin, so there is one arrow.")


def test_weighted_cases_are_told_without_chance() -> None:
    p = Predictions.from_arrays(P.probs, P.labels, P.class_names, weights=[1, 2, 1, 2, 1])
    found = reliability(p, BINS)
    assert arrows_drawn(found, 1, 99) == "All 2 arrows are drawn."
    assert arrows_sentence(found).endswith(" Weighted cases do not say what chance allows.")


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
