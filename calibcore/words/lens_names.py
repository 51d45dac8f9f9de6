"""What a check is called: one name for one thing.

Of two classes all together are the event, which diagrams and sentences are about: "the class 'ill'".
"""

from collections.abc import Sequence
from typing import Protocol

from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import Diagnosis
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens, Lens
from calibcore.transforms.lenses.canonical import event_of


class Looked(Protocol):
    """What has settings and knows classes: of its predictions, or as its lens shows them."""

    @property
    def spec(self) -> DiagnosisSpec: ...
    @property
    def class_names(self) -> Sequence[str]: ...


def name_of(of: Diagnosis | Verdict) -> str:
    """ "the class 'ill'", "confidence in the top class", "all classes together" of three or more."""
    if isinstance(of, Diagnosis):
        lens, names = of.spec.lens, of.reliability.class_names
        event = names[0] if len(names) == 2 else ""
    else:
        lens = of.lens
        event = of.frequencies[0].class_name if len(of.frequencies) == 1 else ""
    return _named(lens, event)


def name_among(lens: Lens, class_names: Sequence[str]) -> str:
    """The same of a lens, by the classes of the predictions in their order."""
    return _named(lens, class_names[event_of(class_names)] if len(class_names) == 2 else "")


def name_in(found: Looked) -> str:
    """The same of an answer that knows the classes of the predictions in their order."""
    return name_among(found.spec.lens, found.class_names)


def name_shown_in(found: Looked) -> str:
    """The same of an answer that knows the classes as its lens shows them, of two the event first."""
    return _named(found.spec.lens, found.class_names[0] if len(found.class_names) == 2 else "")


def of_words(found: Looked) -> str:
    """What gaps and diagrams of two classes are of: "'ill'", or the likeliest class, also of more."""
    answers = found.spec.lens.within.answers
    if answers == "sets":
        return "the sets of classes"
    return "the likeliest class" if len(found.class_names) != 2 or answers else f"'{found.class_names[0]}'"


def _named(lens: Lens, event: str) -> str:
    return (ClassLens(event) if lens.whole and event else lens).phrase()
