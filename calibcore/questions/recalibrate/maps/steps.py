r"""Gains of maps that are linear in the logarithms, for many label sets: steps in place of fits.

$q_k \propto \exp(a_k \log g_k + b_k)$, x = (a, b) = x₀ + Pz with x₀ = (1, 0) the map that changes nothing. Of
labels only their sufficient statistics count: of each fold the sums of log g_i(y_i) by class, and how often
each class happened.

1. The first step from x₀ towards the fit to all cases is free, as all that it needs sees no label. A pass
   over the cases tells the gradient there, fold by fold. Where that is not close yet, as for what is far from
   calibrated, steps of Newton's method follow, with curvatures of their own.
2. From there one step leads to the fits to all folds but one (approximate cross-validation, Beirami et al.
   2017), and a further one, with the gradients there and the same curvatures, as near as matters; more where
   there are few cases.
   Where steps lead away, as of few cases that are nearly always right, each is fitted from the start.
3. A pass tells what each loses on the fold that was left out.

What comes of it is what fits from scratch give, but for less than varies by chance. What happened and redraws
go the same way, so that the p-value is exact all the same.
"""

from collections.abc import Sequence

import numpy as np

from calibcore.numerics import loops
from calibcore.numerics.tempering import WIDTH, exp_below, logarithms, side_by_side, smallest_of
from calibcore.numerics.types import Float, Int, Labels

CLOSE, NEAR = 0.25, 1e-6
"""Newton decrements, in log likelihood, below which no further step for all cases is made, and, a case
and up to 10,000 of them, the next step for all but a fold is the last."""
_MOST_STEPS, _MOST_CAREFUL = 30, 200
_RIDGE = 1e-6
_LEAST_SIZE = 1e-10


