"""What is compiled ahead is all that a verdict and the questions need."""

import json
import subprocess
import sys

import pytest

SHAPES = [(600, 2), (4_200, 2), (600, 5), (510, 40), (1_000, 40), (600, 140), (21_000, 3)]
"""Cases and classes: every way the omnibus test takes; the last in groups of equal predictions."""
ASKED = [(200, 2), (300, 5), (150, 140)]
"""The same of questions."""
_AFTER = """
import gc, json, sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from calibcore import DiagnosisSpec, Predictions, compare, judge, recalibrate, survey
from calibcore.assessment import omnibus_power
from calibcore.assessment.temperature_set import temperature_set
from calibcore.questions.warm import warm
from calibcore.transforms.lenses import CanonicalLens, TopKLens

def compiled():
    ours = [d for d in gc.get_objects() if isinstance(d, Dispatcher) and "calibcore" in d.py_func.__module__]
    return {f"{d.py_func.__module__}.{d.py_func.__name__} {one}" for d in ours for one in d.signatures}

FEW = DiagnosisSpec(resamples=39, alpha=0.9)  # fewer redraws and label sets, of the same types
omnibus_power._FIRST = 16
omnibus_power.omnibus_detectable.__defaults__ = (50, None)
warm()
before = compiled()
for n, m in json.loads(sys.argv[1]):
    rng = np.random.default_rng(n)
    g = np.round(rng.dirichlet(np.ones(m), size=n), 1 if n > 20_000 else 6) + 1e-9
    p = Predictions.from_arrays(g / g.sum(axis=1, keepdims=True), rng.integers(m, size=n))
    judge(p, survey(p, FEW, lenses=[TopKLens(1), CanonicalLens()]))
for n, m in json.loads(sys.argv[2]):
    rng = np.random.default_rng(n)
    one, other = (Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), np.arange(n) % m) for _ in "ab")
    compare({"a": one, "b": other}, FEW)
    temperature_set(one)
    recalibrate(one, ["class-mix", *(["vector"] if m < 100 else [])], FEW, folds=2)
print(json.dumps([len(before), sorted(compiled() - before)]))
"""


@pytest.mark.slow
def test_a_verdict_and_questions_after_the_warm_up_compile_nothing() -> None:
    """Whether it would be compiled or read from the disk: no loop meets types that it has not met."""
    done = subprocess.run(
        [sys.executable, "-c", _AFTER, json.dumps(SHAPES), json.dumps(ASKED)],
        capture_output=True,
        text=True,
        check=True,
    )
    known, more = json.loads(done.stdout)
    assert known > 50
    assert more == []


_VERDICT_AFTER = """
import gc, json
import numpy as np
from numba.core.dispatcher import Dispatcher
from calibcore import DiagnosisSpec, Predictions, survey
from calibcore.assessment.assess import assess
from calibcore.diagram.binning import MedianVarianceBinning
from calibcore.questions.warm import PARTS, STAGES

def compiled():
    ours = [d for d in gc.get_objects() if isinstance(d, Dispatcher) and "calibcore" in d.py_func.__module__]
    return {f"{d.py_func.__module__}.{d.py_func.__name__} {one}" for d in ours for one in d.signatures}

parts = []
for part in STAGES[0]:
    PARTS[part]()
    parts.append(len(compiled()))
before = compiled()
rng = np.random.default_rng(1)
p = Predictions.from_arrays(rng.dirichlet(np.ones(3), size=1000), rng.integers(3, size=1000), list("abc"))
spec = DiagnosisSpec(tests=("exact-omnibus",), estimates=())
assess(p, survey(p, spec, binning_of_many=MedianVarianceBinning()))
print(json.dumps([parts, sorted(compiled() - before)]))
"""


@pytest.mark.slow
def test_a_first_verdict_on_own_data_needs_no_more_than_the_two_parts_that_are_compiled_first() -> None:
    command = [sys.executable, "-c", _VERDICT_AFTER]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (first, both), more = json.loads(done.stdout)
    assert 10 < first < both - 5
    assert more == []
