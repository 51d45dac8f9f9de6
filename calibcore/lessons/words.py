"""What the Learn page's toy examples show now, in a sentence each."""

from collections.abc import Mapping, Sequence

from calibcore.answers.diagram import bins_table
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests import TestResult
from calibcore.lessons import ALPHA, TRIAL_DRAWS, ChanceGap, Trial
from calibcore.lessons.findings import FINDINGS, SETS, XRAYS, Together
from calibcore.numerics.distances import DEFAULT
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, percent
from calibcore.words.phrases import (
    PROMISES,
    as_extreme,
    error_level,
    exact_percent,
    expected,
    kernel_error,
    points,
    pvalue,
    redrawn_p,
)
from calibcore.words.tables import Rows

SURE = 0.8
_ROUNDING = 1e-12
FORECASTERS = ("knows more", "knows less")
"""The two calibrated forecasters of the same days."""
POOLED, EACH = "all pairs as independent", "each finding, adjusted"
"""Two ways to test several findings."""


def promise_sentence(diagram: Reliability) -> str:
    """The days of the bins above 80 %: what was said on average, and how often it rained."""
    sure = diagram.lowest > SURE
    days = int(diagram.counts[sure].sum())
    forecast = float(diagram.counts[sure] @ diagram.mean_prediction[sure, 0]) / days
    wet = round(float(diagram.counts[sure] @ diagram.observed[sure, 0]))
    return (
        f"On days with more than {percent(SURE, 0)}, the forecaster says {percent(forecast, 0)} on average. "
        f"It rains on {percent(wet / days, 0)} of them ({wet:,} of {count(days, 'day')})."
    )


def sure_sentence(diagram: Reliability, b: int) -> str:
    """The letters of one bin: how sure the model says it is, and how often it is right."""
    letters, predicted = int(diagram.counts[b]), float(diagram.mean_prediction[b, 0])
    right, gap = float(diagram.observed[b, 0]), float(diagram.deviation[b])
    low, high = (percent(predicted + float(end[b]), 0) for end in (diagram.low, diagram.high))
    verdict = "Chance alone explains that"
    if diagram.outside[b]:
        verdict = f"It is too {'unsure' if gap > 0 else 'sure'}, by {points(abs(gap), 0)}"
    return (
        f"Of {count(letters, 'letter')} the model says that it is {percent(predicted, 0)} sure. It is "
        f"right in {round(letters * right):,} of them, {percent(right, 0)}. If calibrated, {low} to {high}. "
        f"{verdict}."
    )


def lens_rows(diagram: Reliability, exact: bool = False) -> Rows:
    """One row a prediction: what the model said, what happened, how far apart; ``exact`` for a CSV."""
    if exact:
        return bins_table(diagram).rows(exact=True)
    rows, two = [], len(diagram.class_names) == 2
    head = "The model said" if two else f"The model said of {' · '.join(diagram.class_names)}"
    for b in range(diagram.n_bins):
        mean, seen = diagram.mean_prediction[b].tolist(), diagram.observed[b].tolist()
        predicted, happened = _all_classes(mean), _all_classes(seen)
        if two:
            hits = round(float(diagram.counts[b]) * seen[0])
            predicted = percent(mean[0], 0)
            happened = f"{percent(seen[0], 0)} ({hits:,} of {int(diagram.counts[b]):,})"
        gap = points(abs(float(diagram.deviation[b])))
        rows.append({head: predicted, "It happened": happened, "Gap": gap})
    return rows


def _all_classes(probs: list[float]) -> str:
    """Every class in its own order: "10 · 30 · 60 %"."""
    return " · ".join(f"{100 * p:.0f}" for p in probs) + "\N{NO-BREAK SPACE}%"


def lens_sentence(diagram: Reliability, lens: Lens) -> str:
    """How many of the predictions that are made through a lens happened as often as they said."""
    n_exact = int((abs(diagram.deviation) < _ROUNDING).sum())
    if n_exact == diagram.n_bins == 1:
        share, often = percent(float(diagram.mean_prediction[0, 0]), 0), lens.within.comes_true[0]
        return f"Through this lens the model always says {share}, and that is how often {often}."
    made = f"Through this lens the model makes {count(diagram.n_bins, 'prediction')}"
    if n_exact == diagram.n_bins:
        return f"{made}, and each happens exactly as often as it says."
    gap = f"off by up to {points(float(abs(diagram.deviation).max()))}"
    if not n_exact:
        return f"{made}, and none happens as often as it says: they are {gap}."
    return f"{made}, and {n_exact:,} happen as often as they say; the others are {gap}."


def chance_gap_sentence(gap: ChanceGap) -> str:
    """The ECE of a calibrated model beside what chance makes of it."""
    verdict = "Even outside it a calibrated model falls 1 time in 10"
    if gap.low <= gap.ece <= gap.high:
        verdict = "So this gap alone says nothing"
    return (
        f"With {count(gap.n, 'case')} this calibrated model has an average gap (ECE) of {points(gap.ece)}. "
        f"Chance alone makes {_by_chance(gap)}, 9 times in 10. {verdict}."
    )


def _by_chance(gap: ChanceGap) -> str:
    return error_level(gap.low, gap.high, DEFAULT)


def gap_rows(gaps: Sequence[ChanceGap], exact: bool = False) -> Rows:
    """One row a number of cases: the ECE, and where chance alone puts it 9 times in 10."""
    if exact:
        return [{"cases": g.n, "ECE": g.ece, "chance, low": g.low, "chance, high": g.high} for g in gaps]
    return [
        {
            "Cases": f"{gap.n:,}",
            "Average gap (ECE)": points(gap.ece),
            "By chance, 9 times in 10": _by_chance(gap),
        }
        for gap in gaps
    ]


