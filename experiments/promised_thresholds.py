"""A threshold that keeps a promise, beside the usual one: how often each is broken, and what each leaves.

Seven worlds of a model that may answer alone where it is sure. Of the answers that are accepted 95 % have to
be right, but for a chance of 5 %.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import bdtr, expit, logit

from calibcore.numerics.types import Float, Int
from calibcore.questions.decide.guarantee import MOST_LOOKED_AT, RISK, TARGET, fewest, guarantee_of
from experiments.processes import generator

FILES = {200: 400, 500: 400, 2_000: 400, 10_000: 150}
"""Cases of a file -> files at most."""
CHUNK = 10
_EXPERIMENT, _POPULATION, _ROUNDING = 3, 400_000, 1e-9


@dataclass(frozen=True)
class World:
    """What a model says, and how often it is right where it says that.

    Attributes
    ----------
    right : even numbers between 0 and 1, of which 0 is the surest case -> the chances of being right
    score : these numbers, those chances -> what the model says, which falls
    """

    right: Callable[[Float], Float]
    score: Callable[[Float, Float], Float] = lambda _, right: right


def _even(place: Float) -> Float:
    """Between 60 and 100 %."""
    return np.asarray(1 - 0.4 * place)


def _rising(share: float, exponent: float, place: Float) -> Float:
    """The surest are right for certain, and the surest ``share`` of all in 95 % on average."""
    return np.asarray(1 - (1 - TARGET) * (exponent + 1) * (place / share) ** exponent)


def _odds(times: float, _: Float, right: Float) -> Float:
    return np.asarray(expit(times * logit(np.clip(right, 1e-9, 1 - 1e-9))))


def _of_even(true: Callable[[Float], Float]) -> World:
    """Scores even between 60 and 100 %, and the chance of being right as a function of them."""
    return World(lambda place: true(_even(place)), lambda place, _: _even(place))


WORLDS: Mapping[str, World] = {
    "calibrated": World(_even),
    "over": World(partial(_rising, 0.43, 1.35), partial(_odds, 1.3)),
    "under": World(partial(_rising, 0.47, 1.25), partial(_odds, 0.6)),
    "waves": _of_even(lambda score: expit(logit(score) + 0.8 * np.sin(4 * logit(score)))),
    "flat .93": _of_even(lambda score: np.full(len(score), 0.93)),
    "surest worse": _of_even(lambda score: np.where(score > 0.96, score - 0.15, score)),
    "exactly .95": _of_even(lambda score: np.full(len(score), 0.95)),
}
"""By what the model is."""


@dataclass(frozen=True)
class Found:
    """What came of the files of one world and one number of cases.

    Attributes
    ----------
    best : the largest share of all cases in which 95 % are right, known from the truth
    plain : the mean share that is promised where the surest are tested first
    guided, error : the mean share that :func:`.guarantee_of` promises, and its standard error
    broken, naive : of so many files the promise, and the usual threshold, let more be wrong than is allowed
    """

    files: int
    best: float
    plain: float
    guided: float
    error: float
    broken: int
    naive: int


def run(
    sets: int, pool: Executor, sizes: Sequence[int] = tuple(FILES), chunk: int = CHUNK
) -> dict[tuple[str, int], Found]:
    """``sets`` files of each world and number of cases, fewer where :data:`FILES` says so."""
    found = {}
    for n in sizes:
        files = min(sets, FILES[n])
        chunks = [range(start, min(start + chunk, files)) for start in range(0, files, chunk)]
        for name in WORLDS:
            rows = np.concatenate(list(pool.map(partial(_some, name, n), chunks)))
            plain, guided = rows[:, :2].mean(axis=0).tolist()
            broken, naive = rows[:, 2:].sum(axis=0).astype(int).tolist()
            error = float(rows[:, 1].std(ddof=1) / files**0.5)
            found[name, n] = Found(files, best_share(WORLDS[name]), plain, guided, error, broken, naive)
    return found


def best_share(world: World, target: float = TARGET) -> float:
    """Of all cases the most that may be answered if the truth is known; 0 where no part is right as often."""
    place = (np.arange(_POPULATION) + 0.5) / _POPULATION
    kept = np.cumsum(world.right(place)) / np.arange(1, _POPULATION + 1) >= target - _ROUNDING
    return float(np.flatnonzero(kept)[-1] + 1) / _POPULATION if kept.any() else 0.0


def _some(name: str, n: int, numbers: range) -> Float:
    return np.array([_file(name, n, number) for number in numbers])


def _file(name: str, n: int, number: int) -> tuple[float, float, bool, bool]:
    """Shares of the plain order and of the guided one; whether the promise and the usual one are broken."""
    rng = generator(_EXPERIMENT, list(WORLDS).index(name), n, number)
    place = np.sort(rng.random(n))
    true = WORLDS[name].right(place)
    score = WORLDS[name].score(place, true)
    right = (rng.random(n) < true).astype(np.int64)
    kept = guarantee_of(score, right)

    def broken(threshold: float | None) -> bool:
        return threshold is not None and bool(true[score >= threshold].mean() < TARGET - _ROUNDING)

    return plain_share(right), kept.share, broken(kept.threshold), broken(kept.naive)


def plain_share(right: Int, target: float = TARGET, risk: float = RISK) -> float:
    """Of cases in the order of their scores, the surest first: the share that is promised where few accepted
    are tested before more, at the same grid and risk as in :func:`.guarantee_of`."""
    n, wrong, accepted = len(right), np.cumsum(1 - right), 0
    if n >= fewest(target, risk):
        grid = np.round(np.geomspace(fewest(target, risk), n, MOST_LOOKED_AT)).astype(np.int64)
        for k in np.unique(grid).tolist():
            if bdtr(wrong[k - 1], k, 1 - target) > risk:
                break
            accepted = k
    return accepted / n
