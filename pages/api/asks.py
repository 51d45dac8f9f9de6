"""Questions under way: read apart, computed in the line of all visitors, and forgotten once they are told."""

import argparse
import asyncio
import logging
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread

from calibcore.cli import files as files_of_commands
from calibcore.cli.arguments import COMMANDS
from calibcore.cli.running import Work
from calibcore.data.several_labels import Cases
from calibcore.errors import InputError
from calibcore.limits import LIMITS
from calibcore.numerics.progress import Cancelled
from calibcore.remote.fields import arguments_of, field_named, fields_of
from pages.api import expected
from pages.api.answer import Wanted, own_fields, stored_report, wanted, written
from pages.api.callers import Caller
from pages.api.form import Form
from pages.api.problems import LATER, SOON, Problem, problem_of
from pages.api.sent import Sent
from pages.server import audit, health
from pages.server.budget import BUDGET
from pages.work import costs
from pages.work.job import Job, line_up

WAITED = 5.0
"""Seconds in which an answer comes at once; what takes longer is asked for by its name."""
COLD = 8
"""How many times as long one waits where loops are still compiled: not the work takes long, but its begin."""
KEPT = 60.0 * LIMITS.workspace_minutes
"""Seconds for which an answer waits to be fetched."""
MOST_OF_ONE, MOST_OF_ALL = 8, 100
"""Questions that wait, are worked at or wait to be fetched."""
READERS = 8
"""Files of programs that are read, or wait to be, at the same time; they take turns with those of pages."""
TAB = "api"
"""The tab of a visitor that is a program."""
SURVEYED = 0.9
"""Of the work where a report is stored, the survey."""
STATE = "state.json"
"""What a state is called where none was sent: it is begun."""
_log = logging.getLogger("caliblens")


class Asked:
    """A question under way; what it came to is there when its ``task`` is done."""

    def __init__(self, command: str, caller: Caller, form: Form, base: str) -> None:
        self.name = secrets.token_urlsafe(24)
        self.command, self.caller, self._base = command, caller, base
        self._how, words = _split(command, form)
        self._sent = Sent(form.files, caller.owner)
        self._arguments = arguments_of(command, words, self._how.form)
        files_of_commands.give(self._arguments, self._sent)
        if getattr(self._arguments, "state", STATE) is None:
            self._arguments.state = STATE
        self._size = sum(map(len, form.files.values()))
        self._fingerprint = ""
        self._holds = [form.hold]
        self._job: Job[str] | None = None
        self.ended: float | None = None
        self.task = asyncio.get_running_loop().create_task(self._ended())

    async def _ended(self) -> str | Problem:
        """The answer, or what is told in its place. Nothing of the data is left but that."""
        outcome: str | Problem
        try:
            outcome = await self._answer()
        except asyncio.CancelledError:
            outcome = problem_of(Cancelled())
        except Exception as error:
            outcome = problem_of(error, fields_of(self.command))
            if outcome.status == 500 and self._job is None:  # else the log has it already
                _log.exception("A question of a program failed.")
        finally:
            self.ended = time.monotonic()
            self._job, self._holds = None, []
            self._sent, self._arguments = Sent({}, ""), argparse.Namespace()
        audit.record(
            "api-used",
            token=self.caller.token,
            question=self.command,
            status=outcome.status if isinstance(outcome, Problem) else 200,
            bytes=self._size,
            fingerprint=self._fingerprint,
        )
        return outcome

    async def _answer(self) -> str:
        work = COMMANDS[self.command].work
        assert work is not None

        def read() -> tuple[Any, Sequence[Cases], costs.Estimate]:
            material = work.read(self._arguments)
            cases = work.cases(material)
            return material, cases, expected.estimate_of(self._arguments, cases)

        material, cases, estimate = await to_thread.run_sync(read, limiter=_readers())
        self._holds.append(BUDGET.count(self.caller.owner, sum(p.nbytes for p in cases)))
        self._fingerprint = cases[0].fingerprint if cases else ""
        job = Job[str](estimate=estimate, kind=self.command)
        line_up(job, partial(self._work, work, material, self._sent), (self.caller.owner, TAB))
        self._job = job
        del material, cases
        return await asyncio.wrap_future(job.future)

    def _work(self, work: Work[Any, Any], material: Any, sent: Sent, job: Job[str]) -> str:
        share = SURVEYED if self._how.report else 1.0

        def tell(fraction: float, words: str) -> None:
            job.report(share + (1 - share) * fraction, words)

        def report(fraction: float, words: str) -> None:
            job.report(share * fraction, words)

        result = work.find(self._arguments, material, report)
        link = None
        if self._how.report:
            link = stored_report(
                self._arguments, material, result, self._how, self._base, tell, self.caller.token
            )
        return written(work, self._arguments, material, result, self._how, sent, link)

    def seen(self) -> None:
        """Somebody still wants it."""
        if self._job is not None:
            self._job.seen = time.monotonic()

    def stop(self) -> None:
        """End it, wherever it is."""
        self._sent.stop()
        if self._job is not None:
            self._job.cancel()

    @property
    def state(self) -> dict[str, Any]:
        """Where it is: ``state`` is reading, waiting or working, ``progress`` a share of the work."""
        job = self._job
        if job is None:
            return {"state": "reading", "progress": 0.0, "words": "reading the files", "seconds_left": None}
        state = "waiting" if job.in_line else "working"
        left = None if job.left is None else round(job.left, 1)
        return {"state": state, "progress": round(job.fraction, 4), "words": job.doing, "seconds_left": left}


