"""The Share page: a link and its key, files, deleting a link; what is said where something fails."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.assessment.rerun import repeatable
from calibcore.limits import LIMITS, Server
from calibcore.questions.registry import QUESTIONS
from calibcore.store import Share, StoreError
from pages.server import report_route
from pages.server.rate_limit import MOST, Guesses
from pages.ui.share import answers, links
from pages.ui.share.links import Link
from tests.pages.harness import choose, on_page, opened, press, said, settled, upload
from tests.pages.stores import NOW, store_of_its_own
from tests.pages.test_several_labels import NAMES, looked_at
from tests.pages.test_verdicts import WRONG, table

BASE = "https://caliblens.example.org"


@pytest.fixture(autouse=True)
def server(work_as_it_is: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with store_of_its_own(tmp_path, monkeypatch, base_url=BASE):
        yield


def test_what_a_report_can_be_asked_for_has_a_box_here() -> None:
    """But a comparison, which has its own."""
    held = [question for question in QUESTIONS.values() if question.repeat is not None]
    assert set(answers.FOUND) == {question.name for question in held if not question.several}


def page(text: str = "", **state: object) -> AppTest:
    """The Share page with a small table of our own."""
    app = upload(opened("data", in_use="wine", **state), text=text or table(WRONG))
    return settled(on_page(app, "share"))


def linked(app: AppTest) -> Link:
    found: Link = settled(press(app, "Make a link")).session_state["shares"][-1]
    return found


def stored(link: Link) -> Share:
    found = report_route.store().find(link.token, NOW)
    assert found is not None
    return found


def test_a_link_and_its_key_are_shown_once_with_who_and_until_when() -> None:
    app = page()
    link = linked(app)
    app = settled(app)
    assert [c.value for c in app.code] == [link.address, link.key]
    assert link.address == f"{BASE}/r/{link.token}"
    assert "Anybody who has the link can open it, without signing in." in said(app)
    assert "It opens until 24 December 2025 (UTC), then the report is deleted." in said(app)
    app = settled(press(app, "I have kept both"))
    assert link.key not in [c.value for c in app.code]
    assert "Links made in this session" in said(app)


def test_what_is_stored_is_the_report_with_title_expiry_and_fingerprint() -> None:
    app = page()
    app.text_input(key=f"share-title-{app.session_state['in-use']}").set_value("For Dr Ada").run()
    app.number_input(key="share-days").set_value(7).run()
    found = stored(linked(app))
    p = next(iter(app.session_state["models"].values())).predictions
    assert (found.title, found.created, found.expires) == ("For Dr Ada", NOW, NOW + 7 * 86_400)
    assert found.fingerprint == p.fingerprint == repeatable(found.document).fingerprint
    assert repeatable(found.document).date == "2025-11-24"
    assert "For Dr Ada" in found.page
    assert report_route.OPEN in found.page


def test_the_expiry_begins_and_ends_where_the_server_says() -> None:
    days = page().number_input(key="share-days")
    assert (days.value, days.min, days.max) == (LIMITS.share_days, 1, LIMITS.max_share_days)


def test_rows_go_only_if_ticked_and_that_is_said() -> None:
    app = page()
    row = "0.9,0.1"
    assert "No rows: nobody can read off what was predicted for a single case." in said(app)
    without = stored(linked(app))
    assert row not in without.document
    assert row not in without.page
    app = settled(app.checkbox[0].check().run())
    assert "The rows of 40 cases are in the report" in said(app)
    with_rows = stored(linked(settled(app)))
    assert row in with_rows.document
    assert row in with_rows.page


@pytest.mark.slow
def test_repeated_cases_are_cautioned_in_what_is_shared() -> None:
    found = stored(linked(page(table(WRONG, ",patient", ",p1"))))
    for text in (found.page, found.document):
        assert "come from 1 different value of" in text


def test_a_report_of_all_labels_holds_what_pages_asked_of_all() -> None:
    """A box for each, once a page has the answer."""
    app = settled(on_page(looked_at(), "share"))
    assert "Include what recalibration would do" not in said(app)
    app = settled(press(settled(on_page(app, "improve")), "Ask about all labels"))
    app = settled(on_page(app, "share"))
    (box,) = [box for box in app.checkbox if str(box.key) == "share-of-all-recalibration"]
    found = json.loads(stored(linked(settled(box.check().run()))).document)
    assert found["recalibration"]["document"] == "labels"
    assert {of["label"] for of in found["recalibration"]["labels"]} == set(NAMES)
    assert "groups" not in found


def test_files_are_offered_and_hold_the_report() -> None:
    app = page()
    labels = [button.label for button in app.get("download_button") if button.label in links.FILES]
    assert labels == ["PDF, A4", "PDF, Letter", "HTML", "JSON"]


@pytest.mark.slow
def test_a_link_is_taken_back_once_confirmed() -> None:
    app = page()
    link = linked(app)
    app = settled(press(settled(app), "Delete it now"))
    assert report_route.store().find(link.token, NOW) is None
    assert links.TAKEN in said(app)
    assert "Links made in this session" not in said(app)
    assert not app.code


def older(app: AppTest, link: str, key: str) -> AppTest:
    app.text_input(key="take-back-link").set_value(link).run()
    app.text_input(key="take-back-key").set_value(key).run()
    return settled(press(app, "Delete it"))


def test_a_link_of_another_day_is_taken_back_by_its_key_from_any_session() -> None:
    saved = report_route.store().save(Share("Wine", NOW, NOW + 100, "f" * 64, "{}", "page"))
    app = older(page(), f"{BASE}/r/{saved.token}", f" {saved.key} ")
    assert links.TAKEN in said(app)
    assert report_route.store().find(saved.token, NOW) is None


@pytest.mark.slow
def test_a_wrong_key_and_what_never_was_have_one_answer_and_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report_route, "_guesses", Guesses(most=3))
    saved = report_route.store().save(Share("Wine", NOW, NOW + 100, "f" * 64, "{}", "page"))
    app = page()
    for link, key in ((saved.token, "wrong"), ("never", saved.key), (f"{BASE}/r/x", "y")):
        app = older(app, link, key)
        assert links.NOTHING in said(app)
    app = older(app, saved.token, "another")
    assert "Too many links that lead nowhere. Wait a minute and try again." in said(app)
    assert report_route.store().find(saved.token, NOW) is not None
    assert links.TAKEN in said(older(app, saved.token, saved.key))  # a right key is never kept waiting
    assert MOST == 20


@pytest.mark.slow
def test_a_store_that_fails_is_one_sentence_and_files_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise StoreError("The store of shared reports cannot be reached or written.")

    app = page()
    with monkeypatch.context() as patch:
        patch.setattr(report_route, "store", gone)
        app = settled(settled(press(app, "Make a link")))
        assert (
            "Making the link is not possible: The store of shared reports cannot be reached or written. "
            "The files above can still be downloaded." in said(app)
        )
        assert "Start again" not in [button.label for button in app.button]
        assert len(app.get("download_button")) >= 4
        app = older(app, "x", "y")
        assert "Nothing was deleted: The store" in said(app)
    assert not app.session_state.get("shares") if "shares" in app.session_state else True
    assert "Links made" in said(settled(settled(press(app, "Make a link"))))


def test_weighted_cases_have_no_report_and_it_is_said() -> None:
    text = "well,ill,label,weight\n" + "0.8,0.2,well,1\n0.3,0.7,ill,2\n0.6,0.4,ill,3\n" * 8
    app = upload(opened("data", in_use="wine"), text=text)
    choose(app, "Column with weights", "weight")
    app = on_page(app, "share")
    assert "Weighted cases have no tests and no verdict, so there is no report of them to share." in said(app)
    assert "Make a link" not in [button.label for button in app.button]
    assert "Settings from a report" in said(app)


def test_who_must_sign_in_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    house = Server(Path("/nowhere"), base_url=BASE, oidc_metadata_url="https://x")
    monkeypatch.setattr(links, "SERVER", house)
    assert "Whoever has the link and signs in here can open it." in said(page())


HOSTILE = {
    "markup": "<img src=//evil.example/x onerror=alert(1)> ![x](http://evil.example/y.png)",
    "long": "x" * 10_000,
    "right to left": "\u202egnp.exe\u202c \u05d0\u05d1",
    "nothing": "\0\r\n",
    "our own mark": report_route.OPEN,
    "end of a script": "</script><script>alert(1)</script>",
}


@pytest.mark.some(2)
@pytest.mark.parametrize("title", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.slow
def test_hostile_titles_do_no_harm(title: str) -> None:
    app = page()
    app.text_input(key=f"share-title-{app.session_state['in-use']}").set_value(title).run()
    link = linked(app)
    found = stored(link)
    assert 0 < len(found.title) <= 200
    assert "\u202e" not in found.title
    assert "<img src=//evil" not in found.page
    assert found.page.count(report_route.OPEN) == 1
    assert "evil.example/x onerror" not in "".join(
        m.value for m in settled(app).markdown if "evil" in m.value and "\\<" not in m.value
    )
    assert repeatable(found.document).fingerprint == found.fingerprint
