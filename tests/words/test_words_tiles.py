"""The tiles of the answer: the numbers of the verdict that stands for all, and what they are of."""

import numpy as np
import pytest

from calibcore import Predictions, survey
from calibcore.assessment.assess import assess
from calibcore.words.verdict_rows import Tile, checks_words, tiles
from calibcore.words.verdicts import as_a_whole
from tests.made import binary
from tests.words.test_words_verdicts import verdict


def test_the_tiles_have_the_numbers_of_the_whole() -> None:
    size, seen, cases = tiles(verdict(n=3), binary([0.2, 0.7, 0.9], [0, 1, 1]), "patient")
    interval = "approximate 95\N{NO-BREAK SPACE}% interval 3.0 to 5.1"
    assert size == Tile("Typical gap", "4.2 points", interval, "typical gap")
    assert (seen.label, seen.value) == ("Smallest detectable", "3.1 points")
    assert cases == Tile("Patients", "3", "the event is '1'")


def test_where_one_cannot_tell_the_interval_stands_first() -> None:
    size, *_ = tiles(verdict("cannot-tell", n=3), binary([0.2, 0.7, 0.9], [0, 1, 1]))
    below = "approximate 95\N{NO-BREAK SPACE}% interval; best estimate 4.2"
    assert size == Tile("Typical gap", "3.0 to 5.1 points", below, "typical gap")


def test_what_is_not_known_is_no_number() -> None:
    p = Predictions.from_arrays(np.full((6, 3), 1 / 3), [0, 1, 2, 0, 1, 2])
    waiting = tiles(None, p)
    assert [tile.value for tile in waiting] == ["…", "…", "6"]
    assert waiting[2] == Tile("Cases", "6", "3 classes")
    unseen = tiles(verdict(n=6, smallest_detectable=None), p)
    assert unseen[1].value == "none"
    assert tiles(verdict(n=6, detectable=(), smallest_detectable=None), p)[1].value == "not known"


def test_units_are_counted_where_rows_belong_together() -> None:
    p = Predictions.from_arrays(np.full((6, 3), 1 / 3), [0, 1, 2, 0, 1, 2])
    assert tiles(verdict(n=2), p, "visit")[2] == Tile("Units, one row of each", "2", "3 classes")


@pytest.mark.parametrize("m", [2, 3])
def test_checks_are_counted_as_in_the_sentence(m: int) -> None:
    rng = np.random.default_rng(1)
    probs = rng.dirichlet(np.full(m, 0.4), size=300)
    found = assess(p := Predictions.from_arrays(probs, rng.integers(m, size=300)), survey(p))
    of = len(found.verdicts)
    assert checks_words(found.verdicts) == f"{of} of {of} checks found a problem"
    assert as_a_whole(found.verdicts).answer == "miscalibrated"
    by_others = verdict("miscalibrated", by_lenses=("class:cat",))
    assert checks_words([by_others, verdict()]) == "0 of 2 checks found a problem"
    assert checks_words([verdict("miscalibrated")]) == "1 of 1 check found a problem"
