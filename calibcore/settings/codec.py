"""The codec: strategy objects, settings and results as JSON, by one walk of the fields of their classes.

It reads a document, writes it and makes its JSON Schema. What a field may hold is read off its annotation:
:func:`form_of` refuses one that is not known here, so that no field is passed on unchecked. Bounds stand in
``Annotated``, see :mod:`calibcore.bounds`. How fields must agree is said by a method ``check_agreement`` of
their class, which raises :class:`.InputError`. Where a field stands in a document is said by the class, too:
see :class:`.Layout`.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import numpy as np

from calibcore.bounds import MOST_TEXT, As, Holds, Length, NullIs, OneOf, Shape, Within
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.settings import forms
from calibcore.settings.annotations import (
    SCALARS,
    STRATEGIES,
    check_shape,
    expected,
    mark_among,
    shape_of,
    unnamed,
)
from calibcore.settings.faults import FieldError, as_object, misfit, placed
from calibcore.settings.forms import Form, Schema, Shared, check_keys, object_schema
from calibcore.settings.layout import Layout

MOST_NESTED = 10
_ROLE = re.compile(r":\w+:`[.~]*([^`]*)`")
T = TypeVar("T")


def read(value: object, kind: Any, depth: int = 0) -> Any:
    """A value of JSON as the annotation ``kind`` says, lists as tuples; objects may be made already.

    Raises
    ------
    InputError : names the field by its path, what was found there, and what was expected.
    """
    return form_of(cast(Any, kind)).read(value, depth)


def write(value: Any, kind: Any = None) -> Any:
    """A value as JSON has it, as the annotation ``kind`` says, if not its own class: the inverse of read."""
    return form_of(cast(Any, kind or type(value))).write(value)


def check_fields(cls: type) -> None:
    """Raises :class:`TypeError` for a dataclass with a field whose annotation is not known here."""
    for f in fields(cast(Any, cls)):
        try:
            form_of(cast(Any, f.type))
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{f.name}: {error}") from None


@cache
def form_of(kind: Any) -> Form:
    """How values of that annotation stand in JSON. Raises :class:`TypeError` for one not known here."""
    kind = unnamed(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _marked(parts[0], parts[1:])
    for sort, kinds in STRATEGIES.items():
        if kind is sort:
            return StrategyForm(kind)
        if isinstance(kind, type) and kind in kinds.values():
            return StrategyForm(sort)
    if kind in SCALARS:
        return _scalar(kind, ())
    if origin in (Union, UnionType):
        each = [form_of(part) for part in parts if part is not NoneType]
        return forms.Either(each, NoneType in parts, expected(kind))
    if origin is Literal:
        return forms.OneWord(parts)
    if origin is np.ndarray:
        return _array(kind, ())
    if origin in (tuple, list, frozenset) and parts:
        if origin is tuple and Ellipsis not in parts:
            return forms.Fixed([form_of(part) for part in parts], expected(kind))
        return _list(kind, ())
    if origin is Mapping:
        return _mapping(parts, ())
    if origin is NotRequired:
        return form_of(parts[0])
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        return forms.Keys({name: form_of(part) for name, part in hints.items()}, kind.__required_keys__)
    if isinstance(kind, type) and (hasattr(kind, "from_document") or is_dataclass(kind)):
        return ObjectForm(kind)
    raise TypeError(f"an annotation that documents cannot have: {kind}")


def _marked(kind: Any, marks: tuple[Any, ...]) -> Form:
    """Of an annotation with bounds."""
    kind = unnamed(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _marked(parts[0], (*marks, *parts[1:]))
    if (instead := mark_among(marks, As, None)) is not None:
        form = form_of(instead.kind)
        return form if instead.made is None else forms.Through(form, instead.made, instead.stands)
    if kind in SCALARS:
        return _scalar(kind, marks)
    if origin is np.ndarray:
        return _array(kind, marks)
    if origin is Mapping:
        return _mapping(parts, marks)
    if origin in (tuple, list, frozenset):
        return _list(kind, marks)
    if origin in (Union, UnionType):
        each = [form_of(cast(Any, Annotated[part, *marks])) for part in parts if part is not NoneType]
        return forms.Either(each, NoneType in parts, expected(kind))
    return form_of(kind)


def _scalar(kind: Any, marks: tuple[Any, ...]) -> Form:
    words = SCALARS[kind]
    if kind is str and (one_of := mark_among(marks, OneOf, None)) is not None:
        return forms.OneWord(one_of.words)
    if kind is str:
        return forms.Text(words, mark_among(marks, Length, Length(0, MOST_TEXT)))
    if kind in (bool, NoneType):
        return forms.Plain(kind, words)
    words = expected(Annotated[kind, *marks]) if marks else words
    return forms.Number(kind, words, mark_among(marks, Within, None), mark_among(marks, NullIs, None))


def _list(kind: Any, marks: tuple[Any, ...]) -> Form:
    form, length = form_of(get_args(kind)[0]), mark_among(marks, Length, Length())
    return forms.Listed(cast(Any, get_origin(kind)), form, length, expected(kind))


def _array(kind: Any, marks: tuple[Any, ...]) -> Form:
    dtype = get_args(get_args(kind)[1])[0]
    base: Any = bool if dtype is np.bool_ else int if issubclass(dtype, np.integer) else float
    return forms.Array(dtype, len(mark_among(marks, Shape, Shape("n")).dims), _scalar(base, marks))


def _mapping(parts: tuple[Any, ...], marks: tuple[Any, ...]) -> Form:
    base = get_args(parts[0])[0] if get_origin(parts[0]) is Annotated else parts[0]
    key, form = (form_of(part) for part in parts)
    names = key.allowed if isinstance(key, forms.OneWord) else ()
    must, length = mark_among(marks, Holds, Holds()).keys, mark_among(marks, Length, Length())
    text = base is str or get_origin(base) is Literal
    return forms.Pairs(key, form, not text, must, length, names)


class StrategyForm(Form):
    """A strategy: ``{"kind": …, field: …}``; fields that are left out take their defaults."""

    def __init__(self, sort: Any) -> None:
        self.sort, self.kinds = sort, STRATEGIES[sort]

    def read(self, value: Any, depth: int = 0) -> Any:
        return value if type(value) in self.kinds.values() else decode(value, self.sort, depth + 1)

    def write(self, value: Any) -> Any:
        kinds = {f.name: cast(Any, f.type) for f in fields(value)}
        return {"kind": value.kind} | {
            name: write(getattr(value, name), kind) for name, kind in kinds.items()
        }

    def needed(self, value: Any) -> bool:
        return type(value) in self.kinds.values()

    def schema(self, shared: Shared) -> Schema:
        kinds = self.kinds.values()
        return shared.ref(
            self.sort.__name__, lambda _: {"anyOf": [_kind_schema(cls, shared) for cls in kinds]}
        )


def _kind_schema(cls: Any, shared: Shared) -> Schema:
    properties = {"kind": {"const": cls.kind}}
    properties |= {f.name: form_of(cast(Any, f.type)).schema(shared) for f in fields(cls)}
    needed = [f.name for f in fields(cls) if f.default is f.default_factory is MISSING]
    return object_schema(properties, ["kind", *needed]) | {"additionalProperties": False}


class ObjectForm(Form):
    """An object of a class: as its :class:`.Layout` says. A class that has them reads and writes itself by
    ``from_document`` and ``to_document``, and says its schema by ``json_schema``; of one without
    ``from_document`` no key is passed over."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def read(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, self.kind):
            return value
        as_object(value)
        if hasattr(self.kind, "from_document"):
            return self.kind.from_document(value)
        check_keys(value, Layout.of(self.kind).names)
        return from_entry(self.kind, value)

    def write(self, value: Any) -> Any:
        if hasattr(self.kind, "to_document"):
            return value.to_document()
        return write_object(value)

    def schema(self, shared: Shared) -> Schema:
        if hasattr(self.kind, "json_schema"):
            made: Schema = self.kind.json_schema(shared)
            return made
        return shared.ref(
            self.kind.__name__.lstrip("_"),
            lambda _: {"description": summary(self.kind)} | schema_of_object(self.kind, shared),
        )


