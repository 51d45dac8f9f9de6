"""Calibration lenses (V19 §3.1, Example 2): predictions in, simpler predictions out.

If a model is calibrated, so is what every lens makes of it; the converse is
false (V19 Table 1). So whatever is rejected through a lens is rejected for the
model. A lens keeps what each row sums to.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from calibcore import _compiled
from calibcore.checks import shown
from calibcore.predictions import Float, InputError, Int, Predictions, listed

_CACHED = 1 << 17
"""Numbers that stay in a processor's cache."""
MOST_PAIRS = 50_000_000
"""Pairs that the pooled lens makes at most."""

_EVENTS = frozenset(("1", "yes", "true", "positive", "event", "case"))
_NONE = frozenset(("0", "-1", "no", "false", "negative", "none", "control", "other", "others", "rest"))
OTHER = "other"
"""What a top-k lens calls the classes that are none of its choices."""


class Lens(Protocol):
    """What every lens does. Cost O(nm), top-k O(nmk) at worst, on predictions that rise."""

    kind: ClassVar[str]

    def __call__(self, predictions: Predictions) -> Predictions: ...


@dataclass(frozen=True)
class CanonicalLens:
    """All classes as they are: strong calibration (V19 eq. 1, Example 2 i).

    Of two classes the event comes first, :func:`event_of`: diagrams and sentences are about it.
    """

    kind: ClassVar[str] = "canonical"

    def __call__(self, predictions: Predictions) -> Predictions:
        """The predictions themselves; two classes in another order where the event is the second."""
        p = predictions
        if p.m != 2 or p.pooled_from is not None or event_of(p.class_names) == 0:
            return p
        return p.through(p.probs[:, ::-1], 1 - p.labels, p.class_names[::-1])


def event_of(class_names: Sequence[str]) -> int:
    """Which of two classes is the event: 1 of 0 and 1, yes of yes and no, else the last. Its place, 0 or 1.

    A name that says that nothing happened is none. Who means the other looks through its :class:`ClassLens`.
    """
    first, second = (name.strip().lower() for name in class_names)
    told = (first in _EVENTS) - (first in _NONE), (second in _EVENTS) - (second in _NONE)
    return 0 if told[0] > told[1] else 1


@dataclass(frozen=True)
class TopKLens:
    """The k largest probabilities and the rest (V19 Example 2 iii).

    ``k = 1`` is confidence calibration (Guo et al. 2017) with classes "hit" and
    "miss". Ties go to the lower class index; :func:`top_k_ties` counts them.
    """

    k: int = 1
    kind: ClassVar[str] = "top-k"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"top-k has k = {shown(self.k)}; expected 1 or more.")

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, k + 1): falling probabilities and the sum of the others."""
        m, k = predictions.m, self.k
        if k >= m:
            raise InputError(
                f"top-k has k = {shown(k)} for {m} classes; expected k from 1 to {m - 1}, so that a class is "
                "left."
            )
        work = _compiled.largest_and_rest if k == 1 else _compiled.largest
        probs, labels = _row_by_row(work, predictions, k)
        names = ("hit", "miss") if k == 1 else (*map(ordinal, range(1, k + 1)), OTHER)
        return predictions.through(probs, labels, names)


def _row_by_row(work: Callable[..., None], predictions: Predictions, k: int) -> tuple[Float, Int]:
    """(n, k + 1) probabilities and (n,) labels that ``work`` fills in, some rows at a time."""
    probs, labels = np.empty((predictions.n, k + 1)), np.empty(predictions.n, np.int64)
    g, y = _compiled.read_only(predictions.probs), _compiled.read_only(predictions.labels)
    _compiled.in_threads(
        lambda rows: work(g[rows], y[rows], probs[rows], labels[rows]), _compiled.blocks(predictions.n)
    )
    return probs, labels


def ordinal(i: int) -> str:
    """1 -> "1st", 2 -> "2nd", 11 -> "11th"."""
    ending = "th" if i % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(i % 10, "th")
    return f"{i}{ending}"


def top_k_ties(probs: Float, k: int) -> int:
    """Rows in which the k-th and the next largest probability are equal, or two among the first k are."""

    def tied(rows: slice) -> int:
        falling = np.sort(np.partition(-probs[rows], k, axis=1)[:, : k + 1], axis=1)
        return int(np.count_nonzero((np.diff(falling, axis=1) == 0).any(axis=1)))

    return sum(_compiled.in_threads(tied, _compiled.blocks(len(probs), max(1, _CACHED // probs.shape[1]))))


@dataclass(frozen=True)
class ClassLens:
    """One class against all others: class-wise (marginal) calibration (V19 eq. 3)."""

    class_name: str
    kind: ClassVar[str] = "class"

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, 2): the class, and the sum of the others."""
        c = predictions.class_index(self.class_name)
        probs, labels = _row_by_row(
            lambda g, y, out, new: _compiled.class_and_rest(g, y, c, out, new), predictions, 1
        )
        return predictions.through(probs, labels, (self.class_name, f"not {self.class_name}"))


