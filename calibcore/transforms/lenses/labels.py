"""The lenses on several labels of a case: one of them, or all pairs of a case and a label."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.transforms.lenses.lens import LENSES, Lens, row_by_row
from calibcore.wording import listed


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


@LENSES.enter
@dataclass(frozen=True)
class LabelsLens(Lens):
    """All pairs of a case and one of its several labels, each a yes or no.

    The labels of one case depend on each other, in a way that no probability says. So the case is the unit:
    gaps have intervals over cases, and there is no exact p. Each label has its own, see :class:`LabelLens`.

    >>> from calibcore import LabelsLens, MultiLabelPredictions
    >>> probs, true = [[0.9, 0.8], [0.2, 0.1]], [[1, 1], [0, None]]
    >>> p = MultiLabelPredictions.from_arrays(probs, true, ["effusion", "mass"])
    >>> LabelsLens()(p.pairs()), p.pairs().case_of.tolist()
    (Predictions(3 cases, 2 classes: 'true', 'not true'), [0, 0, 1])
    """

    kind: ClassVar[str] = "labels"
    place: ClassVar[int] = 9
    label: ClassVar[str] = "All labels together"
    in_full: ClassVar[bool] = True
    streams: ClassVar[bool] = False

    def __call__(self, predictions: Predictions) -> Predictions:
        """(N, 2) -> (N, 2): the pairs as they are."""
        if predictions.case_of is None:
            raise InputError(
                "Through the lens 'labels' all labels of a case are looked at together, and these are "
                "predictions of one label, or over classes that exclude each other."
            )
        return predictions

    @property
    def of_all_labels(self) -> bool:
        return True

    @property
    def pair(self) -> str:
        return "a case and a label"

    @property
    def names_its_class(self) -> bool:
        return True

    @property
    def comes_true(self) -> tuple[str, str]:
        return "it is true", "it was true"

    def phrase(self) -> str:
        return "all labels, pooled"

    def whose(self) -> str:
        return "The probabilities of the labels are"

    def average_sentence(self, text: str, name: str) -> str:
        return f"the model gives a label {text} on average, and it is true"

    def where_sentence(self, text: str, name: str) -> str:
        return f"the model gives a label {text} on average, it is true"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        return f"{cases} given {text}", "", " were true"

    @classmethod
    def plainest(cls, predictions: Predictions) -> "LabelsLens | None":
        return cls() if predictions.case_of is not None else None

    def fits(self, predictions: Predictions) -> bool:
        return predictions.case_of is not None


def cases_seen(cases: Cases, lens: Lens) -> Predictions:
    """What a lens looks at: all of predictions over classes; of several labels the one that it names, or all
    pairs.

    Raises
    ------
    InputError : several labels, and none of them is named.
    """
    if isinstance(cases, Predictions):
        return cases
    if lens.within.of_all_labels:
        return cases.pairs()
    if lens.within.of_label is None:
        first = cases.label_names[0]
        raise InputError(
            f"Each case has {cases.k:,} labels, and any number of them may be true: look at one of them, "
            f"by the lens 'label:{first}' say, or by the lens 'labels' at all pairs, of which nothing is "
            f"tested. The labels are {listed(cases.label_names)}."
        )
    return cases.label(lens.within.of_label)
