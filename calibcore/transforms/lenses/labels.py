"""The lens on one of several labels of a case."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.transforms.lenses.lens import LENSES, Lens, row_by_row


@LENSES.enter
@dataclass(frozen=True)
class LabelLens(Lens):
    """One of several labels, true or not: two classes, of the cases whose outcome is known.

    >>> from calibcore import LabelLens, MultiLabelPredictions
    >>> probs, true = [[0.9, 0.8], [0.2, 0.1]], [[1, 1], [0, 1]]
    >>> p = MultiLabelPredictions.from_arrays(probs, true, ["effusion", "mass"])
    >>> LabelLens("mass")(p.label("mass"))
    Predictions(2 cases, 2 classes: 'mass', 'not mass')
    """

    label_name: str
    kind: ClassVar[str] = "label"
    place: ClassVar[int] = 8
    label: ClassVar[str] = "One label"
    syntax: ClassVar[str] = ":NAME"
    in_full: ClassVar[bool] = True

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, 2) -> (n, 2): that it is true, and that it is not."""
        if predictions.label_of != self.label_name:
            those = predictions.label_of
            what = f"of the label {shown(those)}" if those else "over classes that exclude each other"
            raise InputError(
                f"There is no label {shown(self.label_name)} here: these are predictions {what}."
            )
        c = predictions.class_index(self.label_name)
        names = self.label_name, f"not {self.label_name}"
        return row_by_row(lambda g, y, *out: loops.class_and_rest(g, y, c, *out), predictions, names)

    @property
    def one_class(self) -> str:
        return self.label_name

    @property
    def of_label(self) -> str:
        return self.label_name

    def phrase(self) -> str:
        return f"the label '{self.label_name}'"

    def whose(self) -> str:
        return f"The probabilities of '{self.label_name}' are"

    @property
    def comes_true(self) -> tuple[str, str]:
        return "it is true", "it was true"

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "LabelLens | None":
        return cls(rest) if rest else None

    @classmethod
    def plainest(cls, predictions: Predictions) -> "LabelLens | None":
        """None of classes that exclude each other."""
        return cls(predictions.label_of) if predictions.label_of else None

    def fits(self, predictions: Predictions) -> bool:
        return bool(self.label_name) and predictions.label_of == self.label_name