def _split(command: str, form: Form) -> tuple[Wanted, list[tuple[str, str]]]:
    """How the answer is wanted, and the fields that are flags of the command."""
    own, sent, words = own_fields(command), dict[str, str](), list[tuple[str, str]]()
    known = {**fields_of(command), **own}
    for name, word, is_file in form.fields:
        field = field_named(name, known)
        if is_file and field.kind != "file":
            raise InputError(f"The field {field.name} was sent as a file; expected a word.")
        if field.name not in own:
            words.append((field.name, word))
        elif field.name in sent:
            raise InputError(f"The field {field.name} was sent twice; expected it once.")
        else:
            sent[field.name] = word
    return wanted(command, sent), words


_asked: dict[str, Asked] = {}
"""By their names, which nobody guesses. Only the event loop touches it."""


def begin(command: str, caller: Caller, form: Form, base: str) -> Asked:
    """Begin a question.

    Raises
    ------
    Problem : fields that cannot be meant, or there are too many questions already.
    """
    _forget_what_is_old()
    if sum(asked.caller.owner == caller.owner for asked in _asked.values()) >= MOST_OF_ONE:
        words = f"{MOST_OF_ONE} questions of yours are under way or not fetched. Fetch or delete one first."
        raise Problem(429, words, SOON)
    if len(_asked) >= MOST_OF_ALL:
        raise Problem(503, "Too many questions are under way. Ask again in a minute.", LATER)
    try:
        asked = Asked(command, caller, form, base)
    except InputError as error:
        raise problem_of(error, fields_of(command)) from None
    _asked[asked.name] = asked
    asyncio.get_running_loop().call_later(KEPT, _forget_what_is_old)
    return asked


def find(name: str, caller: Caller) -> Asked | None:
    """A question of this caller by its name."""
    asked = _asked.get(name)
    if asked is None or asked.caller.token != caller.token:
        return None
    asked.seen()
    return asked


def forget(asked: Asked) -> None:
    """It was told, or nobody wants it."""
    asked.stop()
    _asked.pop(asked.name, None)


async def waited(asked: Asked, seconds: float | None = None) -> bool:
    """Whether it is done within so many seconds, :data:`WAITED` by default, and longer as a server starts."""
    if seconds is None:
        seconds = WAITED if health.READINESS.warm.is_set() else WAITED * COLD
    done, _ = await asyncio.wait({asked.task}, timeout=seconds)
    return bool(done)


def under_way() -> int:
    """How many questions there are, and answers that wait to be fetched."""
    return len(_asked)


def _forget_what_is_old() -> None:
    now = time.monotonic()
    for asked in list(_asked.values()):
        if asked.ended is not None and now - asked.ended > KEPT:
            forget(asked)


_limiters: dict[int, CapacityLimiter] = {}


def _readers() -> CapacityLimiter:
    """Of the event loop that runs."""
    return _limiters.setdefault(id(asyncio.get_running_loop()), CapacityLimiter(READERS))
