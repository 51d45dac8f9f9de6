"""``--server URL``: what a command finds is found by a server, which answers as this machine would."""

import argparse
import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from calibcore import limits
from calibcore.cli.files import DISK
from calibcore.cli.flags import format_asked
from calibcore.cli.running import FOR_PROGRAMS, warn
from calibcore.data.outside_text import shown, spelled_out, visible
from calibcore.errors import InputError, Remedy
from calibcore.flags import entries
from calibcore.io import ReadOptions
from calibcore.numerics.progress import Progress
from calibcore.questions.plan import is_sketch
from calibcore.remote.fields import FORMS, JUNIT, sent_for
from calibcore.settings.text import parsed

VERSIONED = "api/v1"
SECONDS = 120.0
"""Without a byte from the server, until it counts as not reachable."""
ASKED_FOR = 10
"""Seconds that one look at a job waits for its end."""
TRIES, LONGEST_PAUSE = 5, 60
"""How often a server that is busy is asked, and the seconds between that are waited at most."""
MOST_BYTES = 500_000_000
"""Of an answer."""
MOST_VALUES = 5_000_000
BESIDE = ("remarks", "failed", "state", "files", "report")
"""What an answer has besides its document."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token and somebody's data go where they were sent, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """What the server found, as it would be printed here, and the exit code.

    Raises
    ------
    InputError : a server that cannot be reached or does not answer this; what it refuses.
    """
    words, files = sent_for(arguments)
    form = format_asked(arguments)
    words.append(("document", next(name for name, word in FORMS.items() if word == form)))
    answer = _Server(arguments.server).ask(arguments.command, words, files, progress)
    beside = {name: answer.pop(name, None) for name in BESIDE}
    _keep(arguments, beside)
    if form in FOR_PROGRAMS:
        warn("\n\n".join(visible(str(line)) for line in beside["remarks"] or ()))
        text = spelled_out(json.dumps(answer, ensure_ascii=False))
    else:
        text = "\n".join(map(visible, str(answer.get("text", "")).split("\n")))
    return text, int(beside["failed"] is True)


def _keep(arguments: argparse.Namespace, beside: Mapping[str, Any]) -> None:
    """Write what the command would have written."""
    if beside["state"] is not None and getattr(arguments, "state", None) is not None:
        text = json.dumps(beside["state"], ensure_ascii=False)
        try:
            DISK.write_whole(str(arguments.state), f"{text}\n".encode())
        except OSError as error:
            why = (error.strerror or "an error").lower()
            raise InputError(f"The state {shown(str(arguments.state))} cannot be written: {why}.") from None
    for name, made in (beside["files"] or {}).items():
        path = getattr(arguments, "junit" if name == JUNIT else "out", None)
        if path is not None:
            DISK.write(path, str(made).encode())


class _Server:
    """One server, at ``http(s)://HOST[/BASE]``."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InputError(f"The server is {shown(address)}; expected https://HOST or http://HOST.")
        if parts.username or parts.password:
            raise InputError("The address of the server holds a password; say a token by CALIBLENS_TOKEN.")
        self._host = parts.netloc
        self._root = f"{parts.scheme}://{parts.netloc}"
        self._base = f"{self._root}{parts.path.rstrip('/')}/{VERSIONED}"
        self._opener = urllib.request.build_opener(_NoRedirects)

    def ask(
        self,
        command: str,
        words: Sequence[tuple[str, str]],
        files: Sequence[tuple[str, str]],
        progress: Progress | None,
    ) -> dict[str, Any]:
        """The answer, waited for where it takes longer."""
        boundary = secrets.token_hex(16)
        body = _form(boundary, command, words, files)
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        status, answer = self._told(f"{self._base}/{command}", body, headers)
        while status == 202:
            job = f"{self._base}/jobs/{quote(str(answer.get('job', '')), safe='')}"
            try:
                answer = self._told(f"{job}?wait={ASKED_FOR}")[1]
            except KeyboardInterrupt:
                self._open(job, None, {}, "DELETE")
                raise
            if progress is not None and isinstance(share := answer.get("progress"), int | float):
                progress(min(1.0, max(0.0, float(share))), str(answer.get("words") or "waiting"))
            if answer.get("state") == "failed":
                raise self._refused(int(answer.get("status", 500)), answer.get("problem"))
            if answer.get("state") == "done":
                result = answer.get("result")
                return result if isinstance(result, dict) else {}
        return answer

    def _told(
        self, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        for left in reversed(range(TRIES)):
            status, data, after = self._open(url, body, headers or {})
            if status not in (429, 503) or not left or not 0 < after <= LONGEST_PAUSE:
                break
            time.sleep(after)
        try:
            answer = parsed(data.decode("utf-8"), "The server's answer", MOST_VALUES)
        except (UnicodeDecodeError, InputError):
            raise InputError(f"{self._host} gave no answer of Caliblens (status {status}).") from None
        if status not in (200, 202):
            raise self._refused(status, answer)
        return status, dict(answer)

    def _open(
        self, url: str, body: bytes | None, headers: Mapping[str, str], method: str | None = None
    ) -> tuple[int, bytes, int]:
        """Status, content, and the seconds after which to ask again."""
        token = limits.SERVER.token
        headers_sent = {**headers, "Accept": "application/json", "User-Agent": f"caliblens/{limits.VERSION}"}
        if token:
            headers_sent["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(url, body, headers_sent, method=method)  # noqa: S310 (http or https)
        try:
            with self._opener.open(request, timeout=SECONDS) as response:
                return response.status, _bounded(response), 0
        except urllib.error.HTTPError as error:
            with error:
                after = str(error.headers.get("Retry-After") or "")
                return error.code, _bounded(error), int(after) if after.isdecimal() and len(after) < 6 else 0
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "reason", error)
            why = getattr(why, "strerror", None) or type(why).__name__
            raise InputError(
                f"The server {shown(self._host)} cannot be reached: {str(why).lower()}."
            ) from None

    def _refused(self, status: int, answer: Any) -> InputError:
        """What a server says, as an error of this machine."""
        answer = answer if isinstance(answer, dict) else {}
        sentence = str(answer.get("error") or f"status {status}")
        if status == 422:
            return InputError(sentence, _remedies(answer.get("remedies")))
        if status == 401:
            sentence += " Here it is said by CALIBLENS_TOKEN."
        return InputError(f"The server {shown(self._host)} says: {sentence}")


def _bounded(response: Any) -> bytes:
    data: bytes = response.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"The server's answer has more than {MOST_BYTES:,} bytes.")
    return data


