"""Fuzzing guided by coverage, in a process of its own: a crash of it is a failed test.

``python -m tests.hostile.fuzzing readers -runs=1000 -seed=6`` runs it by hand.
"""

import io
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SEED = 6
GUIDED = ("calibcore.io.", "calibcore.settings.", "calibcore.diagnose.documents", "calibcore.store.backup")
"""Modules whose branches guide what is tried."""
MEMORY_MB = 4_000
"""Of the process; one input has a bound of its own."""


def MANY_OR_ALL(many: int, everything: int) -> list[Any]:  # noqa: N802
    """Numbers of examples: some with all other tests, the whole number with `make hostile`."""
    return [many, pytest.param(everything, marks=pytest.mark.hostile)]


def fuzzed(target: str, runs: int, folder: Path) -> None:
    """Fuzz a target in ``folder``; fails with what it printed."""
    command = [sys.executable, "-m", "tests.hostile.fuzzing", target, f"-runs={runs}", f"-seed={SEED}"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1_800,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6_000:]
    assert f"Done {runs} runs" in done.stdout + done.stderr, (done.stdout + done.stderr)[-2_000:]


def _functions(module: ModuleType) -> list[FunctionType]:
    """Those of a module and of its classes. All at once at the import would reach what numba compiles."""
    found = [module, *(kind for kind in vars(module).values() if isinstance(kind, type))]
    functions = [f for place in found for f in vars(place).values() if isinstance(f, FunctionType)]
    return [f for f in functions if f.__module__ == module.__name__]


def _mutator(seeds: tuple[bytes, ...], pieces: tuple[bytes, ...]) -> Callable[[bytes, int, int], bytes]:
    """Mutations that keep a file near to what it was, beside those of libFuzzer."""
    import atheris

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        choice = chance.random()
        if choice < 0.1 or len(data) < 2:
            data = chance.choice(seeds)
        if choice < 0.4:
            at = chance.randrange(len(data) + 1)
            over = chance.choice((0, 0, 1, 4, 20))
            data = data[:at] + chance.choice(pieces) + data[at + over :]
        elif choice < 0.5:
            other = chance.choice(seeds)
            data = data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]
        else:
            data = atheris.Mutate(data, most)
        return data[:most]

    return mutate


def main() -> None:
    """Run the target that the command line names."""
    import atheris

    from tests.hostile import targets

    target, options = sys.argv[1], sys.argv[2:]
    try_one, make_seeds, pieces = targets.TARGETS[target]
    seeds = make_seeds()
    for seed in seeds:
        try_one(seed)
    for name, module in list(sys.modules.items()):
        if name.startswith(GUIDED):
            for function in _functions(module):
                atheris.instrument_func(function)
    arguments = [sys.argv[0], f"-rss_limit_mb={MEMORY_MB}", "-timeout=30", "-max_len=20000", *options]
    atheris.Setup(arguments, try_one, custom_mutator=_mutator(seeds, pieces))
    atheris.Fuzz()


if __name__ == "__main__":
    sys.stdout = io.TextIOWrapper(sys.stdout.buffer, errors="replace")
    main()
