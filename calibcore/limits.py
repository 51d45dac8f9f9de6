"""Configuration, read once from the environment. Nothing else reads it.

Every variable begins with ``CALIBLENS_``; the README's table is checked against
:data:`VARIABLES` by a test.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

VERSION = "0.1.0"
PREFIX = "CALIBLENS_"
DATA, DATABASE = PREFIX + "DATA", "DATABASE_URL"


def _usable_cores() -> int:
    """Cores this process may use (a container may be granted fewer than there are)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Limits:
    """What this process may use. All numbers are at least 1."""

    threads: int = 0
    """Threads for one computation; 0 stands for the cores this process may use."""
    jobs: int = 2
    """Computations that run at once in the app; more wait in line."""
    max_rows: int = 2_000_000
    """Cases in one file."""
    max_classes: int = 1_000
    """Classes in one file."""
    max_unpacked_mb: int = 2_000
    """Megabytes that a compressed file may declare to unpack to."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Limits":
        """Limits from ``CALIBLENS_THREADS`` and so on; a value that is no number is an error."""
        values: dict[str, int] = {}
        for field in fields(cls):
            name = PREFIX + field.name.upper()
            text = environment.get(name, "").strip()
            if not text:
                continue
            least = 0 if field.name == "threads" else 1
            if not text.isdecimal() or int(text) < least:
                raise ValueError(f"{name} is {text!r}; expected a whole number from {least} up.")
            values[field.name] = int(text)
        limits = cls(**values)
        return limits if limits.threads else cls(**{**values, "threads": _usable_cores()})


VARIABLES = (*(PREFIX + field.name.upper() for field in fields(Limits)), DATA, DATABASE)
LIMITS = Limits.from_environment(os.environ)


@dataclass(frozen=True)
class Storage:
    """Where shared reports are kept: the database if one is named, else SQLite in the folder."""

    database_url: str
    folder: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Storage":
        """From ``DATABASE_URL`` and ``CALIBLENS_DATA``; without, ``/data`` if it can be written, else the
        user's own folder for data."""
        folder = Path("/data")
        if named := environment.get(DATA, "").strip():
            folder = Path(named)
        elif not os.access(folder, os.W_OK):
            home = environment.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
            folder = Path(home) / "caliblens"
        return cls(environment.get(DATABASE, "").strip(), folder)


STORAGE = Storage.from_environment(os.environ)


def asset_path(*parts: str) -> Path:
    """A file under ``assets``: beside the package in a checkout, inside it when installed."""
    here = Path(__file__).parent
    inside = here / "assets"
    return (inside if inside.is_dir() else here.parent / "assets").joinpath(*parts)
