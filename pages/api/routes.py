"""Addresses at which programs ask, all below ``/api/v1``."""

import json
import logging
import math
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Match
from starlette.types import Scope

from calibcore.data.outside_text import shown
from calibcore.limits import SERVER
from calibcore.remote.fields import SERVED
from calibcore.store import StoreError
from pages.api import asks, callers, form, openapi
from pages.api.callers import KEY
from pages.api.problems import LATER, STOPPED, Problem, problem_of
from pages.server import audit, places, report_route, visitors
from pages.server.places import VERSIONED

LONGEST_WAIT = 20.0
"""Seconds that a request for a job may wait."""
BY = {
    "jobs": ("Ask for a job by GET, and stop it by DELETE.", "GET, DELETE"),
    "reports": ("Delete a report by DELETE.", "DELETE"),
}
"""Folder -> by which methods one asks for what is in it."""
Endpoint = Callable[[Request], Awaitable[Response]]
_log = logging.getLogger("caliblens")


class Api(places.Own):
    """A route that is there unless the server's settings close it."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As of its parent."""
        return super().matches(scope) if SERVER.api else (Match.NONE, {})


def answering(endpoint: Endpoint) -> Endpoint:
    """What cannot be answered is told as JSON; nothing is kept by whoever is between."""

    @wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            response = await endpoint(request)
        except Exception as error:
            problem = problem_of(error)
            if problem.status == 500:
                _log.exception("A request of a program failed.")
            response = problem.response()
        response.headers["Cache-Control"] = "no-store"
        return response

    return answered


@answering
async def ask(request: Request) -> Response:
    """A question: the answer, or where it will be."""
    command = request.path_params["question"]
    if command not in SERVED:
        raise _nothing()
    _only(request)
    caller = await callers.caller_of(request)
    callers.count_question(caller)
    sent = await form.received(request, caller.owner)
    asked = asks.begin(command, caller, sent, _base(request))
    del sent
    if await asks.waited(asked):
        return _told(asked)
    if await request.is_disconnected():
        asks.forget(asked)
        raise Problem(STOPPED, "Nobody waits for the answer.")
    state = _said(asked)
    return JSONResponse(state, 202, {"Location": state["href"], "Retry-After": "1"})


@answering
async def job(request: Request) -> Response:
    """How far a question is, and its answer."""
    _only(request, "wait")
    asked = await _found(request)
    await asks.waited(asked, _seconds(request))
    asked.seen()
    if not asked.task.done():
        return JSONResponse(_said(asked))
    outcome = asked.task.result()
    head = {"job": asked.name, "href": _href(asked)}
    if isinstance(outcome, Problem):
        ended = {**head, "state": "failed", "progress": 1.0, "words": "", "status": outcome.status}
        response: Response = JSONResponse(ended | {"problem": outcome.said})
    else:  # the answer is text already, and may be long
        ended = {**head, "state": "done", "progress": 1.0, "words": ""}
        start = json.dumps(ended).removesuffix("}")
        response = Response(f'{start}, "result": {outcome}}}', media_type="application/json")
    if request.method == "GET":
        response.background = BackgroundTask(asks.forget, asked)
    return response


@answering
async def stop(request: Request) -> Response:
    """Stop a question."""
    _only(request)
    asks.forget(await _found(request))
    return Response(status_code=204)


@answering
async def delete_report(request: Request) -> Response:
    """Delete a report of which the caller has the key."""
    _only(request)
    caller = await callers.caller_of(request)
    key = request.headers.get(KEY, "")
    if not key:
        raise Problem(422, f"The key of the report is missing; expected it as the header {KEY}.")
    try:
        gone = await report_route.revoked(request.path_params["report"], key)
    except StoreError:
        _log.exception("A report could not be deleted.")
        raise Problem(503, "The report cannot be deleted now.", LATER) from None
    if not gone:
        await callers.wrong_guess(visitors.address_of(request))
        raise Problem(404, "There is no such report, or it has another key.")
    audit.record("share-deleted", token=caller.token)
    return Response(status_code=204)


