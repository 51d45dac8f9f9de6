"""Values of JSON as annotations say: strategy objects, settings, results. Whatever does not fit is refused.

What a field may hold is read off its annotation, once: :func:`reader_of` refuses an annotation that is not
known here, so that no field is passed on unchecked. Bounds and lengths stand in ``Annotated``, see
:mod:`calibcore.bounds`. How fields must agree is said by a method ``check_agreement`` of their class, which
raises :class:`.InputError`.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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

from calibcore.bounds import (
    MOST_COUNT,
    MOST_NUMBER,
    MOST_TEXT,
    As,
    Holds,
    Length,
    NullIs,
    OneOf,
    Shape,
    Within,
)
from calibcore.data.checks import shown
from calibcore.diagram.binning import BINNINGS, Binning
from calibcore.errors import InputError
from calibcore.kernels import KERNELS, Kernel
from calibcore.strategies import Strategies
from calibcore.transforms.lenses import LENSES, Lens
from calibcore.transforms.nulls import NULLS, Null

STRATEGIES: dict[object, Strategies] = {Lens: LENSES, Binning: BINNINGS, Kernel: KERNELS, Null: NULLS}
"""Annotation of a field that holds a strategy -> its kinds."""
MOST_NESTED = 10
MOST_SHOWN = 20
_HALF = re.compile("[\ud800-\udfff]")
SLACK = 1e-9
"""Numbers may lie so far outside their bounds, as sums of floats do."""

Reader = Callable[[Any, int], Any]
"""``read(value, depth)``: the value as its annotation says, strategies nested ``depth`` deep already."""
Key = str | int
T = TypeVar("T")


class FieldError(InputError):
    """A field is not what it should be.

    path : where it stands, from the outside in; of it the last ``own`` keys stand within ``what``
    said : what is wrong with it: "is 'x'; expected a whole number"
    """

    def __init__(self, said: str, path: tuple[Key, ...] = (), what: str = "", own: int | None = None) -> None:
        self.said, self.path, self.what = said, path, what
        self.own = len(path) if own is None else own
        start = f"{what} cannot be used: " if what else "The field "
        super().__init__(f"{start}{_written(path[len(path) - self.own :])} {said}.")

    def inside(self, key: Key) -> "FieldError":
        """The same, further in."""
        own = self.own if self.what else self.own + 1
        return FieldError(self.said, (key, *self.path), self.what, own)

    def of(self, what: str) -> "FieldError":
        """The same of a document, with the whole path."""
        return FieldError(self.said, self.path, what)

    def __reduce__(self) -> tuple[Any, ...]:
        return FieldError, (self.said, self.path, self.what, self.own)


def _written(path: tuple[Key, ...]) -> str:
    words = ""
    for key in path:
        words += f"[{key}]" if isinstance(key, int) else f".{shown(key)[1:-1]}" if words else shown(key)[1:-1]
    return words or "it"


def misfit(value: object, expected: str) -> FieldError:
    """A value that is not what was ``expected``."""
    return FieldError(f"is {_found(value)}; expected {expected}")


def _found(value: object) -> str:
    if isinstance(value, list | tuple) and (len(value) > MOST_SHOWN or any(map(_long, value))):
        return f"a list of {len(value):,}"
    return "an object" if isinstance(value, Mapping) else shown(value)


def _long(value: object) -> bool:
    return isinstance(value, list | tuple | Mapping)


@contextmanager
def inside(*keys: Key) -> Iterator[None]:
    """What is wrong in here is wrong at this place of the document."""
    try:
        yield
    except InputError as error:
        raise at(error, *keys) from None


def at(error: InputError, *keys: Key) -> FieldError:
    """The error at a place of a document, the outermost key first."""
    found = (
        error
        if isinstance(error, FieldError)
        else FieldError(f"cannot be used: {str(error).removesuffix('.')}")
    )
    for key in reversed(keys):
        found = found.inside(key)
    return found


def as_object(value: object) -> Mapping[str, Any]:
    """An object of JSON. Raises :class:`InputError` for anything else."""
    if not isinstance(value, Mapping):
        raise misfit(value, "an object")
    return value


def read(value: object, kind: Any, depth: int = 0) -> Any:
    """A value of JSON as the annotation ``kind`` says, lists as tuples; objects may be made already.

    Raises
    ------
    InputError : names the field by its path, what was found there, and what was expected.
    """
    return reader_of(cast(Any, kind))(value, depth)


def check_fields(cls: type) -> None:
    """Raises :class:`TypeError` for a dataclass with a field whose annotation is not known here."""
    for f in fields(cast(Any, cls)):
        try:
            reader_of(cast(Any, f.type))
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{f.name}: {error}") from None


@cache
def reader_of(kind: Any) -> Reader:
    """What reads a value of that annotation. Raises :class:`TypeError` for one that is not known here."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _marked(parts[0], parts[1:])
    if kind in STRATEGIES:
        return _strategy(kind)
    if kind in _SCALARS:
        return _scalar(kind, (), _SCALARS[kind])
    if origin in (Union, UnionType):
        return _either(kind, parts)
    if origin is Literal:
        return _literal(parts)
    if origin is np.ndarray:
        return _array(kind, Shape("n"), ())
    if origin in (tuple, list, frozenset) and parts:
        return _fixed(kind, parts) if origin is tuple and Ellipsis not in parts else _list(kind, ())
    if origin is Mapping:
        return _mapping(parts, ())
    if origin is NotRequired:
        return reader_of(parts[0])
    if is_typeddict(kind):
        return _typed_dict(kind)
    if isinstance(kind, type) and (hasattr(kind, "from_document") or is_dataclass(kind)):
        return _object(kind)
    raise TypeError(f"an annotation that documents cannot have: {kind}")


