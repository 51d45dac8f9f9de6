"""What is wrong with a field of a document, with the path to where it stands."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from calibcore.data.outside_text import shown
from calibcore.errors import InputError

MOST_SHOWN = 20
Key = str | int


class FieldError(InputError):
    """A field is not what it should be.

    path : where it stands, from the outside in; of it the last ``own`` keys stand within ``what``
    why : what is wrong with it: "is 'x'; expected a whole number"
    """

    def __init__(self, why: str, path: tuple[Key, ...] = (), what: str = "", own: int | None = None) -> None:
        self.why, self.path, self.what = why, path, what
        self.own = len(path) if own is None else own
        start = f"{what} cannot be used: " if what else "The field "
        super().__init__(f"{start}{_written(path[len(path) - self.own :])} {why}.")

    def inside(self, key: Key) -> "FieldError":
        """The same, further in."""
        own = self.own if self.what else self.own + 1
        return FieldError(self.why, (key, *self.path), self.what, own)

    def of(self, what: str) -> "FieldError":
        """The same of a document, with the whole path."""
        return FieldError(self.why, self.path, what)

    def __reduce__(self) -> tuple[Any, ...]:
        return FieldError, (self.why, self.path, self.what, self.own)


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
        raise placed(error, *keys) from None


def placed(error: InputError, *keys: Key) -> FieldError:
    """The error at a place of a document, the outermost key first."""
    placed_error = (
        error
        if isinstance(error, FieldError)
        else FieldError(f"cannot be used: {str(error).removesuffix('.')}")
    )
    for key in reversed(keys):
        placed_error = placed_error.inside(key)
    return placed_error


def as_object(value: object) -> Mapping[str, Any]:
    """An object of JSON. Raises :class:`InputError` for anything else."""
    if not isinstance(value, Mapping):
        raise misfit(value, "an object")
    return value
