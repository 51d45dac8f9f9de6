"""The audit log: what happened, how large and of which fingerprint, and no name."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibcore.limits import SERVER
from pages.server import audit, logs, report_route, sign_in
from tests.cases import each
from tests.pages.harness import on_page, opened, press, settled, upload
from tests.pages.stores import store_of_its_own
from tests.pages.test_verdicts import WRONG, table


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "caliblens.audit")
    return caplog


@pytest.fixture
def store(work_as_it_is: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with store_of_its_own(tmp_path, monkeypatch, base_url="https://caliblens.example.org"):
        yield


def audited(lines: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [record.__dict__["audited"] for record in lines.records if record.name == "caliblens.audit"]


@each("as_json", [True, False])
def test_a_line_holds_the_event_and_its_fields(as_json: bool) -> None:
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    logger = logging.getLogger("caliblens.audit")
    logger.addHandler(handler)
    level = logger.level
    logger.setLevel(logging.INFO)
    try:
        audit.record("api-used", token="ci\n2026 forged", question="survey", status=200)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    line = logs.Quiet(as_json).format(records[0])
    assert len(line.splitlines()) == 1
    if as_json:
        made = json.loads(line)
        fields = {"event": "api-used", "token": "ci_2026_forged", "question": "survey", "status": 200}
        assert {key: made[key] for key in fields} == fields
        assert (made["message"], made["logger"]) == ("audit", "caliblens.audit")
    else:
        assert line.endswith("audit event=api-used token=ci_2026_forged question=survey status=200")


@each(
    "event, fields",
    [("made-up", {}), ("uploaded", {"name": "patients.csv"}), ("signed-in", {"email": "a@b"})],
)
def test_what_is_not_foreseen_is_never_written(event: str, fields: dict[str, str], lines: Any) -> None:
    with pytest.raises(ValueError, match="No line of the audit log"):
        audit.record(event, **fields)
    assert audited(lines) == []


def test_a_server_for_one_person_keeps_none(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    audit.record("share-deleted")
    monkeypatch.setattr(audit, "for_one_person", lambda: True)
    audit.record("share-deleted")
    assert audited(lines) == [{"event": "share-deleted"}]


def test_a_person_is_a_pseudonym_of_this_server(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for secret in "a" * 32, "b" * 32:
        monkeypatch.setattr(audit, "SERVER", replace(SERVER, cookie_secret=secret))
        made += [audit.pseudonym('["https://id", "ann"]'), audit.pseudonym('["https://id", "bob"]')]
        assert audit.pseudonym('["https://id", "ann"]') == made[-2]
    assert len(set(made)) == 4
    assert all(len(name) == 16 and "ann" not in name for name in made)
    assert audit.pseudonym("") == ""
    assert sign_in.owner({}) == ""  # nobody signs in here


def test_what_people_do_is_recorded_without_names(store: None, lines: Any) -> None:
    """A file with names of its own is read, its report is shared, and the link is deleted."""
    app = upload(opened("data", in_use="wine"), text=table(WRONG))
    app = settled(on_page(app, "share"))
    link = settled(press(app, "Make a link")).session_state["shares"][-1]
    found = report_route.store().find(link.token, report_route.now())
    assert found is not None
    settled(press(settled(app), "Delete it now"))
    events = audited(lines)
    read, made, deleted = (
        next(event for event in events if event["event"] == name)
        for name in ("read", "share-made", "share-deleted")
    )
    assert read["fingerprint"] == made["fingerprint"] == found.fingerprint
    assert (read["cases"], read["classes"]) == (len(WRONG), 2)
    assert (made["days"], made["rows"]) == (30, False)
    assert made["bytes"] > 1_000
    assert set(deleted) == {"event"}
    text = json.dumps(events)
    assert link.token not in text
    assert link.key not in text
    assert link.title not in text
