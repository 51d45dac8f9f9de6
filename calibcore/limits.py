"""Configuration, read once from the environment. Nothing else reads it.

:data:`LIMITS` and :data:`SERVER` are read when they are first asked for: the library can be imported whatever
the environment says. Programs call :func:`check_or_exit` before anything else.

Every variable is in the table of docs/server.md, which a test checks against :data:`VARIABLES`.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

VERSION = "1.0.0"
PREFIX = "CALIBLENS_"
DATABASE = "DATABASE_URL"
"""The one variable without our prefix: it is called so everywhere."""
_FILES = PREFIX + "FILES"
"""No setting: how ``caliblens app FILE …`` hands files on to the server that it starts."""


_HANDED = PREFIX + "HANDED"
"""No setting either: how ``calibcore.show`` tells its server that predictions come by its input."""


def _variable(setting: str) -> str:
    """What it is called in the environment."""
    return DATABASE if setting == "database_url" else PREFIX + setting.upper()


class SettingError(ValueError):
    """A variable of the environment holds what it cannot; the message names it and what was expected."""


SECRETS = ("database_url", "oidc_client_secret", "cookie_secret", "token")
"""Settings that may stand in a file, named by the variable with ``_FILE``: as secrets of containers do."""
MOST_SECRET = 65_536
"""Bytes of such a file."""


def secret(setting: str, environment: Mapping[str, str]) -> str:
    """A setting of :data:`SECRETS`, out of its variable or of the file that ``…_FILE`` names; empty: neither.

    Raises
    ------
    SettingError : both are given; a file that cannot be read, is empty, or holds more than one line.
    """
    name = _variable(setting)
    text, path = environment.get(name, "").strip(), environment.get(f"{name}_FILE", "").strip()
    if not path:
        return text
    if text:
        raise SettingError(f"{name} and {name}_FILE are both given; expected one of them.")
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_SECRET + 1).decode("utf-8").strip()
    except OSError as error:
        why = (error.strerror or "an error").lower()
        raise SettingError(f"{name}_FILE names {path!r}, which cannot be read: {why}.") from None
    except UnicodeDecodeError:
        raise SettingError(f"{name}_FILE names {path!r}, which holds no text.") from None
    if not content or len(content.split()) > 1 or len(content) > MOST_SECRET:
        raise SettingError(f"{name}_FILE names {path!r}; expected a file of one word, which is the secret.")
    return content


def _usable_cores() -> int:
    """Cores this process may use (a container may be granted fewer than there are)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


SHARES = {"max_unpacked_mb": 12, "uploads_mb": 4, "visitor_uploads_mb": 6}
"""By default such a part of the memory, where that is less. Of 2 GB the server itself takes 0.5, reading the
largest file 0.6 to 1.1 for seconds. Should memory run out all the same, the reading ends and nothing else."""
CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where a container says how much memory it was granted: version 2, version 1."""


def _usable_megabytes() -> float:
    """Memory this process may use, which a container may be granted less of than there is."""
    amounts = [float("inf")]
    if hasattr(os, "sysconf"):
        amounts.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in CGROUPS:
        text = path.read_text().strip() if path.is_file() else ""
        amounts += [int(text)] if text.isdecimal() else []  # "max" is no limit
    return min(amounts) / 1e6


@dataclass(frozen=True)
class Limits:
    """What this process may use, and how long things are kept. All numbers are at least 1."""

    threads: int = 0
    """Threads for one computation; 0 stands for the cores this process may use."""
    jobs: int = 2
    """Computations that run at once in the app; more wait in line."""
    most_waiting: int = 50
    """Computations that may wait in line; more are refused."""
    job_seconds: int = 3_600
    """Seconds after which a computation is stopped."""
    read_seconds: int = 120
    """Seconds after which the reading of a file is stopped in the app."""
    uploads_mb: int = 4_000
    """Megabytes of files and of what was read from them that the app holds for everybody; by default a
    quarter of the memory if that is less."""
    visitor_uploads_mb: int = 2_000
    """The same for one visitor: a person who signed in, else an address; by default a sixth of the memory."""
    max_rows: int = 2_000_000
    """Cases in one file."""
    max_classes: int = 1_000
    """Classes in one file."""
    max_unpacked_mb: int = 2_000
    """Megabytes that a file may have, or unpack to; by default a twelfth of the memory if that is less.
    Reading takes so many times as much: CSV 3.2 (with many texts 5.8), NPZ 4.9, Parquet 6.6, JSON 4."""
    workspace_minutes: int = 15
    """Minutes that the work of a closed tab is held in memory."""
    store_mb: int = 2_000
    """Megabytes of shared reports; more are refused until some have expired or were taken back."""
    share_days: int = 30
    """Days that a shared report is kept unless its author says otherwise."""
    max_share_days: int = 365
    """Days that an author may ask for."""
    api_per_minute: int = 120
    """Questions that one program may ask in a minute over HTTP."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Limits":
        """Limits from ``CALIBLENS_THREADS`` and so on; a value that is no number is a
        :class:`SettingError`."""
        memory = _usable_megabytes()
        values = {name: max(1, int(min(getattr(cls, name), memory / n))) for name, n in SHARES.items()}
        for field in fields(cls):
            name = _variable(field.name)
            if text := environment.get(name, "").strip():
                values[field.name] = _integer(name, text, 0 if field.name == "threads" else 1)
        limits = cls(**values)
        if limits.share_days > limits.max_share_days:
            raise SettingError(
                f"{PREFIX}SHARE_DAYS is {limits.share_days}; expected at most {PREFIX}MAX_SHARE_DAYS, "
                f"{limits.max_share_days}."
            )
        return limits if limits.threads else cls(**{**values, "threads": _usable_cores()})


