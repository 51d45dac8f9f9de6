"""Where is it worst? A search over columns, exact because it is made anew on every redraw.

A leaf is a set of cases: a run of groups of one column (of text one group), or such a run within another or
within the rest. Its score is ``|Σ(y − g)|/√Σ g(1 − g)``, of the first of two classes. A greedy tree of depth
2 takes the run with the largest score, then the one with the largest score within it and within the rest; the
statistic is the largest score of all. Runs with fewer than 30 cases, or with fewer than 5 expected of either
outcome, are left out: by predictions alone. Cost O(n·columns) a redraw.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests import monte_carlo_pvalue, none_as_extreme
from calibcore.numerics import loops
from calibcore.numerics.engine import look_up
from calibcore.numerics.progress import Report
from calibcore.numerics.resampling import first_class_chances
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.groups.columns import Column
from calibcore.questions.groups.result import Worst

FEWEST = 30
EXPECTED = 5.0
_TOGETHER = 16


@dataclass(frozen=True, eq=False)
class _Table:
    """Columns as runs of codes: run r is the codes ``first[r] ≤ c < last[r]`` of all columns' codes."""

    codes: Int
    """(n, columns) codes counted over all columns."""
    first: Int
    last: Int
    column: Int
    names: list[tuple[str, tuple[str, ...]]]
    """Of each run its column and groups."""
    size: int


def search(
    predictions: Predictions,
    columns: Sequence[Column],
    n_resamples: int,
    seed: int,
    report: Report = lambda _: None,
) -> Worst | None:
    """The worst set of cases of two-class predictions, with its exact p; None where no set is large enough.

    Labels are redrawn from the predictions and the whole search is made anew.
    """
    table = _table(columns)
    chance = first_class_chances(predictions.probs)
    hits = (predictions.labels == 0).astype(np.int8)
    if not len(table.first):
        return None
    given = loops.read_only(chance)
    moments = np.ones(len(chance)), chance, chance * (1 - chance)
    base = np.column_stack(
        [np.bincount(table.codes.ravel(), np.repeat(x, len(columns)), table.size) for x in moments]
    ).astype(np.float64)

    def search_one(labels: Labels) -> tuple[float, int, int, int]:
        return _search(table.codes, table.first, table.last, table.column, table.size, base, given, labels)

    observed, one_run, way, two = search_one(hits)
    if observed < 0:
        return None
    rng = stream(seed, "worst")
    redrawn = np.empty(n_resamples)

    def redraw(part: slice) -> None:
        for b in range(part.start, min(part.stop, n_resamples)):
            redrawn[b] = search_one(drawn[b - done])[0]

    done = 0
    while done < n_resamples:
        many = min(_TOGETHER, n_resamples - done)
        drawn = (rng.random((many, predictions.n)) < chance).astype(np.int8)
        loops.in_threads(redraw, [slice(done + i, done + i + 1) for i in range(many)])
        done += many
        look_up()
        report(done / n_resamples)
    pvalue = monte_carlo_pvalue(observed, redrawn)
    inside = _inside(table, one_run, way, two)
    return Worst(
        ((*table.names[one_run], way != 2), *([(*table.names[two], True)] if way else [])),
        int(inside.sum()),
        float(chance[inside].mean()),
        float(hits[inside].mean()),
        float(observed),
        none_as_extreme(pvalue, n_resamples),
        n_resamples,
        predictions.class_names[0],
        pvalue,
    )


def _table(columns: Sequence[Column]) -> _Table:
    codes, first, last, column, names = [], [], [], [], []
    start = 0
    for j, each in enumerate(columns):
        many = len(each.values) - each.missing
        runs = [(c, c + 1) for c in range(len(each.values))]
        if each.ordered:
            runs = [(0, k) for k in range(1, many)] + [(k, many) for k in range(1, many)]
            runs += [(many, many + 1)] if each.missing else []
        if len(each.values) > 1:
            first += [start + a for a, _ in runs]
            last += [start + b for _, b in runs]
            column += [j] * len(runs)
            names += [(each.name, each.values[a:b]) for a, b in runs]
        codes.append(each.codes + start)
        start += len(each.values)
    return _Table(
        np.ascontiguousarray(np.column_stack(codes)),
        np.array(first, np.int64),
        np.array(last, np.int64),
        np.array(column, np.int64),
        names,
        start,
    )


def _inside(table: _Table, column: int, way: int, two: int) -> NDArray[np.bool_]:
    def run(r: int) -> NDArray[np.bool_]:
        codes = table.codes[:, table.column[r]]
        return np.asarray((codes >= table.first[r]) & (codes < table.last[r]))

    if way == 0:
        return run(column)
    return (run(column) if way == 1 else ~run(column)) & run(two)


@loops.compiled_with_arrays
def _search(
    codes: Int, first: Int, last: Int, column: Int, size: int, base: Float, chance: Float, hits: Labels
) -> tuple[float, int, int, int]:
    """The largest score, the run of the first split, where the second lies (0: there is none, 1: within it,
    2: within the rest) and its run; −1 where no run is large enough."""
    n, many = codes.shape
    total, inside = np.zeros((size, 4)), np.zeros((size, 4))
    total[:, :3] = base
    for i in range(n):
        off = hits[i] - chance[i]
        for j in range(many):
            total[codes[i, j], 3] += off
    score, best = _best(total, first, last)
    if best < 0:
        return -1.0, -1, 0, -1
    low, high, j1 = first[best], last[best], column[best]
    for i in range(n):
        if low <= codes[i, j1] < high:
            p, y = chance[i], hits[i]
            v = p * (1.0 - p)
            for j in range(many):
                c = codes[i, j]
                inside[c, 0] += 1.0
                inside[c, 1] += p
                inside[c, 2] += v
                inside[c, 3] += y - p
    way, two = 0, -1
    for side in range(1, 3):
        inner_score, run = _best(inside if side == 1 else total - inside, first, last)
        if run >= 0 and inner_score > score:
            score, way, two = inner_score, side, run
    return score, best, way, two


@loops.compiled_part
def _best(sums: Float, first: Int, last: Int) -> tuple[float, int]:
    """The run with the largest score, the first of equals; −1 where none is large enough."""
    score, best = -1.0, -1
    for r in range(len(first)):
        cases = predicted = variance = off = 0.0
        for c in range(first[r], last[r]):
            cases += sums[c, 0]
            predicted += sums[c, 1]
            variance += sums[c, 2]
            off += sums[c, 3]
        if cases < FEWEST - 0.5 or predicted < EXPECTED or cases - predicted < EXPECTED or variance <= 1e-9:
            continue
        candidate = abs(off) / np.sqrt(variance)
        if candidate > score + 1e-12:
            score, best = candidate, r
    return score, best
