"""Compiling ahead what questions need, after what every look needs: here, or in a process of its own."""

import subprocess
import sys

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagnose import warm as of_looks
from calibcore.numerics import loops
from calibcore.questions.compare import compare
from calibcore.questions.recalibrate import recalibrate
from calibcore.questions.recalibrate.maps.scaling import Matrix
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens

_FEW = DiagnosisSpec(resamples=40, alpha=0.9)


def warm() -> None:
    """Run everything compiled once: first what a look needs, then each question on few cases."""
    of_looks.warm()
    for n, m in (60, 2), (60, 3), (150, 130):
        rng = np.random.default_rng(m)
        first, other = (
            Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), np.arange(n) % m) for _ in "ab"
        )
        compare({"a": first, "b": other}, _FEW)
        methods = ("class-mix",) if m > 100 else None
        recalibrate(first, methods, _FEW, folds=2)
    Matrix.fit(first.probs[:, :3], first.labels % 3)


def compiling_apart() -> subprocess.Popen[bytes] | None:
    """A process that compiles all that :func:`warm` needs and leaves it on disk; None where it is there, or
    there is no place to leave it.

    Which it is shows when one loop is asked for. Whoever compiles holds the interpreter: a server would
    answer nobody meanwhile. What is asked for while the process is at it is compiled here, too, and what it
    has left by then is taken from disk.
    """
    ClassLens("0")(Predictions.from_arrays(np.full((2, 3), 1 / 3), [0, 1]))
    cache = loops.class_and_rest.stats  # type: ignore[attr-defined]
    if cache.cache_hits or cache.cache_path is None:
        return None
    return subprocess.Popen([sys.executable, "-m", "calibcore.questions.warm"], stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    warm()
