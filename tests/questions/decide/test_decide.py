"""decide: net benefit at thresholds, what is promised of it, and another model beside it."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibcore import (
    ClassLens,
    Decisions,
    DiagnosisSpec,
    InputError,
    Predictions,
    SetLens,
    TopKLens,
    decide,
)
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.types import Float
from calibcore.painters.paper import decision_print, saved
from calibcore.painters.screen.decisions import decision_figure
from calibcore.questions.decide import AtThreshold, sets_of
from calibcore.questions.decide import words as deciding
from calibcore.questions.decide.ask import RANGES, first_threshold
from calibcore.questions.decide.says import MOST_ROWS, selective_table, thresholds_table
from calibcore.questions.decide.thresholds import Counted
from calibcore.terminal import answer_text
from calibcore.transforms.nulls import Temperature
from tests.asked import EVIL, SMALL, cases, small
from tests.oracles.next import reference, references
from tests.oracles.published_binary import DCURVES, DCURVES_EVENTS, DCURVES_N, DCURVES_TREAT_ALL

EVENT = DiagnosisSpec(lens=ClassLens("event"))


@small(Decisions)
def at_two_thresholds() -> Decisions:
    return decide(cases(), replace(SMALL, lens=ClassLens(EVIL)), [0.2, 0.5])


def two(p: Sequence[float] | Float, hit: Sequence[int] | Float) -> Predictions:
    first = np.asarray(p, float)
    return Predictions.from_arrays(
        np.column_stack([first, 1 - first]), 1 - np.asarray(hit, int), ["event", "none"]
    )


def chances(n: int, rng: np.random.Generator) -> Float:
    """Of class 0 against two others: softmax(1.5 x), x ~ N(1.5 e_y, I)."""
    x = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[rng.integers(3, size=n)]
    e = np.exp(1.5 * x)
    return np.asarray(e[:, 0] / e.sum(axis=1))


def shifted(p: Float, shift: float | Float) -> Float:
    return np.asarray(1 / (1 + (1 - p) / p * np.exp(-shift)))


def model(seed: int, n: int = 300, shift: float = 0.0) -> Predictions:
    rng = np.random.default_rng([seed, n])
    p = chances(n, rng)
    return two(shifted(p, shift), rng.random(n) < p)


# --- against the definitions ------------------------------------------------------------


@pytest.mark.parametrize("case", references("F", "threshold"), ids=lambda case: case["name"])
def test_net_benefit_at_a_threshold(case) -> None:
    given, expected = case["input"], case["output"]
    one = decide(two(given["p"], given["hit"]), EVENT, [given["threshold"]]).thresholds[0]
    assert one.net_benefit == pytest.approx(expected["net_benefit"], abs=1e-12)
    assert one.treat_all == pytest.approx(expected["treat_all"], abs=1e-12)
    assert one.minus_treat_all == pytest.approx(expected["minus_treat_all"], abs=1e-12)
    assert one.promised == pytest.approx(expected["promised"], abs=1e-12)
    assert one.deviation == pytest.approx(expected["promised_sd"], abs=1e-12)
    assert error_of(one.treated, one) == pytest.approx(expected["standard_error"], abs=1e-12)
    # The definition guards this difference "in the same way" as the net benefit; the reference has the
    # variance of the sample alone (.2108 at .5, guarded .2300). That covers .53 to .96 of the time in 36
    # settings of other shapes, n = 60 and 300, the guarded one .94 to 1.00.
    t, below = given["threshold"], [p < given["threshold"] for p in given["p"]]
    z = [-side * (y - (1 - y) * t / (1 - t)) for side, y in zip(below, given["hit"], strict=True)]
    assert math.sqrt(np.var(z, ddof=1) / one.n) == pytest.approx(expected["se_minus_treat_all"], abs=1e-12)
    guarded = literal_error(given["p"], given["hit"], below, t)
    assert error_of(one.untreated, one) == pytest.approx(guarded, abs=1e-12)
    assert guarded >= expected["se_minus_treat_all"] - 1e-12
    if t == 0.5:
        assert guarded == pytest.approx(0.2300, abs=5e-5)


def error_of(counted: Counted, one: AtThreshold) -> float:
    """The larger of the sample's and the claimed one."""
    n, t = one.n, one.threshold
    return math.sqrt(max(counted.sample_variance(n, t), counted.claimed_variance(n, t)))


def literal_error(p: Sequence[float], hit: Sequence[int], side: Sequence[bool], t: float) -> float:
    n, w = len(p), t / (1 - t)
    z = [s * (y - (1 - y) * w) for s, y in zip(side, hit, strict=True)]
    said = [s * (q - (1 - q) * w) for s, q in zip(side, p, strict=True)]
    inner = sum(s * q * (1 - q) for s, q in zip(side, p, strict=True)) / (n * (1 - t) ** 2)
    return math.sqrt(max(np.var(z, ddof=1), inner + np.var(said, ddof=1)) / n)


