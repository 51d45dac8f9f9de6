"""The tour: a sentence on each of its pages, the way on and the way out; it holds nobody."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.server import page_list
from pages.ui import tour
from tests.documents import TEXTS
from tests.pages.harness import on_page, opened, press, said, settled


def ways(app: AppTest) -> list[str]:
    """What the links say."""
    return [link.proto.label for link in app.main.get("page_link")]


def rings(app: AppTest) -> list[str]:
    """Keys of what is pointed at."""
    styles = "".join(html.proto.body for html in app.get("html"))
    return re.findall(rf"\.st-key-([\w-]+) {{{{ {re.escape(tour.RING)}", styles.replace("{", "{{"))


def test_what_was_in_use_is_so_again_unless_something_else_was_chosen() -> None:
    app = press(opened("learn", in_use="breast-cancer"), tour.WORDS)
    assert app.session_state["in-use"] == tour.EXAMPLE
    assert rings(app) == ["answer"]
    app = settled(press(app, "Leave"))
    assert app.session_state["in-use"] == "breast-cancer"
    app = press(on_page(app, "learn"), tour.WORDS)
    app.session_state["in-use"] = "diabetes"
    app = settled(press(app.run(), "Leave"))
    assert app.session_state["in-use"] == "diabetes"
    assert not rings(app)


@pytest.mark.slow
def test_the_tour_goes_through_the_pages_that_have_a_sentence() -> None:
    steps = tour.steps()
    many = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[len(steps) - 1]
    assert f"leads through {many} pages" in TEXTS["app"], f"docs/app.md: the tour leads through {many} pages."
    for page in steps:
        assert len(re.split(r"(?<=[.?])\s+", page.tour)) == 1, page.tour
        assert len(page.tour.split()) < 25, page.tour
    app = opened(in_use="breast-cancer")
    assert "New here?" in said(app)
    app = press(app, tour.WORDS)
    for number, page in enumerate(steps, start=1):
        app = settled(app.switch_page(f"../{page.name}.py").run())
        assert f"**Tour, {number} of {len(steps)}.** {page.tour}" in said(app)
        assert "New here?" not in said(app)
        assert app.session_state["in-use"] == tour.EXAMPLE
        assert f".st-key-{page.tour_at} {{ {tour.RING} }}" in "".join(
            html.proto.body for html in app.get("html")
        )
        assert [words for words in ways(app) if words.startswith("Next: ")] == [
            f"Next: {after.title}" for after in steps[number : number + 1]
        ]
    assert "Use your own predictions" in ways(app)
    app = press(app, "End the tour")
    assert "**Tour, " not in said(app)
    assert app.session_state["in-use"] == "breast-cancer"
    assert "settings" not in app.session_state


@pytest.mark.slow
def test_the_tour_waits_for_whoever_goes_elsewhere_and_can_be_left_anywhere() -> None:
    app = press(opened("learn", in_use="wine"), tour.WORDS)
    assert app.title[0].value == page_list.page("overview").heading
    app = on_page(app, "reliability")
    app = on_page(app, "improve")
    assert "The tour waits." in said(app)
    assert "Back to Reliability" in ways(app)
    app = settled(press(app, "Leave"))
    assert "The tour waits." not in said(app)
    app = on_page(app, "reliability")
    assert "Tour, 2" not in said(app)
    assert "New here?" in said(on_page(app, "overview"))
