"""The sentences about the reliability diagram say its numbers."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore.answers.diagram import bins_table
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.curves import Curve, reliability_curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals, frequency_intervals
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.lessons.words import lens_sentence
from calibcore.questions.groups import survey_groups
from calibcore.questions.groups.words import worst_sentence
from calibcore.questions.without_bins import average_without_bins
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    Lens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
)
from calibcore.wording import percent
from calibcore.words import smooth
from calibcore.words.diagram import (
    clearest_bin,
    curve_rows,
    curve_sentence,
    diagram_sentence,
    interval_words,
    members_sentence,
    no_intervals,
)
from calibcore.words.phrases import seen_noun
from calibcore.words.reporting import diagram_caption
from tests.made import binary


@pytest.fixture(scope="module")
def off() -> Reliability:
    """100 cases at 0.25 of which 30 happen; 50 each at 0.85 and 0.86 of which 51 do; 4 at 0.6, none."""
    hits = [1] * 30 + [0] * 70 + [1] * 51 + [0] * 49 + [0] * 4
    return reliability(binary([0.25] * 100 + [0.85] * 50 + [0.86] * 50 + [0.6] * 4, hits), UniformBinning(10))


def test_the_clearest_bin_is_not_the_few_cases_that_are_farthest_off(off: Reliability) -> None:
    assert off.outside.tolist() == [False, True, True]
    assert abs(off.deviation[1]) > abs(off.deviation[2])  # 4 cases, with a long bar
    said = clearest_bin(off, "patient")
    low, high = (percent(0.855 + end[2]) for end in (off.low, off.high))
    assert said == (
        "Clearest where the model says 85.5 % on average: it happens 51.0 % of the time "
        f"(51 of 100 patients). If calibrated, {low} to {high}."
    ).replace(" %", "\N{NO-BREAK SPACE}%")
    assert diagram_sentence(off, "patient").endswith(said)
    assert diagram_sentence(off, "patient").startswith("2 of 3 bins lie outside")


@pytest.mark.parametrize(
    "lens", [TopKLens(1), SetLens(0.8), RegionLens(TopKLens(1), "a", 0.1, 1.0)], ids=lambda lens: lens.kind
)
def test_that_an_answer_is_right_is_nothing_that_happens(lens: Lens) -> None:
    """Of every sentence about what comes true of two classes."""
    rng = np.random.default_rng(5)
    probs, site = rng.dirichlet(np.ones(3), 400), np.arange(400) % 2
    labels = np.where(site == 1, rng.integers(0, 3, 400), probs.argmax(axis=1))
    p = Predictions.from_arrays(probs, labels, ["a", "b", "c"], {"site": site})
    now, before = lens.within.comes_true
    spec = DiagnosisSpec(lens=lens, resamples=99)
    found = reliability(lens(p), UniformBinning(10))
    assert f"{now} " in clearest_bin(found, lens=lens)
    assert f"{now} " in members_sentence(found, [0], lens=lens)
    assert f"{before} " in smooth.sentence(average_without_bins(p, spec), lens)
    weighted = reliability(lens(replace(p, weights=np.ones(400))), UniformBinning(10))
    assert f"{before} " in members_sentence(weighted, [0], lens=lens)
    grouped = survey_groups(p, ["site"], spec, worst=True)
    assert grouped.worst is not None
    assert "% were right (as found" in worst_sentence(grouped, grouped.worst)
    said = (
        diagram_sentence(found, lens=lens),
        members_sentence(found, [0, 1], lens=lens),
        lens_sentence(found, lens),
        diagram_caption(found, False, lens=lens),
    )
    assert not [words for words in said if "it happen" in words]


def test_too_much_is_as_far_off_as_too_little() -> None:
    found = reliability(binary([0.2] * 40 + [0.7] * 40, [1] * 40 + [1] * 14 + [0] * 26), UniformBinning(10))
    assert found.outside.all()
    assert "20.0\N{NO-BREAK SPACE}%: it happens 100.0\N{NO-BREAK SPACE}%" in clearest_bin(found)
    hits = [1] * 35 + [0] * 65 + [1] * 14 + [0] * 86
    found = reliability(binary([0.2] * 100 + [0.7] * 100, hits), UniformBinning(10))
    assert found.outside.all()
    assert "70.0\N{NO-BREAK SPACE}%: it happens 14.0\N{NO-BREAK SPACE}%" in clearest_bin(found)


def test_one_case_and_nothing_outside() -> None:
    """Impossible by its own prediction: one case outside."""
    found = reliability(binary([1.0], [0]), UniformBinning(10))
    assert "says 100.0\N{NO-BREAK SPACE}%: it happens 0.0\N{NO-BREAK SPACE}%" in clearest_bin(found, "day")
    assert "(0 of 1 day)" in clearest_bin(found, "day")
    fine = reliability(binary([0.5] * 4, [1, 1, 0, 0]), UniformBinning(10))
    assert clearest_bin(fine) == ""
    assert diagram_sentence(fine).endswith("we would expect fewer than 0.1.")


def test_many_classes_say_how_far_apart() -> None:
    p = Predictions.from_arrays([[0.8, 0.1, 0.1]] * 50, [1] * 50, ("cat", "dog", "eel"))
    found = reliability(p, UniformBinning(2), n_resamples=99)
    said = clearest_bin(found, "image")
    assert "Clearest where cat: 80\N{NO-BREAK SPACE}%, dog: 10" in said
    assert "what happened is 90.0 points away (50 images). If calibrated, at most" in said
    assert f"at most {100 * found.high[0]:.1f} points." in said


def test_weighted_cases_are_never_called_off() -> None:
    p = Predictions.from_arrays([[0.9, 0.1]] * 3, [1] * 3, weights=[1, 2, 3])
    found = reliability(p, UniformBinning(2))
    assert clearest_bin(found) == ""
    assert diagram_sentence(found) == "1 bin. Weighted cases have no consistency bars."


def _curve(outside, counts, kind="smooth", expected=0.094, most=0.431) -> Curve:
    at, flags, levels = np.linspace(0.1, 0.9, len(outside)), np.array(outside), (0.05, 0.95)
    return Curve(kind, np.array(counts), at, at, at - 0.1, at + 0.1, flags, expected, most, levels, 999)


def test_how_far_a_curve_leaves_its_band() -> None:
    said = curve_sentence(_curve([True, False, False], [1, 2, 1], "isotonic"), "family")
    assert said == (
        "The isotonic curve is outside its band at the predictions of 25 % of families. A calibrated model's "
        "curve would be outside for 9 % on average, and for more than 43 % at most 5 % of the time."
    ).replace(" %", "\N{NO-BREAK SPACE}%")
    none = curve_sentence(_curve([False], [1], expected=0.001, most=0.0))
    assert "of 0\N{NO-BREAK SPACE}% of cases" in none
    assert none.endswith("curve would be outside at most 5\N{NO-BREAK SPACE}% of the time.")
    assert "of > 99\N{NO-BREAK SPACE}% of" in curve_sentence(_curve([True, False], [10_000, 1]))


def test_the_sentence_of_a_diagram_with_a_curve_has_both(off: Reliability) -> None:
    curve = _curve([True], [3])
    assert diagram_sentence(off, "case", curve).endswith(f"{clearest_bin(off)} {curve_sentence(curve)}")


def test_rows_of_a_curve() -> None:
    rng = np.random.default_rng(0)
    x = rng.random(400)
    curve = reliability_curve(binary(x, rng.random(400) < x), "isotonic", n_resamples=99)
    rows, exact = curve_rows(curve), curve_rows(curve, exact=True)
    assert len(rows) == 21
    assert len(exact) == len(curve.counts) == 400
    assert [row["Predicted"] for row in (rows[0], rows[-1])] == [percent(x.min()), percent(x.max())]
    middle = exact[200]
    assert middle == {
        "predicted": curve.predicted[200],
        "observed": curve.observed[200],
        "if calibrated, low": curve.low[200],
        "if calibrated, high": curve.high[200],
        "outside": bool(curve.outside[200]),
        "cases": 1,
    }
    shown = {row["Predicted"]: row for row in rows}
    for i in range(400):
        row = shown.get(percent(curve.predicted[i]))
        if row is not None and row["Observed (isotonic)"] == percent(curve.observed[i]):
            break
    else:
        pytest.fail("no row shows a point of the curve")
    assert len(curve_rows(_curve([True], [5]))) == 1
    below = replace(_curve([True], [5]), observed=np.array([-0.012]))
    assert curve_rows(below)[0]["Observed (smooth)"] == "−1.2\N{NO-BREAK SPACE}%"


def test_intervals_stand_in_the_table_and_in_full(off: Reliability) -> None:
    intervals = frequency_intervals(off, ClassLens("0"))
    rows, exact = bins_table(off, intervals).rows(), bins_table(off, intervals).rows(exact=True)
    name = "Interval of observed (90\N{NO-BREAK SPACE}%)"
    for b, (row, full) in enumerate(zip(rows, exact, strict=True)):
        assert row[name] == f"{percent(intervals.low[b])} to {percent(intervals.high[b])}"
        assert (full["observed, low"], full["observed, high"]) == (intervals.low[b], intervals.high[b])
    assert interval_words(intervals, 0) == f"90\N{NO-BREAK SPACE}% interval of the frequency: {rows[0][name]}"
    assert no_intervals(intervals) == ""


@pytest.mark.parametrize(
    ("why", "said"),
    [("classes", "three or more classes"), ("weights", "Weighted cases"), ("pairs", "not independent")],
)
def test_where_there_are_no_intervals_the_table_has_none_and_it_is_said(off, why, said) -> None:
    nothing = np.full(off.n_bins, np.nan)
    intervals = FrequencyIntervals(nothing, nothing, off.interval, why)
    assert said in no_intervals(intervals)
    assert interval_words(intervals, 0) == ""
    assert all("Interval" not in name for row in bins_table(off, intervals).rows() for name in row)


def test_pairs_are_called_pairs() -> None:
    assert seen_noun(PooledLens(), "image") == "pair"
    assert seen_noun(RegionLens(PooledLens(), "a", 0, 1), "image") == "pair"
    assert seen_noun(TopKLens(1), "image") == seen_noun(CanonicalLens(), "image") == "image"
