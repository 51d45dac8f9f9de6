"""The worst class names in a real browser: they are words, and nothing happens."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from pages.server import page_list
from tests.browser.acts import go, settle, upload_own
from tests.browser.conftest import Watched
from tests.hostile.names import HOST, SETS, predictions

PAGES = [page.title for page in page_list.pages() if page.name != "share"]


def _wider_than_the_window(page: Page) -> int:
    """Pixels by which the page can be scrolled sideways."""
    return int(
        page.evaluate(
            "() => Math.max(...[document.documentElement, document.body,"
            " document.querySelector('[data-testid=stMain]')].map(e => e.scrollWidth - e.clientWidth))"
        )
    )


@pytest.mark.parametrize("which", ["everything", "long"])
def test_the_worst_names_are_words_on_every_page(watched: Watched, which: str, tmp_path: Path) -> None:
    page, dialogs, asked = watched.page, [], []

    def on_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", on_dialog)
    page.on("request", lambda request: asked.append(request.url))
    p = predictions(SETS[which])
    metadata = {name: values.tolist() for name, values in p.metadata.items()}
    names = {"class_names": list(p.class_names)} | metadata
    file = tmp_path / "[x](http:·) <img src=x onerror=alert(1)>.json"
    file.write_text(json.dumps({"probs": p.probs.tolist(), "labels": p.labels.tolist()} | names))
    upload_own(page, watched.address, file, "60 cases")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 1_000})
        for name in PAGES:
            if width == 1440:
                go(page, name)
            settle(page)
            assert _wider_than_the_window(page) <= 0, (name, width)
            expect(page.get_by_text("Something went wrong")).to_have_count(0)
            assert page.locator(f"a[href*='{HOST}'], img[src*='{HOST}'], iframe[srcdoc]").count() == 0, name
    assert dialogs == []
    assert not any(HOST in url for url in asked), [url for url in asked if HOST in url]
