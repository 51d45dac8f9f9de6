"""Calibration lenses (V19 §3.1, Example 2): predictions in, simpler predictions out.

If a model is calibrated, so is what every lens makes of it; the converse is
false (V19 Table 1). So whatever is rejected through a lens is rejected for the
model. A lens keeps what each row sums to.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions, listed
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int
from calibcore.strategies import whole_number
from calibcore.transforms.lenses.lens import LENSES, Lens
from calibcore.wording import percent

_CACHED = 1 << 17
"""Numbers that stay in a processor's cache."""
MOST_PAIRS = 50_000_000
"""Pairs that the pooled lens makes at most."""

_EVENTS = frozenset(("1", "yes", "true", "positive", "event", "case"))
_NONE = frozenset(("0", "-1", "no", "false", "negative", "none", "control", "other", "others", "rest"))
OTHER = "other"
"""What a top-k lens calls the classes that are none of its choices."""


@LENSES.enter
@dataclass(frozen=True)
class CanonicalLens(Lens):
    """All classes as they are: strong calibration (V19 eq. 1, Example 2 i).

    Of two classes the event comes first, :func:`event_of`: diagrams and sentences are about it.

    >>> from calibcore import CanonicalLens, Predictions
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> CanonicalLens()(p) is p
    True
    """

    kind: ClassVar[str] = "canonical"
    label: ClassVar[str] = "All classes together"

    def __call__(self, predictions: Predictions) -> Predictions:
        """The predictions themselves; two classes in another order where the event is the second."""
        p = predictions
        if p.m != 2 or p.pooled_from is not None or event_of(p.class_names) == 0:
            return p
        return p.through(p.probs[:, ::-1], 1 - p.labels, p.class_names[::-1])

    @property
    def whole(self) -> bool:
        return True

    def phrase(self) -> str:
        return "all classes together"


def event_of(class_names: Sequence[str]) -> int:
    """Which of two classes is the event: 1 of 0 and 1, yes of yes and no, else the last. Its place, 0 or 1.

    A name that says that nothing happened is none. Who means the other looks through its :class:`ClassLens`.
    """
    first, second = (name.strip().lower() for name in class_names)
    told = (first in _EVENTS) - (first in _NONE), (second in _EVENTS) - (second in _NONE)
    return 0 if told[0] > told[1] else 1


@LENSES.enter
@dataclass(frozen=True)
class TopKLens(Lens):
    """The k largest probabilities and the rest (V19 Example 2 iii).

    ``k = 1`` is confidence calibration (Guo et al. 2017) with classes "hit" and
    "miss". Ties go to the lower class index; :func:`top_k_ties` counts them.

    >>> from calibcore import Predictions, TopKLens
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> q = TopKLens(1)(p)
    >>> q.probs.tolist(), q.class_names, q.labels.tolist()
    ([[0.7, 0.30000000000000004], [0.6, 0.4]], ('hit', 'miss'), [0, 1])
    """

    k: int = 1
    kind: ClassVar[str] = "top-k"
    label: ClassVar[str] = "The most likely classes"
    syntax: ClassVar[str] = ":K"

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
        work = loops.largest_and_rest if k == 1 else loops.largest
        probs, labels = _row_by_row(work, predictions, k)
        names = ("hit", "miss") if k == 1 else (*map(ordinal, range(1, k + 1)), OTHER)
        return predictions.through(probs, labels, names)

    @property
    def top(self) -> int:
        return self.k

    def phrase(self) -> str:
        return "confidence in the top class" if self.k == 1 else f"the {self.k} most likely classes"

    def whose(self) -> str:
        return "The confidence is" if self.k == 1 else f"The probabilities of {self.phrase()} are"

    def leaning(self, gap: float) -> str:
        if self.k == 1:
            return "too sure" if gap > 0 else "too unsure"
        return "too much" if gap > 0 else "too little"

    @property
    def names_its_class(self) -> bool:
        return self.k == 1

    def said_sentence(self, text: str, name: str) -> str:
        return f"the model is {text} sure of its answer on average, and right"

    def ties(self, predictions: Predictions) -> int:
        return top_k_ties(predictions.probs, self.k)

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "TopKLens":
        return cls(whole_number(rest or "1", f"top-k:{rest}"))

    def to_words(self) -> str:
        return f"{self.kind}:{self.k}"

    @classmethod
    def plainest(cls, predictions: Predictions) -> "TopKLens | None":
        return cls(2) if predictions.m > 2 else None

    def fits(self, predictions: Predictions) -> bool:
        return self.k < predictions.m


