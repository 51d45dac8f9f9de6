"""Mutants of every kind of document: one sentence, or what can be used; see :mod:`tests.hostile.mutants`."""

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import calibcore
from calibcore.questions.recalibrate.maps import MAPS
from calibcore.settings.codec import form_of
from calibcore.settings.documents import Documented
from tests.hostile.mutants import KINDS, without_a_kind

ROOT = Path(__file__).parents[2]


def _types() -> list[type]:
    """Those that are read back from JSON."""
    for module in pkgutil.walk_packages(calibcore.__path__, "calibcore."):
        # The evaluator is a class of MLflow, which is not installed here.
        if "migrations" not in module.name and not module.name.endswith(("__main__", "mlflow_evaluator")):
            importlib.import_module(module.name)
    found, left = [], [Documented]
    while left:
        cls: Any = left.pop()
        left += cls.__subclasses__()
        if not getattr(cls, "__abstractmethods__", ()) and hasattr(cls, "WHAT"):
            found.append(cls)
    return [*(cls for cls in found if cls.__module__.startswith("calibcore")), *MAPS.values()]


def test_every_type_that_is_read_back_has_mutants() -> None:
    types = _types()
    assert len(types) >= 16
    assert without_a_kind(types) == []

    class Forgotten:
        pass

    (sentence,) = without_a_kind([Forgotten])
    assert sentence.startswith("Forgotten is read back from JSON and has no entry")


def test_an_annotation_that_cannot_be_checked_is_refused() -> None:
    for kind in (dict[str, float], Any, object, set[int]):
        with pytest.raises(TypeError, match="an annotation that documents cannot have"):
            form_of(kind)


def _tried(kind: str, count: str) -> tuple[int, list[str]]:
    """How many mutants were tried, and what failed. A process that dies takes one mutant with it."""
    first, tried, problems = 0, 0, []
    while True:
        command = [sys.executable, "-m", "tests.hostile.mutants", kind, str(first), count]
        environment = os.environ | {"CALIBLENS_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        begun = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=2_400, check=False
        )
        lines = [json.loads(line) for line in begun.stdout.splitlines() if line.startswith("{")]
        problems += [
            f"{line['kind']}: {line['words']}: {line['problem']}" for line in lines if "problem" in line
        ]
        tried += sum("at" in line for line in lines)
        if begun.returncode == 0:
            return tried, problems
        at = [line for line in lines if "at" in line]
        assert at, begun.stderr[-3_000:]
        problems.append(f"{at[-1]['kind']}: {at[-1]['words']}: the process ended with {begun.returncode}")
        if kind == "each":
            return tried, problems
        first = at[-1]["at"] + 1


@pytest.mark.slow
def test_some_mutants_of_each_kind() -> None:
    tried, problems = _tried("each", "3")
    assert not problems, problems[:20]
    assert tried == 3 * len(KINDS)


@pytest.mark.hostile
@pytest.mark.parametrize("kind", KINDS)
def test_mutants(kind: str) -> None:
    tried, problems = _tried(kind, "all")
    assert not problems, problems[:20]
    assert tried > 300