@pytest.mark.parametrize("seed", range(5))
def test_standard_errors_are_those_of_plain_loops(seed: int) -> None:
    predictions = model(seed, n=40, shift=0.5)
    p, hit = predictions.probs[:, 0].tolist(), (1 - predictions.labels).tolist()
    for one in decide(predictions, EVENT, [0.1, 0.3, 0.7]).thresholds:
        t = one.threshold
        above = [q >= t for q in p]
        below = [not side for side in above]
        for counted, side in ((one.treated, above), (one.untreated, below)):
            expected = literal_error(p, hit, side, t)
            assert error_of(counted, one) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_intervals_are_those_with_two_hits_and_two_misses_more(seed: int) -> None:
    predictions = model(seed, n=40, shift=-1.5)
    p, hit = predictions.probs[:, 0], 1 - predictions.labels
    given = 0
    for one in decide(predictions, EVENT, [0.1, 0.3, 0.7]).thresholds:
        t, w = one.threshold, one.threshold / (1 - one.threshold)
        above = p >= t
        for interval, side, sign in (
            (one.interval, above, 1),
            (one.minus_treat_all_interval, ~above, -1),
        ):
            if interval is None:
                continue
            given += 1
            z = sign * np.append(side * (hit - (1 - hit) * w), [1, 1, -w, -w])
            said = side * (p - (1 - p) * w)
            claimed = (side * p * (1 - p)).mean() / (1 - t) ** 2 + said.var(ddof=1)
            half = 1.959963984540054 * math.sqrt(max(z.var(ddof=1) / 44, claimed / 40))
            assert interval.value == pytest.approx(z[:40].mean(), abs=1e-12)
            assert interval.low == pytest.approx(z.mean() - half, abs=1e-12)
            assert interval.high == pytest.approx(z.mean() + half, abs=1e-12)
    assert given >= 4


@given(
    cases=st.integers(5, 400),
    others=st.integers(0, 400),
    share=st.floats(0, 1),
    threshold=st.floats(1e-6, 1 - 1e-6),
)
def test_an_interval_holds_its_estimate(cases: int, others: int, share: float, threshold: float) -> None:
    """Although its middle is another, and however little the model claims to vary."""
    n = max(cases + others, 20)
    interval = Counted(cases, round(share * cases), 0.0, 0.0).interval(n, threshold)
    assert interval.low <= interval.value <= interval.high


def test_the_p_is_that_of_complete_enumeration() -> None:
    case = reference("F", "the same at 0.3")
    found = decide(two(case["input"]["p"], case["input"]["hit"]), replace(EVENT, resamples=9_999), [0.3])
    one, expected = found.thresholds[0], case["output"]
    assert abs(one.net_benefit - one.promised) == pytest.approx(expected["statistic"], abs=1e-12)
    error = math.sqrt(expected["p_exact"] * (1 - expected["p_exact"]) / 9_999)
    assert one.pvalue == pytest.approx(expected["p_exact"], abs=4 * error)
    assert found.simultaneous_pvalue == one.pvalue


def test_p_values_of_many_thresholds_are_those_of_redrawn_labels() -> None:
    """Counts from the laws between thresholds, beside labels case by case."""
    predictions = model(3, n=60, shift=0.6)
    p, hit = predictions.probs[:, 0], 1 - predictions.labels
    grid = [0.1, 0.2, 0.25, 0.5]
    found = decide(predictions, replace(EVENT, resamples=9_999), grid)
    drawn = np.random.default_rng(0).random((9_999, 60)) < p
    z = []
    for t in grid:
        treated = p >= t
        scale = math.sqrt((p * (1 - p))[treated].sum())
        z.append(np.abs(np.vstack([hit, drawn])[:, treated].sum(axis=1) - p[treated].sum()) / scale)
    every = np.array(z)
    for one, of_one in zip(found.thresholds, every, strict=True):
        expected = (of_one[1:] >= of_one[0] - 1e-9).mean()
        assert one.pvalue == pytest.approx(expected, abs=0.02)
    most = every.max(axis=0)
    assert found.simultaneous_pvalue == pytest.approx((most[1:] >= most[0] - 1e-9).mean(), abs=0.02)