class StepGains:
    """``gains(labels (B, n)) -> (B,)`` the mean gain in log loss of cross-fitted maps, see the module.

    Parameters
    ----------
    places : (2m,) which of the z each of x moves with, −1 for what stays: P has a 1 there
    penalty : on ‖x − x₀‖², in log likelihood of all cases of a fit
    least : how often each class happened at least, where the fit says so
    """

    def __init__(
        self,
        probs: Float,
        folds: Int,
        places: Int,
        penalty: float = 0.0,
        least: float = 0.0,
    ) -> None:
        m = probs.shape[1]
        self.logs = loops.read_only(logarithms(probs, smallest_of(probs)))
        self.fold = loops.read_only(np.unique(folds, return_inverse=True)[1].astype(np.int64))
        self.sizes = np.bincount(self.fold).astype(np.float64)
        self.panels = [side_by_side(self.logs[self.fold == f]) for f in range(len(self.sizes))]
        self.places, self.penalty, self.least = places, penalty, least
        self.start = np.concatenate([np.ones(m), np.zeros(m)])
        values, self.expected = self._pass(np.tile(self.start, (len(self.sizes), 1)))
        self.value = float(values.sum())
        self.curvatures = self._curvatures(self.start)

    def __call__(self, labels: Labels) -> Float:
        return np.array([self._gain(row) for row in labels.astype(np.int64)])

    def _gain(self, labels: Int) -> float:
        m, k = self.logs.shape[1], len(self.sizes)
        happened = np.zeros((k, 2 * m))
        _add_happened(self.logs, self.fold, labels, happened)
        total = self._floored(happened.sum(axis=0), self.sizes.sum())
        x, expected, curvatures = self.start, self.expected, self.curvatures
        lowest = self.value - float(self.start @ total)
        for step in range(_MOST_STEPS):
            slope = expected.sum(axis=0) - total + 2 * self.penalty * (x - self.start)
            towards = self._solved(curvatures.sum(axis=0)[None], slope[None])[0]
            if step and float(slope @ towards) <= CLOSE:
                break
            if step:  # not close after the step that is free: curvatures of its own
                curvatures = self._curvatures(x)
                towards = self._solved(curvatures.sum(axis=0)[None], slope[None])[0]
            size = 1.0
            while True:
                to = x - size * towards
                values, expected = self._pass(np.tile(to, (k, 1)))
                off = to - self.start
                value = float(values.sum() - to @ total + self.penalty * (off @ off))
                if value <= lowest or size < _LEAST_SIZE:
                    break
                size /= 2
            x, lowest = to, value
        fitted = self._all_but_one(x, expected, curvatures, happened)
        values, _ = self._pass(fitted)
        before = -happened[:, :m].sum()
        after = values.sum() - np.vdot(fitted, happened)
        return float((before - after) / self.sizes.sum())

    def _all_but_one(self, x: Float, expected: Float, curvatures: Float, happened: Float) -> Float:
        """(K, 2m) from the fit to all cases ``x``, with the folds' gradients and curvatures there."""
        rest = curvatures.sum(axis=0) - curvatures
        other_rates = self._floored(happened.sum(axis=0) - happened, (self.sizes.sum() - self.sizes)[:, None])
        fitted = np.tile(x, (len(rest), 1))
        gradients, largest = expected.sum(axis=0) - expected, np.inf
        for step in range(_MOST_STEPS):
            slopes = gradients - other_rates + 2 * self.penalty * (fitted - self.start)
            towards = self._solved(rest, slopes)
            decrements = (slopes * towards).sum(axis=1)
            far = np.sqrt(np.maximum(decrements, 0.0))
            fitted = fitted - towards / np.where(far > 1, far, 1.0)[:, None] ** bool(step)
            largest, before = float(decrements.max()), largest
            if step and largest <= NEAR * min(len(self.logs), 10_000):
                return np.asarray(fitted)
            if step > 1 and not largest < before:  # they lead away
                break
            gradients = np.stack([self._sums(own, self._others(f))[1] for f, own in enumerate(fitted)])
            if step and largest > 0.1 * before:  # the shared curvatures are not enough
                rest = np.stack([curvature(self.logs[self.fold != f], own) for f, own in enumerate(fitted)])
        return np.stack([self._without(f, wanted) for f, wanted in enumerate(other_rates)])

    def _without(self, f: int, wanted: Float) -> Float:
        """(2m,) the fit to all folds but one by Newton's method, steps halved until the loss falls."""
        x, logs = self.start, self.logs[self.fold != f]

        def loss(point: Float) -> tuple[float, Float]:
            value, gradient = self._sums(point, self._others(f))
            off = point - self.start
            value = value - float(point @ wanted) + self.penalty * float(off @ off)
            return value, gradient - wanted + 2 * self.penalty * off

        value, slope = loss(x)
        for _ in range(_MOST_CAREFUL):
            towards = self._solved(curvature(logs, x)[None], slope[None])[0]
            decrement, size = float(slope @ towards), 1.0
            if decrement <= NEAR:
                break
            while (new := loss(x - size * towards))[
                0
            ] > value - 1e-4 * size * decrement and size > _LEAST_SIZE:
                size /= 2
            if size <= _LEAST_SIZE:
                break
            x, (value, slope) = x - size * towards, new
        return x

    def _floored(self, happened: Float, cases: Float | float) -> Float:
        if not self.least:
            return happened
        m = self.logs.shape[1]
        counts = np.maximum(happened[..., m:], self.least)
        counts *= cases / counts.sum(axis=-1, keepdims=True)
        return np.concatenate([happened[..., :m], counts], axis=-1)

    def _solved(self, curvatures: Float, slopes: Float) -> Float:
        """(…, 2m, 2m), (…, 2m) -> (…, 2m) Newton's steps along the directions."""
        steps = np.empty(slopes.shape)
        _solve(np.ascontiguousarray(curvatures), slopes, self.places, 2 * self.penalty, steps)
        return steps

    def _pass(self, x: Float) -> tuple[Float, Float]:
        """(K, 2m) -> (K,) sums of log normalisers and (K, 2m) their gradients, of each fold at its x."""
        values, gradients = zip(*(self._sums(own, [f]) for f, own in enumerate(x)), strict=True)
        return np.array(values), np.stack(gradients)

    def _sums(self, x: Float, folds: Sequence[int]) -> tuple[float, Float]:
        """The sum of log normalisers of some folds at ``x``, and its gradient (2m,)."""
        gradient = np.zeros(len(x))
        value = sum(_add_expected(self.panels[f], int(self.sizes[f]), x, gradient) for f in folds)
        return value, gradient

    def _others(self, fold: int) -> list[int]:
        return [f for f in range(len(self.sizes)) if f != fold]

    def _curvatures(self, x: Float) -> Float:
        """(K, 2m, 2m) of the sums of log normalisers of each fold. Cost O(nm²)."""
        return np.stack([curvature(self.logs[self.fold == f], x) for f in range(len(self.sizes))])


