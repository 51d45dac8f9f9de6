"""What the Learn page claims holds for the numbers it shows."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

from calibcore import lessons
from calibcore.data.examples import load_example, w19_model
from calibcore.diagram.binning import UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests import ConsistencyTest, ExactTest
from calibcore.lessons import findings
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens

BINNED = ECE(UniformBinning(10))


# --- a promise --------------------------------------------------------------


def test_the_honest_forecaster_says_the_chance_and_the_others_stretch_its_log_odds() -> None:
    honest = lessons.forecasts(1.0)
    for stretch in (1.5, 2.0, 3.0):
        bold = lessons.forecasts(stretch)
        logit = [np.log(p.probs[:, 0]) - np.log(p.probs[:, 1]) for p in (honest, bold)]
        some = np.abs(logit[0]) < 5  # where 1 − p keeps its digits
        assert_allclose(logit[1][some], stretch * logit[0][some], rtol=1e-6, atol=1e-9)
        assert_array_equal(bold.labels, honest.labels)


def test_only_the_honest_forecaster_keeps_the_promise() -> None:
    """By hand: labels against the uniform chances, independent of what is said about them."""
    p = lessons.forecasts(1.0, 50_000)
    assert_allclose(p.probs[:, 0].mean(), 0.5, atol=4 * np.sqrt(1 / 12 / p.n))
    z = ((p.labels == 0) - p.probs[:, 0]).sum() / np.sqrt((p.probs[:, 0] * p.probs[:, 1]).sum())
    assert abs(z) < 4
    gaps = [np.abs(lessons.promises(s).deviation).max() for s in (1.0, 1.5, 2.0, 3.0)]
    assert gaps[0] < 0.05
    assert np.all(np.diff(gaps) > 0.03)


def test_overconfidence_moves_rain_below_what_was_said_at_the_top_and_above_it_at_the_bottom() -> None:
    found = lessons.promises(2.0)
    assert (found.deviation[-3:] < -0.05).all()
    assert (found.deviation[:3] > 0.05).all()


def test_a_forecaster_with_no_stretch_is_refused() -> None:
    with pytest.raises(InputError, match="expected a number above 0"):
        lessons.forecasts(0.0)


# --- how sure ---------------------------------------------------------------


def test_each_number_that_the_model_says_has_its_own_letters() -> None:
    found, p = lessons.sure(), load_example("letters")
    assert_allclose(found.mean_prediction[:, 0], lessons.SAID, rtol=0, atol=1e-12)
    for b, said in enumerate(lessons.SAID):
        letters = p.probs[:, 0] == said
        right = p.metadata["predicted class"][letters] == p.metadata["true class"][letters]
        assert found.counts[b] == letters.sum()
        assert_allclose(found.observed[b, 0], right.mean(), rtol=0, atol=1e-12)


def test_the_model_of_the_letters_says_twice_the_log_odds() -> None:
    """So above one half it is too sure and below too unsure, as the lesson says."""
    found = lessons.sure()
    said = np.array(lessons.SAID)
    true = 1 / (1 + np.sqrt((1 - said) / said))
    z = (found.observed[:, 0] - true) * np.sqrt(found.counts / (true * (1 - true)))
    assert np.abs(z).max() < 3.5
    assert found.outside[said >= 0.75].all()
    assert (found.deviation[said >= 0.75] < -0.08).all()


# --- lenses -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("lens", "predicted"),
    [
        (TopKLens(1), [0.6]),
        (ClassLens("1"), [0.1, 0.3, 0.6]),
        (ClassLens("2"), [0.1, 0.3, 0.6]),
        (ClassLens("3"), [0.1, 0.3, 0.6]),
    ],
)
def test_table_1_shows_no_gap_through_confidence_and_every_class(lens, predicted) -> None:
    found = lessons.through(lens)
    assert_allclose(found.mean_prediction[:, 0], predicted, rtol=0, atol=1e-12)
    assert_allclose(found.deviation, 0, rtol=0, atol=1e-12)


def test_table_1_is_off_by_ten_points_in_each_of_its_six_predictions() -> None:
    found = lessons.through(CanonicalLens())
    assert_allclose(found.deviation, [0.1] * 6, rtol=0, atol=1e-12)
    assert found.outside.all()


# --- chance alone -----------------------------------------------------------


@pytest.mark.parametrize("n", lessons.SIZES)
def test_the_gap_of_a_calibrated_model_is_the_ece_and_lies_where_chance_puts_it(n: int) -> None:
    gap = lessons.chance_gap(n)
    p = w19_model("M1", lessons.SIZES[-1]).with_rows(np.arange(n))
    assert gap.ece == BINNED(p)
    assert gap.low < gap.mean < gap.high
    assert gap.low <= gap.ece <= gap.high


def test_at_250_cases_a_calibrated_model_shows_the_gap_that_was_published() -> None:
    """W19 §7: mean ECE of M1 0.4395 over 10⁴ data sets; here over 100, standard deviation 0.02."""
    rng = np.random.default_rng(3)
    eces = np.array([BINNED(w19_model("M1", rng=rng)) for _ in range(100)])
    assert abs(eces.mean() - 0.4395) < 4 * eces.std() / 10
    assert abs(lessons.chance_gap(250).ece - 0.4395) < 3 * eces.std()


def test_more_cases_leave_smaller_gaps() -> None:
    means = [lessons.chance_gap(n).mean for n in lessons.SIZES]
    assert (np.diff(means) < 0).all()


@pytest.mark.parametrize("n", [0, lessons.SIZES[-1] + 1])
def test_a_gap_of_other_sizes_is_refused(n: int) -> None:
    with pytest.raises(InputError, match="expected 1 to 2,500"):
        lessons.chance_gap(n)


# --- bars -------------------------------------------------------------------


def test_only_the_weather_changes_from_set_to_set() -> None:
    one, two = lessons.redrawn_weather(1), lessons.redrawn_weather(2)
    for name in ("counts", "mean_prediction", "low", "high", "histogram"):
        assert_array_equal(getattr(one, name), getattr(two, name))
    assert (one.observed != two.observed).any()
    assert_array_equal(lessons.redrawn_weather(1).observed, one.observed)


def test_chance_puts_as_many_bins_outside_as_expected() -> None:
    expected = lessons.redrawn_weather(1).expected_outside
    outside = [lessons.redrawn_weather(k + 1).outside.sum() for k in range(lessons.OUTCOME_SETS)]
    assert lessons.mean_outside() == np.mean(outside)
    # Bins are independent: the variance of the sum is at most its mean.
    assert abs(np.mean(outside) - expected) < 3 * np.sqrt(expected / lessons.OUTCOME_SETS)
    assert sum(outside) > 0


@pytest.mark.parametrize("number", [0, lessons.OUTCOME_SETS + 1])
def test_other_sets_of_outcomes_are_refused(number: int) -> None:
    with pytest.raises(InputError, match="expected 1 to 20"):
        lessons.redrawn_weather(number)


# --- neighbours, and both tests ---------------------------------------------


def test_neighbours_tell_the_calibrated_model_from_the_two_others() -> None:
    found = {name: lessons.neighbours(name) for name in ("M1", "M2", "M3")}
    assert found["M1"].pvalue > lessons.ALPHA
    assert found["M2"].pvalue == found["M3"].pvalue == 0.001
    assert found["M2"].statistic > found["M3"].statistic > 0
    assert found["M2"].promise == "exact"


def test_a_trial_repeats_and_is_what_the_two_tests_say() -> None:
    lessons.trial.cache_clear()
    before = lessons.trial(3)
    lessons.trial.cache_clear()
    assert lessons.trial(3) == before != lessons.trial(4)
    p = w19_model("M1", rng=np.random.default_rng([lessons.SEED, 3]))
    rng = np.random.default_rng(0)
    assert before.resampling == ConsistencyTest(BINNED, 199)(p, rng).pvalue
    # The same p but for the draws: 4 standard deviations of 199 and of 1,999 of them.
    exact = ExactTest(BINNED, 1_999)(p, rng).pvalue
    assert abs(before.exact - exact) < 4 * np.sqrt(exact * (1 - exact) / 199) * 1.05


@pytest.mark.slow
def test_resampling_rejects_every_calibrated_data_set_and_the_exact_test_as_few_as_it_may() -> None:
    trials = [lessons.trial(k) for k in range(60)]
    assert all(t.resampling <= lessons.ALPHA for t in trials)
    rejected = sum(t.exact <= lessons.ALPHA for t in trials)
    assert rejected <= binom.ppf(0.999, 60, lessons.ALPHA)
    # Uniform p-values: mean ½, standard deviation √(1/12).
    assert abs(np.mean([t.exact for t in trials]) - 0.5) < 4 * np.sqrt(1 / 12 / 60)


def test_two_calibrated_forecasters_show_other_raw_gaps() -> None:
    """Each within what chance makes of it; the one who knows more shows more, and more so with more bins."""
    pairs = [lessons.two_forecasters(bins) for bins in lessons.BINS]
    for more, less in pairs:
        assert more.low <= more.ece <= more.high
        assert less.low <= less.ece <= less.high
    assert pairs[-1][0].ece > 2 * pairs[-1][1].ece
    assert pairs[-1][0].mean > pairs[0][0].mean
    assert pairs[-1][1].mean == pairs[1][1].mean  # two predictions fill two bins, however many there are
    with pytest.raises(InputError, match="expected one of 2, 5, 10, 20, 50"):
        lessons.two_forecasters(3)


def test_grades_are_off_at_one_border_as_far_as_one_says() -> None:
    right, off = lessons.grades(0.0), lessons.grades(0.8)
    assert right.ordered
    assert (right.labels == off.labels).all()
    for p, gaps in ((right, (0, 0, 0)), (off, (0, 0.8, 0))):
        above = 1 - p.probs.cumsum(axis=1)[:, :3]
        odds = np.log(above / (1 - above)) - gaps
        errors = 1 / (1 + np.exp(-odds)) - (p.labels[:, None] > np.arange(3))
        assert (np.abs(errors.mean(axis=0)) < 3 * errors.std(axis=0) / p.n**0.5).all()
    with pytest.raises(InputError, match="expected a number from 0"):
        lessons.grades(3)


def test_findings_that_go_together_deceive_who_pools_them_and_not_who_adjusts() -> None:
    """Of a calibrated model: 5 % is allowed, up to what 200 sets vary; pooled it is more and more."""
    trials = [findings.together(alike) for alike in findings.ALIKE]
    most = binom.ppf(0.999, findings.SETS, lessons.ALPHA)
    assert all(trial.each <= most for trial in trials)
    assert trials[0].pooled <= most
    assert trials[1].pooled > most
    assert [trial.pooled for trial in trials] == sorted(trial.pooled for trial in trials)
    with pytest.raises(InputError, match="expected a number from 0 to below 1"):
        findings.together(1.0)


def test_the_p_of_a_number_of_findings_is_that_of_its_law() -> None:
    """By all outcomes of four findings, one by one."""
    probs = np.array([0.1, 0.5, 0.7, 0.2])
    law = np.zeros(5)
    for outcome in itertools.product((0, 1), repeat=4):
        law[sum(outcome)] += np.prod(np.where(outcome, probs, 1 - probs))
    for hits in range(5):
        expected = min(1, 2 * min(law[: hits + 1].sum(), law[hits:].sum()))
        (p,) = findings._pvalues(probs, np.array([hits]))
        assert_allclose(p, expected)
