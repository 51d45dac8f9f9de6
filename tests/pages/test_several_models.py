"""A file with several models on the page Data: one of them is looked at, or all are compared."""

import pytest

from pages.ui import state
from tests.io.test_several_models import three_beside
from tests.io.test_stacked import KINDS
from tests.pages.harness import opened, press, said, upload

WIDE = three_beside().to_csv(index=False)
MANY = three_beside([f"net{i}" for i in range(state.MOST_MODELS + 1)]).to_csv(index=False)


@pytest.mark.slow
def test_one_is_looked_at_and_then_another() -> None:
    app = upload(opened("data", in_use="wine"), "models.csv", WIDE)
    assert "predictions of 3 models: 'rf', 'svm', 'net', beside each other" in said(app)
    frames = [frame.value.columns.tolist() for frame in app.dataframe]
    assert frames.count(["cat", "dog", "owl", "was"]) == 3  # the first rows of each
    app = press(app, "Only svm")
    assert "svm · 60 cases" in said(app)
    assert "Of 3 models in the file, 'svm' was read, as asked: 'svm_p_cat'" in said(app)
    app = app.text_input(key="read-model").set_value("net").run()
    assert "net · 60 cases" in said(app)
    app = app.text_input(key="read-model").set_value("xyz").run()
    assert "There is no model 'xyz' in the file. It holds 'rf', 'svm', 'net'." in said(app)
    assert list(app.session_state["models"]) == ["model-0"]


def test_all_are_compared() -> None:
    for text, names in (
        (WIDE, ["rf", "svm", "net"]),
        (KINDS["three variants"].to_csv(index=False), list("ABC")),
    ):
        app = upload(opened("data", in_use="wine"), "models.csv", text)
        app = press(app, "Compare all")
        assert not app.exception
        models = app.session_state["models"]
        assert [model.title for model in models.values()] == names
        assert [model.reading.options.model for model in models.values()] == names
        assert len({model.key for model in models.values()}) == 3
        assert app.session_state[state.IN_USE] == next(iter(models))
        assert app.title[0].value == "Which model is better calibrated?"
        app = upload(app.switch_page("../data.py").run(), "others.csv", text)
        assert len(app.session_state["models"]) == 3  # the next file asks anew, and is none of these


@pytest.mark.slow
def test_one_that_was_looked_at_before_is_not_compared_with_itself() -> None:
    for text, only in ((WIDE, "Only svm"), (KINDS["three variants"].to_csv(index=False), "Only variant B")):
        app = press(upload(opened("data", in_use="wine"), "models.csv", text), only)
        said_before = app.session_state["models"]["model-0"]
        app = upload(app, "models.csv", text)
        app = press(app, "Compare all")
        models = app.session_state["models"]
        assert len({model.predictions.fingerprint for model in models.values()}) == len(models) == 3
        assert models["model-0"] is said_before
        assert not [model.title for model in models.values() if "(2)" in model.title]


@pytest.mark.slow
def test_more_than_a_session_holds_are_not_offered() -> None:
    app = upload(opened("data", in_use="wine"), "models.csv", MANY)
    assert (
        f"The app holds up to {state.MOST_MODELS} models, and the file has {state.MOST_MODELS + 1}."
        in said(app)
    )
    assert "Compare all" not in [button.label for button in app.button]
    assert "Say which of the models to read under 'Read it differently'." in said(app)