def curvature(logs: Float, x: Float) -> Float:
    """(2m, 2m) of ``Σ_i log Σ_k exp(a_k logs_ik + b_k)`` at x = (a, b)."""
    matrix = np.zeros((len(x), len(x)))
    _add_curvature(loops.read_only(logs), x, matrix)
    return matrix


@loops.compiled
def _add_happened(logs: Float, fold: Int, labels: Int, out: Float) -> None:
    m = logs.shape[1]
    for i in range(len(labels)):
        f, y = fold[i], labels[i]
        out[f, y] += logs[i, y]
        out[f, m + y] += 1.0


@loops.compiled_with_arrays
def _add_expected(panels: Float, n: int, x: Float, gradient: Float) -> float:
    """The sum of log normalisers of ``n`` cases at ``x``; to ``gradient`` is added how it changes."""
    m = panels.shape[1]
    scores, top, total = np.empty((m, WIDTH)), np.empty(WIDTH), np.empty(WIDTH)
    of_logs, of_ones = np.zeros((m, WIDTH)), np.zeros((m, WIDTH))
    value = 0.0
    for p in range(len(panels)):
        panel, rows = panels[p], min(WIDTH, n - p * WIDTH)
        for r in range(WIDTH):
            top[r], total[r] = -np.inf, 0.0
        for k in range(m):
            a, b = x[k], x[m + k]
            for r in range(WIDTH):
                score = a * panel[k, r] + b
                scores[k, r] = score
                top[r] = score if score > top[r] else top[r]
        for k in range(m):
            for r in range(WIDTH):
                e = exp_below(scores[k, r] - top[r])
                scores[k, r] = e
                total[r] += e
        for r in range(rows):
            value += top[r] + np.log(total[r])
            total[r] = 1.0 / total[r]
        for r in range(rows, WIDTH):
            total[r] = 0.0
        for k in range(m):
            for r in range(WIDTH):
                q = scores[k, r] * total[r]
                of_logs[k, r] += q * panel[k, r]
                of_ones[k, r] += q
    for k in range(m):
        for r in range(WIDTH):
            gradient[k] += of_logs[k, r]
            gradient[m + k] += of_ones[k, r]
    return value


@loops.compiled_with_arrays
def _add_curvature(logs: Float, x: Float, out: Float) -> None:
    """No BLAS, whose own threads would compete."""
    n, m = logs.shape
    both, q = np.empty(2 * m), np.empty(m)
    for i in range(n):
        top = -np.inf
        for k in range(m):
            q[k] = x[k] * logs[i, k] + x[m + k]
            top = max(top, q[k])
        total = 0.0
        for k in range(m):
            q[k] = np.exp(q[k] - top)
            total += q[k]
        for k in range(m):
            q[k] /= total
            both[k] = q[k] * logs[i, k]
            both[m + k] = q[k]
            out[k, k] += both[k] * logs[i, k]
            out[k, m + k] += both[k]
            out[m + k, m + k] += q[k]
        for j in range(2 * m):
            for k in range(j, 2 * m):
                out[j, k] -= both[j] * both[k]
    for j in range(2 * m):
        for k in range(j):
            out[j, k] = out[k, j]


@loops.compiled_with_arrays
def _solve(curvatures: Float, slopes: Float, places: Int, penalty: float, out: Float) -> None:
    """Of each fold by Cholesky's decomposition, along the directions."""
    p = places.max() + 1
    for f in range(len(slopes)):
        a, z = np.zeros((p, p)), np.zeros(p)
        for i in range(len(places)):
            place = places[i]
            if place < 0:
                continue
            z[place] += slopes[f, i]
            a[place, place] += penalty
            for j in range(len(places)):
                if places[j] >= 0:
                    a[place, places[j]] += curvatures[f, i, j]
        for i in range(p):
            a[i, i] += _RIDGE
            for j in range(i + 1):
                total = a[i, j]
                for k in range(j):
                    total -= a[i, k] * a[j, k]
                if i == j:
                    a[i, i] = np.sqrt(max(total, _RIDGE))
                else:
                    a[i, j] = total / a[j, j]
        for i in range(p):
            for k in range(i):
                z[i] -= a[i, k] * z[k]
            z[i] /= a[i, i]
        for i in range(p - 1, -1, -1):
            for k in range(i + 1, p):
                z[i] -= a[k, i] * z[k]
            z[i] /= a[i, i]
        for i in range(len(places)):
            out[f, i] = z[places[i]] if places[i] >= 0 else 0.0