def expected(kind: Any, within: bool = False) -> str:
    """What is expected, in words; within a list as JSON is written: ``[[text, [text, …]], …]``."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        words = expected(parts[0], within)
        bounds = [mark for mark in parts[1:] if isinstance(mark, Within)]
        nulls = [mark for mark in parts[1:] if isinstance(mark, NullIs)]
        return " ".join(filter(None, [words, *map(_bounds, bounds)])) + " or null" * bool(nulls)
    if kind in STRATEGIES:
        kinds = STRATEGIES[kind]
        return f"a {kinds.sort}, one of {', '.join(kinds)}"
    if kind in _SCALARS:
        words = _SCALARS[kind]
        return words.removeprefix("a ") if within else words
    if origin in (Union, UnionType):
        return " or ".join(expected(part, within) for part in parts)
    if origin is tuple and parts:
        each = ["…" if part is Ellipsis else expected(part, within=True) for part in parts]
        return f"[{', '.join(each)}]"
    if origin in (list, frozenset, np.ndarray):
        return "a list"
    if origin is Literal:
        return f"one of {', '.join(map(shown, parts))}"
    return "an object"


def _bounds(mark: Within) -> str:
    least, most = _plain(mark.least), _plain(mark.most)
    if mark.most == math.inf:
        return "" if mark.least == -math.inf else f"from {least} up"
    if mark.strict:
        return f"above {least}, {most} at most"
    return f"from {least} to {most}"


def _plain(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


_SCALARS: dict[object, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "text",
    NoneType: "null",
}
"""Annotation -> what JSON may hold there, in words."""


def _scalar(kind: Any, marks: tuple[Any, ...], words: str) -> Reader:
    if kind is str and (one_of := _mark(marks, OneOf, None)) is not None:
        return _literal(one_of.words)
    if kind is str:
        length = _mark(marks, Length, Length(0, MOST_TEXT))

        def read_text(value: Any, _depth: int) -> Any:
            if not isinstance(value, str):
                raise misfit(value, words)
            if not length.least <= len(value) <= length.most:
                raise FieldError(
                    f"has {len(value):,} characters; expected {length.least:,} to {length.most:,}"
                )
            if _HALF.search(value):
                raise FieldError("holds half of a pair of characters; expected text")
            return value

        return read_text
    if kind in (bool, NoneType):

        def read_plain(value: Any, _depth: int) -> Any:
            if not isinstance(value, kind):
                raise misfit(value, words)
            return value

        return read_plain
    number = _fits(kind, marks)
    null = _mark(marks, NullIs, None)
    words = expected(Annotated[kind, *marks]) if marks else words
    most = MOST_COUNT if kind is int else MOST_NUMBER
    too_large = words if _mark(marks, Within, None) else f"{words} {_bounds(Within(-most, most))}"

    def read_number(value: Any, _depth: int) -> Any:
        if value is None and null is not None:
            return null.value
        if not number(value):
            whole = isinstance(value, int) and not isinstance(value, bool)
            large = whole or (kind is float and isinstance(value, float) and math.isfinite(value))
            raise misfit(value, too_large if large else words)
        return value

    return read_number


def _fits(kind: Any, marks: tuple[Any, ...]) -> Callable[[Any], bool]:
    """Whether a value is such a number, within its bounds or those of all numbers. NaN lies in none."""
    most = MOST_COUNT if kind is int else MOST_NUMBER
    bounds = _mark(marks, Within, Within(-most, most))
    slack = SLACK if kind is float and not bounds.strict else 0
    low, high, strict = bounds.least - slack, bounds.most + slack, bounds.strict

    def fits(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int if kind is int else int | float):
            return False
        return bool(low <= value <= high and not (strict and value == low))

    return fits


def _mark(marks: Sequence[Any], kind: type, instead: Any) -> Any:
    return next((mark for mark in marks if isinstance(mark, kind)), instead)


def _marked(kind: Any, marks: tuple[Any, ...]) -> Reader:
    """Of an annotation with bounds."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _marked(get_args(kind)[0], (*marks, *get_args(kind)[1:]))
    if (instead := _mark(marks, As, None)) is not None:
        return reader_of(instead.kind)
    if kind in _SCALARS:
        return _scalar(kind, marks, _SCALARS[kind])
    if origin is np.ndarray:
        return _array(kind, _mark(marks, Shape, Shape("n")), marks)
    if origin is Mapping:
        return _mapping(get_args(kind), marks)
    if origin in (tuple, list, frozenset):
        return _list(kind, marks)
    if origin in (Union, UnionType):
        return _either(kind, tuple(p if p is NoneType else Annotated[p, *marks] for p in get_args(kind)))
    return reader_of(kind)


