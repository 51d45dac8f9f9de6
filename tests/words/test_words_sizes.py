"""Gaps that round to 0.0 points: their digits and direction, through every lens, beside the numbers."""

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import Frequencies, Interval, frequencies
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    GroupsLens,
    Lens,
    PooledLens,
    RegionLens,
    TopKLens,
)
from calibcore.words.phrases import points
from calibcore.words.sizes import (
    apart,
    balance_sentence,
    balance_words,
    gap_cell,
    gap_explained,
    interval_words,
    net_digits,
    net_gap,
    typical_digits,
    typical_sentence,
    typical_words,
)

SPACE = "\N{NO-BREAK SPACE}"
PARTS = ("cat", ("cat",)), ("rest", ("dog",))
SMALL = Interval(0.00043, 0.0001, 0.00076)


def of(name: str, gap: Interval) -> Frequencies:
    return Frequencies(name, 0.5 + gap.value, 0.5, gap, 500, 1000)


FAR = of("cat", Interval(0.036, 0.021, 0.050))


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
def test_a_rare_class_that_happens_more_often_has_too_low_a_probability(lens: Lens) -> None:
    (found,) = frequencies(lens(rare()))
    assert found.hits == 22
    assert found.said * found.n == pytest.approx(9.0)
    assert apart(found.gap)
    assert balance_sentence(lens, (found,)).endswith("he model gives 'sepsis' too low a probability.")
    assert balance_words(lens, (found,)).endswith("too low")
    assert net_gap(lens, (found,)).endswith("0.04 points too low (0.01 to 0.08)")


def test_confidence_that_is_hardly_off_has_a_direction() -> None:
    lens = TopKLens(1)
    (found,) = frequencies(lens(rare()))
    assert balance_sentence(lens, (found,)) == "On balance the model is too sure of its answers."
    assert net_gap(lens, (found,)) == "0.04 points too sure (0.01 to 0.08)"
    unsure = of("hit", turned(SMALL))
    assert balance_sentence(lens, (unsure,)) == "On balance the model is too unsure of its answers."
    where = RegionLens(lens, "cat", 0.8, 1.0)
    assert balance_sentence(where, (unsure,)) == (
        f"On balance, where 'cat' was given 80{SPACE}% to 100{SPACE}%, "
        "the model is too unsure of its answers."
    )


def test_choices_have_too_high_or_too_low_a_probability() -> None:
    first, second = of("1st", Interval(-0.23, -0.25, -0.21)), of("2nd", Interval(0.1, 0.08, 0.12))
    other = of("other", Interval(0.13, 0.1, 0.16))
    assert balance_sentence(TopKLens(2), (first, second, other)) == (
        "On balance the model gives 'other' too high a probability "
        "and its '1st' choice too low a probability."
    )
    small = [of(name, turned(SMALL)) for name in ("other", "1st", "2nd")]
    said = balance_sentence(TopKLens(2), small)
    assert said.startswith("On balance the model gives ")
    assert said.endswith(" too low a probability.")


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
    cell = net_gap(ClassLens("cat"), (of("cat", gap),))
    value, unit, _, way, low, _, high = cell.replace("(", "").replace(")", "").split()
    assert unit == "points"
    assert way == ("high" if sign > 0 else "low")
    decimals = {len(number.partition(".")[2]) for number in (value, low, high)}
    assert len(decimals) == 1
    digits = decimals.pop()
    half = 0.5 * 10.0**-digits + 1e-12
    for said, number in ((value, size), (low, 0.4 * size), (high, 1.6 * size)):
        assert abs(float(said) - 100 * number) <= half
    if k < 6:
        assert float(low) > 0
        assert digits == 1 or round(40 * size, digits - 1) == 0
    assert cell.startswith(value)
    assert balance_words(ClassLens("cat"), (of("cat", gap),)) == f"too {way}"


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (Interval(-0.0001, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(0.0001, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(0.0, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(-1e-17, -0.02, 0.03), "0.0 points (−2.0 to 3.0)"),
        (Interval(-0.0003, -0.0008, 0.0), "0.0 points (−0.1 to 0.0)"),
        (Interval(0.0003, -0.0001, 0.0008), "0.0 points (0.0 to 0.1)"),
        (Interval(0.036, 0.0004, 0.07), "3.60 points too high (0.04 to 7.00)"),
        (Interval(0.0004, 1e-10, 0.0008), "0.04 points too high (0.00 to 0.08)"),
        (Interval(-2e-9, -3e-9, -1e-9), "0.000000 points too low (0.000000 to 0.000000)"),
    ],
)
def test_the_sign_of_a_size_is_clear_unless_it_is_nothing(gap: Interval, said: str) -> None:
    assert net_gap(ClassLens("cat"), (of("cat", gap),)) == said
    assert net_gap(GroupsLens(PARTS), (of("cat", gap),)) == f"'cat' {said}"


def test_pooled_pairs_are_off_by_nothing_on_average() -> None:
    probs = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3]])
    pooled = PooledLens()(Predictions(probs, np.array([2, 0, 0]), ("a", "b", "c")))
    assert net_gap(PooledLens(), frequencies(pooled)).startswith("'hit' 0.0 points (−")
    assert balance_sentence(PooledLens(), frequencies(pooled)) == ""


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
    said = typical_sentence(CanonicalLens(), gap)
    assert (f"typically {size} off" in said) == (gap.low > 0)
    assert f"interval {interval})" in said


