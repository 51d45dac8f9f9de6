"""Lenses on classes by their names: all of them, one of them, groups of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.transforms.lenses.lens import LENSES, Lens, refuse_but_confidence, row_by_row
from calibcore.wording import listed, quote

_EVENTS = frozenset(("1", "yes", "true", "positive", "event", "case"))
_NEGATING = frozenset(("no", "not", "non", "without"))
_NONE = frozenset(("0", "-1", "no", "false", "negative", "none", "control", "other", "others", "rest"))


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
    place: ClassVar[int] = 1
    label: ClassVar[str] = "All classes together"
    whole: ClassVar[bool] = True

    def __call__(self, predictions: Predictions) -> Predictions:
        """The predictions themselves; two classes in another order where the event is the second."""
        refuse_but_confidence(predictions, self)
        p = predictions
        if p.m != 2 or p.pooled_from is not None or event_of(p.class_names) == 0:
            return p
        return p.through(p.probs[:, ::-1], 1 - p.labels, p.class_names[::-1])

    def phrase(self) -> str:
        return "all classes together"


def event_of(class_names: Sequence[str]) -> int:
    """Which of two classes is the event: 1 of 0 and 1, yes of yes and no, else the last. Its place, 0 or 1.

    A name that says that nothing happened is none. Who means the other looks through its :class:`ClassLens`.
    """
    first, second = (name.strip().lower() for name in class_names)
    return 0 if _eventful(first) > _eventful(second) else 1


def _eventful(name: str) -> int:
    """1 for a name of what happens, -1 for one that says that nothing did, else 0."""
    first = name.replace("-", " ").replace("_", " ").partition(" ")[0]
    return (name in _EVENTS) - (name in _NONE or first in _NEGATING)


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
    place: ClassVar[int] = 3
    label: ClassVar[str] = "One class"
    syntax: ClassVar[str] = ":NAME"

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, 2): the class, and the sum of the others."""
        refuse_but_confidence(predictions, self)
        c = predictions.class_index(self.class_name)
        names = self.class_name, f"not {self.class_name}"
        return row_by_row(lambda g, y, *out: loops.class_and_rest(g, y, c, *out), predictions, names)

    @property
    def one_class(self) -> str:
        return self.class_name

    def phrase(self) -> str:
        return f"the class '{self.class_name}'"

    def whose(self) -> str:
        return f"The probabilities of '{self.class_name}' are"

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "ClassLens | None":
        return cls(rest) if rest else None

    @classmethod
    def plainest(cls, predictions: Predictions) -> "ClassLens":
        return cls(predictions.class_names[0])

    def fits(self, predictions: Predictions) -> bool:
        return self.class_name in predictions.class_names and super().fits(predictions)


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
    place: ClassVar[int] = 4
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
        refuse_but_confidence(predictions, self)
        group_of: dict[str, int] = {}
        for j, (group, members) in enumerate(self.groups):
            if not members:
                raise InputError(f"The group {quote(group)} is empty; expected at least one class in each.")
            for name in members:
                predictions.class_index(name)
                if name in group_of:
                    raise InputError(
                        f"The class {quote(name)} is in two groups; expected every class in one."
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
        members = sorted(name for _, members in self.groups for name in members)
        return members == sorted(predictions.class_names) and super().fits(predictions)
