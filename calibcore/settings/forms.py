"""How values of one annotation stand in JSON: each form reads one, writes one and says its JSON Schema.

One class a shape of annotation; :func:`calibcore.settings.codec.form_of` finds the form of an annotation.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any

import numpy as np

from calibcore.bounds import MOST_COUNT, MOST_ITEMS, MOST_NUMBER, MOST_TEXT, Length, NullIs, Within
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.settings.faults import FieldError, inside, misfit, placed

SLACK = 1e-9
"""Numbers may lie so far outside their bounds, as sums of floats do."""
_HALF = re.compile("[\ud800-\udfff]")
Schema = dict[str, Any]


class Shared:
    """What a schema says once, under ``$defs``, and refers to from then on."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}

    def ref(self, name: str, schema: Callable[["Shared"], Schema]) -> Schema:
        """A reference to what ``schema`` makes, which may refer to itself."""
        if name not in self.schemas:
            self.schemas[name] = {}
            self.schemas[name] = schema(self)
        return {"$ref": f"#/$defs/{name}"}


class Form(ABC):
    """How values of one annotation stand in JSON."""

    @abstractmethod
    def read(self, value: Any, depth: int = 0) -> Any:
        """What a value of JSON is, strategies nested ``depth`` deep already.

        Raises
        ------
        InputError : names the field by its path, what was found there, and what was expected.
        """

    def write(self, value: Any) -> Any:
        """The value as JSON has it."""
        return value

    def needed(self, value: Any) -> bool:
        """Whether JSON has no such value, and this form writes it."""
        return False

    @abstractmethod
    def schema(self, shared: Shared) -> Schema:
        """The JSON Schema of what :meth:`write` makes."""


class Text(Form):
    """Text of a bounded length."""

    def __init__(self, words: str, length: Length) -> None:
        self.words, self.length = words, length

    def read(self, value: Any, depth: int = 0) -> Any:
        length = self.length
        if not isinstance(value, str):
            raise misfit(value, self.words)
        if not length.least <= len(value) <= length.most:
            raise FieldError(f"has {len(value):,} characters; expected {length.least:,} to {length.most:,}")
        if _HALF.search(value):
            raise FieldError("holds half of a pair of characters; expected text")
        return value

    def schema(self, shared: Shared) -> Schema:
        return {"type": "string"} | _bounded("Length", self.length, MOST_TEXT)


class OneWord(Form):
    """One of some words."""

    def __init__(self, allowed: tuple[Any, ...]) -> None:
        self.allowed, self.words = allowed, f"one of {', '.join(map(shown, allowed))}"

    def read(self, value: Any, depth: int = 0) -> Any:
        if not isinstance(value, str) or value not in self.allowed:
            raise misfit(value, self.words)
        return value

    def schema(self, shared: Shared) -> Schema:
        return {"enum": list(self.allowed)}


class Plain(Form):
    """true and false, or null."""

    def __init__(self, kind: type, words: str) -> None:
        self.kind, self.words = kind, words

    def read(self, value: Any, depth: int = 0) -> Any:
        if not isinstance(value, self.kind):
            raise misfit(value, self.words)
        return value

    def schema(self, shared: Shared) -> Schema:
        return {"type": "null" if self.kind is NoneType else "boolean"}


class Number(Form):
    """A number within its bounds or those of all numbers; where ``null`` is given, null stands for it."""

    def __init__(
        self, kind: type, words: str, within: Within | None = None, null: NullIs | None = None
    ) -> None:
        most = MOST_COUNT if kind is int else MOST_NUMBER
        self.kind, self.words, self.null = kind, words, null
        self.bounds = within or Within(-most, most)
        self.slack = SLACK if kind is float and not self.bounds.strict else 0
        self.low, self.high = self.bounds.least - self.slack, self.bounds.most + self.slack
        self.if_large = words if within else f"{words} {in_words(self.bounds)}"

    def fits(self, value: Any) -> bool:
        """Whether a value is such a number. NaN lies in no bounds."""
        if isinstance(value, bool) or not isinstance(value, int if self.kind is int else int | float):
            return False
        return bool(self.low <= value <= self.high and not (self.bounds.strict and value == self.low))

    def read(self, value: Any, depth: int = 0) -> Any:
        if value is None and self.null is not None:
            return self.null.value
        if not self.fits(value):
            integral = isinstance(value, int) and not isinstance(value, bool)
            large = integral or (self.kind is float and isinstance(value, float) and math.isfinite(value))
            raise misfit(value, self.if_large if large else self.words)
        return value

    def write(self, value: Any) -> Any:
        return value if self.null is None or math.isfinite(value) else None

    def schema(self, shared: Shared) -> Schema:
        schema: Schema = {"type": "integer" if self.kind is int else "number"}
        bounds, most = self.bounds, MOST_COUNT if self.kind is int else MOST_NUMBER
        if abs(bounds.least) < most:
            schema["exclusiveMinimum" if bounds.strict else "minimum"] = self.low
        if bounds.most < most:
            schema["maximum"] = self.high
        return schema if self.null is None else or_null(schema)


