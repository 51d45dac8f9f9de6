"""All classes as they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from calibcore.data.predictions import Predictions
from calibcore.transforms.lenses.lens import LENSES, Lens

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
    return 0 if _eventful(first) > _eventful(second) else 1


def _eventful(name: str) -> int:
    """1 for a name of what happens, -1 for one that says that nothing did, else 0."""
    first = name.replace("-", " ").replace("_", " ").partition(" ")[0]
    return (name in _EVENTS) - (name in _NONE or first in _NEGATING)