def test_bands_and_p_values_say_the_same() -> None:
    for seed in range(20):
        found = decide(model(seed, n=80, shift=0.5), EVENT)
        for one in found.thresholds:
            low, high = one.chance_range
            inside = low - 1e-12 <= one.net_benefit <= high + 1e-12
            assert inside == (one.pvalue > 0.05)
        bands = [found.band(one) for one in found.thresholds]
        all_inside = all(
            low - 1e-12 <= one.net_benefit <= high + 1e-12
            for one, (low, high) in zip(found.thresholds, bands, strict=True)
        )
        assert all_inside == found.kept


def test_another_model_by_paired_differences() -> None:
    a, b = model(5, shift=0.0), model(5, shift=1.0)
    p, q, hit = a.probs[:, 0], b.probs[:, 0], 1 - a.labels
    found = decide(a, EVENT, [0.2], against=b).thresholds[0]
    alone = decide(b, EVENT, [0.2]).thresholds[0]
    assert found.other is not None
    assert found.other.interval is not None
    assert found.other.net_benefit == pytest.approx(alone.net_benefit, abs=1e-12)
    assert found.other.difference == pytest.approx(found.net_benefit - alone.net_benefit, abs=1e-12)
    sign = (p >= 0.2) * 1.0 - (q >= 0.2) * 1.0
    d = sign * (hit - (1 - hit) * 0.25)
    claimed = []
    for said in (p, q):
        by_outcome = sign[:, None] * [1, -0.25]
        law = np.column_stack([said, 1 - said])
        mean = (law * by_outcome).sum(axis=1)
        inner = (law * (by_outcome - mean[:, None]) ** 2).sum(axis=1).mean()
        claimed.append(inner + mean.var(ddof=1))
    assert set(sign) == {0, -1}, "the shifted model treats all that the other does"
    more = np.append(d, [-1, -1, 0.25, 0.25])
    half = 1.959963984540054 * math.sqrt(max(more.var(ddof=1) / (a.n + 4), min(claimed) / a.n))
    assert found.other.interval.low == pytest.approx(more.mean() - half, abs=1e-12)
    assert found.other.interval.high == pytest.approx(more.mean() + half, abs=1e-12)
    # Where each treats some alone, each side has one hit and one miss more.
    c = two(np.random.default_rng(8).permutation(p), hit)
    found = decide(a, EVENT, [0.2], against=c).thresholds[0]
    sign = (p >= 0.2) * 1.0 - (c.probs[:, 0] >= 0.2) * 1.0
    more = np.append(sign * (hit - (1 - hit) * 0.25), [1, -0.25, -1, 0.25])
    assert found.other is not None
    assert found.other.interval is not None
    middle = (found.other.interval.low + found.other.interval.high) / 2
    assert middle == pytest.approx(more.mean(), abs=1e-12)
    same = decide(a, EVENT, [0.2], against=a).thresholds[0].other
    assert same is not None
    assert (same.difference, same.interval) == (0.0, None)


@pytest.mark.parametrize("marker", DCURVES)
def test_the_decision_curve_of_dcurves(marker: str) -> None:
    """Cases with the true and false positives that it counts: on the threshold where a count changes."""
    table = DCURVES[marker]
    grid = sorted(table)
    p, hit = [0.01] * (DCURVES_N - sum(table[grid[0]][:2])), []
    hit = [1] * (DCURVES_EVENTS - table[grid[0]][0])
    hit += [0] * (len(p) - len(hit))
    for t, higher in zip(grid, [*grid[1:], None], strict=True):
        above = (0, 0) if higher is None else table[higher][:2]
        events, others = (table[t][k] - above[k] for k in (0, 1))
        p += [t] * (events + others)
        hit += [1] * events + [0] * others
    found = decide(two(p, hit), EVENT, grid)
    assert found.n == DCURVES_N
    for one in found.thresholds:
        tp, fp, benefit, avoided = table[one.threshold]
        assert (one.treated.hits, one.treated.cases) == (tp, tp + fp)
        assert one.net_benefit == pytest.approx(benefit, abs=1e-12)
        assert one.treat_all == pytest.approx(DCURVES_TREAT_ALL[one.threshold], abs=1e-12)
        assert avoided is None or 100 * one.avoided == pytest.approx(avoided, abs=1e-9)


# --- edges ------------------------------------------------------------------------------


def test_what_lies_on_a_threshold_is_treated() -> None:
    """0.15 is 15/100 in the default grid, and 0.7 + 0.1 is 0.8 although binary numbers add up to less."""
    p = Predictions.from_arrays([[0.15, 0.85, 0.0], [0.7, 0.1, 0.2]] * 10, [0, 1] * 10, ["event", "b", "c"])
    found = decide(p, EVENT)
    assert found.at(0.15).treated.cases == 20
    assert found.at(0.16).treated.cases == 10
    sets = decide(p, DiagnosisSpec(lens=SetLens(0.75)), [0.8])
    assert sets.thresholds[0].treated.cases == 20


