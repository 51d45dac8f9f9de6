"""What stands in the document of a survey beside its own fields, and what is read of it."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from calibcore.assessment.impossible import Impossible
from calibcore.bounds import As, AtLeastOne, Count, Length, Names, Share
from calibcore.data.predictions import DataKind
from calibcore.diagnose import Diagnosis
from calibcore.settings.codec import Partly
from calibcore.transforms.lenses import Lens

MOST_READ = 1_100
"""Lenses of a survey that is read: one a class, and some more."""


@dataclass(frozen=True)
class Surveyed:
    """What the cases of a survey are: how many, the names of their classes, and what is known of each."""

    n: AtLeastOne
    classes: Names
    kind: DataKind


@dataclass(frozen=True)
class Look:
    """A lens of a survey as its document has it, with its p, and the diagnosis through it.

    In words, as ever, unless a lens of the survey is ``in_full``: then all of them are objects, which name
    their ``kind``.
    """

    NAMES: ClassVar = {"pvalue": "p_value", "adjusted": "adjusted_p_value"}

    lens: str | Lens
    pvalue: Share
    adjusted: Share
    diagnosis: Diagnosis


@dataclass(frozen=True)
class _Refused(Partly):
    """A lens that could not be tested, as it stands in the document."""

    lens: str
    reason: str


Refusals = Annotated[
    tuple[tuple[str, str], ...],
    As(
        Annotated[tuple[_Refused, ...], Length(0, MOST_READ)],
        lambda each: tuple((refusal.lens, refusal.reason) for refusal in each),
        lambda pairs: tuple(_Refused(*pair) for pair in pairs),
    ),
]


@dataclass(frozen=True)
class _Read(Partly):
    """What is read of a lens."""

    NAMES: ClassVar = {"adjusted": "adjusted_p_value"}

    diagnosis: Diagnosis
    adjusted: Share


@dataclass(frozen=True)
class SurveyEntry:
    """What is read of the document."""

    NAMES: ClassVar = {"looks": "lenses"}

    looks: Annotated[tuple[_Read, ...], Length(1, MOST_READ)]
    refused: Refusals
    refuted: tuple[Count, ...] = ()
    impossible: Impossible | None = None
    at_rounded: tuple[Count, ...] = ()
    counted: tuple[Impossible, ...] | None = None