def _row_by_row(work: Callable[..., None], predictions: Predictions, k: int) -> tuple[Float, Int]:
    """(n, k + 1) probabilities and (n,) labels that ``work`` fills in, some rows at a time."""
    probs, labels = np.empty((predictions.n, k + 1)), np.empty(predictions.n, np.int64)
    g, y = loops.read_only(predictions.probs), loops.read_only(predictions.labels)
    loops.in_threads(
        lambda rows: work(g[rows], y[rows], probs[rows], labels[rows]), loops.blocks(predictions.n)
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

    return sum(loops.in_threads(tied, loops.blocks(len(probs), max(1, _CACHED // probs.shape[1]))))


@LENSES.enter
@dataclass(frozen=True)
class ClassLens(Lens):
    """One class against all others: class-wise (marginal) calibration (V19 eq. 3).

    >>> from calibcore import ClassLens, Predictions
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> ClassLens("dog")(p).probs.tolist()
    [[0.2, 0.7999999999999999], [0.6, 0.4]]
    """

    class_name: str
    kind: ClassVar[str] = "class"
    label: ClassVar[str] = "One class"
    syntax: ClassVar[str] = ":NAME"

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, 2): the class, and the sum of the others."""
        c = predictions.class_index(self.class_name)
        probs, labels = _row_by_row(
            lambda g, y, out, new: loops.class_and_rest(g, y, c, out, new), predictions, 1
        )
        return predictions.through(probs, labels, (self.class_name, f"not {self.class_name}"))

    @property
    def one_class(self) -> str:
        return self.class_name

    def phrase(self) -> str:
        return f"the class '{self.class_name}'"

    def whose(self) -> str:
        return f"The probabilities of '{self.class_name}' are"

    @property
    def names_its_class(self) -> bool:
        return True

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "ClassLens | None":
        return cls(rest) if rest else None

    def to_words(self) -> str:
        return f"{self.kind}:{self.class_name}"

    @classmethod
    def plainest(cls, predictions: Predictions) -> "ClassLens":
        return cls(predictions.class_names[0])

    def fits(self, predictions: Predictions) -> bool:
        return self.class_name in predictions.class_names


@LENSES.enter
@dataclass(frozen=True)
class GroupsLens(Lens):
    """A partition of the classes (V19 Example 2 ii): group name -> class names, every class once.

    Given as a mapping; kept as pairs, so that the lens can be hashed.

    >>> from calibcore import GroupsLens, Predictions
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> GroupsLens({"pet": ["cat", "dog"], "bird": ["owl"]})(p).probs.round(3).tolist()
    [[0.9, 0.1], [0.9, 0.1]]
    """

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    kind: ClassVar[str] = "groups"
    label: ClassVar[str] = "Groups of classes"
    syntax: ClassVar[str] = ":A=x,y;B=z"

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
                raise InputError(f"The group {shown(group)} is empty; expected at least one class in each.")
            for name in members:
                predictions.class_index(name)
                if name in group_of:
                    raise InputError(
                        f"The class {shown(name)} is in two groups; expected every class in one."
                    )
                group_of[name] = j
        missing = tuple(name for name in predictions.class_names if name not in group_of)
        if missing:
            raise InputError(f"In no group: {listed(missing)}. Expected every class in exactly one group.")
        index = np.array([group_of[name] for name in predictions.class_names])
        columns = [predictions.probs[:, index == j].sum(axis=1) for j in range(len(self.groups))]
        return predictions.through(
            np.column_stack(columns), index[predictions.labels], [name for name, _ in self.groups]
        )

    def phrase(self) -> str:
        return f"{len(self.groups)} groups of classes"

    def whose(self) -> str:
        return "The probabilities of the groups are"

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "GroupsLens | None":
        if not rest:
            return None
        parts = [part.partition("=") for part in rest.strip("\"'").split(";")]
        split = (
            (name.strip(), tuple(member.strip() for member in members.split(",") if member.strip()))
            for name, _, members in parts
        )
        return cls(tuple(split))

    def to_words(self) -> str:
        return f"{self.kind}:" + ";".join(f"{name}={','.join(members)}" for name, members in self.groups)

    @classmethod
    def plainest(cls, predictions: Predictions) -> "GroupsLens | None":
        names, half = predictions.class_names, predictions.m // 2
        return cls((("A", names[:half]), ("B", names[half:]))) if predictions.m > 2 else None

    def fits(self, predictions: Predictions) -> bool:
        return sorted(name for _, members in self.groups for name in members) == sorted(
            predictions.class_names
        )


@LENSES.enter
@dataclass(frozen=True)
class PooledLens(Lens):
    """All n·m pairs of a predicted probability and whether that class happened (V19 Example 4).

    The pairs of one case depend on each other, so the case stays the unit: labels
    are redrawn for the cases and pooled afterwards. An exact test through this
    lens tests canonical calibration; estimators that are unbiased for independent
    cases are not unbiased for pairs.

    >>> from calibcore import PooledLens, Predictions
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> PooledLens()(p)
    Predictions(6 cases, 2 classes: 'hit', 'miss')
    """

    kind: ClassVar[str] = "pooled"
    label: ClassVar[str] = "Every class of every case, as a yes or no"
    streams: ClassVar[bool] = False

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

    @property
    def pairs(self) -> bool:
        return True

    def phrase(self) -> str:
        return "every class of every case, pooled"

    @classmethod
    def plainest(cls, predictions: Predictions) -> None:
        """Not offered: a report may look through it."""


@LENSES.enter
@dataclass(frozen=True)
class RegionLens(Lens):
    """Only the cases with ``low ≤ g_class(x) ≤ high``, then ``lens`` (V19 §3.2: A ⊂ simplex).

    The region looks at predictions, never at labels, so calibration survives it.

    >>> from calibcore import Predictions, RegionLens, TopKLens
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> RegionLens(TopKLens(1), "cat", low=0.5, high=1.0)(p)
    Predictions(1 case, 2 classes: 'hit', 'miss')
    """

    lens: Lens
    class_name: str
    low: float
    high: float
    kind: ClassVar[str] = "region"
    label: ClassVar[str] = "A region within"
    syntax: ClassVar[str] = ":NAME:LOW:HIGH[:LENS]"
    streams: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise InputError(
                f"The region goes from {self.low:g} to {self.high:g}; expected 0 ≤ low ≤ high ≤ 1."
            )

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> ``lens`` of the rows in the region; an empty region is an error."""
        return self.lens(predictions.with_rows(self._in_region(predictions)))

    def _in_region(self, predictions: Predictions) -> Int:
        """Row numbers in the region, from 0."""
        p = predictions.probs[:, predictions.class_index(self.class_name)]
        rows = np.flatnonzero((p >= self.low) & (p <= self.high))
        if not len(rows):
            raise InputError(
                f"The region is empty: no case has a probability of {shown(self.class_name)} from "
                f"{self.low:g} to {self.high:g}; they go from {p.min():.4g} to {p.max():.4g}."
            )
        return rows

    def rows(self, predictions: Predictions) -> Int:
        rows = self._in_region(predictions)
        return rows[self.lens.rows(predictions.with_rows(rows))]

    @property
    def within(self) -> Lens:
        return self.lens.within

    @property
    def pairs(self) -> bool:
        return self.within.pairs

    @property
    def region(self) -> str:
        here = f"'{self.class_name}' was given {percent(self.low, 0)} to {percent(self.high, 0)}"
        return f"{here} and {self.lens.region}" if self.lens.region else here

    def phrase(self) -> str:
        here = f"'{self.class_name}' was given {percent(self.low, 0)} to {percent(self.high, 0)}"
        return f"{self.lens.phrase()}, where {here}"

    def ties(self, predictions: Predictions) -> int:
        return self.lens.ties(predictions.with_rows(self._in_region(predictions)))

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "RegionLens | None":
        number = r"\d*\.?\d+"
        match = re.fullmatch(rf"(.+?):({number}):({number})(?::(.+))?", rest, re.DOTALL)
        if not match:
            return None
        name, low, high, inner = match.groups()
        return cls(read(inner or "canonical"), name, float(low), float(high))

    def to_words(self) -> str:
        low, high = (np.format_float_positional(value, trim="-") for value in (self.low, self.high))
        return f"{self.kind}:{self.class_name}:{low}:{high}:{self.lens.to_words()}"

    @classmethod
    def plainest(cls, predictions: Predictions) -> None:
        """Not offered as a lens: any lens can be looked through in a region."""

    def fits(self, predictions: Predictions) -> bool:
        return self.class_name in predictions.class_names and self.lens.fits(predictions)


def lens_syntax() -> str:
    """All lenses as the command line takes them: "canonical, top-k:K, …"."""
    kinds = [f"{kind}{cls.syntax}" for kind, cls in LENSES.items()]
    return ", ".join(["canonical", "confidence", *kinds[1:], "or a lens as JSON"])
