"""What a program is told where it gets no answer: a status, and one sentence as JSON."""

import logging
import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from starlette.responses import JSONResponse

from calibcore.errors import InputError
from calibcore.numerics.engine import EngineError
from calibcore.numerics.progress import Cancelled
from calibcore.words.faults import fault_of
from pages.server.budget import Full, FullForAll, TooLarge
from pages.work.job import TooLong
from pages.work.links import NotStored
from pages.work.queue import Crowded

SOON, LATER = 5.0, 60.0
"""Seconds after which to ask again: where a place is free soon, and where somebody else has to end."""
STOPPED = 499
"""Of work that was stopped; no program that waits for it is told."""
_FLAG = re.compile(r"(?<![\w'\"-])--([a-z][a-z-]*)")
_log = logging.getLogger("caliblens")


class Problem(Exception):
    """A status that is no success, what is said of it, and the seconds after which it may be otherwise."""

    def __init__(
        self,
        status: int,
        content: str | Mapping[str, Any],
        retry: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status)
        self.status = status
        self.said = {"error": content} if isinstance(content, str) else dict(content)
        self.headers = dict(headers or {})
        if retry is not None:
            self.headers["Retry-After"] = str(max(1, math.ceil(retry)))

    def response(self) -> JSONResponse:
        """What is answered."""
        return JSONResponse(self.said, self.status, self.headers)


def problem_of(error: BaseException, fields: Collection[str] = ()) -> Problem:
    """What is told of an error; flags that a sentence names are called as the ``fields`` that are sent."""
    match error:
        case Problem():
            return error
        case NotStored():
            return Problem(503, str(error), LATER)
        case InputError():
            fault = fault_of(error)
            return Problem(422, fault | {"error": as_sent(fault["error"], fields)})
        case TooLong():
            words = str(error)
            return Problem(422, words[:1].upper() + words[1:])
        case TooLarge():
            return Problem(413, str(error))
        case FullForAll():
            return Problem(503, str(error), LATER)
        case Full():
            return Problem(429, str(error), LATER)
        case Crowded():
            return Problem(503, "Too many computations wait in line. Ask again in a minute.", LATER)
        case EngineError():
            return Problem(503, f"The cluster failed. {error}", LATER)
        case MemoryError():
            return Problem(503, "There is not enough memory for this. Send fewer cases or classes.", LATER)
        case Cancelled():
            return Problem(STOPPED, "This was stopped.")
        case _:
            return Problem(500, "Something went wrong on our side. The server's log says more.")


def as_sent(sentence: str, fields: Collection[str]) -> str:
    """Words in which ``--label-column`` is the field label_column, and ``--json`` is document=full."""

    def name(match: re.Match[str]) -> str:
        field = match[1].replace("-", "_")
        return "document=full" if field == "json" else field if field in fields else match[0]

    return _FLAG.sub(name, sentence)
