"""One class against all others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from calibcore.data.predictions import Predictions
from calibcore.numerics import loops
from calibcore.transforms.lenses.lens import LENSES, Lens
from calibcore.transforms.lenses.rows import row_by_row


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
        c = predictions.class_index(self.class_name)
        probs, labels = row_by_row(
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
