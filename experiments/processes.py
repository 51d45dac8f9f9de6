"""Many data sets in many processes, one thread each; results do not depend on how many."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

SEED = 20190501
_ONE_THREAD = ("CALIBLENS_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def generator(*path: int) -> np.random.Generator:
    """The stream of one data set, by its numbers (experiment, model, set)."""
    return np.random.default_rng([SEED, *path])


def processes(workers: int, warm: Callable[[], None]) -> ProcessPoolExecutor:
    """``workers`` fresh processes of one thread each, ``warm`` called first in each.

    Fresh, because the number of threads is read when a process starts.
    """
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    return ProcessPoolExecutor(workers, get_context("spawn"), warm)
