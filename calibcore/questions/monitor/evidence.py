"""The e-process of calibration in time: bets against it, mixed over ways to be wrong and times of a change.

Null: ``P(Y_t = k | everything before, g_t) = g_tk`` for all t. A bettor θ says ``q_θ`` in place of g; its bet
is ``e_θ,t = q_θ(y_t)/g_t(y_t)``, of mean 1 whatever came before. With weights w of the bettors

    M_t = ½ Σ_θ w_θ Π_{s≤t} e_θ,s + ½ [Σ_θ w_θ Σ_{s≤t} (Π_{u=s..t} e_θ,u)/(s(s+1)) + 1/(t+1)],

the second half betting on a change at s. M is a martingale of mean 1: ``P(sup M ≥ 1/α) ≤ α`` (Ville 1939;
e-detectors: Shin, Ramdas & Rinaldo 2023). ``A_t = (A_{t−1} + 1/(t(t+1)))·e_t`` gives the inner sum, in logs.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from calibcore.bounds import MOST_NUMBER, AtLeastOne, Count, Length, NullIs, Shape, Within
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.loops import compiled_with_arrays
from calibcore.numerics.types import Float, Int
from calibcore.settings.codec import Partly
from calibcore.settings.faults import misfit

Log = Annotated[float, NullIs(math.inf)]
INVERSE_TEMPERATURES = (1 / 2.5, 1 / 1.6, 1 / 1.25, 1 / 1.1, 1.1, 1.25, 1.6, 2.5)
TILTS = (-1.0, -0.5, -0.2, 0.2, 0.5, 1.0)
MOST_CLASSES = 100_000
MOST_POINTS = 10_000
"""Cases of which the evidence is kept, evenly spaced."""
_MOST_STARTS = 256
_FEWEST_STARTS = 16
_MOST_NUMBERS = 30_000
"""Numbers that a state holds of the starts that a change may have had."""
_DIGITS = 3
_CHUNK = 1 << 16


def log_weights(m: int) -> Float:
    """(J,) of the bettors: families weigh equally, and bettors within one; in the order of the loop."""
    tilted = 1 if m == 2 else m
    sizes = [len(INVERSE_TEMPERATURES), len(TILTS) * tilted]
    if m > 2:
        sizes.append(len(INVERSE_TEMPERATURES) + len(TILTS))
    return np.concatenate([np.full(size, -math.log(len(sizes) * size)) for size in sizes])


@dataclass
class Evidence(Partly):
    """The evidence after ``n`` cases over m classes, and all that is needed to go on. O(J) a case.

    Attributes
    ----------
    products, sums : (J,) ``Σ log e_θ,s`` and ``log A_θ``
    log : log M after case n; infinite from the case on whose label was given probability 0
    largest : of all log M so far, 0 at least, as M begins with 1
    step, cases, logs : log M after every case that ``step``, a power of two, divides
    every, before : (J,) products after every case t that ``every`` divides, 0 too, to say since when
    """

    KEYS: ClassVar = (
        "m", "n", "products", "sums", "log", "largest", "step", "logs", "every", "before",
    )  # fmt: skip

    m: Annotated[int, Within(2, MOST_CLASSES)]
    n: Count = 0
    products: Annotated[Float, Shape("bettors")] = field(default_factory=lambda: np.zeros(0))
    sums: Annotated[Float, Shape("bettors"), NullIs(-math.inf)] = field(default_factory=lambda: np.zeros(0))
    log: Annotated[float, NullIs(math.inf)] = 0.0
    largest: Annotated[float, Within(0, MOST_NUMBER), NullIs(math.inf)] = 0.0
    step: AtLeastOne = 1
    cases: list[int] = field(default_factory=list)
    logs: Annotated[list[Log], Length(0, MOST_POINTS)] = field(default_factory=list)
    every: AtLeastOne = 1
    before: Annotated[list[Float], Shape("starts", "bettors"), Length(0, _MOST_STARTS)] = field(
        default_factory=list
    )

    def __post_init__(self) -> None:
        self.weights = log_weights(self.m)
        size = len(self.weights)
        if not len(self.products):
            self.products, self.sums = np.zeros(size), np.full(size, -np.inf)
            self.before = [np.zeros(size)]
        self.cases = self.cases or self._cases()  # a report tells fewer than a document holds
        self.most_starts = min(_MOST_STARTS, max(_FEWEST_STARTS, _MOST_NUMBERS // size))

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        if len(self.products) != len(self.weights):
            raise misfit(self.products.tolist(), f"{len(self.weights):,} numbers").inside("products")
        held = self.n if math.isfinite(self.log) else self.n - 1  # the last case held nothing
        for name, number, stored, expected in (
            ("step", self.step, len(self.logs), self.n // self.step),
            ("every", self.every, len(self.before), held // self.every + 1),
        ):
            if number & (number - 1):
                raise misfit(number, "a power of two").inside(name)
            if stored != expected:
                words = f"a number with which {stored:,} of {self.n:,} cases are held"
                raise misfit(number, words).inside(name)
        if len(self.before) > self.most_starts:
            raise InputError(f"It holds {len(self.before):,} starts; expected {self.most_starts:,} at most.")
        if max([0.0, self.log, *self.logs]) > self.largest:
            raise misfit(self.largest, "the largest of all").inside("largest")

    def add(self, probs: Float, labels: Int, crossed: dict[float, int]) -> None:
        """Go on by some cases, the first of which may have a label of probability 0.

        probs : (c, m) with c at most :meth:`room`; rows are divided by their sums
        crossed : level -> the first case with M at the level or more; added to
        """
        out = np.empty(len(labels))
        held = np.empty((len(labels) // self.every + 1, len(self.weights)))
        state = self.products, self.sums
        n_kept = _advance(
            loops.read_only(probs), loops.read_only(labels), self.n, _TEMPERATURES, _TILTS, self.weights,
            *state, out, self.every, held,
        )  # fmt: skip
        first = self.n
        self.n += len(labels)
        self.log = float(out[-1])
        self.largest = max(self.largest, float(out.max()))
        for level in LEVELS:
            above = np.flatnonzero(out >= math.log(level))
            if len(above) and level not in crossed:
                crossed[level] = first + int(above[0]) + 1
        self.logs += out[np.arange(first + 1, self.n + 1) % self.step == 0].tolist()
        while len(self.logs) > MOST_POINTS:
            self.step *= 2
            self.logs = self.logs[1::2]
        self.cases = self._cases()
        self.before += list(np.round(held[:n_kept], _DIGITS))
        while len(self.before) > self.most_starts:
            self.every *= 2
            self.before = self.before[::2]

    @property
    def starts(self) -> list[int]:
        """The cases of :attr:`before`: a change may have come after each of them."""
        return [self.every * i for i in range(len(self.before))]

    def room(self) -> int:
        """Cases that are best added at a time."""
        return min(_CHUNK, self.every * self.most_starts)

    def since(self) -> int | None:
        """The case s with the largest ``Σ_θ w_θ Π_{u=s..n} e_θ,u``, of those after ``starts``; 1 unless that
        is 20 times the sum of s = 1.

        The weights 1/(s(s+1)) of the evidence, which make its promise, would favour the beginning: a change
        late among 3,000 cases would have to earn a million times more.
        """
        s = [start + 1 for start in self.starts if start < self.n]
        if not s:
            return None
        gained = self.products - np.stack(self.before[: len(s)]) + self.weights
        top = gained.max(axis=1)
        sizes = top + np.log(np.exp(gained - top[:, None]).sum(axis=1))
        best = int(np.argmax(sizes))
        return s[best] if sizes[best] - sizes[0] >= math.log(LEVELS[0]) else s[0]

    def _cases(self) -> list[int]:
        return [self.step * (i + 1) for i in range(len(self.logs))]


LEVELS = (20.0, 100.0)
"""Evidence at which an alarm is raised: a calibrated model reaches it in 1 of so many histories at most."""
_TEMPERATURES = np.array(INVERSE_TEMPERATURES)
_TILTS = np.array(TILTS)


@compiled_with_arrays
def _advance(
    probs: Float,
    labels: Int,
    n: int,
    temperatures: Float,
    tilts: Float,
    weights: Float,
    products: Float,
    sums: Float,
    out: Float,
    every: int,
    held: Float,
) -> int:
    """log M after each case; returns how many rows of ``held`` got the products, one a case of ``every``."""
    m, many = probs.shape[1], len(weights)
    tilted = 1 if m == 2 else m
    bettors = len(temperatures) + len(tilts) * tilted + (len(temperatures) + len(tilts) if m > 2 else 0)
    if bettors != many or min(len(products), len(sums), held.shape[1]) < many or len(out) < len(labels):
        raise ValueError("arrays of several sizes")
    if every < 1 or n < 0:
        raise ValueError("no such case")
    log_g, bets = np.empty(m), np.empty(many)
    n_kept = 0
    for i in range(len(labels)):
        y, t = labels[i], n + i + 1
        if not 0 <= y < m:
            raise ValueError("a label of no class")
        total = 0.0
        for k in range(m):
            total += probs[i, k]
        if not probs[i, y] > 0.0:
            for j in range(i, len(labels)):
                out[j] = np.inf
            return n_kept
        top = 0
        for k in range(m):
            g = probs[i, k] / total
            log_g[k] = math.log(g) if g > 0.0 else -np.inf
            if probs[i, k] > probs[i, top]:
                top = k
        j = 0
        for b in temperatures:
            norm = 0.0
            for k in range(m):
                if log_g[k] > -np.inf:
                    norm += math.exp(b * log_g[k])
            bets[j] = (b - 1.0) * log_g[y] - math.log(norm)
            j += 1
        for k in range(tilted):
            g = probs[i, k] / total
            for shift in tilts:
                bets[j] = (shift if y == k else 0.0) - math.log1p(g * math.expm1(shift))
                j += 1
        if m > 2:
            other_sum = 0.0
            for k in range(m):
                if k != top:
                    other_sum += probs[i, k]
            other_sum /= total
            log_top, log_rest = log_g[top], (math.log(other_sum) if other_sum > 0.0 else -np.inf)
            for b in range(len(temperatures) + len(tilts)):
                bets[j] = 0.0
                if other_sum > 0.0:
                    logit = log_top - log_rest
                    if b < len(temperatures):
                        logit *= temperatures[b]
                    else:
                        logit += tilts[b - len(temperatures)]
                    far = math.log1p(math.exp(-abs(logit)))
                    if y == top:
                        bets[j] = min(logit, 0.0) - far - log_top
                    else:
                        bets[j] = -max(logit, 0.0) - far - log_rest
                j += 1
        start = -math.log(t) - math.log(t + 1.0)
        most = -math.log(t + 1.0)
        for j in range(many):
            a = sums[j]
            a = start if a == -np.inf else max(a, start) + math.log1p(math.exp(-abs(a - start)))
            sums[j] = a + bets[j]
            products[j] += bets[j]
            most = max(most, weights[j] + max(sums[j], products[j]))
        total = math.exp(-math.log(t + 1.0) - most)
        for j in range(many):
            total += math.exp(weights[j] + sums[j] - most) + math.exp(weights[j] + products[j] - most)
        out[i] = most + math.log(0.5 * total)
        if t % every == 0:
            if n_kept == len(held):  # full: nothing is written beside it
                return n_kept
            for j in range(many):
                held[n_kept, j] = products[j]
            n_kept += 1
    return n_kept
