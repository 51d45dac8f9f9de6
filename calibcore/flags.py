"""How a field of settings is typed on the command line, said once, at the field.

``seed: int = typed(0, "of all randomness: 0", metavar="N")``. From it follow the flags of commands, what
their words are read as, and the command that repeats a result. Of a field that is itself an object with
flags, such as a kernel, the flags of its fields come after its own.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from calibcore.errors import InputError

NONE = "none"
"""What is typed for no value, and for an empty list."""
_YES_OR_NO = ("yes", "no")
_KEY = "flag"
"""Of a field's metadata."""
T = TypeVar("T")


def in_words(value: object) -> str:
    """A value as most are typed: parts of a list between commas, numbers in full."""
    if isinstance(value, bool):
        return _YES_OR_NO[not value]
    if isinstance(value, tuple):
        return ",".join(map(in_words, value)) or NONE
    return repr(float(value)) if isinstance(value, float) else NONE if value is None else str(value)


def names_from_list(words: str) -> tuple[str, ...]:
    """Names between commas, or ``none``."""
    names = [part.strip() for part in words.split(",")]
    return () if names == [NONE] else tuple(filter(None, names))


def numbers_from_list(words: str, what: str, expected: str, many: int | None = None) -> tuple[float, ...]:
    """Numbers between commas, so ``many`` of them if that is said.

    Raises
    ------
    InputError : a sentence that begins with ``what``: "The interval is".
    """
    try:
        numbers = tuple(float(part) for part in words.split(","))
    except ValueError:
        numbers = ()
    if not numbers or (many is not None and len(numbers) != many):
        raise InputError(f"{what} {words!r:.60}; expected {expected}.")
    return numbers


def can_be_typed(word: str) -> bool:
    """Whether a shell takes it: no zero byte, no half of a character."""
    try:
        return b"\0" not in word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False


@dataclass(frozen=True)
class Flag:
    """How a field is typed.

    Attributes
    ----------
    help : what ``--help`` says of it
    metavar : what stands there for its value
    choices : the words there are; any, if none are named
    offers : some words of others that may be typed, for a shell to complete
    read : word -> value; None: as the annotation says, where whole numbers, numbers, yes and no are known
    words : value -> word
    attribute : what of the value is typed, where that is not all of it: ``kind``
    name : of the flag, where it is another than the field's
    group : where ``--help`` lists it: among the usual ones, as the last of them, among those that most people
        leave alone, or apart, where commands take it each in their own way and add it themselves
    after : the field that it stands behind in a command, where that is not the one before it
    listed_after : the same of ``--help``
    """

    help: str = ""
    metavar: str | None = None
    choices: Collection[Any] = ()
    offers: Collection[str] = ()
    read: Callable[[str], Any] | None = None
    words: Callable[[Any], str] = in_words
    attribute: str = ""
    name: str = ""
    group: Literal["usual", "rare", "last", "apart"] = "usual"
    after: str = ""
    listed_after: str = ""


def typed(default: T, help: str = "", **more: Any) -> T:
    """A field of a dataclass with its default and its :class:`Flag`, of which ``more`` says more."""
    return field(default=default, metadata={_KEY: Flag(help, **more)})


@dataclass(frozen=True)
class Entry:
    """A field with its flag; ``path`` leads to what is typed, from the settings on."""

    path: tuple[str, ...]
    field: str
    kind: Any
    flag: Flag

    @property
    def option(self) -> str:
        """The flag: ``--bin-adjustment``."""
        return f"--{(self.flag.name or self.field).replace('_', '-')}"

    @property
    def dest(self) -> str:
        """Where argparse puts its word."""
        return self.option.removeprefix("--").replace("-", "_")

    @property
    def switch(self) -> bool:
        """Whether it has no value: ``--shuffle``."""
        return self.kind is bool

    @property
    def choices(self) -> list[Any] | None:
        """The words there are; None: any."""
        if self.flag.choices:
            return list(self.flag.choices)
        return list(_YES_OR_NO) if self._parts == {bool, NoneType} else None

    @property
    def type(self) -> Callable[[str], Any] | None:
        """What argparse makes a number of its word with; None: it stays a word."""
        numbers = [kind for kind in (int, float) if self._parts - {NoneType} == {kind}]
        return numbers[0] if numbers and self.flag.read is None else None

    @property
    def _parts(self) -> set[Any]:
        parts = get_args(self.kind) if get_origin(self.kind) in (Union, UnionType) else (self.kind,)
        return {get_args(part)[0] if get_origin(part) is Annotated else part for part in parts}

    def read(self, given: Any) -> Any:
        """The value of what argparse gives.

        Raises
        ------
        InputError : a word that is none of this flag's.
        """
        if self.flag.read is not None:
            return self.flag.read(given)
        return given == _YES_OR_NO[0] if self._parts == {bool, NoneType} else given

    def value(self, settings: Any) -> Any:
        """What ``settings`` say there."""
        for name in self.path:
            settings = getattr(settings, name)
        return settings


@cache
def entries(cls: Any) -> tuple[Entry, ...]:
    """The fields of a dataclass with their flags, in order; :class:`TypeError` for one without."""
    made = []
    for f in fields(cls):
        flag = f.metadata.get(_KEY)
        if not isinstance(flag, Flag):
            raise TypeError(f"{cls.__name__}.{f.name} has no flag; say it by calibcore.flags.typed.")
        made.append(Entry((f.name, *filter(None, [flag.attribute])), f.name, f.type, flag))
    return tuple(made)


@cache
def as_typed(cls: Any) -> tuple[Entry, ...]:
    """The flags in the order of a command, with those of the objects in its fields."""
    made: list[Entry] = []
    for entry in entries(cls):
        made.append(entry)
        if is_dataclass(entry.kind) and any(_KEY in f.metadata for f in fields(entry.kind)):
            inner = as_typed(cast(Any, entry.kind))
            made += [Entry((entry.field, *each.path), each.field, each.kind, each.flag) for each in inner]
    return _moved(made, [entry.flag.after for entry in made])


@cache
def as_listed(cls: Any) -> tuple[Entry, ...]:
    """The same in the order of ``--help``."""
    made = as_typed(cls)
    return _moved(made, [entry.flag.listed_after for entry in made])


def _moved(made: Sequence[Entry], behind: Sequence[str]) -> tuple[Entry, ...]:
    order = list(made)
    for entry, name in zip(made, behind, strict=True):
        if name:
            order.remove(entry)
            order.insert([each.field for each in order].index(name) + 1, entry)
    return tuple(order)