def summary(cls: type) -> str:
    """The first line of what a class says of itself, without names of code."""
    return _ROLE.sub(r"\1", (inspect.getdoc(cls) or "").partition("\n")[0])


def write_object(value: Any, layout: Layout | None = None) -> dict[str, Any]:
    """An object as its layout says, by default that of its class."""
    layout = layout or Layout.of(cast(Any, type(value)))
    document: dict[str, Any] = dict(layout.head)
    for part in layout.written:
        made = getattr(value, part.attribute)
        if part.optional and (made is None or made == ()):
            continue
        form = form_of(part.kind)
        if part.spread and made is None:
            document |= dict.fromkeys(Layout.of(_object_in(form).kind).withheld)
            continue
        made = form.write(made)
        if part.spread:
            document |= made
            continue
        inner = document
        for key in part.path[:-1]:
            inner = inner.setdefault(key, {})
        inner[part.path[-1]] = made
    return document


def schema_of_object(cls: type, shared: Shared, layout: Layout | None = None) -> Schema:
    """The JSON Schema of what :func:`write_object` makes."""
    layout = layout or Layout.of(cls)
    tree: Schema = object_schema({key: {"const": value} for key, value in layout.head.items()}, layout.must)
    for part in layout.written:
        form = form_of(part.kind)
        if part.spread:
            _spread_schema(tree, form, shared)
            continue
        schema = form.schema(shared)
        at_place = tree
        for key in part.path[:-1]:
            _require(at_place, key, True)
            inner = at_place["properties"].get(key, object_schema({}, ()))
            if "$ref" in inner:  # another field adds to it
                inner = deepcopy(shared.schemas[inner["$ref"].rpartition("/")[2]])
            at_place["properties"][key] = inner
            at_place = inner
        at_place["properties"][part.path[-1]] = schema
        _require(at_place, part.path[-1], part.needed)
    return tree


