"""What is looked at, in words, and what a survey of lenses says."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    UniformBinning,
)
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.transforms.lenses import TopKLens
from calibcore.words.arrows import arrows_sentence, net_gap_sentence
from calibcore.words.looking import looked_at, repeats_warning

NARROW = "\N{NO-BREAK SPACE}"


def test_what_is_looked_at_is_part_of_a_sentence() -> None:
    spec = DiagnosisSpec(lens=TopKLens(1), binning=EqualMassBinning(15))
    assert looked_at(spec, spec.lens.phrase(), 2) == "confidence in the answer, 15 equal-mass bins"
    split = DiagnosisSpec(lens=TopKLens(2), binning=MedianVarianceBinning(53))
    assert looked_at(split, "these", 3, "image").endswith("bins split at the median, 53 images or more each")
    mean = MeanVarianceBinning(1000)
    assert looked_at(replace(split, binning=mean), "these", 3, "image").endswith(
        "while they hold 1,000 images"
    )


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("patient", "here 312 images come from 104 different values of 'patient'"),
        (None, "you said that some belong together"),
    ],
)
def test_repeated_cases_are_warned_of(column: str | None, said: str) -> None:
    warning = repeats_warning(312, "image", column, 104)
    assert warning.startswith("The tests assume independent images; ")
    assert said in warning
    assert warning.endswith("The p-values may be too small.")


def seen() -> Reliability:
    """4 cases at 75 % of which 2 happened, 2 at 25 % of which none did."""
    first = np.array([0.75] * 4 + [0.25] * 2)
    p = Predictions.from_arrays(np.column_stack([first, 1 - first]), [0, 0, 1, 1, 1, 1], ("yes", "no"))
    return reliability(p, UniformBinning(2))


def test_arrows_say_which_class_happens_more_and_less() -> None:
    p = Predictions.from_arrays(np.tile([0.5, 0.3, 0.2], (10, 1)), [0] * 2 + [1] * 3 + [2] * 5, "xyz")
    found = reliability(p, UniformBinning(1), n_resamples=99)
    assert arrows_sentence(found, noun="day").replace("\N{NO-BREAK SPACE}", " ") == (
        "The arrow is not longer than chance allows. "
        "The arrow could be chance: in its 10 days 'z' was given 20.0 % on average and happened 50.0 % of "
        "the time (30.0 points away)."
    )
    # Of ten cases 5 at 20 % and 1 at 50 % are the last within 1 − 0.05/3 of the binomial law.
    assert net_gap_sentence(found) == (
        "Net gap over all arrows: 'z' happens 30.0 points more often than predicted (chance alone: up to "
        "30.0), 'x' 30.0 points less (up to 40.0)."
    )
    even = Predictions.from_arrays(np.tile([0.2, 0.3, 0.5], (10, 1)), [0] * 2 + [1] * 3 + [2] * 5, "xyz")
    assert arrows_sentence(reliability(even, UniformBinning(1), n_resamples=99)) == (
        "The arrow is not longer than chance allows. "
        "Every arrow is a dot: what was predicted is what happened."
    )
