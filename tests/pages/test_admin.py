"""The page Admin: for who has the claim alone, with what the server holds and ways to take it back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from calibcore.limits import SERVER
from calibcore.store import Share, Tokens
from pages.server import page_list, places, report_route, sign_in, streamlit_internals, tokens, visitors
from pages.ui.admin import acts, load, shares
from pages.work import job as work
from pages.work.job import Job
from tests.cases import each
from tests.pages.harness import begun, said, settled
from tests.pages.stores import NOW, store_of_its_own
from tests.pages.test_audit import audited

ANN = {
    "iss": "https://id",
    "sub": "ann",
    "is_logged_in": True,
    "exp": 4_000_000_000,
    "groups": ["staff", "it"],
}
DAY = 86_400


@pytest.fixture
def claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What the sign-in says of who looks; of a server whose admins are in the group "it"."""
    who = dict(ANN)
    server = replace(
        SERVER, oidc_metadata_url="https://id/x", cookie_secret="s" * 40, admin_claim="groups=it"
    )
    for module in (sign_in, places, visitors):
        monkeypatch.setattr(module, "SERVER", server)
    monkeypatch.setattr(st, "user", SimpleNamespace(to_dict=lambda: dict(who)))
    monkeypatch.setattr(sign_in, "_left", {})
    monkeypatch.setattr(tokens, "_known", {})
    monkeypatch.setattr(streamlit_internals, "held", lambda: (1, 0, 0))
    with store_of_its_own(tmp_path, monkeypatch):
        yield who


def shared(title: str = "January", created: int = NOW - DAY) -> str:
    share = Share(title, created, NOW + DAY, "f" * 64, "{}", "<p>x</p>")
    return report_route.store().save(share).token


def page() -> AppTest:
    """Admin by itself, without the pages around it."""
    return AppTest.from_file(str(page_list.FOLDER / "admin.py"), default_timeout=60)


def titles(app: Any) -> list[str]:
    return [page["page_name"] for page in app._registered_pages.values()]


def cells(app: Any) -> str:
    return "\n".join(table.value.to_csv(index=False) for table in app.main.table).replace("\\", "")


@each(
    "claims_of, wanted, has",
    [
        ({"groups": ["a", "it"]}, "groups=it", True),
        ({"groups": "it"}, "groups=it", True),
        ({"groups": "items"}, "groups=it", False),
        ({"groups": {"it": True}}, "groups=it", False),
        ({"groups": None}, "groups=None", False),
        ({}, "groups=it", False),
        ({"realm": {"roles": ["it"]}}, "realm.roles=it", True),
        ({"realm.roles": ["it"], "realm": {"roles": []}}, "realm.roles=it", True),
        ({"realm.roles": [], "realm": {"roles": ["it"]}}, "realm.roles=it", False),
        ({"https://x.org/roles": ["it=x"]}, "https://x.org/roles=it=x", True),
        ({"": ["it"]}, "=it", False),
        ({"groups": ""}, "groups=", False),
        ({"admin": True}, "admin=True", False),
    ],
)
def test_a_claim_is_a_word_or_in_a_list_of_words(claims_of: dict[str, Any], wanted: str, has: bool) -> None:
    assert sign_in.has_claim(claims_of, wanted) is has


