"""Columns in another order, labels of other cases: the warning, the button, the way back."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.harness import CSV, on_page, opened, press, said, settled, upload

NAMES = ("healthy", "benign", "malignant")
ROWS = [((0.7, 0.2, 0.1), 0), ((0.2, 0.6, 0.2), 1), ((0.1, 0.1, 0.8), 2), ((0.5, 0.3, 0.2), 1)] * 30
BUTTON, BACK = "Take the columns in this order", "Take the columns as they are named"
WARNING = (
    "It would be 75\N{NO-BREAK SPACE}% if the columns were 'healthy', 'malignant', 'benign'. "
    "Are labels and columns of the same cases, in the same order?"
)
NOTE = (
    "Columns were taken for other classes, as asked: that of 'benign' for 'malignant', "
    "that of 'malignant' for 'benign'."
)


def table(order: tuple[int, ...] = (0, 2, 1)) -> str:
    """Columns in another order than their names."""
    rows = [",".join([*(str(row[k]) for k in order), NAMES[y]]) for row, y in ROWS]
    return "\n".join([",".join([*NAMES, "label"]), *rows]) + "\n"


def turned() -> AppTest:
    return upload(opened("data", in_use="wine"), "turned.csv", table())


def model(app: AppTest):  # type: ignore[no-untyped-def]
    return app.session_state["models"]["model-0"]


def columns_are(app: AppTest):  # type: ignore[no-untyped-def]
    return next(t for t in app.text_input if t.label == "The columns are")


def verdict(app: AppTest) -> str:
    return next(m.value for m in app.markdown if m.value.startswith("## "))


def test_another_order_is_taken_and_taken_back_on_the_data_page() -> None:
    app = turned()
    before = model(app).predictions.fingerprint
    assert WARNING in said(app)
    app = press(app, BUTTON)
    assert WARNING not in said(app)
    assert said(app).count(NOTE) == 2  # beside the model, and in what was read
    assert columns_are(app).value == "healthy,malignant,benign"
    straight = upload(opened("data", in_use="wine"), text=table((0, 1, 2)))
    assert model(app).predictions.fingerprint == model(straight).predictions.fingerprint
    assert "animals.csv · 120 cases" in said(straight)
    assert "Are labels and columns" not in said(straight)
    app = press(app, BACK)
    assert model(app).predictions.fingerprint == before
    assert WARNING in said(app)
    assert NOTE not in said(app)
    app = columns_are(app).set_value("healthy, malignant, benign").run()
    assert NOTE in said(app)
    app = columns_are(app).set_value("").run()
    assert model(app).predictions.fingerprint == before


@pytest.mark.slow
def test_the_verdict_follows_the_order_without_the_file() -> None:
    app = settled(turned().switch_page("../overview.py").run())
    assert said(app).count(WARNING) == 1
    first = verdict(app)
    app = settled(press(app, BUTTON))
    assert WARNING not in said(app)
    assert NOTE in said(app)
    assert verdict(app) != first
    for page in ("reliability", "tests", "simplex"):
        app = on_page(app, page)
        assert "Are labels and columns" not in said(app)
        assert not app.error
    app = on_page(app, "data")
    assert said(app).count(NOTE) == 2
    app = settled(press(app, BACK).switch_page("../overview.py").run())
    assert verdict(app) == first
    assert WARNING in said(app)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["reliability", "tests"])
def test_the_warning_stands_beside_every_verdict(page: str) -> None:
    app = settled(turned().switch_page("../overview.py").run())
    app = on_page(app, page)
    assert "badge[" in said(app)
    assert WARNING in said(app)


def test_labels_of_other_cases_are_warned_about_and_no_order_is_offered() -> None:
    # Each label stands beside each kind of row equally often.
    text = "\n".join(
        [",".join([*NAMES, "label"])]
        + [",".join([*map(str, row), NAMES[k]]) for row, _ in ROWS[:3] for k in range(3) for _ in range(20)]
    )
    app = upload(opened("data", in_use="wine"), "other.csv", f"{text}\n")
    assert "of 180 cases, as by guessing, though the model is 70" in said(app)
    assert not [b for b in app.button if b.label in (BUTTON, BACK)]


def test_the_order_is_noted_in_the_report_and_in_the_command() -> None:
    app = press(turned(), BUTTON)
    reading = model(app).reading
    assert reading.options.columns_are == ("healthy", "malignant", "benign")
    assert NOTE in reading.predictions.notes


def test_nothing_is_said_of_a_weak_model() -> None:
    assert "Are labels and columns" not in said(upload(opened("data", in_use="wine"), text=CSV))


def test_weighted_cases_are_warned_about_too() -> None:
    head, *rows = table().splitlines()
    text = "\n".join([f"{head},heft", *(f"{row},{1 + i % 3}" for i, row in enumerate(rows))])
    app = upload(opened("data", in_use="wine"), text=f"{text}\n")
    next(b for b in app.selectbox if b.label == "Column with weights").select("heft").run()
    assert model(app).predictions.weights is not None
    assert WARNING in said(app)
    app = on_page(app, "overview")
    assert WARNING in said(app)
    app = press(app, BUTTON)
    assert WARNING not in said(app)
    assert model(app).predictions.weights is not None
