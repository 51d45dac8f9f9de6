"""Gaps that round to 0.0 points: their digits and direction, through every lens, beside the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore.lenses import CanonicalLens, ClassLens, GroupsLens, Lens, PooledLens, RegionLens, TopKLens
from calibcore.predictions import Predictions
from calibcore.sizes import Frequencies, Interval, frequencies
from calibcore.verdict import Verdict
from calibcore.words import gap_sentence, on_average, points, size_sentence
from calibcore.words.sizes import apart, interval_words, typical_sentence, typical_words

SPACE = "\N{NO-BREAK SPACE}"
PARTS = ("cat", ("cat",)), ("rest", ("dog",))
SMALL = Interval(0.00043, 0.0001, 0.00076)


def verdict(lens: Lens, *found: Frequencies) -> Verdict:
    return Verdict(
        lens=lens,
        answer="miscalibrated",
        small=True,
        pvalue=0.001,
        adjusted=0.001,
        alpha=0.05,
        tolerance=0.05,
        n=30_000,
        typical_gap=Interval(0.0003, 0.0002, 0.001),
        frequencies=found,
        detectable=(),
        smallest_detectable=None,
    )


def of(name: str, gap: Interval) -> Frequencies:
    return Frequencies(name, 0.5 + gap.value, 0.5, gap, 500, 1000)


def turned(gap: Interval) -> Interval:
    return Interval(-gap.value, -gap.high, -gap.low)


def rare(n: int = 30_000, hits: int = 22, said: float = 9.0) -> Predictions:
    """A class that is expected ``said`` times and happens ``hits`` times."""
    p = np.linspace(0.5, 1.5, n) * said / n
    labels = np.ones(n, np.int64)
    labels[np.linspace(0, n - 1, hits).astype(int)] = 0
    return Predictions(np.column_stack([p, 1 - p]), labels, ("sepsis", "none"))


@pytest.mark.parametrize(
    "lens",
    [
        CanonicalLens(),
        ClassLens("sepsis"),
        GroupsLens((("sepsis", ("sepsis",)), ("others", ("none",)))),
        RegionLens(CanonicalLens(), "sepsis", 0.0, 1.0),
        RegionLens(ClassLens("sepsis"), "sepsis", 0.0, 1.0),
    ],
)
def test_a_rare_class_that_happens_more_often_is_said_too_rarely(lens: Lens) -> None:
    (found,) = frequencies(lens(rare()))
    assert found.hits == 22
    assert found.said * found.n == pytest.approx(9.0)
    assert apart(found.gap)
    said = size_sentence(verdict(lens, found))
    assert f"he model says 'sepsis' 0.04 points too rarely (95{SPACE}% interval 0.01 to 0.08)." in said
    assert on_average(verdict(lens, found)).endswith("0.04 points too rarely (0.01 to 0.08)")


def test_confidence_that_is_hardly_off_has_a_direction() -> None:
    lens = TopKLens(1)
    (found,) = frequencies(lens(rare()))
    assert size_sentence(verdict(lens, found)).startswith(
        f"The model is 0.04 points too sure of its answers (95{SPACE}% interval 0.01 to 0.08)."
    )
    assert on_average(verdict(lens, found)) == "0.04 points too sure (0.01 to 0.08)"
    unsure = of("hit", turned(SMALL))
    assert "is 0.04 points too unsure of its answers (95" in size_sentence(verdict(lens, unsure))
    where = RegionLens(lens, "cat", 0.8, 1.0)
    assert size_sentence(verdict(where, unsure)).startswith(
        f"Where 'cat' was given 80{SPACE}% to 100{SPACE}%, the model is 0.04 points too unsure of its answers"
    )


def test_the_class_furthest_off_of_three_has_digits_and_a_direction() -> None:
    n = 3_000_000
    few, many = of("a", Interval(-4e-6, -6e-6, -2e-6)), of("b", Interval(3e-6, 1e-6, 5e-6))
    found = verdict(CanonicalLens(), *(replace(one, n=n) for one in (few, many, many)))
    assert size_sentence(found).endswith(
        "Furthest off on average: the model says 'a' 0.0004 points too rarely "
        f"(95{SPACE}% interval for all at once 0.0002 to 0.0006)."
    )
    assert on_average(found) == "–"


def test_choices_are_given_too_much_or_too_little() -> None:
    first, second = of("1st", Interval(-0.23, -0.25, -0.21)), of("2nd", Interval(0.1, 0.08, 0.12))
    other = of("other", Interval(0.13, 0.1, 0.16))
    at_once = f"(95{SPACE}% interval for all at once"
    said = size_sentence(verdict(TopKLens(2), first, second, other))
    assert (
        f"Furthest off on average: the model gives its '1st' choice 23.0 points too little {at_once}" in said
    )
    rest = size_sentence(verdict(TopKLens(2), second, second, other))
    assert f"Furthest off on average: the model gives 'other' 13.0 points too much {at_once}" in rest
    small = [of(name, turned(SMALL)) for name in ("other", "1st", "2nd")]
    assert f"the model gives 'other' 0.043 points too little {at_once} 0.003 to" in size_sentence(
        verdict(TopKLens(2), *small)
    )


def test_the_lens_calls_its_choices_so() -> None:
    probs = np.tile([0.5, 0.3, 0.15, 0.05], (10, 1))
    three = Predictions(probs, np.arange(10) % 4, ("a", "b", "c", "d"))
    assert TopKLens(2)(three).class_names == ("1st", "2nd", "other")


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("k", range(7))
def test_digits_and_direction_agree_with_the_numbers(k: int, sign: int) -> None:
    size = 0.0432 * 10.0**-k
    gap = Interval(size, 0.4 * size, 1.6 * size)
    gap = gap if sign > 0 else turned(gap)
    cell = on_average(verdict(ClassLens("cat"), of("cat", gap)))
    value, unit, _, way, low, _, high = cell.replace("(", "").replace(")", "").split()
    assert unit == "points"
    assert way == ("often" if sign > 0 else "rarely")
    decimals = {len(number.partition(".")[2]) for number in (value, low, high)}
    assert len(decimals) == 1
    digits = decimals.pop()
    half = 0.5 * 10.0**-digits + 1e-12
    for said, number in ((value, size), (low, 0.4 * size), (high, 1.6 * size)):
        assert abs(float(said) - 100 * number) <= half
    if k < 6:
        assert float(low) > 0
        assert digits == 1 or round(40 * size, digits - 1) == 0
    assert cell.removesuffix(")").replace(" (", f" (95{SPACE}% interval ") in gap_sentence(
        ClassLens("cat"), of("cat", gap)
    )


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (Interval(-0.0001, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(0.0001, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(0.0, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(-1e-17, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(-0.0003, -0.0008, 0.0), "0.0 points (−0.1 to 0.0)"),
        (Interval(0.0003, -0.0001, 0.0008), "0.0 points (0.0 to 0.1)"),
        (Interval(0.036, 0.0004, 0.07), "3.60 points too often (0.04 to 7.00)"),
        (Interval(0.0004, 1e-10, 0.0008), "0.04 points too often (0.00 to 0.08)"),
        (Interval(-2e-9, -3e-9, -1e-9), "0.000000 points too rarely (0.000000 to 0.000000)"),
    ],
)
def test_the_sign_of_a_size_is_clear_unless_it_is_nothing(gap: Interval, said: str) -> None:
    assert on_average(verdict(ClassLens("cat"), of("cat", gap))) == said
    assert on_average(verdict(GroupsLens(PARTS), of("cat", gap))) == f"'cat' {said}"


def test_pooled_pairs_are_off_by_nothing_on_average() -> None:
    probs = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3]])
    pooled = PooledLens()(Predictions(probs, np.array([2, 0, 0]), ("a", "b", "c")))
    found = verdict(PooledLens(), *frequencies(pooled))
    assert on_average(found).startswith("'hit' 0.0 points (−")
    assert "on average" not in size_sentence(found)


def test_what_chance_may_explain_is_no_sentence() -> None:
    level = of("cat", Interval(0.0, -0.02, 0.02))
    for lens in (CanonicalLens(), ClassLens("cat"), TopKLens(1), GroupsLens(PARTS)):
        assert size_sentence(verdict(lens, level)).startswith("The probabilities are typically")
    assert "Furthest" not in size_sentence(verdict(TopKLens(2), level, level, level))


@pytest.mark.parametrize(
    ("digits", "size", "ends"),
    [
        (1, "1.0 point", "0.0 to 1.0"),
        (2, "1.00 points", "0.00 to 1.04"),
        (3, "1.004 points", "0.000 to 1.040"),
    ],
)
def test_digits_are_as_asked_for(digits: int, size: str, ends: str) -> None:
    assert points(0.01004, digits) == size
    assert interval_words(Interval(0.01004, -1e-9, 0.0104), digits) == ends


@pytest.mark.parametrize(
    ("gap", "size", "interval"),
    [
        (Interval(0.042, 0.03, 0.0511), "4.2 points", "3.0 to 5.1"),
        (Interval(0.0003, 0.0, 0.0008), "0.03 points", "0.00 to 0.08"),
        (Interval(0.0008, 0.00004, 0.002), "0.080 points", "0.004 to 0.200"),
        (Interval(0.0, 0.0, 0.02), "0.0 points", "0.0 to 2.0"),
    ],
)
def test_a_typical_gap_that_is_not_nothing_is_not_rounded_away(
    gap: Interval, size: str, interval: str
) -> None:
    assert typical_words(gap) == (size, interval)
    assert (f"typically {size} off" in typical_sentence(gap)) == (gap.value > 0)