def test_who_lacks_the_claim_sees_no_such_page(
    claims: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (admin,) = page_list.pages_for_admins()
    app = begun()
    app.session_state["in-use"] = "wine"
    assert admin.title in titles(settled(app.switch_page("../learn.py").run()))
    for change in ({"groups": ["staff"]}, {"groups": None}):
        claims.update(change)
        app = begun()
        app.session_state["in-use"] = "wine"
        app = settled(app.switch_page("../learn.py").run())
        assert admin.title not in titles(app)
        with pytest.raises(ValueError, match="Could not find a navigation page"):
            app.switch_page("../admin.py")
    assert places.is_page("admin")
    monkeypatch.setattr(places, "SERVER", replace(SERVER, admin_claim=""))
    assert not places.is_page("admin")


def box_of(app: AppTest, label: str) -> Any:
    (box,) = [box for box in app.selectbox if box.label == label]
    return box


def test_reports_are_listed_and_revoked(claims: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "caliblens.audit")
    token, other = shared("January ![x](http://h/p.png)"), shared("February", NOW - 2 * DAY)
    app = page().run()
    assert app.title[0].value == "What does this server hold?"
    assert "2025-11-23" in cells(app)
    assert r"\[x\]\(http" in app.main.table[0].value.to_csv()  # its marks are escaped
    box = box_of(app, "Report to revoke")
    assert [option.split(",")[0] for option in box.options] == ["January ![x](http://h/p.png)", "February"]
    app = box.select_index(0).run()
    assert any(r"January \!\[x\]\(" in words.value for words in app.markdown)
    assert "fingerprint ffffffffffff: the report is deleted" in said(app).replace("\\", "")
    app = app.button(key="admin-revoke-share").click().run()
    assert "is revoked" in said(app)
    kinds = [part.type for part in app.main]
    assert kinds.index("selectbox") < kinds.index("info")  # said where the button was, not above the page
    assert report_route.store().find(token, NOW) is None
    assert report_route.store().find(other, NOW) is not None
    lines = [line for line in audited(caplog) if line["event"] == "share-revoked"]
    assert [set(line) for line in lines] == [{"event", "fingerprint", "by"}]
    assert "January" not in json.dumps(lines)
    assert "is revoked" not in said(app.run())


def test_a_report_is_found_by_its_link(claims: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is older than all that are listed."""
    monkeypatch.setattr(shares, "MOST", 1)
    token, other = shared(), shared("February", NOW - 2 * DAY)
    app = page().run()
    link = app.text_input(key=shares.LINK)
    app = link.set_value(f"  http://here/caliblens/share?{report_route.PARAMETER}={other}#top ").run()
    assert "February" in cells(app)
    assert "January" not in cells(app)
    app = box_of(app, "Report to revoke").select_index(0).run()
    app = app.button(key="admin-revoke-share").click().run()
    assert (report_route.store().find(other, NOW), app.text_input(key=shares.LINK).value) == (None, "")
    assert "January" in cells(app)
    assert report_route.store().find(token, NOW) is not None
    for nowhere in (other, "nonsense", f"http://here/share?{report_route.PARAMETER}="):
        app = app.text_input(key=shares.LINK).set_value(nowhere).run()
        assert "No report here has this link." in said(app)
        assert not [box for box in app.selectbox if box.label == "Report to revoke"]


def test_tokens_are_listed_and_revoked(claims: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "caliblens.audit")
    of_store = Tokens(report_route.store())
    secret, old = of_store.make("nightly", 30, NOW), of_store.make("old", 1, NOW - 3 * DAY)
    app = page().run()
    assert "expired" in cells(app)
    assert secret not in cells(app)
    app = box_of(app, "Token to revoke").select("nightly").run()
    app = app.button(key="admin-revoke-token").click().run()
    assert "'nightly' is revoked: programs that use it are refused." in said(app).replace("\\", "")
    assert of_store.find(secret, NOW) is None
    assert of_store.find(old, NOW - 3 * DAY) is not None
    (line,) = [line for line in audited(caplog) if line["event"] == "token-revoked"]
    assert (line["token"], "by" in line) == ("nightly", True)


def test_an_act_is_of_who_has_the_claim_then(claims: dict[str, Any]) -> None:
    token = shared()
    app = page().run()
    app = box_of(app, "Report to revoke").select_index(0).run()
    claims["groups"] = ["staff"]
    app.button(key="admin-revoke-share").click().run()
    assert report_route.store().find(token, NOW) is not None


def test_work_is_shown_without_names(claims: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_kind = Job[str](kind="survey", fraction=0.25, worked=work.time.monotonic() - 7)
    with_kind.ticket = SimpleNamespace(visitor=("ann@x.org", ""))  # type: ignore[assignment]
    waiting = Job[str](kind="groups")
    waiting.ticket = with_kind.ticket
    monkeypatch.setattr(work, "_begun", {with_kind, waiting, Job[str](kind="over")})
    monkeypatch.setattr(work, "in_line", lambda: (1, 1))
    assert [each.kind for each in work.seen()] == ["survey", "groups"]
    rows = [load._row(each) for each in work.seen()]
    assert [row["State"] for row in rows] == ["at work", "waits"]
    assert (rows[0]["Done"], rows[0]["Seconds"]) == ("25\N{NO-BREAK SPACE}%", "7")
    app = page().run()
    assert "1 at work, 1 waiting." in said(app)
    assert "survey" in cells(app)
    assert "ann" not in cells(app)


def test_a_store_that_does_not_answer_is_said(
    claims: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise shares.StoreError("The store cannot be reached.")

    monkeypatch.setattr(report_route.store(), "listed", fails)
    monkeypatch.setattr(Tokens, "all", fails)
    app = page().run()
    assert [warning.value for warning in app.warning] == ["The store cannot be reached."] * 2
    assert acts.SAID not in app.session_state


def test_what_could_not_be_revoked_is_a_warning(
    claims: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise shares.StoreError("The store cannot be reached.")

    token = shared()
    app = box_of(page().run(), "Report to revoke").select_index(0).run()
    monkeypatch.setattr(report_route.store(), "remove", fails)
    app = app.button(key="admin-revoke-share").click().run()
    assert [warning.value.replace("\\", "") for warning in app.warning] == [
        "Nothing was done: The store cannot be reached."
    ]
    assert not app.info
    assert report_route.store().find(token, NOW) is not None


def test_an_empty_store_says_what_belongs_there(claims: dict[str, Any]) -> None:
    app = page().run()
    assert {"No job is under way.", "No program has a token."} <= set(said(app).splitlines())
    assert "Links to reports are made on the page Share." in said(app)
    assert [code.value for code in app.code] == ["python -m calibcore token create NAME"]


def test_what_the_command_line_does_with_tokens_is_noted(
    claims: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "caliblens.audit")
    of_store = Tokens(report_route.store())
    of_store.make("first", 30, NOW)
    tokens._known.update({token.name: token for token in of_store.all()})
    of_store.make("second", 7, NOW)
    of_store.revoke("first")
    tokens.note(of_store.all())
    tokens.note(of_store.all())
    assert tokens.revoke("second", "x")
    tokens.note(of_store.all())
    assert audited(caplog) == [
        {"event": "token-revoked", "token": "first"},
        {"event": "token-made", "token": "second", "days": 7},
        {"event": "token-revoked", "token": "second", "by": "x"},
    ]
