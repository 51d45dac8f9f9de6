"""The worst class names in a real browser: they are words, and nothing happens."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, Request, expect

from pages.server import page_list
from tests.browser.acts import choose, go, settle, upload_own
from tests.browser.conftest import Watched
from tests.hostile.names import HOST, SETS, predictions

WORDS = "<script>alert(1)</script>"
"""With which each of the hostile names begins."""
PAGES = [page.title for page in page_list.pages() if page.name != "share"]
# Numbers, names and keys that a figure cuts off, by more than a pixel: all beyond its edges is hidden.
_CUT_OFF = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap((plot) => {
  const edge = plot.getBoundingClientRect();
  return [...plot.querySelectorAll('svg text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < edge.left - 1 || box.right > edge.right + 1
      || box.top < edge.top - 1 || box.bottom > edge.bottom + 1);
  }).map((text) => text.textContent.slice(0, 40));
})"""


def _wider_than_the_window(page: Page) -> int:
    """Pixels by which the page can be scrolled sideways."""
    return int(
        page.evaluate(
            "() => Math.max(...[document.documentElement, document.body,"
            " document.querySelector('[data-testid=stMain]')].map(e => e.scrollWidth - e.clientWidth))"
        )
    )


def _only_words(page: Page, where: str) -> None:
    assert _wider_than_the_window(page) <= 0, where
    assert page.evaluate(_CUT_OFF) == [], where
    expect(page.get_by_text("Something went wrong")).to_have_count(0)
    assert page.locator(f"a[href*='{HOST}'], img[src*='{HOST}'], iframe[srcdoc]").count() == 0, where


@pytest.mark.slow
def test_the_worst_names_are_words_on_every_page(watched: Watched, tmp_path: Path) -> None:
    page, dialogs, asked = watched.page, [], []

    def on_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    def on_request(request: Request) -> None:
        asked.append(request.url)

    page.on("dialog", on_dialog)
    page.on("request", on_request)
    hostile, long = SETS["everything"], SETS["long"]
    p = predictions((hostile[0], long[1], hostile[2]))
    metadata = {name: values.tolist() for name, values in p.metadata.items()}
    names = {"class_names": list(p.class_names)} | metadata
    file = tmp_path / "[x](http:·) <img src=x onerror=alert(1)>.json"
    file.write_text(json.dumps({"probs": p.probs.tolist(), "labels": p.labels.tolist()} | names))
    upload_own(page, watched.address, file, "60 cases")
    for name in PAGES:
        go(page, name)
        settle(page)
        _only_words(page, name)
        page.set_viewport_size({"width": 390, "height": 1_000})
        settle(page)
        _only_words(page, f"{name}, on a phone")
        page.set_viewport_size({"width": 1440, "height": 1_000})
    go(page, "Reliability")
    choose(page, "Look at", "One class")
    page.get_by_text(f"The model gives '={WORDS}").first.wait_for()
    choose(page, "Look at", "All classes together")
    go(page, "Simplex")
    page.locator(".js-plotly-plot").first.wait_for()
    settle(page)
    _only_words(page, "the triangle")
    page.remove_listener("request", on_request)
    page.remove_listener("dialog", on_dialog)
    assert dialogs == []
    assert not any(HOST in url for url in asked), [url for url in asked if HOST in url]
