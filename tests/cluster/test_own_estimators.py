"""Somebody's own estimator on a cluster: done there, or refused in one sentence."""

import pickle
import sys
import threading
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pytest

from calibcore.cluster import Cluster, faults
from calibcore.cluster.tasks import NotFound
from calibcore.data.predictions import Predictions
from calibcore.estimators import Prepared, Progress
from calibcore.hypothesis_tests import ExactTest
from calibcore.numerics import engine
from calibcore.numerics.engine import EngineError
from calibcore.numerics.types import Float, Labels
from tests.cluster.test_same_numbers import calibrated


@dataclass(frozen=True)
class Share:
    """The share of cases of class 0."""

    beside: object = None

    def __call__(self, predictions: Predictions) -> float:
        return float((predictions.labels == 0).mean())

    def prepared(self, predictions: Predictions) -> Prepared:
        def evaluate(labels: Labels, progress: Progress | None) -> Float:
            return np.asarray((labels == 0).mean(axis=1))

        return Prepared(evaluate)


def of_a_module_that_only_is_here() -> Share:
    module = ModuleType("only_here")
    kind = type("Other", (Share,), {"__module__": "only_here", "__qualname__": "Other"})
    module.Other = kind  # type: ignore[attr-defined]
    sys.modules["only_here"] = module
    return kind()


def of_a_function() -> Share:
    class Local(Share):
        pass

    return Local()


CANNOT = {
    "class in a function": (of_a_function, "Can't pickle local object"),
    "function without a name": (lambda: Share(lambda: 0), "Can't pickle local object '<lambda>"),
    "lock": (lambda: Share(threading.Lock()), "cannot pickle '_thread.lock' object"),
    "module that workers lack": (of_a_module_that_only_is_here, "No module named 'only_here'"),
}


def p_value(estimator: Share) -> float:
    return ExactTest(estimator, 99)(calibrated(), np.random.default_rng(0)).pvalue


def test_one_of_a_module_that_workers_have(cluster: Cluster) -> None:
    here = p_value(Share())
    with engine.using(cluster):
        assert p_value(Share()) == here
    assert cluster.traffic.tasks > 0


@pytest.mark.parametrize("what", CANNOT)
def test_one_that_cannot_be_sent(what: str, cluster: Cluster) -> None:
    make, reason = CANNOT[what]
    with engine.using(cluster), pytest.raises(EngineError) as error:
        p_value(make())
    assert str(error.value).startswith("What is to be computed cannot be sent to the cluster: ")
    assert reason in str(error.value)
    assert str(error.value).endswith(
        "Define its classes in a module that the workers have too, or compute without the cluster."
    )
    assert "\n" not in str(error.value)
    with engine.using(cluster):
        assert p_value(Share()) > 0  # the cluster is none the worse for it
    sys.modules.pop("only_here", None)


def test_the_reason_is_cut() -> None:
    sentence = str(faults.cannot_travel(pickle.PicklingError("x\n" * 5_000)))
    assert len(sentence) < 450
    assert "\n" not in sentence
    assert str(faults.failed(NotFound("x"))).startswith("What is to be computed")