def _spread_schema(tree: Schema, form: Form, shared: Shared) -> None:
    """The keys of an object among those of another; null where there is none."""
    inner = schema_of_object(_object_in(form).kind, shared)
    none = isinstance(form, forms.Either)
    withheld = Layout.of(_object_in(form).kind).withheld if none else ()
    for key, schema in inner["properties"].items():
        tree["properties"][key] = forms.or_null(schema) if key in withheld else schema
        _require(tree, key, key in withheld if none else key in inner["required"])


def _object_in(form: Form) -> "ObjectForm":
    """The form of the object in a form of it or None, or of what stands for it."""
    if isinstance(form, forms.Either):
        form = form.forms[0]
    inner = form.form if isinstance(form, forms.Through) else form
    assert isinstance(inner, ObjectForm)
    return inner


def _read_spread(form: Form, entry: Mapping[str, Any]) -> Any:
    """What stands among other keys; None where all its keys are null."""
    form_inside = _object_in(form)
    withheld = Layout.of(form_inside.kind).withheld
    if isinstance(form, forms.Either) and all(key in entry and entry[key] is None for key in withheld):
        return None
    made = from_entry(form_inside.kind, entry)
    inner = form.forms[0] if isinstance(form, forms.Either) else form
    return inner.made(made) if isinstance(inner, forms.Through) else made


def _require(schema: Schema, key: str, needed: bool) -> None:
    if needed and key not in schema.setdefault("required", []):
        schema["required"].append(key)


