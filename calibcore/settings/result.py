"""What questions find, and its document: settings, what the cases are, and the rest."""

import math
from dataclasses import dataclass
from typing import ClassVar

from calibcore.settings import DiagnosisSpec
from calibcore.settings.documents import AsDocument, Documented


@dataclass(frozen=True, eq=False, repr=False)
class Result(AsDocument):
    """What a question found: settings, what the cases are, and the rest.

    DATA : fields or properties that say what the cases are
    """

    DATA: ClassVar[tuple[str, ...]] = ("n", "class_names", "fingerprint")

    spec: DiagnosisSpec


@dataclass(frozen=True, eq=False, repr=False)
class ReadableResult(Result, Documented):
    """What can be read back, too."""


def finite_or_none(value: float) -> float | None:
    """JSON knows no infinity."""
    return value if math.isfinite(value) else None
