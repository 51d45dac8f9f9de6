"""Answers to questions as JSON documents: every field as its type says, some by another name."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Self

from calibcore.diagnose import SCHEMA, AsDocument, Documented, check_schema
from calibcore.spec import DiagnosisSpec
from calibcore.spec.codec import as_object, from_entry, inside


@dataclass(frozen=True, eq=False, repr=False)
class Entry:
    """What stands in a document with its fields, in their order.

    NAMES : field -> its name there, where that is another
    LATER : fields that documents of earlier versions do not have, where they are None
    """

    NAMES: ClassVar[Mapping[str, str]] = {}
    LATER: ClassVar[tuple[str, ...]] = ()

    def entry(self, *names: str) -> dict[str, Any]:
        """Some fields or properties as they stand there."""
        return {self.NAMES.get(name, name): written(getattr(self, name)) for name in names}

    def to_document(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return self.entry(*(f.name for f in fields(self)))

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; what else stands there is not read."""
        return from_entry(cls, document, cls.NAMES, cls.LATER)


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Entry, AsDocument):
    """What a question found: settings, what the cases are, and the rest.

    DATA : fields that say what the cases are
    """

    DATA: ClassVar[tuple[str, ...]] = ("n", "class_names", "fingerprint")

    spec: DiagnosisSpec

    def headed(self, *names: str) -> dict[str, Any]:
        """A document with some fields or properties after the settings and the data."""
        head = {"schema": SCHEMA, "spec": self.spec.to_document(), "data": self.entry(*self.DATA)}
        return head | self.entry(*names)

    def to_document(self) -> dict[str, Any]:
        """The JSON document that the command prints with ``--json``."""
        return self.headed(*(f.name for f in fields(self) if f.name not in ("spec", *self.DATA)))


@dataclass(frozen=True, eq=False, repr=False)
class ReadableAnswer(Answer, Documented):
    """An answer that can be read back."""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_schema(document, cls.WHAT)
        with inside("data"):
            data = as_object(document.get("data"))
        return super().from_document({**document, **data})


def written(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, tuple | list):
        return [written(one) for one in value]
    if hasattr(value, "to_document"):
        return value.to_document()
    if is_dataclass(value):
        return {f.name: written(getattr(value, f.name)) for f in fields(value)}
    return dict(value) if isinstance(value, Mapping) else value


def finite_or_none(value: float) -> float | None:
    """JSON knows no infinity."""
    return value if math.isfinite(value) else None
