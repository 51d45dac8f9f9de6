"""Programs that mean harm: forms that are none, huge, slow or broken off, and words that cost much."""

import contextlib
import gc
import http.client
import io
import json
import random
import re
import select
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from calibcore.cli.flags import options_from
from calibcore.cli.requests import request_from
from calibcore.errors import InputError
from calibcore.io import apart
from calibcore.remote.fields import SERVED, arguments_of, fields_of
from pages.api import asks, callers, form
from pages.server.budget import BUDGET, Budget
from pages.server.rate_limit import Guesses
from tests.hostile.fuzzing import MANY_OR_ALL
from tests.hostile.invariants import bounded, nothing_beside, one_sentence
from tests.hostile.names import PIECES
from tests.pages.programs import BASE, EVENT_FILE, ask, client, fetched, serving

BIG = 100_000
MONSTERS = (
    *(
        "",
        " ",
        "\0",
        "-",
        "--",
        "--help",
        "-h",
        "=",
        "\ud800",
        "é" * BIG,
        "9" * 5_000,
        "9" * BIG,
        "-1",
        "1e400",
    ),
    *("nan", "inf", "1-99999999999", ",".join(["1-2000000"] * 1_000), "1," * 30_000, "[" * BIG),
    *('{"kind":' * 5_000, "region:a:0:1:" * 2_000 + "confidence", "groups:" + "A=x;" * 20_000, "set:nan"),
    *(
        "top-k:" + "9" * 5_000,
        "uniform:1000000000",
        "simplex:10000000",
        "temperature:1e-320",
        "exact," * 20_000,
    ),
    *("mixture:0.1:" + "a" * BIG, "a=0.1," * 20_000, "/etc/passwd", "file:///etc/passwd", "tcp://10.0.0.1:1"),
    *("*" * BIG, "(a+)+$" + "a" * BIG, *PIECES),
)
STATUSES = {200, 202, 400, 403, 404, 405, 411, 413, 415, 421, 422}
KIND = "multipart/form-data; boundary=b"


@pytest.fixture(autouse=True)
def _no_end_of_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "_asked", Guesses(10**9))
    monkeypatch.setattr(callers, "_guesses", Guesses(10**9))
    monkeypatch.setattr(callers, "SLOW", 0.0)
    monkeypatch.setattr(asks, "_asked", {})


@pytest.fixture(scope="module")
def program() -> Iterator[TestClient]:
    apart.warm()
    with client() as found:
        yield found


def checked(response: Any) -> Any:
    """What holds of whatever is answered."""
    assert response.status_code in STATUSES, response.text
    assert response.headers["cache-control"] == "no-store"
    if response.status_code not in (200, 202):
        one_sentence(re.sub(r"\?$", ".", response.json()["error"]))
    return response


@pytest.mark.parametrize("question", ["survey", pytest.param("monitor", marks=pytest.mark.hostile)])
@pytest.mark.slow
def test_no_word_of_a_field_costs_much_or_is_an_error_of_ours(question: str) -> None:
    needed = {field.name: "x.csv" for field in fields_of(question).values() if field.required}
    for field in fields_of(question).values():
        for word in MONSTERS:
            with bounded(seconds=1, megabytes=200), contextlib.suppress(InputError):
                arguments = arguments_of(question, [*(needed | {field.name: word}).items()], "full")
                if field.kind != "file":
                    options_from(arguments)
                    request_from(arguments)


@pytest.mark.parametrize("examples", MANY_OR_ALL(30, 1_500))
def test_any_form_gets_an_answer_or_a_sentence(program: TestClient, examples: int) -> None:
    """Nothing is written, no other process is asked for, and nobody else's question is found."""
    names = st.sampled_from([*fields_of("survey"), "document", "report", "days", "title"]) | st.text(
        max_size=20
    )
    words = st.sampled_from(MONSTERS) | st.text(max_size=50)
    files = st.tuples(st.text(max_size=60) | st.sampled_from(["../../x", "C:\\x", "/etc/passwd", "\0", "."]))

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), deadline=None)
    @given(
        st.sampled_from([*SERVED, "jobs", "jobs/x", "", "../survey"]),
        st.lists(st.tuples(names, words | files), max_size=5),
    )
    @example("compare", [("predictions", "\U000111f5"), ("predictions", "")])
    def check(question: str, fields: list[tuple[str, Any]]) -> None:
        body = b""
        for name, value in fields:
            called = f'; filename="{value[0]}"' if isinstance(value, tuple) else ""
            text = "a,b\n0.5,x\n" if isinstance(value, tuple) else value
            head = f'--b\r\nContent-Disposition: form-data; name="{name}"{called}\r\n\r\n'
            body += (head + text + "\r\n").encode("utf-8", "replace")
        body += b"--b--\r\n"
        with bounded(seconds=5, megabytes=500), nothing_beside():
            response = program.post(f"{BASE}/{question}", content=body, headers={"Content-Type": KIND})
            told = checked(response)
            if told.status_code == 202:
                program.delete(told.json()["href"])

    check()


