"""The link to a shared report: who has it sees it, everybody else learns nothing."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import event
from starlette.applications import Starlette
from starlette.testclient import TestClient

from calibcore.limits import Server
from calibcore.store import Saved, Share, StoreError
from pages.server import report_route, routes
from pages.server.rate_limit import Guesses

PAGE = "<!DOCTYPE html><title>Wine</title><p>" + "the report " * 1_000
SHARE = Share("Wine", 0, 10**8, "f" * 64, "{}", PAGE)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(report_route, "SERVER", Server(tmp_path))
    monkeypatch.setattr(report_route, "_guesses", Guesses())
    monkeypatch.setattr(report_route, "now", lambda: 1_000)
    report_route.store.cache_clear()
    yield TestClient(Starlette(routes=routes.routes, middleware=routes.middleware))
    report_route.store().close()
    report_route.store.cache_clear()


def _saved(**changes: int) -> Saved:
    return report_route.store().save(Share(**(vars(SHARE) | changes)))


def test_the_link_shows_the_page_under_a_policy_of_its_own(client: TestClient) -> None:
    answer = client.get(f"/r/{_saved().token}")
    assert (answer.status_code, answer.text) == (200, PAGE)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "sandbox allow-scripts allow-downloads" in policy
    assert "'self'" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "noindex" in answer.headers["x-robots-tag"]


def test_the_page_gets_the_link_to_its_settings_when_it_is_sent_and_the_token_is_not_stored(
    client: TestClient,
) -> None:
    share = Share("Wine", 0, 10**8, "f" * 64, "{}", f"{PAGE}{report_route.OPEN}<b>{report_route.OPEN}")
    token = report_route.store().save(share).token
    text = client.get(f"/r/{token}").text
    assert text.count(f'href="../?spec={token}"') == 1
    assert f">{report_route.OPEN_WORDS}</a><b>" in text
    found = report_route.store().find(token, 0)
    assert found is not None
    assert token not in found.page


def test_other_addresses_keep_the_policy_of_the_app(client: TestClient) -> None:
    policy = client.get("/version").headers["content-security-policy"]
    assert policy == routes.HEADERS["Content-Security-Policy"]


def test_an_opened_link_is_in_the_audit_log_without_its_token(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "caliblens.audit")
    client.get(f"/r/{_saved().token}")
    client.get("/r/nothing")
    lines = [record.__dict__["audited"] for record in caplog.records if record.name == "caliblens.audit"]
    assert lines == [{"event": "share-opened", "fingerprint": "f" * 64}, {"event": "share-not-found"}]


def test_never_was_expired_and_revoked_cannot_be_told_apart(client: TestClient) -> None:
    expired, revoked = _saved(expires=500), _saved()
    assert report_route.store().revoke(revoked.token, revoked.key)
    answers = [
        client.get(f"/r/{t}") for t in (expired.token, revoked.token, "x" * 43, "%00", "a", "é" * 2_000)
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert len({tuple(sorted(answer.headers.items())) for answer in answers}) == 1


def test_wrong_guesses_are_slowed_down_and_nothing_else_is(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, clock = _saved().token, [0.0]
    monkeypatch.setattr(report_route, "_guesses", Guesses(clock=lambda: clock[0]))
    waits = list[float]()

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(report_route, "asyncio", SimpleNamespace(sleep=waited))
    assert [client.get(f"/r/guess{i}").status_code for i in range(20)] == [404] * 20
    assert not waits
    answer = client.get("/r/guess")
    assert waits == [report_route.SLOW]
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 61
    assert client.get(f"/r/{token}").status_code == 200  # somebody else behind the same proxy
    assert len(waits) == 1
    other = TestClient(client.app, client=("192.0.2.7", 1))
    assert other.get("/r/guess").status_code == 404
    clock[0] = 61.0
    assert client.get("/r/guess").status_code == 404


def test_a_damaged_report_is_said_to_be(client: TestClient) -> None:
    saved = _saved()
    with report_route.store()._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE shares SET page = 'no page'")
    answer = client.get(f"/r/{saved.token}")
    assert answer.status_code == 410
    assert "damaged" in answer.text
    assert report_route.store().revoke(saved.token, saved.key)
    assert client.get(f"/r/{saved.token}").status_code == 404


def test_whatever_fails_expired_reports_are_deleted_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[int] = []

    class Failing:
        def delete_expired(self, _now: int) -> int:
            came.append(1)
            raise [TimeoutError("the database"), ConnectionResetError(), StoreError("no"), KeyError(3)][
                len(came) % 4
            ]

    monkeypatch.setattr(report_route, "store", Failing)

    async def life() -> None:
        task = asyncio.create_task(report_route.delete_expired(0.001))
        while len(came) < 9:
            assert not task.done()
            await asyncio.sleep(0.001)
        task.cancel()

    asyncio.run(life())


def test_a_store_that_is_gone_is_no_error_page_of_ours(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = _saved().token
    report_route.store().close()
    report_route.store.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(
            report_route, "SERVER", Server(Path("/nowhere"), "postgresql://nobody@127.0.0.1:1/none")
        )
        answer = client.get(f"/r/{token}")
        assert answer.status_code == 503
        assert "Try again" in answer.text
        assert "Traceback" not in answer.text
    assert client.get(f"/r/{token}").status_code == 200


def test_nothing_can_be_written_or_listed_through_the_link(client: TestClient) -> None:
    token = _saved().token
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert client.request(method, f"/r/{token}").status_code == 405
    assert client.get(f"/r/{token}").status_code == 200
    assert client.get("/r/").status_code in (404, 405)


def test_the_database_is_asked_for_the_hash_alone(client: TestClient) -> None:
    """How long a look-up takes then says nothing about how much of a guess is right."""
    asked: list[object] = []
    engine, guess = report_route.store()._engine, "a guess at a token"
    event.listen(engine, "before_cursor_execute", lambda *words: asked.append(words[2:4]))
    client.get(f"/r/{guess}")
    assert hashlib.sha256(guess.encode()).digest() in asked[-1][1]  # type: ignore[index]
    assert guess not in repr(asked)


def test_a_database_of_another_kind_stops_the_server_without_its_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report_route.need_a_database()
    monkeypatch.setattr(report_route, "SERVER", Server(tmp_path, database_url="mysql://me:secret@there/db"))
    with pytest.raises(SystemExit, match="names a 'mysql' database; expected postgresql") as stopped:
        report_route.need_a_database()
    assert "secret" not in str(stopped.value)
