"""Which programs may ask: those with a token, no page of another site, and none where a server is closed."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from starlette.requests import Request

from calibcore.limits import SERVER
from calibcore.store import Tokens
from pages.api import asks, callers, openapi
from pages.api import routes as api
from pages.api.callers import KEY
from pages.server import audit, gate, places, report_route, sign_in
from pages.server.rate_limit import Guesses
from pages.work import links
from tests.cases import each
from tests.pages.programs import BASE, EVENT_FILE, ask, client, fetched

NO_FILE = {"predictions": ("x.csv", b"a,b\n1,2\n")}
"""Answered by 422 at once: whoever may ask gets that far."""


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(report_route, "SERVER", replace(SERVER, data=tmp_path, database_url=""))
    monkeypatch.setattr(callers, "_guesses", Guesses())
    monkeypatch.setattr(callers, "_asked", Guesses(10**6))
    monkeypatch.setattr(callers, "SLOW", 0.0)
    report_route.store.cache_clear()
    yield
    report_route.store().close()
    report_route.store.cache_clear()


@pytest.fixture
def people_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    server = replace(
        SERVER, base_url="http://localhost", oidc_metadata_url="https://y.org", cookie_secret="s" * 40
    )
    for module in (sign_in, callers, openapi, api, places):
        monkeypatch.setattr(module, "SERVER", server)


def made(name: str = "nightly", days: int = 1) -> dict[str, str]:
    secret = Tokens(report_route.store()).make(name, days, int(time.time()))
    return {"Authorization": f"Bearer {secret}"}


def test_where_people_sign_in_a_program_says_a_token(people_sign_in: None) -> None:
    with client() as program:
        response = ask(program, "survey", NO_FILE)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert "token" in response.json()["error"]
        said = made()
        assert ask(program, "survey", NO_FILE, said).status_code == 422
        bare = said["Authorization"].removeprefix("Bearer ")
        for words in (bare, f"Basic {bare}", f"Bearer {bare[:-1]}", "Bearer ", f"Bearer {bare.swapcase()}"):
            assert ask(program, "survey", NO_FILE, {"Authorization": words}).status_code == 401
        assert ask(program, "survey", NO_FILE, {"Cookie": f"_streamlit_user={bare}"}).status_code == 401
        assert ask(program, "survey", NO_FILE, {"Authorization": f"bearer {bare}"}).status_code == 422
        assert program.get(f"{BASE}/jobs/x").status_code == 401
        assert program.get(f"{BASE}/jobs/x", headers=said).status_code == 404
        for open_to_all in ("", "/", "/docs", "/openapi.json"):
            assert program.get(f"{BASE}{open_to_all}").status_code == 200
        assert program.get("/media/x").status_code == 401


def test_a_token_opens_until_it_expires_or_is_revoked(
    people_sign_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, other = made("ci", 1), made("other", 3)
    with client() as program:
        assert ask(program, "survey", NO_FILE, said).status_code == 422
        assert Tokens(report_route.store()).revoke("ci")
        assert ask(program, "survey", NO_FILE, said).status_code == 401
        assert ask(program, "survey", NO_FILE, other).status_code == 422
        monkeypatch.setattr(report_route, "now", lambda: int(time.time()) + 3 * 86_400)
        assert ask(program, "survey", NO_FILE, other).status_code == 401


def test_guesses_at_tokens_are_few_and_a_right_one_is_answered_all_the_same(people_sign_in: None) -> None:
    said = made()
    with client() as program:
        guesses = [
            ask(program, "survey", NO_FILE, {"Authorization": f"Bearer caliblens_{i}"}) for i in range(22)
        ]
        assert [guess.status_code for guess in guesses] == [401] * 20 + [429] * 2
        assert ask(program, "survey", NO_FILE, said).status_code == 422


def test_a_job_is_of_the_token_that_asked(people_sign_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "WAITED", 0.0)
    said, other = made("ci"), made("other")
    with client() as program:
        href = ask(program, "survey", NO_FILE, said).json()["href"]
        assert program.get(href, headers=other).status_code == 404
        assert program.delete(href, headers=other).status_code == 404
        assert program.get(href, headers=said).status_code == 200


def test_who_asks_is_noted_without_secrets_names_of_files_or_values(
    people_sign_in: None, caplog: pytest.LogCaptureFixture
) -> None:
    said = made("nightly")
    with client() as program, caplog.at_level("INFO", "caliblens.audit"):
        fetched(
            program,
            ask(program, "diagnose", {"predictions": EVENT_FILE}, said, lens="confidence", tests="none"),
        )
    (line,) = [record.audited for record in caplog.records if record.name == "caliblens.audit"]
    assert line["event"] == "api-used"
    assert (line["token"], line["bytes"], line["status"]) == ("nightly", len(EVENT_FILE[1]), 200)
    assert set(line) == {"event", "token", "bytes", "fingerprint", "question", "status"}
    assert said["Authorization"][10:] not in str(line)
    assert "event.csv" not in str(line)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:81", "null", ""])
def test_pages_of_other_sites_are_refused(origin: str) -> None:
    with client() as program:
        for response in (
            ask(program, "survey", NO_FILE, {"Origin": origin}),
            program.get(f"{BASE}/jobs/x", headers={"Origin": origin}),
            program.delete(f"{BASE}/jobs/x", headers={"Origin": origin}),
        ):
            assert response.status_code == 403
            assert response.json()["error"]
            assert "access-control-allow-origin" not in response.headers
        assert ask(program, "survey", NO_FILE, {"Origin": "http://localhost"}).status_code == 422


def test_another_name_of_the_host_is_refused(people_sign_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.server import entry

    monkeypatch.setattr(entry, "SERVER", replace(SERVER, base_url="https://caliblens.example.org"))
    with client() as program:
        response = ask(program, "survey", NO_FILE, {"Host": "evil.example"})
    assert response.status_code == 421
    assert response.json()["error"].startswith("This server has another name.")


def test_a_server_may_be_closed_to_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (api, places):
        monkeypatch.setattr(module, "SERVER", replace(SERVER, api=False))
    with client() as program:
        for path in ("/survey", "/docs", "/openapi.json", "", "/jobs/x"):
            for method in ("GET", "POST", "DELETE"):
                assert program.request(method, f"{BASE}{path}").status_code in (404, 405)
                assert not gate.is_open(f"api/v1{path}")


def test_what_there_is_not_is_told_as_json() -> None:
    with client() as program:
        assert program.get(f"{BASE}/survey").status_code == 405
        assert program.get(f"{BASE}/survey").headers["allow"] == "POST"
        for path in ("/api/v2/survey", f"{BASE}/report", f"{BASE}/jobs/", f"{BASE}/survey/x", "/api/x"):
            for method in ("GET", "POST", "PUT", "DELETE"):
                response = program.request(method, path)
                assert response.status_code == 404
                assert response.json()["error"]


def test_below_a_base_path_links_and_jobs_are_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "WAITED", 0.0)
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", "lens")
    try:
        with client() as program:
            response = program.post("/lens/api/v1/survey", files={"predictions": NO_FILE["predictions"]})
            assert response.json()["href"].startswith("/lens/api/v1/jobs/")
            assert program.get(response.json()["href"]).status_code == 200
            assert program.get("/lens/api/v1").json()["docs"] == "/lens/api/v1/docs"
            assert program.post("/api/v1/survey").status_code == 404
    finally:
        st.config.set_option("server.baseUrlPath", before)


def test_a_survey_may_leave_a_report_with_its_link_and_key() -> None:
    fields = {"report": "yes", "title": "January <b>", "noun": "patient", "days": "2"}
    with client() as program:
        told = fetched(program, ask(program, "survey", {"predictions": EVENT_FILE}, **fields))
        report = told["report"]
        assert told["verdict"]
        assert report["link"].startswith("http://localhost/r/")
        assert report["href"].startswith(f"{BASE}/reports/")
        page = program.get(report["link"].removeprefix("http://localhost"))
        assert page.status_code == 200
        assert "January &lt;b&gt;" in page.text
        assert "patient" in page.text
    token = report_route.token_of(report["link"])
    share = report_route.store().find(token, report_route.now())
    assert share is not None
    assert share.fingerprint == told["data"]["fingerprint"]
    assert 0 < share.expires - report_route.now() <= 2 * 86_400
    assert not report_route.store().revoke(token, "another")
    assert report_route.store().revoke(token, report["key"])


def test_a_program_deletes_its_report_by_the_key_and_no_other(
    people_sign_in: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(callers, "_guesses", Guesses(3, 60.0))
    monkeypatch.setattr(audit, "for_one_person", lambda: False)
    caplog.set_level("INFO", "caliblens.audit")
    said = made()
    with client() as program:
        told = fetched(program, ask(program, "survey", {"predictions": EVENT_FILE}, said, report="yes"))
        href, key = told["report"]["href"], told["report"]["key"]
        assert program.delete(href, headers={KEY: key}).status_code == 401  # no token
        assert program.delete(href, headers=said).status_code == 422  # no key
        assert program.delete(f"{href}?key={key}", headers=said | {KEY: key}).status_code == 422
        for wrong_href, wrong_key in ((href, "another"), (href, key[:-1]), (f"{BASE}/reports/x", key)):
            response = program.delete(wrong_href, headers=said | {KEY: wrong_key})
            assert response.status_code == 404
            assert response.json()["error"] == "There is no such report, or it has another key."
        assert program.delete(href, headers=said | {KEY: "y"}).status_code == 429  # too many guesses
        assert program.delete(href, headers=said | {KEY: key}).status_code == 204  # which hinder no right one
        assert report_route.store().find(report_route.token_of(told["report"]["link"]), 0) is None
    deleted = [line.__dict__["audited"] for line in caplog.records if "audited" in line.__dict__]
    assert {"event": "share-deleted", "token": "nightly"} in deleted


@each("proxies, link", [(0, "http://"), (1, "https://")])
def test_a_proxy_that_is_counted_says_that_links_are_secure(
    proxies: int, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "SERVER", replace(SERVER, proxies=proxies))
    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": "/",
        "query_string": b"",
        "headers": [(b"host", b"caliblens.example.org"), (b"x-forwarded-proto", b"https")],
    }
    assert api._base(Request(scope)).startswith(f"{link}caliblens.example.org")


def test_a_store_that_takes_no_report_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise links.NotStored("The store of shared reports is full.")

    monkeypatch.setattr(links, "made", fails)
    with client() as program:
        response = ask(program, "survey", {"predictions": EVENT_FILE}, report="yes")
        told = fetched(program, response)
    assert told["error"] == "The store of shared reports is full."