@dataclass(frozen=True)
class Server:
    """Where the server keeps what is shared, how it is reached, and who may come in."""

    data: Path = Path("/data")
    """Folder of the store; if not named, /data where it can be written, else the user's folder for data."""
    database_url: str = ""
    """PostgreSQL in place of SQLite in that folder."""
    base_url: str = ""
    """How people reach the server, ``https://caliblens.example.org``; empty: as their browser says."""
    public_sharing: bool = False
    """Whether links to reports open without sign-in, where there is one."""
    proxies: int = 0
    """Reverse proxies in front whose X-Forwarded-For is believed."""
    oidc_metadata_url: str = ""
    """The sign-in's ``…/.well-known/openid-configuration``; empty: nobody signs in."""
    oidc_client_id: str = ""
    oidc_client_secret: str = ""
    cookie_secret: str = ""
    """Signs the cookie of who is signed in."""
    log: str = "json"
    """A line of the log is one JSON object, or "text"."""
    cluster: str = ""
    """Scheduler of dask.distributed that takes long work, ``tcp://…`` or ``tls://…``; empty: none does."""
    metrics: bool = False
    """Whether /metrics says how much there is to do, for Prometheus."""
    api: bool = True
    """Whether programs may ask over HTTP, at ``/api/v1``."""
    admin_claim: str = ""
    """``NAME=VALUE``: who has this claim of the sign-in sees the page Admin; empty: nobody does."""
    token: str = ""
    """No setting of a server: the token that a command says to the one that ``--server`` names."""

    @property
    def signs_in(self) -> bool:
        """Whether people sign in."""
        return bool(self.oidc_metadata_url)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Server":
        """From ``CALIBLENS_DATA`` and so on, and ``DATABASE_URL``.

        Half a sign-in is a :class:`SettingError`.
        """
        text = {f.name: environment.get(_variable(f.name), "").strip() for f in fields(cls)}
        text |= {setting: secret(setting, environment) for setting in SECRETS}
        values: dict[str, Any] = text | {
            "data": Path(text["data"]) if text["data"] else _folder(environment),
            "base_url": text["base_url"].rstrip("/"),
            "public_sharing": _yes(PREFIX + "PUBLIC_SHARING", text["public_sharing"]),
            "api": _yes(PREFIX + "API", text["api"] or "yes"),
            "proxies": _integer(PREFIX + "PROXIES", text["proxies"] or "0", 0),
            "log": text["log"] or "json",
            "metrics": _yes(PREFIX + "METRICS", text["metrics"]),
        }
        limits = cls(**values)
        if limits.log not in ("json", "text"):
            raise SettingError(f"{PREFIX}LOG is {limits.log!r}; expected json or text.")
        if limits.base_url and not limits.base_url.startswith(("http://", "https://")):
            raise SettingError(f"{PREFIX}BASE_URL is {limits.base_url!r}; expected https://… or http://….")
        if limits.cluster and not limits.cluster.startswith(("tcp://", "tls://")):
            raise SettingError(f"{PREFIX}CLUSTER is {limits.cluster!r}; expected tcp://… or tls://….")
        given = [bool(text[name]) for name in SIGN_IN] + [bool(limits.base_url)]
        if any(given[:-1]) and not all(given):
            names = ", ".join(map(_variable, (*SIGN_IN, "base_url")))
            raise SettingError(f"Sign-in needs all of {names}.")
        if claim := limits.admin_claim:
            name, _, value = claim.partition("=")
            if not name.strip() or not value.strip():
                raise SettingError(
                    f"{PREFIX}ADMIN_CLAIM is {claim!r}; expected NAME=VALUE, as groups=admins."
                )
            if not limits.signs_in:
                raise SettingError(
                    f"{PREFIX}ADMIN_CLAIM needs sign-in: {_variable(SIGN_IN[0])} and what it needs."
                )
        return limits