@answering
async def description(_request: Request) -> Response:
    """The questions as OpenAPI; anybody may ask for it."""
    return JSONResponse(openapi.document())


@answering
async def docs(_request: Request) -> Response:
    """The same as a page."""
    return HTMLResponse(openapi.page())


@answering
async def index(_request: Request) -> Response:
    """Where to begin."""
    return JSONResponse(openapi.index())


@answering
async def nothing(request: Request) -> Response:
    """What else is asked for."""
    here = (places.place_of(request.scope) or "").removeprefix(f"{VERSIONED}/")
    if here in SERVED:
        raise Problem(405, "Send the question by POST.", headers={"Allow": "POST"})
    folder, _, name = here.partition("/")
    if folder in BY and name and "/" not in name:
        words, methods = BY[folder]
        raise Problem(405, words, headers={"Allow": methods})
    raise _nothing()


def _only(request: Request, *known: str) -> None:
    """Nothing in the address is passed over: each of the ``known`` once, and nothing else."""
    for name, _ in (pairs := request.query_params.multi_items()):
        if name not in known:
            where = "known there: " + ", ".join(known) if known else "settings are fields of the form"
            raise Problem(422, f"The address has {shown(name)}; {where}.")
        if sum(name == other for other, _ in pairs) > 1:
            raise Problem(422, f"The address has {name} twice; expected it once.")


def _nothing() -> Problem:
    return Problem(404, f"There is no such question. Those that there are: {', '.join(SERVED)}.")


def _told(asked: asks.Asked) -> Response:
    outcome = asked.task.result()
    if isinstance(outcome, Problem):
        asks.forget(asked)
        return outcome.response()
    return Response(outcome, media_type="application/json", background=BackgroundTask(asks.forget, asked))


def _said(asked: asks.Asked) -> dict[str, Any]:
    return {"job": asked.name, "href": _href(asked), **asked.state}


def _href(asked: asks.Asked) -> str:
    return f"{places.prefix()}/{VERSIONED}/jobs/{asked.name}"


async def _found(request: Request) -> asks.Asked:
    caller = await callers.caller_of(request)
    asked = asks.find(request.path_params["job"], caller)
    if asked is None:
        await callers.wrong_guess(visitors.address_of(request))
        raise Problem(404, "There is no such job: it was told, deleted or never was.")
    return asked


def _seconds(request: Request) -> float:
    words = request.query_params.get("wait", "0")
    try:
        seconds = float(words[:20])
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_WAIT:
        raise Problem(422, f"The seconds to wait should be 0 to {LONGEST_WAIT:.0f}.")
    return seconds


def _base(request: Request) -> str:
    """The address of the app, as the server's settings say or as the program asks for it."""
    if SERVER.base_url:
        return places.with_base_path(SERVER.base_url)
    scheme = request.url.scheme
    if SERVER.proxies and request.headers.get("x-forwarded-proto", "").strip().lower() == "https":
        scheme = "https"
    return f"{scheme}://{request.url.netloc}{places.base()}"


routes = [
    Api("/api", index),
    Api("/api/", index),
    Api(f"/{VERSIONED}", index),
    Api(f"/{VERSIONED}/", index),
    Api(f"/{VERSIONED}/openapi.json", description),
    Api(f"/{VERSIONED}/docs", docs),
    Api(f"/{VERSIONED}/jobs/{{job}}", job),
    Api(f"/{VERSIONED}/jobs/{{job}}", stop, methods=["DELETE"]),
    Api(f"/{VERSIONED}/reports/{{report}}", delete_report, methods=["DELETE"]),
    Api(f"/{VERSIONED}/{{question}}", ask, methods=["POST"]),
    Api("/api/{rest:path}", nothing, methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
]