def test_nobody_and_everybody_treated() -> None:
    p = two([0.3, 0.4] * 20, [0, 1] * 20)
    none, every = decide(p, EVENT, [0.9]).thresholds[0], decide(p, EVENT, [0.1]).thresholds[0]
    assert (none.net_benefit, none.pvalue, none.interval, none.hit_rate) == (0.0, 1.0, None, None)
    assert (every.minus_treat_all, every.minus_treat_all_interval, every.avoided_interval) == (0, None, None)
    assert every.net_benefit == pytest.approx(every.treat_all)


def test_what_cannot_vary_is_off_or_not() -> None:
    sure = two([1.0, 0.0] * 20, [1, 0] * 20)
    assert decide(sure, EVENT).simultaneous_pvalue == 1
    wrong = two([1.0, 0.0] * 20, [1, 0] * 19 + [0, 0])
    found = decide(wrong, EVENT)
    assert found.simultaneous_pvalue == pytest.approx(0.001)
    assert Decisions.from_json(found.to_json()).to_json() == found.to_json()


def test_one_goes_there_and_back_through_json() -> None:
    a, b = model(7), model(7, shift=0.3)
    found = decide(a, EVENT, [0.2, 0.5], against=b)
    again = Decisions.from_json(found.to_json())
    assert again.thresholds == found.thresholds
    assert again.to_json() == found.to_json()
    document = json.loads(found.to_json())
    assert {"threshold", "net_benefit", "treat_all", "promised", "p_value"} <= set(document["thresholds"][0])
    assert document["simultaneous_p_value"] == found.simultaneous_pvalue


def test_refusals() -> None:
    three = Predictions.from_arrays(np.full((30, 3), 1 / 3), [0, 1, 2] * 10, ["event", "b", "c"])
    with pytest.raises(
        InputError, match="A decision is about two outcomes, and through this lens there are 3"
    ):
        decide(three)
    p = model(1)
    for t in (0.0, 1.0, -0.1, float("nan"), 2.0):
        with pytest.raises(InputError, match="expected a number above 0 and below 1"):
            decide(p, EVENT, [t])
    with pytest.raises(InputError, match="There is no threshold"):
        decide(p, EVENT, [])
    with pytest.raises(InputError, match="1,000 thresholds; 999 is the most"):
        decide(p, EVENT, np.linspace(0.001, 0.999, 1_000))
    with pytest.raises(InputError, match="tested against calibration"):
        decide(p, replace(EVENT, null=Temperature(2.0)))
    weighted = Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=np.linspace(1, 2, p.n))
    with pytest.raises(InputError, match="weights give estimates only"):
        decide(weighted, EVENT)
    with pytest.raises(InputError, match="Compare two models at a threshold through one class"):
        decide(p, DiagnosisSpec(lens=TopKLens(1)), against=p)
    with pytest.raises(InputError, match="expected the same cases"):
        decide(p, EVENT, against=model(1, n=200))


def test_default_thresholds_follow_from_the_question() -> None:
    p = Predictions.from_arrays(np.tile([[0.6, 0.3, 0.1]], (30, 1)), [0, 1, 2] * 10, ["event", "b", "c"])
    grids = {
        lens: [one.threshold for one in decide(p, DiagnosisSpec(lens=lens)).thresholds]
        for lens in (ClassLens("event"), TopKLens(1), SetLens(0.9))
    }
    assert (grids[ClassLens("event")][0], grids[ClassLens("event")][-1]) == (0.05, 0.5)
    assert (grids[TopKLens(1)][0], grids[TopKLens(1)][-1]) == (0.5, 0.95)
    assert grids[SetLens(0.9)] == grids[TopKLens(1)]


# --- words ------------------------------------------------------------------------------


