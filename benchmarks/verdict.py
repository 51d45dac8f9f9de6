"""The whole verdict: the survey of all lenses and what each could have shown, for small and large data.

Run alone on two cores: CALIBLENS_THREADS=2 taskset -c 0,1 python -m benchmarks.verdict
"""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.common import line, memory_line, overconfident, timed
from calibcore import MultiLabelPredictions, Predictions, judge, survey
from calibcore.assessment.defaults import default_lenses, resamples_needed
from calibcore.assessment.omnibus_power import omnibus_detectable
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict_tests import exact_pvalue
from calibcore.diagnose import Diagnosis
from calibcore.diagnose.warm import warm
from calibcore.estimators._omnibus import statistics_of
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.lenses import TopKLens

LABELS = 1_000_000, 14
SHAPES = (1_000, 10), (10_000, 10), (1_000_000, 3), (50_000, 1_000)
_ALPHA = 0.05


def redraws(lenses: int) -> int:
    """As many as a survey takes."""
    return max(999, resamples_needed(lenses, _ALPHA))


def family(p: Predictions) -> None:
    """The omnibus test of every lens, and what it would have seen."""
    lenses, kernel = default_lenses(p), ExponentialKernel()
    for lens in lenses:
        induced = lens(p)
        test = ExactOmnibusTest(kernel, redraws(len(lenses)))
        found = test(induced, np.random.default_rng(1)).component_redraws
        assert found is not None
        level = _ALPHA / len(lenses)
        omnibus_detectable(induced, kernel, level, found, np.random.default_rng(2))


def drawing(p: Predictions) -> None:
    """The labels of a test of all classes alone, as NumPy draws them: a number each, and as many comparisons
    as a binary search takes."""
    rng, steps = np.random.default_rng(0), max(1, int(np.log2(p.m)))
    for _ in range(100):
        u = rng.random(p.n)
        for _ in range(steps):
            np.count_nonzero(u < 0.5)


def both(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def whole(p: Predictions | MultiLabelPredictions) -> Survey:
    found = survey(p)
    judge(p, found)
    return found


def shape(n: int, m: int) -> None:
    p = overconfident(n, m, np.random.default_rng(20190501))
    lenses = len(default_lenses(p))
    name = f"{n:,} × {m:,}, {lenses} lenses, B = {redraws(lenses):,}"
    drawn = both(lambda: drawing(p))[0] * redraws(lenses) / 100 * lenses
    clock, processor = both(lambda: family(p))
    line(f"omnibus tests and power, {name}", clock, "drawing the labels with NumPy", drawn)
    print(f"{'  of the processor':<58}{processor:9.4f} s", flush=True)
    clock, processor = both(lambda: whole(p))
    line(f"survey and verdicts, {name}", clock, "drawing the labels with NumPy", drawn)
    print(f"{'  of the processor':<58}{processor:9.4f} s", flush=True)
    statistics = statistics_of(p, ExponentialKernel())
    memory_line(
        "  memory of 64 redraws, all classes",
        lambda: statistics.draw(p.probs, 64, np.random.default_rng(0)),
        "the predictions",
        p.probs.nbytes / 1e6,
    )


def first_answer(n: int, m: int) -> tuple[float, float]:
    """Seconds until one check says by itself that the model is off, and until all of them are tested."""
    p = overconfident(n, m, np.random.default_rng(20190501))
    checks, start, said = len(default_lenses(p)), time.perf_counter(), list[float]()

    def tell(diagnosis: Diagnosis) -> None:
        # The smallest of so many p by Holm's method: no other check can take it back.
        if exact_pvalue(diagnosis) * checks <= _ALPHA:
            said.append(time.perf_counter() - start)

    survey(p, on_result=tell)
    return said[0], time.perf_counter() - start


def findings(n: int, k: int) -> MultiLabelPredictions:
    """Made predictions of labels that depend on each other, one of them too high."""
    rng = np.random.default_rng(20190501)
    logits = rng.normal(-1.5, 1, k) + rng.normal(size=(n, 1)) + rng.normal(size=(n, k))
    said = 1 / (1 + np.exp(-logits))
    happened = (rng.random((n, k)) < said).astype(int)
    said[:, 0] = np.minimum(1.15 * said[:, 0], 1)
    return MultiLabelPredictions.from_arrays(said, happened, [f"finding {j}" for j in range(k)])


def several_labels(n: int, k: int) -> None:
    p = findings(n, k)
    drawn = both(lambda: drawing(p.label(p.label_names[0])))[0] * redraws(k) / 100 * k
    clock, processor = both(lambda: whole(p))
    name = f"survey and verdicts, {n:,} × {k} labels, B = {redraws(k):,}"
    line(name, clock, "drawing the labels with NumPy", drawn)
    print(f"{'  of the processor':<58}{processor:9.4f} s", flush=True)


def run() -> None:
    """All of it, some five minutes on two cores."""
    warm()
    whole(overconfident(600, 10, np.random.default_rng(1)))
    for n, m in SHAPES:
        shape(n, m)
    several_labels(*LABELS)
    found = [first_answer(10_000, 10) for _ in range(5)]
    for name, seconds in zip(
        ("first check that says: miscalibrated", "all checks tested"), np.median(found, axis=0), strict=True
    ):
        line(f"{name}, 10,000 × 10", float(seconds))
    p = overconfident(10_000, 10, np.random.default_rng(20190501))
    one = survey(p, lenses=[TopKLens(1)])
    line("verdict of a lens of two classes, 10,000 cases", timed(lambda: judge(p, one)))


if __name__ == "__main__":
    run()
