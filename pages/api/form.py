"""What a program sends: fields and files of one form, within the budget, in memory and in time."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from calibcore.data.outside_text import shown, visible
from calibcore.io.epochs import MOST_EPOCHS
from pages.api.problems import SOON, Problem
from pages.server.budget import BUDGET, Hold, TooLarge

KIND = "multipart/form-data"
MOST_FIELDS = 300
MOST_FILES = MOST_EPOCHS + 1
MOST_WORD = 100_000
"""Bytes of a field that is no file."""
MOST_AT_ONCE = 4
"""Forms of one visitor that may be on their way at once."""
GRACE, SLOWEST = 30.0, 100_000
"""Seconds in which something has to come, and bytes a second: what comes more slowly is given up."""
MOST_DIGITS = 15
"""Of the length of a form: what has more of them is too large, whatever they are."""
MOST_NAME = 120
"""Characters of the name of a file; a longer one is cut before its ending."""
_arriving: "Counter[str]" = Counter()


@dataclass(frozen=True, eq=False)
class Form:
    """What was sent: each field with its word, or with the name of a file and True; the files by their names.

    ``hold`` counts for the visitor as long as somebody has it.
    """

    fields: tuple[tuple[str, str, bool], ...]
    files: dict[str, bytes] = field(repr=False)
    hold: Hold


class _WholeParser(MultiPartParser):
    """Never writes to a disk, and notices whether the form has an end."""

    spool_max_size = 0  # without end
    ended = False

    def on_end(self) -> None:
        """Of the whole form."""
        self.ended = True

    def close(self) -> None:
        """Let go of all files, also of one that was broken off."""
        for file in self._files_to_close_on_error:
            file.close()


async def received(request: Request, visitor: str) -> Form:
    """The form of a request.

    Raises
    ------
    Problem : it is no form, too large, too slow, broken off; or there is no room for it now.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise Problem(415, f"Send {KIND}, as curl does by -F predictions=@FILE.")
    length = request.headers.get("content-length", "")
    if not (length.isascii() and length.isdecimal()):
        raise Problem(411, "The length of the form must be sent first, as Content-Length.")
    if _arriving[visitor] >= MOST_AT_ONCE:
        raise Problem(429, f"{MOST_AT_ONCE} forms of yours are on their way. Send one after the other.", SOON)
    size = int(length[:MOST_DIGITS])
    hold = BUDGET.arriving(visitor, size, MOST_FILES)
    _arriving[visitor] += 1
    try:
        async with asyncio.timeout(GRACE + size / SLOWEST):
            return await _parsed(request, hold)
    except TimeoutError:
        raise Problem(408, "The form came too slowly and was given up.") from None
    except ClientDisconnect:
        raise Problem(400, "The form was broken off.") from None
    finally:
        _arriving[visitor] -= 1
        if not _arriving[visitor]:
            del _arriving[visitor]


async def _counted(request: Request, hold: Hold) -> AsyncGenerator[bytes, None]:
    """What comes, counted as it comes; :class:`TimeoutError` where nothing does."""
    stream = request.stream()
    while True:
        async with asyncio.timeout(GRACE):
            part = await anext(stream, None)
        if part is None:
            return
        BUDGET.grow(hold, len(part))
        yield part


async def _parsed(request: Request, hold: Hold) -> Form:
    parser = _WholeParser(
        request.headers, _counted(request, hold),
        max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=MOST_WORD,
    )  # fmt: skip
    fields: list[tuple[str, str, bool]] = []
    files: dict[str, bytes] = {}
    try:
        try:
            form = await parser.parse()
        except MultiPartException as error:
            status = 413 if "maximum" in error.message or "Too many" in error.message else 400
            raise Problem(status, f"The form cannot be read. {error.message}") from None
        if not parser.ended:
            raise Problem(400, "The form has no end: it was broken off.")
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                fields.append((name, value, False))
                continue
            if (size := value.size or 0) > BUDGET.per_file * 1e6:
                raise TooLarge(
                    f"The file of the field {shown(name)} has {size / 1e6:,.0f} MB, and this server "
                    f"takes files of at most {BUDGET.per_file:,} MB. Send fewer cases or columns, or Parquet."
                )
            called = _unlike(_name(value.filename or "", name), files)
            files[called] = await value.read()
            fields.append((name, called, True))
    finally:
        parser.close()
    return Form(tuple(fields), files, hold)


def _name(filename: str, field: str) -> str:
    """The name of a file as a sentence may have it: without folders, and no longer than people read."""
    path = PurePosixPath(visible(filename).replace("\\", "/").strip() or "file")
    name = path.name if path.name not in ("", ".", "..") else visible(field)[:MOST_NAME] or "file"
    if len(name) <= MOST_NAME:
        return name
    ending = PurePosixPath(name).suffix[:20]
    return name[: MOST_NAME - len(ending)] + ending


def _unlike(name: str, taken: Collection[str]) -> str:
    """The name, with a number where another file has it."""
    path, number, unlike = PurePosixPath(name), 1, name
    while unlike in taken:
        number += 1
        unlike = f"{path.stem} ({number}){path.suffix}"
    return unlike