def from_entry(cls: Callable[..., T], entry: Any, layout: Layout | None = None) -> T:
    """A dataclass out of its fields as they stand in a document, by default as :class:`.Layout` has them.

    What documents of earlier versions lack has its default, or is None where the layout says so. What else
    stands there is not read.

    Raises
    ------
    InputError : a field that is missing, does not fit its annotation, or does not agree with the others.
    """
    if not isinstance(entry, Mapping):
        raise misfit(entry, "an object")
    layout = layout or Layout.of(cast(Any, cls))
    values: dict[str, Any] = {}
    dims: dict[str, tuple[int, str]] = {}
    for f in layout.read:
        if f.name in layout.spread:
            values[f.name] = _read_spread(form_of(cast(Any, f.type)), entry)
            continue
        path = layout.path(f.name)
        present, value = _looked_up(entry, path)
        if not present:
            if f.name in layout.later:
                values[f.name] = None
            elif f.default is f.default_factory is MISSING:
                raise placed(FieldError("is missing"), *path)
            continue
        if isinstance(value, Mapping) and (inner := layout.inside(f.name)):
            value = {key: item for key, item in value.items() if key not in inner}
        try:
            values[f.name] = form_of(cast(Any, f.type)).read(value)
            shape = shape_of(cast(Any, f.type))
            if shape is not None and values[f.name] is not None:
                check_shape(values[f.name], shape, dims, ".".join(path))
        except InputError as error:
            raise placed(error, *path) from None
    made = cls(**values)
    if hasattr(made, "check_agreement"):
        made.check_agreement()
    return made


def _looked_up(entry: Mapping[str, Any], path: Sequence[str]) -> tuple[bool, Any]:
    value: Any = entry
    for i, name in enumerate(path):
        if not isinstance(value, Mapping):
            raise placed(misfit(value, "an object"), *path[:i])
        if name not in value:
            return False, None
        value = value[name]
    return True, value


class Partly:
    """A dataclass of some of the fields of an object in a document; what else stands there is not read."""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Of an object of JSON."""
        return from_entry(cls, document)


def converted(cls: type, values: Mapping[str, Any], what: str, depth: int = 0) -> dict[str, Any]:
    """Values of the fields of a dataclass ``cls`` as their annotations say, out of those of JSON.

    Raises
    ------
    InputError : names the field whose value is of another type, and what was expected.
    """
    result = dict(values)
    for f in fields(cast(Any, cls)):
        if f.name in values:
            try:
                result[f.name] = form_of(cast(Any, f.type)).read(values[f.name], depth)
            except FieldError as error:
                named = placed(error, f.name)
                raise named if error.what else named.of(what) from None
    return result


def mapping(document: object, what: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, Mapping):
        raise InputError(f"{what} {shown(document)}; expected an object with {', '.join(allowed)}.")
    unknown = [key for key in document if key not in allowed]
    if unknown:
        raise InputError(
            f"{what} given with the unknown key {shown(unknown[0])}; allowed: {', '.join(allowed)}."
        )
    return dict(document)


def decode(document: object, sort: object, depth: int = 1) -> Any:
    """A strategy of a ``sort``, such as :class:`.Lens`, out of ``{"kind": …, field: …}``.

    Nested at most :data:`MOST_NESTED` deep.
    """
    kinds = STRATEGIES[sort]
    what = kinds.sort
    if depth > MOST_NESTED:
        raise InputError(f"The {what} is nested more than {MOST_NESTED} deep.")
    if not isinstance(document, Mapping):
        raise InputError(f"The {what} is {shown(document)}; expected one of {', '.join(kinds)}.")
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"There is no {what} of kind {shown(kind)}; expected one of {', '.join(kinds)}.")
    cls = kinds[kind]
    names = tuple(f.name for f in fields(cast(Any, cls)))
    values = mapping(document, f"The {what} {kind!r} is", ("kind", *names))
    del values["kind"]
    made = converted(cls, values, f"The {what} {kind!r}", depth)
    try:
        return cls(**made)
    except (TypeError, AttributeError) as error:
        raise InputError(
            f"The {what} {kind!r} cannot be used: a value is missing or of the wrong type."
        ) from error


for _kinds in STRATEGIES.values():
    for _class in _kinds.values():
        check_fields(_class)
