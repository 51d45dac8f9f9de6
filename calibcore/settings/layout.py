"""Where an object of a document has what stands in its class, and what it says of itself."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from functools import cache, cached_property
from typing import Any, cast, get_type_hints

SCHEMA = 1
"""The version of the schemas."""


def headed(name: str) -> dict[str, Any]:
    """What a document says of itself first: its schema's version and name."""
    return {"schema": SCHEMA, "document": name}


@dataclass(frozen=True)
class Part:
    """A field or a property of a class, and where it stands.

    kind : its annotation; optional : left out where there is none; spread : its keys stand among the others
    needed : whether every document has it
    """

    attribute: str
    path: tuple[str, ...]
    kind: Any
    optional: bool = False
    spread: bool = False
    needed: bool = True


@dataclass(frozen=True)
class Layout:
    """How an object stands in a document, as its class says by attributes of these names.

    HEAD : what it says of itself, ``headed("survey")``
    KEYS : the fields and properties that are written, in order; all fields if nothing is said
    DATA : of a result, what the cases are: these fields stand in "data", behind the settings
    READ : fields that are read although they are not written: a property among KEYS stands for them
    NAMES : field or property -> its name, where that is another; with dots further in: "data.n"
    LATER : fields that documents of earlier versions do not have, where they are None
    OPTIONAL : fields that are left out where there are none
    UNTOLD : fields that some documents do not tell
    SPREAD : fields whose own keys stand among the others
    WITHHELD : the keys that are null where such a field is None; all of its class if nothing is said
    """

    cls: Any
    head: Mapping[str, Any]
    keys: tuple[str, ...]
    renamed: Mapping[str, str]
    also_read: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()
    null_keys: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()

    @classmethod
    @cache
    def of(cls, kind: Any) -> "Layout":
        """As the class says."""
        data = getattr(kind, "DATA", ())
        first = ("spec", *data) if data else ()
        keys = getattr(kind, "KEYS", ()) or tuple(f.name for f in fields(kind))
        keys = (*first, *(key for key in keys if key not in first))
        names = {name: f"data.{name}" for name in data} | getattr(kind, "NAMES", {})
        names_of = ("READ", "LATER", "OPTIONAL", "SPREAD", "WITHHELD", "UNTOLD")
        more = (getattr(kind, name, ()) for name in names_of)
        return cls(kind, getattr(kind, "HEAD", {}), keys, names, *more)

    def path(self, attribute: str) -> tuple[str, ...]:
        """Where it stands; nowhere of its own where its keys stand among the others."""
        return () if attribute in self.spread else tuple(self.renamed.get(attribute, attribute).split("."))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The keys that may stand in it."""
        paths = map(self.path, (*self.keys, *self.also_read))
        return tuple(dict.fromkeys((*self.head, *(path[0] for path in paths if path))))

    @cached_property
    def read(self) -> tuple["Field[Any]", ...]:
        """The fields that are read."""
        return tuple(f for f in fields(self.cls) if f.name in (*self.keys, *self.also_read))

    @property
    def withheld(self) -> tuple[str, ...]:
        """The keys that are null where this is one of :attr:`spread`, and None."""
        return self.null_keys or self.names

    @property
    def must(self) -> tuple[str, ...]:
        """Of what it says of itself: documents of earlier versions do not say their name."""
        return tuple(key for key in self.head if key == "schema")

    @cached_property
    def _inside(self) -> dict[str, tuple[str, ...]]:
        """Field -> keys within it that are other fields."""
        paths = {f.name: self.path(f.name) for f in self.read}
        inner = {
            name: tuple(p[len(path)] for p in paths.values() if len(p) > len(path) and p[: len(path)] == path)
            for name, path in paths.items()
            if path
        }
        return {name: inner for name, inner in inner.items() if inner}

    def inside(self, field: str) -> tuple[str, ...]:
        """Keys within a field's object that are other fields."""
        return self._inside.get(field, ())

    @cached_property
    def written(self) -> tuple[Part, ...]:
        """What is written, in order."""
        kinds = {f.name: f.type for f in fields(self.cls)}
        return tuple(
            Part(
                name,
                self.path(name),
                kinds[name] if name in kinds else _returned(self.cls, name),
                name in self.optional,
                name in self.spread,
                name not in (*self.optional, *self.untold),
            )
            for name in self.keys
        )


def _returned(cls: Any, name: str) -> Any:
    """The annotation of what a property returns."""
    attribute = getattr(cls, name)
    getter = cast(Any, attribute).func if isinstance(attribute, cached_property) else attribute.fget
    return get_type_hints(getter, include_extras=True)["return"]
