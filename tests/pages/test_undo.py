"""Undo takes back the last thing that a person did, whatever it was, or is not offered."""

from streamlit.testing.v1 import AppTest

from tests.pages.harness import choose, opened, press, said, settled


def offered(app: AppTest) -> bool:
    return "Undo" in [button.label for button in app.button]


def pressed(app: AppTest) -> AppTest:
    return settled(press(app, "Undo"))


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


def test_what_cannot_be_taken_back_hides_what_was_before_it() -> None:
    app = settled(choose(opened("reliability", in_use="wine"), "Look at", "class"))
    assert offered(app)
    box = next(box for box in app.multiselect if box.label == "The cases behind a cross")
    app = settled(box.set_value([0]).run())
    assert not offered(app)
    app = settled(choose(app, "Look at", "confidence"))
    assert offered(app)