def test_where_one_cannot_tell_the_interval_stands_first() -> None:
    clear, none = Interval(0.042, 0.03, 0.0511), Interval(0.0, 0.0, 0.069)
    assert gap_cell(clear) == "4.2 points (3.0 to 5.1)"
    assert gap_cell(none) == "0.0 points (0.0 to 6.9)"  # one form in all tables
    assert gap_cell(none, 2, unit=False) == "0.00 (0.00 to 6.90)"
    assert gap_cell(Interval(0.01402, 0.01398, 0.01404)) == "1.402 points (1.398 to 1.404)"
    assert gap_cell(clear, unit=False) == "4.2 (3.0 to 5.1)"
    interval = "approximate 95\N{NO-BREAK SPACE}% interval"
    assert gap_explained(clear) == ("4.2 points", f"{interval} 3.0 to 5.1")
    assert gap_explained(clear, True) == ("3.0 to 5.1 points", f"{interval}; best estimate 4.2")


def test_sizes_in_a_column_have_the_same_digits() -> None:
    gaps = Interval(0.042, 0.03, 0.0511), Interval(0.0003, 0.0, 0.0008), Interval(0.0, 0.0, 0.02)
    digits = typical_digits(gaps)
    assert [typical_words(gap, digits) for gap in gaps] == [
        ("4.20 points", "3.00 to 5.11"),
        ("0.03 points", "0.00 to 0.08"),
        ("0.00 points", "0.00 to 2.00"),
    ]
    each = [(of("cat", SMALL),), (of("cat", Interval(0.1, 0.05, 0.15)),), (of("cat", SMALL),) * 3]
    digits = net_digits(each)
    assert [net_gap(ClassLens("cat"), classes, digits) for classes in each] == [
        "0.04 points too high (0.01 to 0.08)",
        "10.00 points too high (5.00 to 15.00)",
        "–",
    ]


def test_an_end_next_to_0_gives_no_digits_to_others() -> None:
    gaps = Interval(0.14675, 0.12564, 0.16519), Interval(0.0412, 0.00004, 0.0923)
    digits = typical_digits(gaps)
    assert [gap_cell(gap, digits) for gap in gaps] == [
        "14.7 points (12.6 to 16.5)",
        "4.120 points (0.004 to 9.230)",
    ]
    each = [(of("cat", gap),) for gap in gaps]
    digits = net_digits(each)
    assert [net_gap(ClassLens("cat"), classes, digits, unit=False) for classes in each] == [
        "14.7 too high (12.6 to 16.5)",
        "4.120 too high (0.004 to 9.230)",
    ]


def test_the_net_gap_fits_a_cell() -> None:
    assert net_gap(ClassLens("cat"), (FAR,)) == "3.6 points too high (2.1 to 5.0)"
    assert net_gap(TopKLens(1), (FAR,)) == "3.6 points too sure (2.1 to 5.0)"
    low = of("cat", Interval(-0.01, -0.04, 0.02))
    assert net_gap(ClassLens("cat"), (low,)) == "1.0 point too low (−2.0 to 4.0)"
    assert net_gap(ClassLens("cat"), (FAR, FAR, FAR)) == "–"
    none = (of("cat", Interval(0.0, -0.1, 0.1)),)
    assert net_gap(ClassLens("cat"), none) == "0.0 points (−10.0 to 10.0)"


def test_the_net_gap_names_its_class_where_the_lens_does_not() -> None:
    assert net_gap(CanonicalLens(), (FAR,)) == "'cat' 3.6 points too high (2.1 to 5.0)"
    pets = GroupsLens((("cat", ("cat",)), ("dog", ("dog",))))
    assert net_gap(pets, (FAR,)) == "'cat' 3.6 points too high (2.1 to 5.0)"
    assert (
        net_gap(RegionLens(ClassLens("cat"), "dog", 0.0, 0.5), (FAR,)) == "3.6 points too high (2.1 to 5.0)"
    )
    few = RegionLens(CanonicalLens(), "dog", 0.0, 0.5)
    assert net_gap(few, (FAR,)) == "'cat' 3.6 points too high (2.1 to 5.0)"
