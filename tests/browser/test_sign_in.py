"""Sign-in by OpenID Connect, against a small provider on this machine."""

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from calibcore.store import Share, open_store
from tests.browser.acts import go, settle, upload
from tests.browser.conftest import DESK, PATIENCE, PHONE, free_port, started
from tests.pages.test_reviewing import document

PAGE = "<!DOCTYPE html><title>Wine</title><h1>The shared report</h1>"


@dataclass
class House:
    """A server that asks people to sign in, and one report in its store."""

    address: str
    token: str


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port)),
            *("--user", "ada", "--user", "bob"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    metadata = f"http://localhost:{port}/.well-known/openid-configuration"
    try:
        for _ in range(120):
            try:
                with urllib.request.urlopen(metadata, timeout=2) as answer:
                    json.load(answer)
                break
            except OSError:
                time.sleep(0.25)
        yield metadata
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, provider: str) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    store = open_store("", folder / "data")
    now = int(time.time())
    token = store.save(Share("Wine" * 40, now, now + 1_000, "f" * 64, document(), PAGE)).token
    store.close()
    port = free_port()
    with started(
        folder,
        port,
        CALIBLENS_BASE_URL=f"http://localhost:{port}",
        CALIBLENS_OIDC_METADATA_URL=provider,
        CALIBLENS_OIDC_CLIENT_ID="caliblens",
        CALIBLENS_OIDC_CLIENT_SECRET="secret",
        CALIBLENS_COOKIE_SECRET="x" * 40,
        CALIBLENS_PUBLIC_SHARING="no",
        CALIBLENS_ADMIN_CLAIM="sub=ada",
    ) as address:
        yield House(address, token)


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, house: House) -> Iterator[Page]:
    """A new tab, nobody having signed in."""
    page = context.new_page()
    yield page
    page.goto(f"{house.address}/version")
    page.evaluate("localStorage.clear()")
    for tab in context.pages:
        tab.close()
    context.clear_cookies()


def _status(url: str, method: str = "GET") -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_nothing_is_shown_before_and_everything_after(page: Page, house: House) -> None:
    page.goto(house.address)
    page.get_by_role("button", name="Sign in").wait_for()
    expect(page.get_by_text("Can these probabilities be believed?")).to_have_count(0)
    link = f"{house.address}/r/{house.token}"
    assert page.goto(link).status == 401  # type: ignore[union-attr]
    page.get_by_text("for people who have signed in").wait_for()
    page.get_by_role("link", name="sign in").click()
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.get_by_role("button", name="ada").click()
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    assert page.goto(link).status == 200  # type: ignore[union-attr]
    page.get_by_role("heading", name="The shared report").wait_for()
    page.goto(f"{house.address}/admin")  # ada has the claim
    page.get_by_role("heading", name="Shared reports").wait_for()
    page.set_viewport_size(PHONE)
    settle(page)
    last = page.get_by_role("columnheader", name="Opens until").bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= PHONE["width"]  # however long a title is
    page.set_viewport_size(DESK)
    box = page.get_by_label("Find by its link")
    for asked, found in ((link, "WineWine"), ("http://elsewhere/x", "No report here has this link.")):
        box.fill(asked)
        box.press("Enter")
        settle(page)
        page.locator(".st-key-admin-lists").get_by_text(found).first.wait_for()
    page.reload()
    page.get_by_role("columnheader", name="Opens until").wait_for()  # whoever comes anew sees all
    page.goto(house.address)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()  # the provider's own question
    page.get_by_role("button", name="Sign in").wait_for()
    assert page.goto(link).status == 401  # type: ignore[union-attr]


def _sign_in(page: Page, address: str, person: str) -> None:
    page.goto(f"{address}/data")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.get_by_role("button", name=person).click()
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    go(page, "Data")  # with no wait for the survey of the first page
    page.get_by_role("heading", name="Your own predictions").wait_for()
    settle(page)


@pytest.mark.slow
def test_what_a_tab_holds_belongs_to_who_has_signed_in(page: Page, house: House, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("c,d,label\n" + "0.5,0.5,c\n0.2,0.8,d\n0.6,0.4,d\n" * 20)
    _sign_in(page, house.address, "ada")
    upload(page, file)
    page.get_by_text("In use: mine.csv").wait_for()
    settle(page)
    page.reload()
    page.get_by_text("In use: mine.csv").wait_for()
    settle(page)

    # Another person in the same tab, without a sign-out of the first.
    page.context.clear_cookies(name=re.compile("_streamlit_user.*"))
    _sign_in(page, house.address, "bob")
    assert page.get_by_text("mine.csv").count() == 0
    assert page.get_by_role("link", name="Admin").count() == 0
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="Sign in").wait_for()

    _sign_in(page, house.address, "ada")
    upload(page, file)
    page.get_by_text("In use: mine.csv").wait_for()
    settle(page)
    other = page.context.new_page()
    other.goto(f"{house.address}/data")
    other.get_by_text("In use: Handwritten digits, random forest").wait_for()
    settle(other)
    upload(other, file)
    other.get_by_text("In use: mine.csv").wait_for()
    settle(other)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="Sign in").wait_for()
    other.get_by_role("link", name="Reliability", exact=True).click()  # a tab that was open all the time
    other.get_by_text("You have signed out.").wait_for()
    assert other.get_by_text("mine.csv").count() == 0
    for tab in (page, other):
        _sign_in(tab, house.address, "ada") if tab is page else tab.goto(f"{house.address}/data")
        tab.get_by_role("heading", name="Your own predictions").wait_for()
        settle(tab)
        assert tab.get_by_text("mine.csv").count() == 0
        assert tab.get_by_text("is gone").count() == 0


@pytest.mark.slow
def test_a_link_to_settings_is_kept_over_the_sign_in(page: Page, house: House) -> None:
    page.goto(f"{house.address}/?spec={house.token}")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.get_by_role("button", name="ada").click()
    page.get_by_text("Settings of the report 'Cellar'").wait_for()
    assert "spec=" not in page.url
    assert "caliblens_wanted" not in {cookie["name"] for cookie in page.context.cookies()}


def test_a_stranger_learns_nothing_and_uploads_nothing(house: House) -> None:
    answers = {_status(f"{house.address}/r/{token}") for token in (house.token, "guess")}
    assert answers == {401}
    assert _status(f"{house.address}/_stcore/upload_file/any/file", "PUT") == 401
    assert _status(f"{house.address}/_stcore/health") == 200


def test_a_forged_cookie_is_no_sign_in(page: Page, house: House) -> None:
    claims = json.dumps({"is_logged_in": True, "exp": 10**11, "origin": house.address})
    for value in (claims, "x", "2|1:0|" + claims):
        cookie = {"name": "_streamlit_user", "value": value.replace(",", "%2C"), "url": house.address}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        assert page.goto(f"{house.address}/r/{house.token}").status == 401  # type: ignore[union-attr]
    page.goto(house.address)
    page.get_by_role("button", name="Sign in").wait_for()