def part(name: str, data: bytes, more: bytes = b"") -> bytes:
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"'.encode()
    return head + more + b"\r\n\r\n" + data + b"\r\n"


FILE = part("predictions", EVENT_FILE[1], b'; filename="x.csv"')
END = b"--b--\r\n"
FORMS: dict[str, tuple[bytes, dict[str, str], int]] = {
    "empty": (b"", {"Content-Type": KIND}, 400),
    "no end": (FILE, {"Content-Type": KIND}, 400),
    "cut in the middle": (FILE[:200], {"Content-Type": KIND}, 400),
    "cut in its end": (FILE + b"--b", {"Content-Type": KIND}, 400),
    "another boundary": (FILE + END, {"Content-Type": KIND + "x"}, 400),
    "no boundary": (FILE + END, {"Content-Type": "multipart/form-data"}, 400),
    "a boundary without end": (FILE + END, {"Content-Type": KIND + "b" * 60_000}, 400),
    "no kind": (FILE + END, {}, 415),
    "JSON": (b"{}", {"Content-Type": "application/json"}, 415),
    "urlencoded": (b"predictions=x", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    "no name": (b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n" + END, {"Content-Type": KIND}, 400),
    "no disposition": (b"--b\r\nX: y\r\n\r\nx\r\n" + END, {"Content-Type": KIND}, 400),
    "a head without end": (b"--b\r\nX: " + b"y" * 3_000_000, {"Content-Type": KIND}, 400),
    "heads without number": (b"--b\r\n" + b"X: y\r\n" * 300_000, {"Content-Type": KIND}, 400),
    "many fields": (part("lens", b"confidence") * 10_000 + END, {"Content-Type": KIND}, 413),
    "many files": (part("predictions", b"x", b'; filename="x"') * 5_000 + END, {"Content-Type": KIND}, 413),
    "a long word": (part("title", b"x" * 3_000_000) + END, {"Content-Type": KIND}, 413),
    "a file twice": (FILE + FILE + END, {"Content-Type": KIND}, 422),
    "a field of another alphabet": (FILE + part("сид", b"1") + END, {"Content-Type": KIND}, 422),
    "a field whose letters look like ours": (FILE + part("ѕeed", b"1") + END, {"Content-Type": KIND}, 422),
    "a field in a folder": (FILE + part("../seed", b"1") + END, {"Content-Type": KIND}, 422),
    "a field without letters": (FILE + part("", b"1") + END, {"Content-Type": KIND}, 422),
    "a file for a word": (FILE + part("seed", b"1", b'; filename="s"') + END, {"Content-Type": KIND}, 422),
    "another charset": (FILE + END, {"Content-Type": KIND + "; charset=idna"}, 200),
    "no such charset": (FILE + END, {"Content-Type": KIND + "; charset=\xff"}, 200),
}  # fmt: skip


@pytest.mark.parametrize("name", list(FORMS))
@pytest.mark.some(2)
def test_forms_that_are_none(name: str, program: TestClient) -> None:
    body, headers, status = FORMS[name]
    raw = [(key.encode(), value.encode("latin-1")) for key, value in headers.items()]
    before = BUDGET.held()
    with bounded(seconds=4, megabytes=300):
        response = program.post(f"{BASE}/survey", content=body, headers=raw)
    checked(response)
    assert response.status_code in (status, 202 if status == 200 else status), response.text
    fetched(program, response)
    gc.collect()
    assert BUDGET.held() <= before


def test_lengths_that_are_lies(program: TestClient) -> None:
    for length, status in (
        ("-1", 411), ("1e3", 411), ("", 411), ("٣", 411), ("9" * 30, 413), ("9" * 14, 413), ("0x10", 411),
    ):  # fmt: skip
        headers = [(b"Content-Type", KIND.encode()), (b"Content-Length", length.encode())]
        response = program.post(f"{BASE}/survey", content=iter([b"x"]), headers=headers)
        assert response.status_code == status, (length, response.text)


def bomb(kind: str) -> bytes:
    """A small file that unpacks to much."""
    buffer = io.BytesIO()
    if kind == "npz":
        np.savez_compressed(buffer, probs=np.zeros((40_000_000, 3), np.float16), labels=np.zeros(3))
    else:
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("x.csv" if kind == "zip" else "xl/workbook.xml", b"0" * 400_000_000)
    return buffer.getvalue()


@pytest.mark.hostile
@pytest.mark.parametrize("kind", ["zip", pytest.param("npz", marks=pytest.mark.hostile),
                                  pytest.param("xlsx", marks=pytest.mark.hostile)])  # fmt: skip
def test_a_bomb_is_no_larger_than_its_file(kind: str, program: TestClient) -> None:
    data = bomb(kind)
    with bounded(seconds=5, megabytes=300):
        response = ask(program, "survey", {"predictions": (f"x.{kind}", data)})
        told = fetched(program, response)
    assert told["error"]


NAMES = (
    "../../etc/passwd",
    "C:\\Users\\x.csv",
    "..",
    ".",
    "",
    "/",
    "\x1b[2J.csv",
    "a" * 5_000 + ".csv",
    "%s",
)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_lead_nowhere(name: str, program: TestClient) -> None:
    quoted = name.replace('"', "%22").encode()
    body = part("predictions", b"a,b\n0.5,x\n", b'; filename="' + quoted + b'"') + END
    with nothing_beside():
        response = program.post(f"{BASE}/compare", content=body, headers={"Content-Type": KIND})
    told = checked(response).json()
    assert "etc" not in told["error"]
    assert "Users" not in told["error"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address.removeprefix("http://")


def head(length: int, more: str = "") -> bytes:
    lines = (
        f"POST {BASE}/survey HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: {KIND}",
        f"Content-Length: {length}",
    )
    return ("\r\n".join(lines) + f"\r\n{more}\r\n").encode()


def connected(server: str) -> socket.socket:
    host, _, port = server.partition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def held_is(expected: int) -> bool:
    """Whether soon no more is counted than that."""
    for _ in range(100):
        gc.collect()
        if form.BUDGET.held() == expected:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.hostile
def test_who_sends_slowly_is_given_up_and_holds_nobody_up(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form, "GRACE", 2.0)
    monkeypatch.setattr(form, "BUDGET", Budget(most=1_000, each=900, per_file=800))
    slow = [connected(server) for _ in range(form.MOST_AT_ONCE)]
    for wire in slow:
        wire.sendall(head(20_000) + FILE[:60])
    time.sleep(0.2)
    quick = http.client.HTTPConnection(server, timeout=20)
    quick.request("GET", "/healthz")
    assert quick.getresponse().read() == b"ok"
    assert not select.select(slow, [], [], 0)[0]  # none of them was given up before that
    quick.request("POST", f"{BASE}/survey", FILE + END, {"Content-Type": KIND})
    response = quick.getresponse()
    assert (response.status, "error" in json.loads(response.read())) == (429, True)
    for wire in slow:
        assert b" 408 " in wire.recv(1_000).split(b"\r\n")[0] + b" "
        wire.close()
    assert held_is(0)
    quick.request("POST", f"{BASE}/survey", FILE + END, {"Content-Type": KIND})
    assert quick.getresponse().status in (200, 202)
    quick.close()


def test_who_announces_much_and_sends_little_holds_nobody_up(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form, "BUDGET", Budget(most=1_000, each=900, per_file=800))
    idle = [connected(server) for _ in range(form.MOST_AT_ONCE - 1)]
    for wire in idle:
        wire.sendall(head(890_000_000) + FILE[:20])
    assert held_is(20 * len(idle))
    quick = http.client.HTTPConnection(server, timeout=60)
    quick.request("POST", f"{BASE}/survey", FILE + END, {"Content-Type": KIND})
    assert quick.getresponse().status in (200, 202)
    quick.close()
    for size in (901_000_000, 10**15, 10**18):
        too_much = connected(server)
        too_much.sendall(head(size) + FILE[:20])
        assert b" 413 " in too_much.recv(1_000).split(b"\r\n")[0] + b" "
        too_much.close()
    for wire in idle:
        wire.close()
    assert held_is(0)


def test_who_goes_away_leaves_nothing(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "BUDGET", Budget(most=1_000, each=900, per_file=800))
    for sent in (0, 10, 200, len(FILE)):
        wire = connected(server)
        wire.sendall(head(len(FILE) + 9_000_000) + FILE[:sent])
        time.sleep(0.05)
        wire.close()
    assert held_is(0)
    assert not form._arriving


def test_more_than_was_said_and_two_lengths_are_refused(server: str) -> None:
    for data in (
        head(10) + FILE + END,
        head(len(FILE + END), more="Content-Length: 7\r\n") + FILE + END,
        head(5, more="Transfer-Encoding: chunked\r\n") + b"5\r\nhello\r\n0\r\n\r\n",
        head(0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n\r\n",
    ):
        wire = connected(server)
        with contextlib.suppress(ConnectionError):
            wire.sendall(data)
            status = wire.recv(100).split(b" ")[1:2]
            assert status in ([b"400"], [b"411"], []), data[:300]
        wire.close()


PLACES = (
    *("survey", "survey/", "/survey", "survey//", "survey;x", "survey%20", "survey%00", "SURVEY", "%73urvey"),
    *("survey/../survey", "../v1/survey", "%2e%2e/survey", "..%2f..%2fadmin", "jobs", "jobs/", "jobs//x"),
    *(
        "jobs/%2e%2e",
        "jobs/a%00b",
        "jobs/%E2%98%83",
        "jobs/" + "x" * 5_000,
        "jobs/*",
        "jobs/x/y",
        "x" * 5_000,
    ),
    *("openapi.json/", "openapi.json%00", "docs/x", "?survey", "#survey", "survey?x=" + "y" * 5_000),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "get")


@pytest.mark.hostile
def test_no_method_and_no_spelling_of_a_place_finds_more(server: str) -> None:
    """A question is answered at its own address by POST alone; a job that there is not by no method."""
    connection = http.client.HTTPConnection(server, timeout=30)
    answered = set()
    for method in METHODS:
        for root in (BASE, f"/{BASE}", "/api//v1", "/lens/api/v1", "/API/v1"):
            for place in PLACES:
                connection.request(method, f"{root}/{place}", b"", {"Content-Type": KIND})
                response = connection.getresponse()
                body = response.read()
                assert response.status < 500, (method, root, place)
                if response.status < 400:
                    answered.add((method, root, place))
                elif body and root == BASE and response.headers.get_content_type() == "application/json":
                    one_sentence(json.loads(body)["error"])
                assert "access-control-allow-origin" not in response.headers
    connection.close()
    assert {(method, root) for method, root, _ in answered} <= {("GET", BASE), ("HEAD", BASE)}, answered


@pytest.mark.hostile
def test_heads_that_are_huge_end_their_connection_alone(server: str) -> None:
    host, _, port = server.partition(":")
    for more in ("X: " + "y" * 5_000_000, "X: y\r\n" * 300_000, "X" * 1_000_000 + ": y", "X: \0", ": y"):
        wire = connected(server)
        with contextlib.suppress(ConnectionError, TimeoutError):
            wire.sendall(head(len(FILE + END), more=f"{more}\r\n") + FILE + END)
            status = wire.recv(100).split(b" ")[1:2]
            assert status in ([b"400"], [b"431"], [b"200"], []), more[:20]
        wire.close()
        with contextlib.closing(http.client.HTTPConnection(host, int(port), timeout=30)) as quick:
            quick.request("GET", "/healthz")
            assert quick.getresponse().read() == b"ok"
    assert held_is(0)


@pytest.mark.hostile
def test_many_at_once_are_all_answered(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Right and wrong forms of many connections: each has an answer, and afterwards nothing is held."""
    monkeypatch.setattr(form, "BUDGET", Budget(most=1_000, each=900, per_file=800))
    statuses: list[int] = []
    rng = random.Random(3)

    def one(body: bytes) -> None:
        connection = http.client.HTTPConnection(server, timeout=120)
        connection.request("POST", f"{BASE}/survey", body, {"Content-Type": KIND})
        statuses.append(connection.getresponse().status)
        connection.close()

    bodies = [(FILE + END)[: rng.choice([10, 300, 10**6])] for _ in range(60)]
    threads = [threading.Thread(target=one, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(statuses) == len(bodies)
    assert set(statuses) <= {200, 202, 400, 429, 503}, statuses
    assert 400 in statuses
    asks._asked.clear()
    assert held_is(0)