def test_words_at_a_threshold() -> None:
    rng = np.random.default_rng(1)
    p = chances(1_000, rng)
    found = decide(two(shifted(p, 0.8), rng.random(1_000) < p), EVENT, [0.2])
    one: AtThreshold = found.thresholds[0]
    said = deciding.threshold_sentence(found, one, "patient")
    assert said.startswith("At a threshold of 20\N{NO-BREAK SPACE}% the model promises ")
    assert "net true positives in 100 patients. It delivered " in said
    assert said.endswith(
        "less than chance allows (p = 0.001, the smallest possible at this threshold alone)."
    )
    numbers = (one.treated.cases, one.treated.hits, one.treated.promised, one.untreated.hits)
    counts = [f"{x / 10:.0f}" for x in numbers]
    assert one.hit_rate is not None
    assert one.missed_rate is not None
    between, missed = (
        f"{math.floor(rate.low * side.cases / 10)} to {math.ceil(rate.high * side.cases / 10)}"
        for rate, side in ((one.hit_rate, one.treated), (one.missed_rate, one.untreated))
    )
    assert deciding.frequency_sentence(found, one, "patient") == (
        f"Of 100 patients {counts[0]} are treated, and {counts[1]} of them are 'event' "
        f"(95\N{NO-BREAK SPACE}% interval {between}). "
        f"The model promised {counts[2]}. Of the other {100 - int(counts[0])}, {counts[3]} is 'event' "
        f"(95\N{NO-BREAK SPACE}% interval {missed})."
    )
    rare = decide(two([0.04] * 996 + [0.5] * 4, [1] * 3 + [0] * 993 + [1, 0, 0, 0]), EVENT, [0.2])
    assert deciding.frequency_sentence(rare, rare.thresholds[0]) == (
        "Of 1,000 cases 4 are treated, and 1 of them is 'event' (95\N{NO-BREAK SPACE}% interval 0 to 4). "
        "The model promised 2. Of the other 996, 3 are 'event' (95\N{NO-BREAK SPACE}% interval 0 to 9)."
    )
    few = decide(two([0.04] * 960 + [0.5] * 40, [1, *[0] * 959, *[1, 0] * 20]), EVENT, [0.2])
    assert deciding.frequency_sentence(few, few.thresholds[0]).endswith(
        "Of the other 96, fewer than 1 is 'event' (95\N{NO-BREAK SPACE}% interval 0 to 1)."
    )
    none = decide(two([0.1] * 10 + [0.9] * 10, [0] * 10 + [1] * 10), EVENT, [0.2])
    assert deciding.frequency_sentence(none, none.thresholds[0]).endswith(
        "Of the other 10, 0 are 'event' (95\N{NO-BREAK SPACE}% interval 0 to 4)."  # .308 at most
    )
    one_below = decide(two([0.04] + [0.5] * 40, [0, *[1, 0] * 20]), EVENT, [0.2])
    assert deciding.treat_all_sentence(one_below.thresholds[0], "patient") == (
        "Against treating all: 0.6 net true positives in 100 patients (1 is below the threshold, too few for "
        "an interval)."
    )
    assert deciding.promise_sentence(found).startswith(
        "The model delivers less than it promises at a threshold"
    )
    more = decide(two(shifted(p, -0.8), rng.random(1_000) < p), EVENT, [0.2])
    assert deciding.promise_sentence(more).startswith(
        "The model delivers more than it promises at a threshold"
    )
    first = deciding.frequency_sentence(found, one, "patient")
    assert deciding.headline(found, "patient") == f"At a threshold of 20\N{NO-BREAK SPACE}%, o{first[1:]}"
    assert [first_threshold(decide(model(1), EVENT, RANGES[name])).threshold for name in RANGES] == [
        0.05,
        0.2,
        0.8,
    ]
    assert first_threshold(decide(model(1), EVENT, [0.1, 0.3, 0.99])).threshold == 0.3
    assert "Against treating all: " in answer_text(found)
    rows = thresholds_table(decide(model(1), EVENT)).few_rows()
    assert [row["Threshold"] for row in rows] == [f"{t}\N{NO-BREAK SPACE}%" for t in range(5, 51, 5)]
    odd = decide(model(1), EVENT, np.linspace(0.011, 0.911, 46))
    assert len(thresholds_table(odd).few_rows()) == MOST_ROWS
    assert len(thresholds_table(odd).rows()) == 46


def test_words_of_answers_that_are_accepted() -> None:
    p = Predictions.from_arrays(
        [[0.8, 0.1, 0.1], [0.4, 0.3, 0.3]] * 50, [0, 1] * 40 + [1, 0] * 10, ["a", "b", "c"]
    )
    found = decide(p, DiagnosisSpec(lens=TopKLens(1)), [0.7])
    one = found.thresholds[0]
    assert deciding.selective_sentence(found, one).replace("\N{NO-BREAK SPACE}%", "%") == (
        "Where the model is at least 70% sure, in 50.0% of the cases, it is wrong in 20.0% (95% interval "
        "10.0% to 33.7%). It promised 20.0%."
    )
    assert one.promised_rate_by_chance is not None
    low, high = one.promised_rate_by_chance
    assert low < 0.8 < high
    assert low == pytest.approx(0.8 - one.chance / 50)
    assert deciding.frequency_sentence(found, one) == (
        "Of 100 cases the model answers 50 alone, and is right in 40 of them (95\N{NO-BREAK SPACE}% interval "
        "33 to 45). It promised 40."
    )
    never = decide(p, DiagnosisSpec(lens=TopKLens(1)), [0.85, 0.9])
    assert deciding.headline(never).replace("\N{NO-BREAK SPACE}%", "%") == (
        "The model is never so sure: nothing is accepted at thresholds of 85 to 90%."
    )