def _strategy(kind: Any) -> Reader:
    def read_strategy(value: Any, depth: int) -> Any:
        kinds = STRATEGIES[kind]
        return value if type(value) in kinds.values() else decode(value, kind, depth + 1)

    return read_strategy


def _either(kind: Any, parts: tuple[Any, ...]) -> Reader:
    readers = [reader_of(part) for part in parts if part is not NoneType]
    null = NoneType in parts
    words = expected(kind)

    def read_either(value: Any, depth: int) -> Any:
        if value is None and null:
            return None
        if len(readers) == 1:
            return readers[0](value, depth)
        for each in readers:
            try:
                return each(value, depth)
            except FieldError:
                pass
        raise misfit(value, words)

    return read_either


def _literal(allowed: tuple[Any, ...]) -> Reader:
    words = f"one of {', '.join(map(shown, allowed))}"

    def read_literal(value: Any, _depth: int) -> Any:
        if not isinstance(value, str) or value not in allowed:
            raise misfit(value, words)
        return value

    return read_literal


def _fixed(kind: Any, parts: tuple[Any, ...]) -> Reader:
    """Of a list with so many entries, each of a kind of its own."""
    readers = [reader_of(part) for part in parts]
    words = expected(kind)

    def read_fixed(value: Any, depth: int) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            raise misfit(value, words)
        return tuple(_each(value, readers, depth))

    return read_fixed


def _list(kind: Any, marks: tuple[Any, ...]) -> Reader:
    made, part = cast(Any, get_origin(kind)), get_args(kind)[0]
    base = get_args(part)[0] if get_origin(part) is Annotated else part
    number = _fits(base, get_args(part)[1:]) if base in (int, float) else None
    reader = reader_of(part)
    length = _mark(marks, Length, Length())
    words = expected(kind)

    def read_list(value: Any, depth: int) -> Any:
        if not isinstance(value, list | tuple | made):
            raise misfit(value, words)
        _check_length(value, length)
        if number is not None and all(map(number, value)):
            return made(value)
        return made(_each(value, [reader] * len(value), depth))

    return read_list


