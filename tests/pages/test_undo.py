"""Undo takes back the last thing that a person did, whatever it was, or is not offered."""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.transforms.lenses import CanonicalLens, TopKLens
from pages.ui.settings import Settings
from tests.pages.harness import START, choose, opened, press, said, settled

UI = Path(__file__).parents[2] / "pages"
KEEP_A_VALUE = {
    *("toggle", "checkbox", "radio", "pills", "segmented_control", "selectbox", "multiselect", "slider"),
    *("select_slider", "number_input", "text_input", "text_area", "date_input", "time_input", "color_picker"),
    *("data_editor", "chat_input", "feedback"),
}
"""Widgets of Streamlit that a person sets."""
REGISTER = {"looks.py", "choices.py", "control.py"}
"""Modules that draw them, and tell what a person does with them."""
WITHOUT_UNDO = {"data", "learn", "admin"}
"""Folders of pages on which Undo never stands: how files are read, toys, the server."""
BY_A_SCRIPT = "The arrow that was clicked"


def offered(app: AppTest) -> bool:
    return "Undo" in [button.label for button in app.button]


def pressed(app: AppTest) -> AppTest:
    return settled(press(app, "Undo"))


@pytest.mark.slow
def test_looks_and_settings_are_taken_back_in_turn() -> None:
    app = opened("reliability", in_use="wine")
    assert not offered(app)
    app = settled(choose(app, "Look at", "class"))
    app.segmented_control(key="look-view").set_value("classical").run()
    app = settled(app)
    next(t for t in app.toggle if t.label == "Intervals of the frequencies").set_value(True).run()
    app = pressed(app)
    assert not app.session_state["look-whiskers"]
    assert app.session_state["look-view"] == "classical"
    app = pressed(app)
    assert app.session_state["look-view"] == "deviation"
    assert "the class" in said(app)
    app = pressed(app)
    assert "confidence in the answer" in said(app)
    assert not offered(app)


def test_other_predictions_are_taken_back() -> None:
    app = settled(choose(opened("reliability", in_use="wine"), "Predictions", "breast-cancer"))
    assert app.session_state["in-use"] == "breast-cancer"
    app = pressed(app)
    assert app.session_state["in-use"] == "wine"
    assert not offered(app)


@pytest.mark.slow
def test_what_cannot_be_taken_back_hides_what_was_before_it() -> None:
    app = settled(choose(opened("reliability", in_use="wine"), "Look at", "class"))
    assert offered(app)
    box = next(box for box in app.multiselect if box.label == "The cases behind a cross")
    app = settled(box.set_value([0]).run())
    assert not offered(app)
    app = settled(choose(app, "Look at", "confidence"))
    assert offered(app)


def drawn_directly(tree: ast.AST) -> list[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        call.attr
        for call in calls
        if isinstance(call, ast.Attribute) and call.attr in KEEP_A_VALUE
        if not (isinstance(call.value, ast.Name) and call.value.id == "looks")
    ]


def test_every_widget_that_keeps_a_value_is_known_to_undo() -> None:
    """A page draws none by itself, where Undo may stand."""
    assert drawn_directly(ast.parse('left.text_input("Title")\nst.toggle("On")')) == ["text_input", "toggle"]
    found = {
        str(path.relative_to(UI)): names
        for path in sorted(UI.rglob("*.py"))
        if path.name not in REGISTER and WITHOUT_UNDO.isdisjoint(path.relative_to(UI).parts)
        if (names := drawn_directly(ast.parse(path.read_text(encoding="utf-8"))))
    }
    # Written into by the script of a tab, see assets/tab.js.
    assert found.pop("ui/simplex/arrows.py") == ["text_input"]
    assert found == {}


def other(widget: Any) -> Any:
    """A value that a person might choose in place of that of a widget."""
    match widget.type:
        case "toggle" | "checkbox":
            return not widget.value
        case "number_input":
            return widget.value + (widget.step or 1)
        case "text_input":
            return f"{widget.value} b"
        case "select_slider":  # whose options are known in words only
            return widget.value + 1 if isinstance(widget.value, int) else round(widget.value + 0.01, 2)
        case "multiselect":
            return widget.value[:-1]
        case _:
            shown = None if widget.value is None else widget.format_func(widget.value)
            return next(option for option in widget.options if option != shown)


def in_main(app: AppTest) -> list[Any]:
    """The widgets of the page itself that keep a value; those of the side bar are settings."""
    kinds = ("toggle", "checkbox", "number_input", "text_input", "button_group", "select_slider")
    found = [widget for kind in kinds for widget in app.main.get(kind)]
    return [widget for widget in found if not widget.disabled and widget.label != BY_A_SCRIPT]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "in_use", "lens"),
    [
        ("simplex", "wine", CanonicalLens()),
        ("decisions", "breast-cancer", TopKLens(1)),
        ("simplex", "tumour-grades", CanonicalLens()),
        ("reliability", "digits-logistic", TopKLens(1)),
        ("share", "wine", TopKLens(1)),
        ("training", "wine", TopKLens(1)),
    ],
)
def test_undo_takes_back_each_widget_of_a_page(page: str, in_use: str, lens: Any) -> None:
    app = opened(page, in_use=in_use, settings=Settings(replace(START, lens=lens)))
    keys = [widget.key for widget in in_main(app)]
    assert keys
    assert not offered(app)
    for key in keys:
        (widget,) = [widget for widget in in_main(app) if widget.key == key]
        before = widget.value
        app = settled(widget.set_value(other(widget)).run())
        assert app.session_state[key] != before, key
        assert offered(app), key
        app = pressed(app)
        (widget,) = [widget for widget in in_main(app) if widget.key == key]
        assert widget.value == before, key
        assert not offered(app), key
