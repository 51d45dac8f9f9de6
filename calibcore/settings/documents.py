"""What can be written as one JSON document, and read again: every document says its schema and its name."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.settings.codec import from_entry, write_object
from calibcore.settings.faults import FieldError
from calibcore.settings.forms import Schema, Shared
from calibcore.settings.layout import SCHEMA
from calibcore.settings.text import parsed

DRAFT = "https://json-schema.org/draft/2020-12/schema"


@contextmanager
def complete(what: str) -> Iterator[None]:
    """Turns the errors of a document that lacks something into a sentence, with the whole path of a field."""
    try:
        yield
    except FieldError as error:
        raise error.of(what) from None
    except InputError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"{what} cannot be read: something is missing or of the wrong type.") from error


def check_head(document: Mapping[str, Any], what: str, *names: str) -> None:
    """Raises :class:`InputError` for a document of another schema, or of a name that is none of ``names``.

    Documents of earlier versions do not say their name.
    """
    if document.get("schema") != SCHEMA:
        schema = shown(document.get("schema"))
        raise InputError(f"{what} has schema {schema}; this version reads schema {SCHEMA}.")
    if "document" in document and document["document"] not in names:
        kind = shown(document["document"])
        raise InputError(f"{what} cannot be read: its document is {kind}; expected {' or '.join(names)}.")


class AsDocument:
    """What can be written as one JSON document.

    HEAD : what the document says of itself, by :func:`.headed`
    """

    HEAD: ClassVar[Mapping[str, Any]] = {}

    def to_document(self) -> dict[str, Any]:
        """The JSON document."""
        return write_object(self)

    def to_json(self) -> str:
        """The document as one line of JSON."""
        return json.dumps(self.to_document(), ensure_ascii=False, allow_nan=False)


class Documented(AsDocument):
    """What can be read back, too.

    WHAT : what it is called in sentences about it: "The comparison"
    ALSO : names of other documents in which it stands, with more beside it
    """

    WHAT: ClassVar[str]
    ALSO: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema or another document."""
        check_head(document, cls.WHAT, cls.HEAD["document"], *cls.ALSO)
        return from_entry(cls, document)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """From the text of :meth:`to_json`; :class:`InputError` too where it could not be written again."""
        with complete(cls.WHAT):
            reading = cls.from_document(parsed(text, cls.WHAT))
            reading.to_json()
            return reading


def schema_document(name: str, title: str, schema: Schema, shared: Shared) -> Schema:
    """A JSON Schema that stands alone, with what ``schema`` refers to."""
    head = {"$schema": DRAFT, "$id": f"urn:caliblens:{name}:{SCHEMA}", "title": title}
    return head | schema | {"$defs": dict(sorted(shared.schemas.items()))}