def _each(value: Any, readers: Sequence[Reader], depth: int) -> list[Any]:
    made = []
    for i, (one, reader) in enumerate(zip(value, readers, strict=True)):
        try:
            made.append(reader(one, depth))
        except InputError as error:
            raise at(error, i) from None
    return made


def _check_length(value: Any, length: Length) -> None:
    if not length.least <= len(value) <= length.most:
        raise FieldError(f"has {len(value):,} entries; expected {length.least:,} to {length.most:,}")


def _array(kind: Any, shape: Shape, marks: tuple[Any, ...]) -> Reader:
    """Of numbers in as many dimensions as ``shape`` names."""
    dtype = get_args(get_args(kind)[1])[0]
    if dtype is np.bool_:
        base: Any = bool
    else:
        base = int if issubclass(dtype, np.integer) else float
    fits = _fits(base, marks) if base is not bool else lambda value: isinstance(value, bool)
    null = _mark(marks, NullIs, None)
    words = expected(Annotated[base, *marks]) if marks else _SCALARS[base]

    def row(value: Any, left: int) -> list[Any]:
        if not isinstance(value, list | tuple | np.ndarray):
            raise misfit(value, "a list")
        _check_length(value, Length())
        if left:
            rows = []
            for i, one in enumerate(value):
                try:
                    rows.append(row(one, left - 1))
                    if len(rows[i]) != len(rows[0]):
                        raise FieldError(f"has {len(rows[i]):,} entries; expected {len(rows[0]):,}")
                except FieldError as error:
                    raise at(error, i) from None
            return rows
        made = [null.value if one is None else one for one in value] if null is not None else value
        for i, one in enumerate(value):
            if not fits(one) and not (one is None and null is not None):
                raise at(misfit(one, words), i)
        return list(made)

    def read_array(value: Any, _depth: int) -> Any:
        if isinstance(value, np.ndarray):  # made already
            return value
        found = np.array(row(value, len(shape.dims) - 1), dtype)
        return found.reshape(found.shape + (0,) * (len(shape.dims) - found.ndim))

    return read_array


def _mapping(parts: tuple[Any, ...], marks: tuple[Any, ...]) -> Reader:
    """Keys that are no text stand in JSON beside their values: ``[[key, value], …]``."""
    key_reader, reader = (reader_of(part) for part in parts)
    must = _mark(marks, Holds, Holds()).keys
    length = _mark(marks, Length, Length())
    base = get_args(parts[0])[0] if get_origin(parts[0]) is Annotated else parts[0]
    pairs = base is not str

    def read_mapping(value: Any, depth: int) -> Any:
        if not isinstance(value, Mapping) and not (pairs and isinstance(value, list | tuple)):
            raise misfit(value, "a list of pairs" if pairs else "an object")
        _check_length(value, length)
        made: dict[Any, Any] = {}
        for i, pair in enumerate(value.items() if isinstance(value, Mapping) else value):
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise at(misfit(pair, "a pair"), i)
            key, one = pair
            with inside(i if pairs else shown(key)[1:-1]):
                key = key_reader(key, depth)
                if key in made:
                    raise FieldError(f"names {shown(key)} twice; expected it once")
                made[key] = reader(one, depth)
        for name in must:
            if name not in made:
                raise FieldError("is missing").inside(name)
        return made

    return read_mapping


def _typed_dict(kind: Any) -> Reader:
    readers = {name: reader_of(part) for name, part in get_type_hints(kind, include_extras=True).items()}

    def read_typed(value: Any, depth: int) -> Any:
        if not isinstance(value, Mapping):
            raise misfit(value, "an object")
        for name in kind.__required_keys__:
            if name not in value:
                raise FieldError("is missing").inside(name)
        for name in value:
            if name not in readers:
                raise FieldError(f"has the unknown key {shown(name)}; allowed: {', '.join(readers)}")
        made = {}
        for name, one in value.items():
            try:
                made[name] = readers[name](one, depth)
            except InputError as error:
                raise at(error, name) from None
        return made

    return read_typed


