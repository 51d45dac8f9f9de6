"""Classes in order, in words: too high or too low, on the whole and class by class."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibcore import CanonicalLens, DiagnosisSpec, Predictions, UpToLens, survey
from calibcore.assessment.assess import assess
from calibcore.hypothesis_tests.ranks import RankShift
from calibcore.terminal import survey_text
from calibcore.words.leading import _of_ranks, leading
from calibcore.words.ranks import by_class, ranks_sentence
from tests.cases import each

NAMES = ["none", "mild", "moderate", "severe"]


OF = "approximate 95\N{NO-BREAK SPACE}% interval of the difference"
ALONE = "The test of ranks stands by itself, not adjusted:"


@each(
    "ranks",
    [
        (
            RankShift(2.43, 2.1, -0.4, -0.26, 0.001, 999),
            f"Classes are given too high: mean rank 2.43 predicted, 2.10 observed ({OF} −0.40 to −0.26). "
            f"{ALONE} p = 0.001, the smallest possible.",
        ),
        (
            RankShift(2.0, 2.2, 0.1, 0.3, 0.04, 999),
            f"Classes are given too low: mean rank 2.00 predicted, 2.20 observed ({OF} 0.10 to 0.30). "
            f"{ALONE} p = 0.04.",
        ),
        (
            RankShift(2.0, 3.0, None, None, 0.4, 99),
            "No sign that classes are given too high or too low: mean rank 2.00 predicted, 3.00 observed. "
            f"{ALONE} p = 0.4.",
        ),
    ],
)
def test_the_direction_is_said_where_the_test_found_it(ranks: tuple[RankShift, str]) -> None:
    assert ranks_sentence(ranks[0], 0.05) == ranks[1]


@pytest.mark.slow
def test_class_by_class() -> None:
    """Of a third of the cases of rank 2 the truth is rank 1: only "above none" is given too high."""
    rng = np.random.default_rng(4)
    g = rng.dirichlet(np.full(4, 2.0), 1500)
    y = (rng.random(1500)[:, None] > g.cumsum(axis=1)[:, :3]).sum(axis=1)
    y[(y == 1) & (rng.random(1500) < 0.35)] = 0
    p = Predictions.from_arrays(g, y, NAMES, ordered=True)
    found = survey(p, DiagnosisSpec())
    assessed = assess(p, found)
    lens = UpToLens("none")
    verdict = next(v for v in assessed.verdicts if v.lens == lens)
    of_class = verdict.frequencies[0]
    said = by_class(assessed.verdicts)
    assert said == f"Given too high: above 'none' (by {100 * abs(of_class.gap.value):.1f} points)."
    text = survey_text(assessed)
    assert f"Classes are given too high: mean rank {g @ [1, 2, 3, 4] @ np.full(1500, 1 / 1500):.2f}" in text
    assert said in text


@each("high", [True, False])
def test_what_stands_first_says_which_way_classes_are_off_not_only_what_is_up_to_one(high: bool) -> None:
    """ "Up to mild" is too low where classes are too high: read alone it is taken for the opposite."""
    rng = np.random.default_rng(6)
    g = rng.dirichlet(np.full(4, 2.0), 1500)
    y = (rng.random(1500)[:, None] > g.cumsum(axis=1)[:, :3]).sum(axis=1)
    moved = rng.random(1500) < 0.4
    y[moved & (y == 2 - (not high))] += -1 if high else 1  # over the border between mild and moderate
    p = Predictions.from_arrays(g, y, NAMES, ordered=True)
    found = survey(
        p, DiagnosisSpec(resamples=199), [UpToLens(name) for name in NAMES[:-1]] + [CanonicalLens()]
    )
    said = leading(found.diagnoses, assess(p, found).verdicts)
    assert said is not None
    assert said.way == ("too low" if high else "too high")
    first = f"Classes too {'high' if high else 'low'}, clearest for 'up to mild' where it says "
    assert said.sentence.startswith(first)


@each(
    "up_to, way, shift, said",
    [
        (True, "too low", -0.3, "Classes too high"),
        (True, "too high", 0.3, "Classes too low"),
        (False, "too high", -0.3, "Classes too high"),
        (False, "too low", 0.3, "Classes too low"),
        (True, "too high", -0.3, ""),
        (False, "too low", -0.3, ""),
        (False, "too high", 0.3, ""),
        (False, "", -0.3, ""),
    ],
)
def test_which_way_classes_are_off_goes_along_with_the_side_that_is_spoken_of(
    up_to: bool, way: str, shift: float, said: str
) -> None:
    lens = UpToLens("mild")
    verdict: Any = SimpleNamespace(lens=lens, small=False)
    diagnosis: Any = SimpleNamespace(
        ranks=RankShift(2.0, 2.0 + shift, None, None, 0.01, 99), spec=SimpleNamespace(alpha=0.05)
    )
    name = lens.names[0 if up_to else 1]
    assert _of_ranks(verdict, [diagnosis], name, way) == said
    found_nothing: Any = SimpleNamespace(
        ranks=RankShift(2.0, 2.0 + shift, None, None, 0.4, 99), spec=diagnosis.spec
    )
    assert _of_ranks(verdict, [found_nothing], name, way) == ""