class Either(Form):
    """One of several, or null."""

    def __init__(self, forms: Sequence[Form], null: bool, words: str) -> None:
        self.forms, self.null, self.words = forms, null, words

    def read(self, value: Any, depth: int = 0) -> Any:
        if value is None and self.null:
            return None
        if len(self.forms) == 1:
            return self.forms[0].read(value, depth)
        for form in self.forms:
            try:
                return form.read(value, depth)
            except FieldError:
                pass
        raise misfit(value, self.words)

    def write(self, value: Any) -> Any:
        """Of several forms most have values that JSON has too, such as text and numbers."""
        if value is not None and len(self.forms) == 1:
            return self.forms[0].write(value)
        return next((form.write(value) for form in self.forms if form.needed(value)), value)

    def schema(self, shared: Shared) -> Schema:
        parts = [form.schema(shared) for form in self.forms]
        schema = parts[0] if len(parts) == 1 else {"anyOf": parts}
        return or_null(schema) if self.null else schema


class Fixed(Form):
    """A list with so many entries, each of a form of its own."""

    def __init__(self, forms: Sequence[Form], words: str) -> None:
        self.forms, self.words = forms, words

    def read(self, value: Any, depth: int = 0) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(self.forms):
            raise misfit(value, self.words)
        return tuple(_each(value, self.forms, depth))

    def write(self, value: Any) -> Any:
        return [form.write(item) for form, item in zip(self.forms, value, strict=True)]

    def schema(self, shared: Shared) -> Schema:
        parts = [form.schema(shared) for form in self.forms]
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}


class Listed(Form):
    """A list of any length within bounds; a set is written in order."""

    def __init__(self, made: Any, form: Form, length: Length, words: str) -> None:
        self.made, self.form, self.length, self.words = made, form, length, words

    def read(self, value: Any, depth: int = 0) -> Any:
        if not isinstance(value, list | tuple | self.made):
            raise misfit(value, self.words)
        check_length(value, self.length)
        form = self.form
        if isinstance(form, Number) and all(map(form.fits, value)):
            return self.made(value)
        return self.made(_each(value, [form] * len(value), depth))

    def write(self, value: Any) -> Any:
        return list(map(self.form.write, sorted(value) if self.made is frozenset else value))

    def schema(self, shared: Shared) -> Schema:
        items = {"type": "array", "items": self.form.schema(shared)}
        return items | _bounded("Items", self.length, MOST_ITEMS)


class Array(Form):
    """Numbers in so many dimensions: lists of lists that are equally long."""

    def __init__(self, dtype: Any, dims: int, form: Form) -> None:
        self.dtype, self.dims, self.form = dtype, dims, form

    def _row(self, value: Any, left: int) -> list[Any]:
        if not isinstance(value, list | tuple | np.ndarray):
            raise misfit(value, "a list")
        check_length(value, Length())
        if left:
            rows: list[list[Any]] = []
            for i, item in enumerate(value):
                try:
                    rows.append(self._row(item, left - 1))
                    if len(rows[i]) != len(rows[0]):
                        raise FieldError(f"has {len(rows[i]):,} entries; expected {len(rows[0]):,}")
                except FieldError as error:
                    raise placed(error, i) from None
            return rows
        form = self.form
        if isinstance(form, Number) and all(map(form.fits, value)):
            return list(value)
        return _each(value, [form] * len(value), 0)

    def read(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, np.ndarray):  # made already
            return value
        array = np.array(self._row(value, self.dims - 1), self.dtype)
        return array.reshape(array.shape + (0,) * (self.dims - array.ndim))

    def write(self, value: Any) -> Any:
        if self.dims > 1 or (isinstance(self.form, Number) and self.form.null is not None):
            inner = Array(self.dtype, self.dims - 1, self.form) if self.dims > 1 else self.form
            return list(map(inner.write, value if self.dims > 1 else value.tolist()))
        return value.tolist()

    def schema(self, shared: Shared) -> Schema:
        schema = self.form.schema(shared)
        for _ in range(self.dims):
            schema = {"type": "array", "items": schema}
        return schema


