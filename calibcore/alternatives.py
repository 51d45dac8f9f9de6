"""Patterns of miscalibration, and label sets drawn under them.

Alternatives ``q_λ = (1 − λ)g + λτ``: τ is the mean prediction (*overconfidence*) or
e_c (*bias* towards class c, W19's M2). Labels of the cases are never looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from calibcore import _compiled
from calibcore.distances import total_variation
from calibcore.predictions import Float, Predictions
from calibcore.resampling import Labels, class_edges

ALL_CLASSES = 10
"""Up to so many classes a bias towards each is looked at, above only the :data:`MOST_PREDICTED`."""
MOST_PREDICTED = 3
_NOTHING = 1e-9
_TOGETHER = 16


@dataclass(frozen=True, eq=False)
class Alternative:
    """``pattern`` as in :class:`~calibcore.power.Detectable`; ``target (m,)`` is τ.

    ``largest`` is the mean total variation between predictions and τ: the size at λ = 1.
    """

    pattern: str
    class_name: str
    target: Float
    largest: float


def alternatives(predictions: Predictions) -> tuple[Alternative, ...]:
    """Overconfidence, then bias towards single classes; those that change no prediction are left out.

    For two classes towards each, up to :data:`ALL_CLASSES` towards every class, above towards the
    three with the largest mean prediction. Cost O(nm) each.
    """
    g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
    mean = g.mean(axis=0)
    classes = range(predictions.m)
    if predictions.m > ALL_CLASSES:
        classes = sorted(np.argsort(-mean, kind="stable")[:MOST_PREDICTED].tolist())
    found = [Alternative("overconfidence", "", mean, float(total_variation(g, mean[None]).mean()))]
    for c in classes:
        name, away = predictions.class_names[c], float(1 - mean[c])
        found.append(Alternative("bias", name, np.eye(predictions.m)[c], away))
    return tuple(one for one in found if one.largest > _NOTHING)


class LabelSets:
    """``size`` label sets of fixed predictions, which alternative and λ whatever: common random numbers.

    Each case of each set has two uniform numbers. One says whether, at λ, the label is drawn from τ
    rather than from the prediction; the other draws it. So labels are a sample of q_λ at any λ, and
    each case changes its source once as λ rises. Numbers are drawn anew each time from the set's own
    seed: memory O(n).
    """

    def __init__(self, predictions: Predictions, size: int, rng: np.random.Generator) -> None:
        self.n, self.m, self.size = predictions.n, predictions.m, size
        self._edges = class_edges(predictions.probs)
        self._seeds = SeedSequence(rng.integers(2**32, size=4).tolist()).spawn(size)

    def drawn(self, target: Float, weight: float, size: int | None = None) -> Iterator[Labels]:
        """The first ``size`` sets at λ = ``weight``, some rows (b, n) at a time. Cost O(nm) a set."""
        wanted = range(self.size if size is None else size)
        towards = class_edges(target[None])[0]
        kind = np.int8 if self.m <= 127 else np.int16
        for first in range(0, len(wanted), _TOGETHER):
            some = wanted[first : first + _TOGETHER]
            labels = np.empty((len(some), self.n), kind)

            def one(b: int, labels: Labels = labels, first: int = first) -> None:
                rng = np.random.default_rng(self._seeds[b])
                _mixed(
                    self._edges, towards, weight, rng.random(self.n), rng.random(self.n), labels[b - first]
                )

            _compiled.in_threads(one, some)
            yield labels


@_compiled.compiled
def _mixed(edges: Any, towards: Any, weight: float, u: Any, which: Any, out: Any) -> None:
    """``out[i] = #{e_i ≤ u_i}``, the edges e_i being ``towards`` where ``which_i < weight``."""
    for i in range(len(out)):
        label = 0
        if which[i] < weight:
            for k in range(len(towards)):
                label += towards[k] <= u[i]
        else:
            for k in range(len(towards)):
                label += edges[i, k] <= u[i]
        out[i] = label
