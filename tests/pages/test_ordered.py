"""Classes in order in the app: asked on Data, judged up to each class on Overview."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibcore import AtLeastLens, UpToLens
from calibcore.data.examples import load_example
from tests.pages.harness import AS_PEOPLE_GET_IT, choose, opened, press, said, settled, unfolded, upload

NAMES = ("high", "low", "medium")
R = np.random.default_rng(8)
G = R.dirichlet(np.ones(3), 90)
ROWS = [
    ",".join([*(f"{p:.4f}" for p in (*g[:2], 1 - g[:2].round(4).sum())), NAMES[R.choice(3, p=g)]]) for g in G
]
TABLE = "\n".join([",".join([*NAMES, "truth"]), *ROWS]) + "\n"
QUESTION = "The classes may be in order, 'low' the lowest and 'high' the highest, as grades are. Are they?"
NOTE = "Classes in order, the lowest first, as said: 'low', 'medium', 'high'."


def model(app: AppTest):  # type: ignore[no-untyped-def]
    return app.session_state["models"]["model-0"]


def order_typed(app: AppTest):  # type: ignore[no-untyped-def]
    return next(t for t in app.text_input if t.label == "The classes in order")


def test_the_order_is_asked_and_then_looked_at() -> None:
    app = upload(opened("data", in_use="wine"), "grades.csv", TABLE)
    assert QUESTION in said(app)
    assert not model(app).predictions.ordered
    app = press(app, "No, they have no order")
    assert QUESTION not in said(app)
    assert not model(app).predictions.ordered
    app = order_typed(app).set_value("").run()
    assert QUESTION in said(app)
    app = press(app, "Yes, they are in order")
    assert QUESTION not in said(app)
    assert NOTE in said(app)
    assert order_typed(app).value == "low,medium,high"
    assert model(app).predictions.class_names == ("low", "medium", "high")
    app = order_typed(app).set_value("low, medium, huge").run()
    assert "expected each of them once" in said(app)
    app = order_typed(app).set_value("low, medium, high").run()
    app = settled(app.switch_page("../overview.py").run())
    assert not app.exception
    text = said(app)
    assert "too high" in text or "too low" in text


def test_the_example_says_which_border_is_off() -> None:
    app = unfolded(opened("overview", begin=AS_PEOPLE_GET_IT, in_use="tumour-grades"))
    assert not app.exception
    text = said(app)
    assert "Given too high: above 'grade 2' (by 12.7 points)." in text
    # in the answer, not in a fold: before the size, and so before every table
    assert text.index("Classes are given too high") < text.index("All probabilities together are typically")
    assert "All tumours: the longest arrow is up to 'grade 2'" in text


@pytest.mark.slow
def test_one_acts_from_a_grade_on() -> None:
    app = opened("decisions", in_use="tumour-grades")
    (box,) = [box for box in app.selectbox if box.label == "Decide about"]
    names = load_example("tumour-grades").class_names
    borders = [f"Act for '{name}' or above" for name in names[1:-1]] + [f"Act for '{names[-1]}'"]
    assert box.options[1:] == [*borders, *(f"Act for '{name}'" for name in names[:-1])]
    app = settled(choose(app, "Decide about", AtLeastLens("grade 3")))
    assert not app.exception
    assert "grade 3" in said(app)
    assert app.session_state["settings"].spec.lens == AtLeastLens("grade 3")
    app = settled(choose(app, "From the class", "grade 4"))
    assert app.session_state["settings"].spec.lens == AtLeastLens("grade 4")
    app = settled(choose(app, "Look at", "up-to"))
    app = settled(choose(app, "Up to the class", "grade 2"))
    assert app.session_state["settings"].spec.lens == UpToLens("grade 2")