def _object(kind: Any) -> Reader:
    """Of a class: what its ``from_document`` makes, else of a dataclass, whose every field is there; some by
    other names, if the class says so by ``NAMES``."""
    names: Mapping[str, str] = getattr(kind, "NAMES", {})

    def read_object(value: Any, _depth: int) -> Any:
        if isinstance(value, kind):
            return value
        as_object(value)
        if hasattr(kind, "from_document"):
            return kind.from_document(value)
        allowed = [names.get(f.name, f.name) for f in fields(kind)]
        for name in value:
            if name not in allowed:
                raise FieldError(f"has the unknown key {shown(name)}; allowed: {', '.join(allowed)}")
        return from_entry(kind, value, names)

    return read_object


def from_entry(
    cls: Callable[..., T], entry: Any, names: Mapping[str, str] = {}, later: Sequence[str] = ()
) -> T:
    """A dataclass out of its fields as they stand in a document, some by other ``names``: a name with dots
    lies further in.

    What documents of earlier versions lack has its default, or is None where ``later`` names it. What else
    stands there is not read.

    Raises
    ------
    InputError : a field that is missing, does not fit its annotation, or does not agree with the others.
    """
    if not isinstance(entry, Mapping):
        raise misfit(entry, "an object")
    values: dict[str, Any] = {}
    dims: dict[str, tuple[int, str]] = {}
    for f in fields(cast(Any, cls)):
        path = names.get(f.name, f.name).split(".")
        there, value = _looked_up(entry, path)
        if not there:
            if f.name in later:
                values[f.name] = None
            elif f.default is f.default_factory is MISSING:
                raise at(FieldError("is missing"), *path)
            continue
        try:
            values[f.name] = reader_of(cast(Any, f.type))(value, 0)
            shape = _shape_of(cast(Any, f.type))
            if shape is not None and values[f.name] is not None:
                _check_shape(values[f.name], shape, dims, ".".join(path))
        except InputError as error:
            raise at(error, *path) from None
    made = cls(**values)
    if hasattr(made, "check_agreement"):
        made.check_agreement()
    return made


def _looked_up(entry: Mapping[str, Any], path: Sequence[str]) -> tuple[bool, Any]:
    value: Any = entry
    for i, name in enumerate(path):
        if not isinstance(value, Mapping):
            raise at(misfit(value, "an object"), *path[:i])
        if name not in value:
            return False, None
        value = value[name]
    return True, value


@cache
def _shape_of(kind: Any) -> Shape | None:
    if get_origin(kind) in (Union, UnionType):
        return next((s for part in get_args(kind) if (s := _shape_of(part)) is not None), None)
    return _mark(get_args(kind)[1:], Shape, None) if get_origin(kind) is Annotated else None


def _check_shape(value: Any, shape: Shape, dims: dict[str, tuple[int, str]], name: str) -> None:
    """Lengths of the same name are the same throughout an object."""
    sizes = []
    for _ in shape.dims:
        sizes.append(len(value))
        if not len(value):
            break
        if len({len(one) for one in value} if len(sizes) < len(shape.dims) else ()) > 1:
            raise FieldError("has rows of several lengths; expected one")
        value = value[0] if len(sizes) < len(shape.dims) else value
    for dim, size in zip(shape.dims, sizes, strict=False):
        most, first = dims.setdefault(dim, (size, name))
        if size != most:
            raise FieldError(f"has {size:,} {dim}; expected {most:,}, as {first} has")


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
                result[f.name] = reader_of(cast(Any, f.type))(values[f.name], depth)
            except FieldError as error:
                named = at(error, f.name)
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


def encode(value: Any) -> Any:
    """A strategy object -> ``{"kind": …, field: …}``; tuples -> lists; the rest as it is."""
    if hasattr(value, "kind"):
        names = [f.name for f in fields(value)]
        return {"kind": value.kind} | {name: encode(getattr(value, name)) for name in names}
    return [encode(v) for v in value] if isinstance(value, tuple) else value


def decode(document: object, sort: object, depth: int = 1) -> Any:
    """The inverse of :func:`encode` for a ``sort`` of strategy, such as :class:`.Lens`.

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
