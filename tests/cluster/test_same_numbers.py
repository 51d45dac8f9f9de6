"""A cluster gives the numbers that this machine gives, and leaves the generator where this machine does."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.survey import survey
from calibcore.cluster import Cluster
from calibcore.data.predictions import Predictions
from calibcore.diagnose import diagnose
from calibcore.estimators import _low_rank, _redraws, _tiles
from calibcore.estimators.classwise import ClasswiseECE
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE, quadratic_estimates, residuals
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import AsymptoticSKCETest, ExactOmnibusTest, ExactTest
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.numerics import engine
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, PooledLens, RegionLens, TopKLens
from calibcore.transforms.nulls import Temperature
from tests.cluster.machines import Machines

KERNEL = ExponentialKernel(0.4)
M = np.random.default_rng(2).standard_normal((3, 3))


def calibrated(n: int = 680, m: int = 3) -> Predictions:
    rng = np.random.default_rng(n)
    g = rng.dirichlet(np.full(m, 0.5), size=n)
    labels = (g.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, m - 1)
    return Predictions.from_arrays(g, labels)


def exact(estimator: Any, B: int = 99, **settings: Any) -> Callable[[Predictions, Any], list[Any]]:
    def run(p: Predictions, rng: np.random.Generator) -> list[Any]:
        result = ExactTest(estimator, B, **settings)(p, rng)
        return [result.statistic, result.null_distribution, (result.pvalue, result.n_resamples)]

    return run


def bootstrap(p: Predictions, rng: np.random.Generator) -> list[Any]:
    result = AsymptoticSKCETest(SKCE(KERNEL), 99)(p, rng)
    return [result.statistic, result.null_distribution, (result.pvalue,)]


def omnibus(of: Lens, **settings: Any) -> Callable[[Predictions, Any], list[Any]]:
    def run(p: Predictions, rng: np.random.Generator) -> list[Any]:
        result = ExactOmnibusTest(ExponentialKernel(), 99, **settings)(of(p), rng)
        statistics = np.array([one.statistic for one in result.components])
        return [statistics, result.component_redraws, (result.pvalue, result.n_resamples)]

    return run


def sums(p: Predictions, rng: np.random.Generator) -> list[Any]:
    return [
        *quadratic_estimates(p, KERNEL).values(),
        _tiles.pair_sum_in_tiles(KERNEL, p.probs, residuals(p, KERNEL), precision="float32"),
    ]


WORK: dict[str, Callable[[Predictions, np.random.Generator], list[Any]]] = {
    "estimates": sums,
    "omnibus": omnibus(CanonicalLens()),
    "omnibus-line": omnibus(ClassLens("0")),
    "omnibus-stops": omnibus(CanonicalLens(), stop_at=10),
    "bootstrap": bootstrap,
    "unbiased": exact(SKCE(KERNEL)),
    "biased": exact(SKCE(GaussianKernel(0.3), "biased")),
    "weights": exact(SKCE(replace(KERNEL, class_matrix=(0.5, 1.0, 2.0)))),
    "matrix": exact(SKCE(replace(KERNEL, class_matrix=M @ M.T))),
    "single": exact(SKCE(KERNEL, precision="float32")),
    "linear": exact(SKCE(KERNEL, "linear")),
    "block": exact(SKCE(KERNEL, "block", 5)),
    "null": exact(SKCE(KERNEL), null=Temperature(1.3)),
    "ece": exact(ECE()),
    "mce": exact(MCE()),
    "classwise": exact(ClasswiseECE()),
    "ece-null": exact(ECE(), null=Temperature(1.3)),
    "ece-stops": exact(ECE(), 999, stop_at=10),
    "stops": exact(SKCE(KERNEL), 499, stop_at=5),
    "ucme": exact(UCME(KERNEL)),
}


def assert_same(here: list[Any], there: list[Any]) -> None:
    for one, other in zip(here, there, strict=True):
        if isinstance(one, tuple):
            assert one == other
        else:
            assert_allclose(other, one, rtol=1e-12, atol=1e-12 * np.abs(one).max())


def check(p: Predictions, work: Callable[..., list[Any]], cluster: Cluster) -> None:
    before, rng, other = cluster.traffic.tasks, np.random.default_rng(5), np.random.default_rng(5)
    assert rng.integers(9, dtype=np.uint32) == other.integers(9, dtype=np.uint32)  # half a number is left
    here = work(p, rng)
    with engine.using(cluster):
        there = work(p, other)
    assert cluster.traffic.tasks > before + 1
    assert_same(here, there)
    assert rng.bit_generator.state == other.bit_generator.state
    assert rng.spawn(1)[0].random() == other.spawn(1)[0].random()


@pytest.mark.parametrize("name", WORK)
def test_three_classes(name, cluster) -> None:
    check(calibrated(), WORK[name], cluster)


@pytest.mark.parametrize("name", ["unbiased", "biased", "bootstrap"])
def test_two_classes_lie_on_a_line(name, cluster) -> None:
    check(calibrated(900, 2), WORK[name], cluster)


@pytest.mark.parametrize("name", ["unbiased", "biased", "matrix", "omnibus", "stops"])
def test_many_cases_of_low_rank(name, cluster, monkeypatch) -> None:
    monkeypatch.setattr(_redraws, "FROM", 100)
    monkeypatch.setattr(_low_rank, "ROWS", 128)
    check(calibrated(), WORK[name], cluster)


def test_the_p_values_lie_between(cluster) -> None:
    """So that being equal says something."""
    p = calibrated()
    found = [WORK[name](p, np.random.default_rng(5))[2][0] for name in ("unbiased", "biased", "ece", "mce")]
    assert all(0.03 < pvalue < 0.97 for pvalue in found)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.some(1)
def test_any_number_of_workers(workers, machines: Machines) -> None:
    with Cluster.at(machines.start(workers), smallest=1) as cluster:
        assert len(cluster.workers()) == workers
        for name in ("estimates", "bootstrap", "unbiased", "ece"):
            check(calibrated(), WORK[name], cluster)


def documents(p: Predictions) -> tuple[Any, Any]:
    spec = DiagnosisSpec(resamples=99, seed=3)
    return diagnose(p, spec).to_document(), assess(p, survey(p, spec)).to_document()


def assert_alike(here: Any, there: Any, path: str = "") -> None:
    """The same but for the rounding of numbers; p-values and texts exactly."""
    assert type(here) is type(there), path
    if isinstance(here, dict):
        assert here.keys() == there.keys()
        for key in here:
            assert_alike(here[key], there[key], f"{path}/{key}")
    elif isinstance(here, list | tuple):
        assert len(here) == len(there)
        for i, (one, other) in enumerate(zip(here, there, strict=True)):
            assert_alike(one, other, f"{path}/{i}")
    elif isinstance(here, float) and "p_value" not in path and "pvalue" not in path:
        assert abs(here - there) <= 1e-12 * max(1.0, abs(here)), path
    else:
        assert here == there, path


def test_a_whole_diagnosis_and_survey(cluster) -> None:
    p = calibrated(400)
    here = documents(p)
    with engine.using(cluster):
        there = documents(p)
    assert cluster.traffic.tasks > 50
    for one, other in zip(here, there, strict=True):
        assert_alike(one, other)


def test_lenses_of_all_kinds(cluster) -> None:
    """Those of two classes come first; progress rises; what is found is in the order of the lenses."""
    p = calibrated(60)
    lenses = [CanonicalLens(), ClassLens("9"), TopKLens(1), PooledLens(), TopKLens(2)]
    lenses += [RegionLens(ClassLens("0"), "1", 0.1, 0.9), RegionLens(TopKLens(1), "1", 0.0, 1e-12)]
    spec, told, came = DiagnosisSpec(stop_at=20), [], []

    def found() -> Assessment:
        whole = survey(
            p, spec, lenses, lambda x, _: told.append(x), on_result=lambda d: came.append(d.spec.lens)
        )
        return assess(p, whole, lambda x, _: told.append(1 + x))

    here = found()
    assert came == [diagnosis.spec.lens for diagnosis in here.survey.diagnoses]
    told.clear()
    came.clear()
    with engine.using(cluster):
        there = found()
    assert_alike(here.to_document(), there.to_document())
    assert len(here.survey.refused) == 2
    assert told == sorted(told)
    assert [lens(p).m for lens in came] == [2, 2, 2, 3, 3]


def test_small_work_stays_here(healthy) -> None:
    with Cluster.at(healthy) as cluster, engine.using(cluster):
        ExactTest(ECE(), 99)(calibrated(), np.random.default_rng(1))
    assert cluster.traffic.tasks == cluster.traffic.sent == 0
