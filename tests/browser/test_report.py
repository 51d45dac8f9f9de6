"""A report in a real browser: from disk and under the policy of shared reports, on a desk and on a phone."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from calibcore.report import to_html, to_json
from pages.server.report_route import POLICY
from tests.report.reported import HOSTILE, report

SHARED = "http://report.test/r/x"
CASES = {
    "three": (150, 3, None),
    "four": (90, 4, None),
    "two": (40, 2, None),
    "hostile": (120, len(HOSTILE), HOSTILE),
}
CUT_OFF = """[...document.querySelectorAll('.scroll')]
    .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)"""
"""The tables that are wider than their place."""
ENDLESS = """[...document.querySelectorAll('.drawn > div')].flatMap(d => Object.entries(d.layout)
    .filter(([name, axis]) => /^[xy]axis/.test(name) && axis.autorange).map(([name]) => name))"""
"""The axes whose ends the browser had to find."""
SHEET = 688
"""Pixels between the margins of A4."""


@pytest.fixture(scope="module")
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    found = report(*CASES[request.param], title="<b>Title</b>")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(to_html(found), encoding="utf-8")
    return path, to_json(found)


@pytest.fixture
def opened(browser: Browser) -> Iterator[tuple[Page, list[str], list[str]]]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page, asked, complaints
    context.close()


def _is_drawn(page: Page) -> None:
    """On a phone: every figure has data, and nothing is wider than the window."""
    page.locator(".drawn .main-svg").first.wait_for()
    assert page.evaluate("[...document.querySelectorAll('.drawn > div')].every(d => d.data.length > 0)")
    assert page.locator(".drawn > div").count() >= 2
    assert page.evaluate(ENDLESS) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.title() == "<b>Title</b>"


@pytest.mark.parametrize("written", ["hostile"], indirect=True)
def test_it_opens_from_disk_and_asks_for_nothing(
    written: tuple[Path, str], opened: tuple[Page, list[str], list[str]]
) -> None:
    path, _ = written
    page, asked, complaints = opened
    page.goto(path.as_uri())
    _is_drawn(page)
    light = page.evaluate("getComputedStyle(document.querySelector('.main-svg text')).fill")
    page.emulate_media(color_scheme="light")
    page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.main-svg text')).fill !== before", arg=light
    )
    page.set_viewport_size({"width": 1440, "height": 900})
    page.hover(".drawn > div .main-svg")
    assert page.evaluate(CUT_OFF) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": SHEET, "height": 1000})
    assert page.evaluate(CUT_OFF) == []
    assert asked == [path.as_uri()]
    assert not complaints


@pytest.mark.parametrize("written", CASES, indirect=True)
@pytest.mark.some(1)
def test_it_works_under_the_policy_of_shared_reports(
    written: tuple[Path, str], opened: tuple[Page, list[str], list[str]], tmp_path: Path
) -> None:
    path, document = written
    page, asked, complaints = opened
    body = path.read_text(encoding="utf-8")
    page.route(
        "**/*",
        lambda route: route.fulfill(body=body, headers=POLICY | {"Content-Type": "text/html; charset=utf-8"}),
    )
    page.goto(SHARED)
    _is_drawn(page)
    with page.expect_download() as held:
        page.get_by_role("button", name="Everything as JSON").click()
    held.value.save_as(tmp_path / "report.json")
    assert held.value.suggested_filename == "net-report-2026-11-21.json"
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8")) == json.loads(document)
    assert [url for url in asked if not url.startswith("blob:")] == [SHARED]
    assert not complaints


@pytest.mark.slow
@pytest.mark.parametrize("written", ["three"], indirect=True)
def test_on_a_touch_screen_no_tools_lie_over_the_words(written: tuple[Path, str], browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(written[0].as_uri())
    _is_drawn(page)
    assert page.locator(".modebar").count() == 0
    context.close()
