"""What is known of a question where it is asked of each of several labels: its p, and its row of a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from calibcore.answers.tables import Column
from calibcore.settings import DiagnosisSpec

R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class OfLabel(Generic[R]):
    """What a question found of one label.

    Attributes
    ----------
    label : its name
    n : cases whose outcome is known
    result : as of this label alone
    pvalue : of this label alone; None where nothing was tested
    adjusted : for the number of labels, by Holm's method
    found : whether ``adjusted`` is at the level or below
    at_floor : whether the redraws allow no smaller ``adjusted``
    """

    label: str
    n: int
    result: R
    pvalue: float | None = None
    adjusted: float | None = None
    found: bool = False
    at_floor: bool = False


Rows = Sequence[OfLabel[R]]


@dataclass(frozen=True)
class ByLabel(Generic[R]):
    """How a question is asked of each of several labels, and what a table over labels has of it.

    Attributes
    ----------
    title : of the table
    hypothesis : what p is of, label by label: "that both models are equally far off"; empty: there is no test
    headline : rows, those of the strongest evidence first, and what a case is called -> the answer over all
        labels in a sentence
    columns : those rows -> the columns between the name of a label and its adjusted p
    pvalue : of one label; None where nothing was tested
    at_floor : whether redraws allow no smaller one
    redrawn : whether it counts redraws
    tests : what the question is asked with of a label -> of how many p-values, adjusted for their number,
        that of the label is the smallest
    level : settings -> the adjusted p at which something was found
    place : where there is no test, what rows are sorted by: the largest first
    notes : rows -> what else is to be known of the table, a sentence each; empty ones are left out
    asked : what the question is asked with beside settings, a label, all labels -> what of that is another
        for this label; None where it is not asked about
    of_all : the result of a label, how many labels -> what it would be were it asked as all of them are, for
        the command that asks again
    flags : rows, whether they are of all labels -> flags of that command and their values, where it takes
        other ones than those of one label
    """

    title: str
    headline: Callable[[Rows[R], str], str]
    columns: Callable[[Rows[R]], tuple[Column[OfLabel[R]], ...]]
    hypothesis: str = ""
    pvalue: Callable[[R], float | None] = lambda _: None
    at_floor: Callable[[R], bool] = lambda _: False
    redrawn: bool = True
    tests: Callable[[Mapping[str, Any]], int] = lambda _: 1
    level: Callable[[DiagnosisSpec], float] = lambda spec: spec.alpha
    place: Callable[[R], float] = lambda _: 0.0
    notes: Callable[[Rows[R]], tuple[str, ...]] = lambda _: ()
    asked: Callable[[Mapping[str, Any], str, Sequence[str]], Mapping[str, Any] | None] = lambda *_: {}
    of_all: Callable[[R, int], R] = lambda result, _: result
    flags: Callable[[Rows[R], bool], Mapping[str, str]] = lambda *_: {}


def verdict_words(row: OfLabel[Any]) -> str:
    """Of a question that tests calibration: where it finds nothing, it does not say that there is nothing."""
    return "Miscalibrated" if row.found else "Cannot tell"