SIGN_IN = ("oidc_metadata_url", "oidc_client_id", "oidc_client_secret", "cookie_secret")


def _integer(name: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < least:
        raise SettingError(f"{name} is {text!r}; expected a whole number from {least} up.")
    return int(text)


def _yes(name: str, text: str) -> bool:
    if text.lower() not in ("", "yes", "no"):
        raise SettingError(f"{name} is {text!r}; expected yes or no.")
    return text.lower() == "yes"


def _folder(environment: Mapping[str, str]) -> Path:
    if os.access("/data", os.W_OK):
        return Path("/data")
    home = environment.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "caliblens"


VARIABLES = tuple(_variable(field.name) for field in (*fields(Limits), *fields(Server)))
LIMITS: Limits
"""What this process may use, out of its environment; :class:`SettingError` where that is wrong."""
SERVER: Server
"""The server's settings, in the same way."""
_READ = {"LIMITS": Limits.from_environment, "SERVER": Server.from_environment}


def __getattr__(name: str) -> Any:
    if name not in _READ:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = _READ[name](os.environ)
    return value


def check_or_exit() -> None:
    """For programs, before anything else: read all variables.

    What is wrong is one sentence on stderr and exit code 2, as any other bad input.
    """
    try:
        for name in _READ:
            getattr(sys.modules[__name__], name)
    except SettingError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def environment_of_app(files: Iterable[Path], handed: bool = False) -> dict[str, str]:
    """Of the server that ``caliblens app`` starts, in another folder: a log for people, unless asked for
    otherwise. ``handed``: predictions come by its standard input."""
    ours = {
        _HANDED: "yes" if handed else "",
        _FILES: json.dumps([str(path.absolute()) for path in files]),
        PREFIX + "DATA": str(Server.from_environment(os.environ).data.absolute()),
        PREFIX + "LOG": os.environ.get(PREFIX + "LOG", "").strip() or "text",
    }
    return {**os.environ, **ours}


def for_one_person() -> bool:
    """Whether ``caliblens app`` started this process."""
    return _FILES in os.environ


def files_at_start() -> tuple[Path, ...]:
    """The files that ``caliblens app`` was given, in this process that it started."""
    return tuple(map(Path, json.loads(os.environ.get(_FILES, "[]"))))


def handed_from_python() -> bool:
    """Whether ``calibcore.show`` started this process."""
    return bool(os.environ.get(_HANDED))


def app_path() -> Path:
    """What Streamlit runs: at the top of a checkout, inside the package when installed."""
    here = Path(__file__).parent
    inside = here / "app" / "app.py"
    return inside if inside.is_file() else here.parent / "app.py"


def asset_path(*parts: str) -> Path:
    """A file under ``assets``: beside the package in a checkout, inside it when installed."""
    here = Path(__file__).parent
    inside = here / "assets"
    return (inside if inside.is_dir() else here.parent / "assets").joinpath(*parts)
