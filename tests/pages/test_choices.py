"""Controls whose options depend on data: what a browser sends back is words, and never decides alone."""

import ast
from pathlib import Path

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from calibcore.kernels import METRICS
from pages.ui import choices, settings, state
from tests.pages.harness import choose, on_page, opened, press, said, settled, upload

PAGES = Path(__file__).parents[2] / "pages"
CONTROLS = {"selectbox", "multiselect", "radio", "pills", "segmented_control"}
LONG = "x" * 60


def as_a_browser(app: AppTest, **words: str) -> AppTest:
    """Run as a browser asks that still holds these words for the select boxes of these names."""
    states = WidgetStates()
    for box in app.selectbox:
        held = states.widgets.add(id=box.id)
        name = (box.key or "").rpartition("-")[0]
        held.string_value = words.get(name, box.proto.options[box.index] if box.index is not None else "")
    return settled(app._run(widget_state=states))


def two_models() -> AppTest:
    return upload(upload(opened("data", in_use="wine"), "a.csv"), "b.csv")


def rename(app: AppTest, name: str) -> AppTest:
    return next(t for t in app.text_input if t.label == "Name of the model").set_value(name).run()


def shown(app: AppTest) -> str:
    box = next(box for box in app.selectbox if box.label == "Predictions")
    return str(box.options[box.index])


def test_no_two_options_have_the_same_words() -> None:
    assert choices.worded(["a", "b"]) == {"a": "a", "b": "b"}
    assert choices.worded([1, 2, 3], lambda _: "same") == {1: "same", 2: "same (2)", 3: "same (3)"}
    told = {1: "a", 2: "a (2)", 3: "a", 4: "a"}
    assert choices.worded(told, told.__getitem__) == {1: "a", 2: "a (2)", 3: "a (3)", 4: "a (4)"}
    long = [f"{LONG}{i}{LONG}" for i in range(3)]
    assert len(set(choices.worded(long).values())) == 3


def test_other_words_other_options_and_another_order_are_another_control() -> None:
    keys = {
        choices.key_of("x", words)
        for words in ({1: "a", 2: "b"}, {1: "b", 2: "a"}, {2: "b", 1: "a"}, {1: "a"}, {"1": "a"}, {})
    }
    assert len(keys) == 6


def test_a_browser_that_still_holds_the_old_name_changes_nothing() -> None:
    app = upload(opened("data", in_use="wine"), "a.csv")
    app = rename(app, "Renamed")
    assert shown(app) == "Renamed"
    for words in ("a.csv", "Renamed", "nonsense"):
        app = as_a_browser(app, data=words)
        assert "In use: Renamed" in said(app)
        assert app.session_state["in-use"] == "model-0"


@pytest.mark.slow
def test_a_model_can_be_called_as_no_other_is() -> None:
    app = rename(two_models(), "a.csv")
    assert "In use: a.csv (2)" in said(app)
    assert shown(app) == "a.csv (2)"
    app = rename(app, "Handwritten digits, random forest")
    assert "In use: Handwritten digits, random forest (2)" in said(app)
    app = rename(app, "Handwritten digits, random forest (2)")
    assert "In use: Handwritten digits, random forest (2)\n" in said(app)


@pytest.mark.some(2)
@pytest.mark.parametrize("page", ["overview", "reliability", "simplex", "tests", "share", "data", "learn"])
@pytest.mark.slow
def test_where_the_model_in_use_is_gone_no_other_takes_its_place(page: str) -> None:
    app = press(two_models(), "Remove this model")
    app = on_page(app, page)
    assert "'b.csv' was removed. No model is in use: choose one." in said(app)
    assert next(box for box in app.selectbox if box.label == "Predictions").value is None
    assert not app.metric
    assert not app.get("plotly_chart")
    app = settled(press(app, "Look at 'a.csv'"))
    assert "No model is in use" not in said(app)
    assert shown(app) == "a.csv"
    assert page == "learn" or "a.csv" in said(app)


def test_an_unknown_model_is_said_and_not_replaced() -> None:
    app = opened("data", in_use="model-7")
    assert "The model that you looked at is not there any more. No model is in use: choose one." in said(app)
    assert state.DEFAULT_EXAMPLE not in str(app.session_state["in-use"])
    app = choose(app, "Predictions", "wine")
    assert "In use: Wines of three growers" in said(app)


def test_classes_whose_names_look_alike_are_told_apart() -> None:
    names = [f"{LONG}{i}{LONG}" for i in "abc"]
    rows = "".join(f"0.5,0.3,0.2,{names[i % 3]}\n" for i in range(30))
    app = upload(opened("data"), "alike.csv", ",".join([*names, "label"]) + "\n" + rows)
    app = choose(app.switch_page("../reliability.py").run(), "Look at", "class")
    box = next(box for box in app.selectbox if box.label == "Class")
    assert len(set(box.options)) == 3
    for name, words in zip(names, list(box.options), strict=True):
        app = choose(app, "Class", words)
        assert app.session_state["settings"].spec.lens.class_name == name


def test_a_control_that_has_gone_changes_nothing_when_it_reports_itself_again() -> None:
    app = choose(opened("reliability", in_use="wine"), "Look at", "class")
    box = next(box for box in app.selectbox if box.label == "Class")
    app = choose(app, "Class", "grower 2")
    app = choose(app, "Look at", "confidence")
    states = WidgetStates()
    states.widgets.add(id=box.id).string_value = "grower 2"
    app = settled(app._run(widget_state=states))
    assert app.session_state["settings"].spec.lens == settings.START.lens


def test_a_forged_option_changes_nothing() -> None:
    app = opened("reliability", in_use="wine")
    app = as_a_browser(app, metric="forged", kernel="forged", binning="forged", lens="forged")
    assert "settings" not in app.session_state
    assert METRICS[0] == settings.START.kernel.metric


def _constant(node: ast.expr) -> bool:
    """Whether options are written down in the program: literals, and names in capitals."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(isinstance(part, ast.Constant) for part in parts)
        case ast.Call(func=ast.Name(id="list"), args=[inner]):
            return _constant(inner)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
    return False


def test_every_control_of_changing_options_is_made_here() -> None:
    found = []
    for path in PAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case (
                    ast.Call(
                        func=ast.Attribute(attr="drawn") | ast.Name(id="drawn"),
                        args=[ast.Attribute(attr=kind), _, options, *_],
                    )
                    | ast.Call(func=ast.Attribute(attr=kind), args=[_, options, *_])
                ) if kind in CONTROLS:
                    if not _constant(options):
                        found.append(f"{path.relative_to(PAGES)}:{node.lineno}")
    places = {place.partition(":")[0] for place in found}
    # Made there with the words and the key of this module.
    in_simplex = {f"ui/simplex/{name}.py" for name in ("arrows", "corners", "parts")}
    in_looks = {"ui/looks.py"}  # whose options are written down where it is called
    assert places == {"ui/choices.py", *in_simplex, *in_looks}, found