@dataclass(frozen=True)
class GroupsLens:
    """A partition of the classes (V19 Example 2 ii): group name -> class names, every class once.

    Given as a mapping; kept as pairs, so that the lens can be hashed.
    """

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    kind: ClassVar[str] = "groups"

    def __post_init__(self) -> None:
        given = self.groups
        pairs = given.items() if isinstance(given, Mapping) else given
        object.__setattr__(
            self, "groups", tuple((str(name), tuple(map(str, members))) for name, members in pairs)
        )
        if len(self.groups) < 2:
            raise InputError(f"There is {len(self.groups)} group; expected at least 2.")
        names = [name for name, _ in self.groups]
        if len(set(names)) < len(names):
            raise InputError(f"Two groups have the same name; the groups are {listed(tuple(names))}.")

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, number of groups): sums over each group, in the order given."""
        group_of: dict[str, int] = {}
        for j, (group, members) in enumerate(self.groups):
            if not members:
                raise InputError(f"The group {group!r} is empty; expected at least one class in each.")
            for name in members:
                predictions.class_index(name)
                if name in group_of:
                    raise InputError(f"The class {name!r} is in two groups; expected every class in one.")
                group_of[name] = j
        missing = tuple(name for name in predictions.class_names if name not in group_of)
        if missing:
            raise InputError(f"In no group: {listed(missing)}. Expected every class in exactly one group.")
        index = np.array([group_of[name] for name in predictions.class_names])
        columns = [predictions.probs[:, index == j].sum(axis=1) for j in range(len(self.groups))]
        return predictions.through(
            np.column_stack(columns), index[predictions.labels], [name for name, _ in self.groups]
        )


@dataclass(frozen=True)
class PooledLens:
    """All n·m pairs of a predicted probability and whether that class happened (V19 Example 4).

    The pairs of one case depend on each other, so the case stays the unit: labels
    are redrawn for the cases and pooled afterwards. An exact test through this
    lens tests canonical calibration; estimators that are unbiased for independent
    cases are not unbiased for pairs.
    """

    kind: ClassVar[str] = "pooled"

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n·m, 2): "hit", the sum of the others as "miss"; the pairs of a case side by side."""
        n, m = predictions.probs.shape
        if n * m > MOST_PAIRS:
            raise InputError(
                f"{n:,} cases over {m:,} classes make {n * m:,} pairs; expected {MOST_PAIRS:,} at most. "
                "Use fewer cases, drawn at random, or a lens on single classes."
            )
        pairs = np.zeros((n, m, 2))
        pairs[..., 0] = p = predictions.probs
        # Sums from either side: a row's sum less one of its values could fall below 0.
        pairs[:, 1:, 1] += np.cumsum(p[:, :-1], axis=1)
        pairs[:, :-1, 1] += np.cumsum(p[:, :0:-1], axis=1)[:, ::-1]
        return predictions.pooled(pairs.reshape(-1, 2))


@dataclass(frozen=True)
class RegionLens:
    """Only the cases with ``low ≤ g_class(x) ≤ high``, then ``lens`` (V19 §3.2: A ⊂ simplex).

    The region looks at predictions, never at labels, so calibration survives it.
    """

    lens: Lens
    class_name: str
    low: float
    high: float
    kind: ClassVar[str] = "region"

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise InputError(
                f"The region goes from {self.low:g} to {self.high:g}; expected 0 ≤ low ≤ high ≤ 1."
            )

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> ``lens`` of the rows in the region; an empty region is an error."""
        return self.lens(predictions.with_rows(self.rows(predictions)))

    def rows(self, predictions: Predictions) -> Int:
        """Row numbers in the region, from 0."""
        p = predictions.probs[:, predictions.class_index(self.class_name)]
        rows = np.flatnonzero((p >= self.low) & (p <= self.high))
        if not len(rows):
            raise InputError(
                f"The region is empty: no case has a probability of {self.class_name!r} from {self.low:g} "
                f"to {self.high:g}; they go from {p.min():.4g} to {p.max():.4g}."
            )
        return rows


def inmost(lens: Lens) -> Lens:
    """What a lens looks through once the regions around it are left out."""
    while isinstance(lens, RegionLens):
        lens = lens.lens
    return lens


def rows_through(lens: Lens, predictions: Predictions) -> Int:
    """(n′,) the rows, from 0, of the cases that ``lens`` shows: all of them unless it has a region."""
    rows = np.arange(predictions.n)
    while isinstance(lens, RegionLens):
        rows, lens = rows[lens.rows(predictions.with_rows(rows))], lens.lens
    return rows
