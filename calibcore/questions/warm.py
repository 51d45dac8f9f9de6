"""Compiling ahead what questions need, after what every look needs: here, or in processes of their own."""

import gc
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.data.predictions import Predictions
from calibcore.diagnose import warm as of_looks
from calibcore.diagram.binning import MedianVarianceBinning
from calibcore.numerics import loops
from calibcore.questions.compare import compare
from calibcore.questions.recalibrate import recalibrate
from calibcore.questions.recalibrate.maps.scaling import Matrix
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens

_FEW = DiagnosisSpec(resamples=40, alpha=0.9)
_OF_A_VERDICT = ((TopKLens(1), ClassLens("0")), (CanonicalLens(),))
"""Lenses of which each half of what a verdict needs is compiled, in about the same time."""


@loops.compiling_ahead()
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


@loops.compiling_ahead()
def warm_for_verdicts(half: int) -> None:
    """Run one half of what a verdict on some hundred cases of a few classes needs."""
    rng = np.random.default_rng(0)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(3), size=900), rng.integers(3, size=900))
    spec = replace(_FEW, tests=("exact-omnibus",), estimates=())
    result = survey(p, spec, _OF_A_VERDICT[half], binning_of_many=MedianVarianceBinning())
    assess(p, result)


PARTS: dict[str, Callable[[], None]] = {
    "lines": partial(warm_for_verdicts, 0),
    "classes": partial(warm_for_verdicts, 1),
    "all": warm,
}
"""What a process can compile, by its name."""
STAGES = ("lines", "classes"), ("all",)
"""Parts that are compiled side by side, the first verdict first."""


def never_compiled() -> bool:
    """Whether nothing was compiled on this machine that can be kept: it shows when one loop is asked for."""
    with loops.compiling_ahead():
        ClassLens("0")(Predictions.from_arrays(np.full((2, 3), 1 / 3), [0, 1]))
    hits = loops.class_and_rest.loop.stats.cache_hits  # type: ignore[attr-defined]
    return not hits and loops.kept_in(loops.class_and_rest) is not None


def compiling_apart(part: str) -> subprocess.Popen[bytes]:
    """A process that compiles one of the :data:`PARTS` and leaves it on disk.

    Whoever compiles holds the interpreter: a server would answer nobody meanwhile. What is asked for while
    the process is at it is compiled here, too, and what it has left by then is taken from disk.
    """
    assert part in PARTS
    command = [sys.executable, "-m", "calibcore.questions.warm", part]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 (a part by its name)


if __name__ == "__main__":
    gc.freeze()  # what is imported stays, and need not be looked through while objects are made to compile
    PARTS[sys.argv[1]]()
