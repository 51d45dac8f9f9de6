"""Why a diagram starts on an axis in log-odds, in a sentence with the way back."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagnose.parts import spread_bins, spread_for
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning
from calibcore.diagram.spread import SPREAD_BINS
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens
from calibcore.words.diagram import EVEN, LOG_ODDS, crowded_elsewhere, crowded_sentence

RNG = np.random.default_rng(0)
SURE = 1 / (1 + np.exp(-np.concatenate([RNG.normal(6, 1, 900), RNG.uniform(-2, 2, 100)])))
P = Predictions.from_arrays(np.column_stack([SURE, 1 - SURE]), 1 - (RNG.random(1000) < SURE), ["ill", "well"])
SPEC = DiagnosisSpec(lens=ClassLens("ill"))


def test_it_says_how_many_lie_where_what_the_diagram_does_and_the_way_back() -> None:
    spread = spread_for(P, SPEC)
    assert spread is not None
    own = spread_bins(SPEC, spread)
    assert own.binning == MedianVarianceBinning(50, SPREAD_BINS)
    assert crowded_sentence(spread, LOG_ODDS, own.binning, "patient") == (
        "90\N{NO-BREAK SPACE}% of patients lie between 90 and 100\N{NO-BREAK SPACE}%, so this diagram "
        "starts on a log-odds axis with bins split at the median. "
        "'Even' brings back the 10 equal-width bins that checks use."
    )
    assert crowded_sentence(spread, EVEN, SPEC.binning, "patient").endswith("; 'Log-odds' spreads them out.")
    assert crowded_elsewhere(spread, "patient") == (
        "90\N{NO-BREAK SPACE}% of patients lie between 90 and 100\N{NO-BREAK SPACE}%. "
        "On the page Reliability they are spread out on a log-odds axis, in other bins."
    )


def test_of_a_rare_class_it_says_what_its_bins_have_in_common() -> None:
    x = np.concatenate([RNG.uniform(0, 0.001, 4000), RNG.uniform(0.1, 0.9, 60)])
    p = Predictions.from_arrays(np.column_stack([x, 1 - x]), 1 - (RNG.random(4060) < x), ["ill", "well"])
    spread = spread_for(p, SPEC)
    assert spread is not None
    own = spread_bins(SPEC, spread)
    assert own.binning.kind == "equally-uncertain"
    said = crowded_sentence(spread, LOG_ODDS, own.binning)
    assert "with equally uncertain bins. Each expects as many of the less likely outcomes. 'Even'" in said


def test_the_other_class_crowds_at_the_other_end() -> None:
    spread = spread_for(P, DiagnosisSpec(lens=ClassLens("well")))
    assert spread is not None
    assert "between 0 and 10\N{NO-BREAK SPACE}%" in crowded_sentence(spread, EVEN, SPEC.binning)


def test_bins_that_were_chosen_stay() -> None:
    spread = spread_for(P, SPEC)
    assert spread is not None
    chosen = DiagnosisSpec(lens=SPEC.lens, binning=EqualMassBinning(15))
    assert spread_bins(chosen, spread) == chosen
    said = crowded_sentence(spread, LOG_ODDS, chosen.binning)
    assert "median" not in said
    assert "'Even' brings back the axis from 0 to 100" in said


def test_three_classes_and_even_predictions_have_none() -> None:
    three = Predictions.from_arrays(RNG.dirichlet([9, 0.1, 0.1], 500), np.zeros(500, int))
    assert spread_for(three, DiagnosisSpec(lens=CanonicalLens())) is None
    even = np.linspace(0, 1, 500)
    p = Predictions.from_arrays(np.column_stack([even, 1 - even]), np.zeros(500, int))
    assert spread_for(p, DiagnosisSpec()) is None