@pytest.mark.parametrize(
    ("predictions", "thresholds"),
    [
        (model(1), [0.2]),
        (two([0.3, 0.4] * 5, [0, 1] * 5), None),
        (two([0.3, 0.4] * 20, [0, 1] * 20), [0.8, 0.9]),
    ],
    ids=["one threshold", "ten cases", "nobody treated"],
)
def test_figures_of_little(predictions: Predictions, thresholds: list[float] | None) -> None:
    found = decide(predictions, EVENT, thresholds)
    assert saved(decision_print(found), "svg")
    figure = decision_figure(found, chosen=0.2, theme="dark", noun="<b>patient</b>")
    assert "<b>patient</b>" not in figure.to_json()
    assert "net benefit goes from" in deciding.decision_says(found)
    assert answer_text(found)
    assert found._repr_html_()


# --- sets -------------------------------------------------------------------------------


def test_sets_are_those_of_the_reference() -> None:
    case = reference("G", "set lens, level 0.8")
    p = Predictions.from_arrays(case["input"]["G"], case["input"]["y"])
    lens, expected = SetLens(case["input"]["level"]), case["output"]
    through = lens(p)
    np.testing.assert_allclose(through.probs[:, 0], expected["said"], atol=1e-12)
    assert (1 - through.labels).tolist() == expected["inside"]
    assert lens.sizes(p).tolist() == [len(one) for one in expected["sets"]]
    assert through.probs[:, 0].mean() == pytest.approx(expected["mean_said"], abs=1e-12)
    assert lens.mean_size(p) == pytest.approx(np.mean([len(one) for one in expected["sets"]]))


def test_how_often_sets_hold_the_truth() -> None:
    rng = np.random.default_rng(2)
    probs = rng.dirichlet(np.ones(4), 300)
    p = Predictions.from_arrays(probs, draw_labels(probs, rng), ["a", "b", "c", "d"])
    found = sets_of(p, 0.8)
    through = SetLens(0.8)(p)
    assert (found.held, found.n) == (int((through.labels == 0).sum()), 300)
    assert found.promised == pytest.approx(through.probs[:, 0].mean())
    assert found.mean_size == pytest.approx(np.arange(1, 5) @ np.array(found.sizes) / 300)
    assert found.achieved.low < found.held / 300 < found.achieved.high
    drawn = (np.random.default_rng(0).random((20_000, 300)) < through.probs[:, 0]).sum(axis=1)
    off = np.abs(drawn - 300 * found.promised) >= abs(found.held - 300 * found.promised) - 1e-9
    assert found.pvalue == pytest.approx(off.mean(), abs=0.015)
    whole = decide(p, DiagnosisSpec(lens=SetLens(0.8)), [0.9])
    assert whole.sets == found
    assert Decisions.from_json(whole.to_json()).sets == found
    assert decide(p, DiagnosisSpec(lens=TopKLens(1)), [0.9]).sets is None
    said = deciding.sets_sentence(found)
    assert said.startswith(
        f"The sets hold {found.mean_size:.2f} classes on average. They promise the truth in "
    )
    assert deciding.sets_sentence(None) == ""
    one = whole.thresholds[0]
    assert re.fullmatch(
        r"Of 100 cases the sets of \d+ are accepted\. \d+ hold the truth "
        r"\(95\N{NO-BREAK SPACE}% interval \d+ to \d+\), \d+ were promised\.",
        deciding.frequency_sentence(whole, one),
    )
    assert "of the cases, the set misses the truth in" in deciding.selective_sentence(whole, one)
    assert deciding.label_words(whole) == "Net right sets in 100 cases"
    assert "Accepted" in thresholds_table(whole).rows()[0]


def test_what_can_hardly_happen_is_not_called_impossible() -> None:
    """The law is known up to 1e-14: only what the model itself rules out has p = 0."""
    sure = np.tile([0.999, 0.0005, 0.0005], (500, 1))
    hardly = sets_of(Predictions.from_arrays(sure, np.full(500, 1)), 0.9)
    assert 0 < hardly.pvalue <= 1e-13
    assert "(p < 0.0001)" in deciding.sets_sentence(hardly)
    assert sets_of(Predictions.from_arrays(np.eye(3)[[0] * 20], [1] * 20), 0.9).pvalue == 0
    assert sets_of(Predictions.from_arrays(np.eye(3)[[0] * 20], [0] * 20), 0.9).pvalue == 1