class Pairs(Form):
    """A mapping. Keys that are no text stand in JSON beside their values: ``[[key, value], …]``."""

    def __init__(
        self, key: Form, form: Form, pairs: bool, must: Iterable[str], length: Length, names: Iterable[str]
    ) -> None:
        self.key, self.form, self.pairs = key, form, pairs
        self.must, self.length, self.names = tuple(must), length, tuple(names)

    def read(self, value: Any, depth: int = 0) -> Any:
        if not isinstance(value, Mapping) and not (self.pairs and isinstance(value, list | tuple)):
            raise misfit(value, "a list of pairs" if self.pairs else "an object")
        check_length(value, self.length)
        made: dict[Any, Any] = {}
        for i, pair in enumerate(value.items() if isinstance(value, Mapping) else value):
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise placed(misfit(pair, "a pair"), i)
            key, item = pair
            with inside(i if self.pairs else shown(key)[1:-1]):
                key = self.key.read(key, depth)
                if key in made:
                    raise FieldError(f"names {shown(key)} twice; expected it once")
                made[key] = self.form.read(item, depth)
        for name in self.must:
            if name not in made:
                raise FieldError("is missing").inside(name)
        return made

    def write(self, value: Any) -> Any:
        made = [(self.key.write(key), self.form.write(item)) for key, item in value.items()]
        return [list(pair) for pair in made] if self.pairs else dict(made)

    def schema(self, shared: Shared) -> Schema:
        key, form = self.key.schema(shared), self.form.schema(shared)
        if self.pairs:
            pair = {"type": "array", "prefixItems": [key, form], "items": False, "minItems": 2}
            return {"type": "array", "items": pair}
        schema: Schema = {"type": "object"}
        if self.names:
            schema["propertyNames"] = key
        return schema | {"additionalProperties": form} | ({"required": list(self.must)} if self.must else {})


class Keys(Form):
    """An object of which every key is known: a :class:`typing.TypedDict`."""

    def __init__(self, forms: Mapping[str, Form], must: Iterable[str]) -> None:
        self.forms, self.must = forms, tuple(name for name in forms if name in set(must))

    def read(self, value: Any, depth: int = 0) -> Any:
        if not isinstance(value, Mapping):
            raise misfit(value, "an object")
        for name in self.must:
            if name not in value:
                raise FieldError("is missing").inside(name)
        check_keys(value, self.forms)
        made = {}
        for name, item in value.items():
            try:
                made[name] = self.forms[name].read(item, depth)
            except InputError as error:
                raise placed(error, name) from None
        return made

    def write(self, value: Any) -> Any:
        return {name: self.forms[name].write(item) for name, item in value.items()}

    def schema(self, shared: Shared) -> Schema:
        properties = {name: form.schema(shared) for name, form in self.forms.items()}
        return object_schema(properties, self.must) | {"additionalProperties": False}


class Through(Form):
    """What stands in JSON as something else: ``stands(value)``, of which ``made`` makes the value again."""

    def __init__(self, form: Form, made: Callable[[Any], Any], stands: Callable[[Any], Any]) -> None:
        self.form, self.made, self.stands = form, made, stands

    def read(self, value: Any, depth: int = 0) -> Any:
        return self.made(self.form.read(value, depth))

    def write(self, value: Any) -> Any:
        return self.form.write(self.stands(value))

    def schema(self, shared: Shared) -> Schema:
        return self.form.schema(shared)


def _each(value: Any, forms: Sequence[Form], depth: int) -> list[Any]:
    made = []
    for i, (item, form) in enumerate(zip(value, forms, strict=True)):
        try:
            made.append(form.read(item, depth))
        except InputError as error:
            raise placed(error, i) from None
    return made


def check_length(value: Any, length: Length) -> None:
    """Raises :class:`InputError` for a list or an object with too many or too few entries."""
    if not length.least <= len(value) <= length.most:
        raise FieldError(f"has {len(value):,} entries; expected {length.least:,} to {length.most:,}")


def check_keys(value: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """Raises :class:`InputError` for an unknown key, and names those that are allowed."""
    for name in value:
        if name not in allowed:
            raise FieldError(f"has the unknown key {shown(name)}; allowed: {', '.join(allowed)}")


def in_words(bounds: Within) -> str:
    """Bounds in words: "from 0 to 1"."""
    least, most = _plain(bounds.least), _plain(bounds.most)
    if bounds.most == math.inf:
        return "" if bounds.least == -math.inf else f"from {least} up"
    if bounds.strict:
        return f"above {least}, {most} at most"
    return f"from {least} to {most}"


def _plain(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def or_null(schema: Schema) -> Schema:
    """The schema of the same or null."""
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return {"anyOf": [schema, {"type": "null"}]}


def object_schema(properties: Mapping[str, Schema], must: Iterable[str]) -> Schema:
    """The schema of an object with these properties."""
    required = list(must)
    return {"type": "object", "properties": dict(properties)} | ({"required": required} if required else {})


def _bounded(what: str, length: Length, most: int) -> Schema:
    least = {f"min{what}": length.least} if length.least else {}
    return least | ({f"max{what}": length.most} if length.most < most else {})