def outcomes_sentence(diagram: Reliability, number: int, sets: int, mean: float) -> str:
    """Bins outside by chance alone: in this set of outcomes, over all sets, and as computed."""
    outside = int(diagram.outside.sum())
    bins = f"{outside:,} of {count(diagram.n_bins, 'bin')} {'lies' if outside == 1 else 'lie'}"
    return (
        f"Set {number}: {bins} outside the bars, by chance alone. "
        f"Over all {sets} sets it is {mean:.1f} on average; we expect {expected(diagram.expected_outside)}."
    )


def neighbours_sentence(result: TestResult) -> str:
    """Where the observed kernel error lies among those of redrawn outcomes, and the p-value's promise."""
    larger = as_extreme(result)
    times = f"{larger:,}" if larger else "None"
    verdict = "Chance alone explains what is seen, but smaller errors could still hide"
    if result.pvalue <= ALPHA:
        verdict = "Chance is a poor explanation"
    return (
        f"{times} of {result.n_resamples:,} sets of outcomes drawn from the predictions had a kernel error "
        f"at least as large: {pvalue(result)} ({PROMISES[result.promise]}). {verdict}."
    )


def neighbours_rows(result: TestResult, exact: bool = False) -> Rows:
    """The observed kernel error, and of the redraws the smallest, the middle and the largest.

    ``exact`` gives every redraw, the smallest first.
    """
    assert result.null_distribution is not None
    null = sorted(result.null_distribution.tolist())
    if exact:
        redraws = [{"outcomes": "redrawn", "kernel error": value} for value in null]
        return [{"outcomes": "observed", "kernel error": result.statistic}, *redraws]
    which = {
        "observed": result.statistic,
        "smallest redraw": null[0],
        "redraw in the middle": null[len(null) // 2],
        "largest redraw": null[-1],
    }
    return [{"Outcomes": name, "Kernel error": kernel_error(value)} for name, value in which.items()]


def trial_rows(trials: Sequence[Trial], exact: bool = False) -> Rows:
    """One row a data set: the p-values of both tests."""
    return [
        {
            "Data set": number,
            "p by resampling": trial.resampling if exact else trial_p(trial.resampling, short=True),
            "p of the exact test": trial.exact if exact else trial_p(trial.exact, short=True),
        }
        for number, trial in enumerate(trials, start=1)
    ]


def trial_p(p: float, short: bool = False) -> str:
    """One p of a trial."""
    return redrawn_p(p, TRIAL_DRAWS, short)


def trials_sentence(trials: Sequence[Trial]) -> str:
    """How often each of two tests calls a calibrated model miscalibrated."""
    total = len(trials)
    resampling, exact = rejections(trials)
    return (
        f"Of {count(total, 'calibrated data set')}, resampling calls {resampling:,} miscalibrated, "
        f"the exact test {exact:,}. At level {ALPHA} a test may be wrong 1 time in {1 / ALPHA:.0f}."
    )


def rejections(trials: Sequence[Trial]) -> tuple[int, int]:
    """How many p-values are at most the level: by resampling, by the exact test."""
    return sum(t.resampling <= ALPHA for t in trials), sum(t.exact <= ALPHA for t in trials)


def together_sentence(trial: Together) -> str:
    """How often a calibrated model is called miscalibrated, by all pairs at once and finding by finding."""
    pairs, level = XRAYS * FINDINGS, exact_percent(ALPHA)
    return (
        f"This model is calibrated. Of {count(SETS, 'set')} of X-rays, the test that takes all {pairs:,} "
        f"pairs as independent calls it miscalibrated in {trial.pooled:,}. Each finding by itself, adjusted "
        f"for {FINDINGS}, does so in {trial.each:,}. A level of {level} allows {ALPHA * SETS:.0f} on average."
    )


def together_rows(trials: Sequence[Together], exact: bool = False) -> Rows:
    """One row a correlation: in how many sets each of two ways calls a calibrated model miscalibrated."""
    if exact:
        return [{"correlation": t.alike, "sets": SETS, POOLED: t.pooled, EACH: t.each} for t in trials]
    return [
        {
            "Correlation": f"{t.alike:g}",
            "All pairs as independent": percent(t.pooled / SETS),
            "Each finding, adjusted": percent(t.each / SETS),
        }
        for t in trials
    ]


def forecasters_sentence(pair: tuple[ChanceGap, ChanceGap], bins: int) -> str:
    """The ECEs of two calibrated forecasters, and what chance alone makes of each."""
    more, less = pair
    return (
        f"With {count(bins, 'bin')} the one who knows more shows {points(more.ece)}, the other "
        f"{points(less.ece)}. Both are calibrated: chance alone makes {_by_chance(more)}, and "
        f"{_by_chance(less)}."
    )


def forecaster_rows(pairs: Mapping[int, tuple[ChanceGap, ChanceGap]], exact: bool = False) -> Rows:
    """One row a number of bins and forecaster."""
    rows = [
        (bins, name, gap) for bins, pair in pairs.items() for name, gap in zip(FORECASTERS, pair, strict=True)
    ]
    if exact:
        return [
            {"bins": bins, "forecaster": name, "ECE": gap.ece, "by chance, low": gap.low, "high": gap.high}
            for bins, name, gap in rows
        ]
    return [
        {
            "Bins": bins,
            "Forecaster": name,
            "Average gap (ECE)": points(gap.ece),
            "If calibrated": _by_chance(gap),
        }
        for bins, name, gap in rows
    ]
