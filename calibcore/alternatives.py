"""Patterns of miscalibration, and label sets drawn under them.

Alternatives ``q_λ = (1 − λ)g + λτ``: τ is the mean prediction (*overconfidence*), e_c (*bias* towards class
c, W19's M2), or away from the likeliest class where the model is sure and towards it where it is not
(*uneven*). Labels of the cases are never looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibcore import _compiled
from calibcore.distances import total_variation
from calibcore.draws import Labels
from calibcore.predictions import Float, Predictions
from calibcore.resampling import class_edges

ALL_CLASSES = 10
"""Up to so many classes a bias towards each is looked at, above only the :data:`MOST_PREDICTED`."""
MOST_PREDICTED = 3
NOTHING = 1e-9
"""Patterns that change the predictions by no more than this are none."""
_NUMBERS = 1 << 16
"""Uniform numbers that are drawn at once, or one set's."""
_TOGETHER = 16


@dataclass(frozen=True, eq=False)
class Alternative:
    """``pattern`` as in :class:`~calibcore.power.Detectable`; ``target`` (m,), or (n, m) of each case, is τ.

    ``largest`` is the mean total variation between predictions and τ: the size at λ = 1.
    """

    pattern: str
    class_name: str
    target: Float
    largest: float

    def probs(self, g: Float, share: float) -> Float:
        """(n, m) ``q_λ`` of predictions whose rows sum to 1, at λ = ``share``."""
        return np.asarray((1 - share) * g + share * self.target)


def alternatives(predictions: Predictions) -> tuple[Alternative, ...]:
    """Overconfidence, then bias towards single classes; those that change no prediction are left out.

    For two classes towards each, up to :data:`ALL_CLASSES` towards every class, above towards the
    three with the largest mean prediction. Cost O(nm) each.
    """
    g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
    mean = g.mean(axis=0)
    classes = list(range(predictions.m))
    if predictions.m > ALL_CLASSES:
        classes = sorted(np.argsort(-mean, kind="stable")[:MOST_PREDICTED].tolist())
    found = [Alternative("overconfidence", "", mean, float(total_variation(g, mean[None]).mean()))]
    for c in classes:
        name, away = predictions.class_names[c], float(1 - mean[c])
        found.append(Alternative("bias", name, np.eye(predictions.m)[c], away))
    return tuple(one for one in found if one.largest > NOTHING)


def uneven(predictions: Predictions) -> Alternative:
    """Too sure where the model is sure, too unsure where it is unsure. Cost O(nm).

    Above the median confidence τ is the prediction without its likeliest class, rescaled; else that class.
    """
    g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
    n, m = g.shape
    likeliest, rows = g.argmax(axis=1), np.arange(n)
    confidence = g[rows, likeliest]
    towards = np.zeros((n, m))
    towards[rows, likeliest] = 1.0
    rest = g * (1 - towards)
    left = rest.sum(axis=1, keepdims=True)
    # Where the likeliest class has everything the others share alike.
    away = np.divide(rest, left, out=(1 - towards) / (m - 1), where=left > 0)
    target = np.where((confidence > np.median(confidence))[:, None], away, towards)
    return Alternative("uneven", "", target, float(total_variation(g, target).mean()))


class LabelSets:
    """``size`` label sets of fixed predictions, whatever the alternative and λ: common random numbers.

    Each case of each set has two uniform numbers. One says whether, at λ, the label is drawn from τ
    rather than from the prediction; the other draws it. So labels are a sample of q_λ at any λ, and
    each case changes its source once as λ rises. Numbers are drawn anew each time, from seeds, in steps
    of 2⁻²⁴, which no simulated power would show; what has probability 0 does not happen.
    """

    def __init__(self, predictions: Predictions, size: int, rng: np.random.Generator) -> None:
        self.n, self.m, self.size = predictions.n, predictions.m, size
        self._edges = class_edges(predictions.probs)
        self._rows = max(1, min(size, _NUMBERS // predictions.n))
        seed = np.random.SeedSequence(rng.integers(2**32, size=4).tolist())
        self._seeds = seed.spawn(-(-size // self._rows))

    def drawn(self, target: Float, weight: float) -> Iterator[Labels]:
        """The sets at λ = ``weight``, some rows (b, n) at a time. Cost O(nm) a set."""
        towards = class_edges(target[None])[0]
        together = self._rows * _TOGETHER
        for first in range(0, self.size, together):
            labels = np.empty(
                (min(together, self.size - first), self.n), np.int8 if self.m <= 127 else np.int16
            )

            def one(start: int, labels: Labels = labels, first: int = first) -> None:
                rng = np.random.default_rng(self._seeds[(first + start) // self._rows])
                u, which = rng.random((2, self._rows, self.n), dtype=np.float32)
                _mixed(self._edges, towards, weight, u, which, labels[start : start + self._rows])

            _compiled.in_threads(one, range(0, len(labels), self._rows))
            yield labels


@_compiled.compiled
def _mixed(edges: Any, towards: Any, weight: float, u: Any, which: Any, out: Any) -> None:
    """``out[b, i] = #{e_i ≤ u_bi}``, the edges e_i being ``towards`` where ``which_bi < weight``."""
    for b in range(out.shape[0]):
        for i in range(out.shape[1]):
            label = 0
            if which[b, i] < weight:
                for k in range(len(towards)):
                    label += towards[k] <= u[b, i]
            else:
                for k in range(len(towards)):
                    label += edges[i, k] <= u[b, i]
            out[b, i] = label