def test_sets_of_whole_predictions_and_of_odd_levels() -> None:
    p = Predictions.from_arrays([[0.25] * 4, [1.0, 0, 0, 0]], [3, 1])
    assert SetLens(1.0).sizes(p).tolist() == [4, 1]
    assert SetLens(0.5)(p).labels.tolist() == [1, 1]
    for level in (0.0, -1.0, 1.1, float("nan")):
        with pytest.raises(InputError, match="expected above 0 and at most 1"):
            SetLens(level)


# --- levels, power and coverage ---------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("runs", [150, pytest.param(4_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("n", [100, pytest.param(400, marks=pytest.mark.slow)])
def test_level_and_power_of_the_promise(runs: int, n: int) -> None:
    """Elsewhere .046 to .054 where calibrated; of a shift of the logit by .7, .58 at n = 100, 1.00 at 400."""
    rejected = {0.0: 0, 0.7: 0}
    spec = replace(EVENT, resamples=199)
    for shift in rejected:
        for run in range(runs):
            found = decide(model(10_000 + run, n, shift), replace(spec, seed=run))
            rejected[shift] += not found.kept
    level, power = (count / runs for count in rejected.values())
    assert abs(level - 0.05) <= 3 * math.sqrt(0.05 * 0.95 / runs)
    expected = 0.58 if n == 100 else 1.0
    assert abs(power - expected) <= 3 * math.sqrt(0.25 / runs) + 0.05


def true_benefits(t: float, shift: float) -> tuple[float, float]:
    p = chances(4_000_000, np.random.default_rng(99))
    treated, w = shifted(p, shift) >= t, t / (1 - t)
    worth = p - (1 - p) * w
    return float((treated * worth).mean()), float((~treated * -worth).mean())


def test_errors_over_coverage_have_the_band_of_all_thresholds() -> None:
    p = model(3, n=400)
    found = decide(p, DiagnosisSpec(lens=TopKLens(1)))
    rows = selective_table(found).rows(exact=True)
    induced = TopKLens(1)(p)
    for one, row in zip(found.thresholds, rows, strict=True):
        sure = induced.probs[:, 0] >= one.threshold - 1e-12
        band = found.rate_band(one)
        if not sure.any():
            assert band is None
            assert row["error"] is None
            continue
        assert band is not None
        assert row["coverage"] == pytest.approx(sure.mean())
        assert row["error"] == pytest.approx((induced.labels[sure] != 0).mean())
        assert row["promised"] == pytest.approx((1 - induced.probs[sure, 0]).mean())
        # The same band as that of the net benefit: one leaves it where the other does.
        low, high = found.band(one)
        assert one.hit_rate is not None
        outside = not low - 1e-12 <= one.net_benefit <= high + 1e-12
        assert outside == (not band[0] - 1e-12 <= one.hit_rate.value <= band[1] + 1e-12)
    assert len(selective_table(found).rows()) == len(found.thresholds)
    assert deciding.selective_says(found).startswith("Of the accepted answers ")


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.0, -0.5, 0.5])
@pytest.mark.parametrize("n", [100, 300, 1_000])
def test_coverage_of_the_intervals(n: int, shift: float) -> None:
    """Elsewhere .94 to .96 of the net benefit; minus treating all .94 to .999 with the guard."""
    runs, grid = 2_000, [0.1, 0.3, 0.5]
    truth = [true_benefits(t, shift) for t in grid]
    covered = np.zeros((3, 2))
    given = np.zeros((3, 2))
    for run in range(runs):
        for k, one in enumerate(decide(model(50_000 + run, n, shift), EVENT, grid).thresholds):
            intervals = (one.interval, one.minus_treat_all_interval)
            for which, interval in enumerate(intervals):
                if interval is not None:
                    given[k, which] += 1
                    covered[k, which] += interval.low <= truth[k][which] <= interval.high
    shares = covered / given
    print(n, shift, shares.tolist(), (given / runs).tolist())
    assert (shares[:, 0] >= 0.93).all()
    assert (shares[:, 1] >= 0.93).all()
    assert (shares[:, 0] <= 0.975).all()


def logistic(x: Float) -> Float:
    return np.asarray(1 / (1 + np.exp(-x)))