def _form(
    boundary: str, command: str, words: Sequence[tuple[str, str]], files: Sequence[tuple[str, str]]
) -> bytes:
    """multipart/form-data, RFC 7578."""
    parts: list[bytes] = []
    for name, word in words:
        parts.append(_head(boundary, name) + b"\r\n" + word.encode("utf-8", "surrogateescape"))
    for name, path in files:
        if command == "plan" and is_sketch(path):
            parts.append(_head(boundary, name) + b"\r\n" + path.encode())
        elif name != "state" or Path(path).exists():
            kind = b"Content-Type: application/octet-stream\r\n\r\n"
            parts.append(_head(boundary, name, Path(path).name) + kind + _content(path))
    return b"\r\n".join([*parts, f"--{boundary}--\r\n".encode()])


def _head(boundary: str, name: str, filename: str | None = None) -> bytes:
    called = ""
    if filename is not None:
        safe = filename.replace("\\", "_").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        called = f'; filename="{safe}"'
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{called}\r\n'
    return head.encode("utf-8", "surrogateescape")


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except IsADirectoryError:
        raise InputError(f"{shown(path)} is a folder; name its files to send them.") from None
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "an error").lower()
        raise InputError(f"The file {shown(path)} cannot be opened: {why}.") from None


def _remedies(answer: Any) -> list[Remedy]:
    """As the server says them; what this version does not know is left out."""
    known = {entry.field: entry for entry in entries(ReadOptions)}
    made = []
    for remedy in answer if isinstance(answer, list) else []:
        fields = remedy.get("fields") or {} if isinstance(remedy, dict) else None
        if fields is None or not {*fields} <= {*known} or not isinstance(remedy.get("words"), str):
            continue
        try:
            change = {
                name: True if known[name].switch else known[name].read((known[name].type or str)(word))
                for name, word in fields.items()
            }
        except (InputError, TypeError, ValueError):
            continue
        asks = remedy.get("asks")
        made.append(Remedy(visible(remedy["words"]), change, asks if asks in known else ""))
    return made
