"""A partition of the classes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions, listed
from calibcore.errors import InputError
from calibcore.transforms.lenses.lens import LENSES, Lens


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
