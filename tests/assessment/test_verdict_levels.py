"""What the verdict promises, simulated: its level over a whole survey, and its smallest detectable size."""

import math

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, judge, survey
from calibcore.assessment.effort import Effort
from calibcore.assessment.omnibus_power import patterns_of
from calibcore.estimators._omnibus import statistics_of
from calibcore.hypothesis_tests import monte_carlo_pvalue
from calibcore.hypothesis_tests.omnibus import log_tails
from calibcore.numerics.resampling import draw_labels
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens

ALPHA = 0.05
DESIGNS = {
    "two classes": (30, (1.0, 1.0)),
    "two classes, rare": (80, (0.3, 6.0)),
    "three classes": (40, (1.0, 1.0, 1.0)),
    "three classes, sure": (60, (0.1, 0.1, 0.1)),
    "ten classes": (50, (0.3,) * 10),
}


def given(design: str, rng: np.random.Generator, n: int | None = None) -> Predictions:
    """A calibrated data set."""
    size, concentration = DESIGNS[design]
    probs = rng.dirichlet(concentration, size=n or size)
    return Predictions.from_arrays(probs, draw_labels(probs, rng))


def false_alarms(design: str, sets: int, alpha: float, with_verdicts: int) -> float:
    """How often any lens of a calibrated model is called miscalibrated."""
    rng = np.random.default_rng([20190501, *design.encode()])
    count = 0
    for i in range(sets):
        p = given(design, rng)
        found = survey(p, DiagnosisSpec(alpha=alpha, resamples=9, seed=i))
        called = min(found.adjusted) <= alpha
        if i < with_verdicts:
            answers = {v.answer for v in judge(p, found)}
            assert called == ("miscalibrated" in answers)
        count += called
    return count / sets


@pytest.mark.slow
def test_calibrated_models_are_seldom_called_miscalibrated() -> None:
    """40 sets at the level 0.2, all lenses."""
    assert 0.02 <= false_alarms("three classes", 40, 0.2, 5) <= 0.2 + 3 * math.sqrt(0.2 * 0.8 / 40)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_calibrated_models_are_called_miscalibrated_at_most_alpha_of_the_time(design) -> None:
    """400 sets, the whole survey: within 3 standard deviations of a binomial."""
    found = false_alarms(design, 400, ALPHA, 40)
    print(f"{design}: {found:.4f}")
    assert found <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / 400)


def rejected_at_d80(
    design: str, n: int, lens, sets: int, hardest_only: bool, resamples: int = DiagnosisSpec().resamples
) -> list[tuple[str, float, int]]:
    """With fresh label sets at the stated share, redrawn by other code, how often the same test rejects."""
    rng = np.random.default_rng([7, n, *design.encode()])
    p = given(design, rng, n)
    spec = DiagnosisSpec(alpha=ALPHA / 2, resamples=resamples)
    found = survey(p, spec, [lens, TopKLens(1)], effort=Effort(below=2))
    diagnosis = found.diagnoses[0]
    redraws = diagnosis.test("exact-omnibus").result.component_redraws
    induced = lens(p)
    statistics = statistics_of(induced, diagnosis.spec.kernel.resolved(induced.probs)[0])
    by_name = {(a.pattern, a.class_name): a.towards for a in patterns_of(induced)}

    def pvalue(values: np.ndarray) -> float:
        """Of the test, had these been the statistics of what was observed."""
        tails = log_tails(np.column_stack([values, redraws])).max(axis=0)
        return monte_carlo_pvalue(float(tails[0]), tails[1:])

    shares = []
    for one in judge(p, found)[0].detectable:
        if one.size is None or (hardest_only and one.n_simulated < 400):
            continue
        towards = by_name[one.pattern, one.class_name](induced.probs, slice(None))
        q = (1 - one.share) * induced.probs + one.share * towards
        assert one.size == pytest.approx(0.5 * np.abs(q - induced.probs).sum(axis=1).mean(), rel=1e-6)
        labels = np.stack([draw_labels(q, rng) for _ in range(sets)])
        rejected = [pvalue(values) <= ALPHA / 4 + 1e-12 for values in statistics.evaluate(labels).T]
        shares.append((f"{one.pattern} {one.class_name}", float(np.mean(rejected)), one.n_simulated))
    return shares


@pytest.mark.parametrize(
    ("design", "lens"),
    [
        ("two classes", CanonicalLens()),
        pytest.param("three classes", ClassLens("1"), marks=pytest.mark.slow),
    ],
)
def test_the_smallest_detectable_size_is_seen_8_times_in_10(design, lens) -> None:
    """Both shares are simulated beside the same 159 redraws; a first look with 64 sets in place of 400."""
    shares = rejected_at_d80(design, 90, lens, 400, False, resamples=159)
    assert len(shares) == 4  # overconfidence, a shift towards each of two, uneven errors
    assert max(simulated for _, _, simulated in shares) == 400
    for _, share, simulated in shares:
        assert abs(share - 0.8) <= 3 * math.sqrt(0.8 * 0.2 * (1 / 400 + 1 / simulated)) + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("n", [300, 2_000])
@pytest.mark.parametrize("lens", [TopKLens(1), CanonicalLens(), ClassLens("1")])
@pytest.mark.parametrize("design", DESIGNS)
def test_smallest_detectable_sizes_are_seen_8_times_in_10(design, lens, n) -> None:
    """Within 3 standard errors of the two simulations, for what was simulated to the end."""
    shares = rejected_at_d80(design, n, lens, 1_000, True)
    print(design, lens, n, shares)
    error = math.sqrt(0.8 * 0.2 * (1 / 400 + 1 / 1_000))
    for _, share, _ in shares:
        assert abs(share - 0.8) <= 3 * error + 0.01