def told_too_little(world: str, n: int, rng: np.random.Generator) -> tuple[float, Float, Float, Float]:
    """A threshold, what this and another model say, and the true chances (n,) of a rare event."""
    x, e, odd = rng.normal(size=(3, n))
    rare = np.clip(rng.beta(0.5, 20, n), 1e-6, 1 - 1e-6)
    true = logistic(-5.3 + 1.2 * x)
    step = np.where(x > 1.5, 0.05, 0.0008)
    return {
        "log odds 1 too low": (0.02, shifted(true, -1), true, true),
        "log odds 2 too low, noise": (0.02, shifted(true, -2 + e), shifted(true, -2 + odd), true),
        "0.1 % is 1 %": (
            0.02,
            step,
            np.where(e > 1, np.maximum(step, 0.03), step),
            step + 9 * (x <= 1.5) * step,
        ),
        "calibrated": (0.02, true, shifted(true, 1), true),
        "log odds 1 too high": (0.02, shifted(true, 1), true, true),
        "rare, 1.5 too low": (0.1, shifted(rare, -1.5), shifted(rare, -0.7), rare),
        "rare, 0.7 too low, noise": (
            0.05,
            shifted(rare, -0.7 + 0.7 * e),
            shifted(rare, -0.7 + 0.7 * odd),
            rare,
        ),
        "tail too low": (0.1, logistic(1.6 * (2 * x - 2)), logistic(2 * x - 2 + e), logistic(2 * x - 2)),
        "even, 1 too low": (0.2, logistic(1.5 * x - 1 + 0.5 * e), logistic(1.5 * x), logistic(1.5 * x)),
    }[world]


TOLD_TOO_LITTLE = (
    "log odds 1 too low", "log odds 2 too low, noise", "0.1 % is 1 %", "calibrated", "log odds 1 too high",
    "rare, 1.5 too low", "rare, 0.7 too low, noise", "tail too low", "even, 1 too low",
)  # fmt: skip


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("n", "runs"),
    [(200, 120), *(pytest.param(n, 1_500, marks=pytest.mark.slow) for n in (100, 200, 500, 2_000))],
)
@pytest.mark.parametrize("world", TOLD_TOO_LITTLE)
def test_coverage_where_a_rare_event_is_told_too_little(world: str, n: int, runs: int) -> None:
    """.51 to .94 of the difference to treating all, and .70 to .93 of that to another model, without four
    cases more."""
    t, a, b, true = told_too_little(world, 200_000, np.random.default_rng(3))
    worth = (true - t) / (1 - t)
    sides = [(a >= t) * 1.0, (a < t) * -1.0, (a >= t) * 1.0 - (b >= t)]
    truth = [float((side * worth).mean()) for side in sides]
    covered, known, rng = np.zeros(3), np.zeros(3), np.random.default_rng(n)
    spec = replace(EVENT, resamples=19, alpha=0.5)
    for _ in range(runs):
        rows = rng.integers(len(true), size=n)
        hit = rng.random(n) < true[rows]
        one = decide(two(a[rows], hit), spec, [t], against=two(b[rows], hit)).thresholds[0]
        assert one.other is not None
        for k, interval in enumerate((one.interval, one.minus_treat_all_interval, one.other.interval)):
            if interval is not None:
                known[k] += 1
                covered[k] += interval.low <= truth[k] <= interval.high
    some = known >= runs / 20
    shares = covered[some] / known[some]
    print(world, n, (covered / np.maximum(known, 1)).round(3).tolist(), (known / runs).round(2).tolist())
    assert (shares >= 0.94 - 3 * np.sqrt(0.94 * 0.06 / known[some])).all()


SHAPES = {
    "rare": (0.5, 20.0),
    "sure": (0.3, 0.3),
    "narrow": (20.0, 80.0),
    "common": (8.0, 2.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shift", [0.0, -0.5, 0.5])
def test_coverage_with_other_shapes(shape: str, shift: float) -> None:
    """Of the net benefit, minus treating all, and minus the model without the shift; p from a Beta law."""

    def drawn(n: int, rng: np.random.Generator) -> Float:
        return np.clip(rng.beta(*SHAPES[shape], n), 1e-6, 1 - 1e-6)

    runs, n, grid = 600, 100, [0.05, 0.1, 0.2, 0.3, 0.5]
    p = drawn(2_000_000, np.random.default_rng(7))
    truth = []
    for t in grid:
        worth, said = p - (1 - p) * t / (1 - t), shifted(p, shift) >= t
        truth.append([(worth * s).mean() for s in (said, ~said * -1.0, said * 1.0 - (p >= t))])
    covered, given = np.zeros((len(grid), 3)), np.zeros((len(grid), 3))
    for run in range(runs):
        rng = np.random.default_rng([run, n])
        p = drawn(n, rng)
        hit = rng.random(n) < p
        found = decide(two(shifted(p, shift), hit), EVENT, grid, against=two(p, hit))
        for k, one in enumerate(found.thresholds):
            assert one.other is not None
            intervals = (one.interval, one.minus_treat_all_interval, one.other.interval)
            for j, interval in enumerate(intervals):
                if interval is not None:
                    given[k, j] += 1
                    covered[k, j] += interval.low <= truth[k][j] <= interval.high
    known = given > 100
    shares = covered[known] / given[known]
    print(shape, shift, sorted(shares.round(3).tolist()))
    assert shares.min() >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / runs) - 0.01
