"""Several labels of each case in the app: all of them on Overview, one of them on every other page."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, MultiLabelPredictions, ask_each, compare, recalibrate, survey_groups
from calibcore.answers.blocks import Headline
from calibcore.io import ReadOptions, read, read_labels
from calibcore.questions.over_labels import question_of
from calibcore.questions.recalibrate.ask import look
from calibcore.transforms.lenses import LabelLens
from pages.server import page_list
from pages.ui import samples, state
from pages.ui.groups import opening
from pages.ui.improve import method
from pages.ui.monitor.order import ROWS
from tests.pages.harness import (
    AS_PEOPLE_GET_IT,
    choose,
    lens_table,
    on_page,
    opened,
    press,
    said,
    settled,
    upload,
)
from tests.pages.test_data import on_data

NAMES = ("effusion", "mass", "hernia")


def chests(n: int = 60) -> bytes:
    """Three findings a chest of which mass is given far too rarely; of hernia some outcomes are unknown."""
    rng = np.random.default_rng(39)
    p = rng.integers(2, 15, (n, 3)) / 16
    chance = p.copy()
    chance[:, 1] = 1 - p[:, 1] ** 2 / 4
    true = (rng.random((n, 3)) < chance).astype(int).astype(str)
    true[::7, 2] = ""
    site = np.where(np.arange(n) % 2, "East", "West")
    heads = [*(f"p_{name}" for name in NAMES), *NAMES, "site"]
    rows = (",".join((*map(str, a), *b, c)) for a, b, c in zip(p, true, site, strict=True))
    return "\n".join((",".join(heads), *rows)).encode()


def looked_at() -> AppTest:
    """The file with all of its labels, on Overview, when all are judged."""
    app = press(upload(on_data(), "chests.csv", chests().decode()), "Look at all labels")
    assert app.title[0].value == "Can these probabilities be believed?"
    return on_page(app, "overview")


def in_use(app: AppTest) -> state.Loaded:
    loaded: state.Loaded = app.session_state["models"]["model-0"]
    return loaded


def test_the_next_question_is_about_the_label_that_the_verdict_names() -> None:
    app = looked_at()
    assert in_use(app).predictions.label_of == "effusion"
    assert {"Where is it off?", "Would recalibration help?", "For whom?"} <= {b.label for b in app.button}
    app = press(app, "Would recalibration help?")
    assert app.title[0].value == "What would recalibration do?"
    assert "the label 'mass'" in said(app)
    app = press(on_page(choose(app, "Label", ""), "overview"), "Could it be chance?")
    assert "the label 'mass'" in said(app)


def test_every_page_says_how_many_labels_there_are() -> None:
    """And none that there are two classes, whichever label is looked at."""
    app = looked_at()
    assert said(on_page(app, "data")).endswith("chests.csv · 60 cases · 3 labels.")
    for page in ("reliability", "tests", "compare", "improve", "groups", "monitor", "decisions", "share"):
        words = said(on_page(app, page))
        assert "chests.csv · 60 cases · 3 labels · the label 'effusion'" in words, page
        assert "2 classes" not in words, page


def test_overview_is_the_table_of_labels() -> None:
    app = looked_at()
    words = said(app)
    assert "60 cases · 3 labels · all labels, a check each" in words
    assert "1 of 3 labels is miscalibrated: 'mass' too low." in words
    assert "Whether labels occur together as often as predicted is not tested." in words
    rows = lens_table(app)
    assert {*rows["Check"]} == {f"The label '{name}'" for name in NAMES}
    assert rows["Check"].iloc[0] == "The label 'mass'"
    assert rows["Verdict"].iloc[0] == ["✕ Miscalibrated"]
    for name in reversed(NAMES):
        app = choose(app, "Label", name)
        alone = read(chests(), name="chests.csv", options=ReadOptions(label=name))
        data = in_use(app)
        assert data.predictions.fingerprint == alone.predictions.fingerprint
        assert data.reading is not None
        assert data.reading.options.label == name
        assert (data.reading.name, data.reading.notes) == (alone.name, alone.notes)


def test_what_is_made_of_a_label_is_of_that_label_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group, a sample, recalibrated predictions: other labels are those of all cases, as they were."""
    data = in_use(press(upload(on_data(), "chests.csv", chests().decode()), "Look at all labels"))
    made: list[state.Loaded] = []
    monkeypatch.setattr(state, "keep", made.append)
    monkeypatch.setattr(state, "find", lambda key: data)
    monkeypatch.setattr(state, "models", dict)
    monkeypatch.setattr(state, "free_title", lambda title, key: title)
    spec = DiagnosisSpec(lens=LabelLens("effusion"), resamples=99)
    east = next(g for g in survey_groups(data.predictions, ["site"], spec).groups if g.value == "East")
    opening.use(east, data, spec)
    samples.use(data.key, 40)
    recalibration = recalibrate(data.predictions, ["temperature"], spec)
    monkeypatch.setattr(method.st, "switch_page", lambda page: None)
    monkeypatch.setattr(method.nav, "page", lambda name: name)
    method._open(look(data.predictions, recalibration, "temperature"), data)
    assert [loaded.predictions.n for loaded in made] == [east.n, 40, 60]
    assert [(loaded.labels, loaded.labels_reading) for loaded in made] == [(None, None)] * 3
    folder = Path(state.__file__).parent
    others = [path for path in folder.rglob("*.py") if "state.keep(replace(" in path.read_text("utf-8")]
    assert others == []


@pytest.mark.slow
def test_every_other_page_looks_at_the_label_in_use() -> None:
    app = choose(looked_at(), "Label", "mass")
    for page in page_list.pages():
        if page.name:
            app = on_page(app, page.name)
            assert in_use(app).predictions.label_of == "mass", page.name
        if page.name == "reliability":
            assert "the label 'mass'" in said(app)
            assert "Miscalibrated" in said(app)
        if page.name == "decisions":
            assert "Above is 'mass', one of 3 labels." in said(app)
            app = press(app, "Ask about all labels")
            assert "1 of 3 labels delivers something else than the model promises: 'mass' more." in said(app)
            assert "The thresholds from which 95" in said(app)
            (target,) = [box for box in app.number_input if box.label.startswith("Right in at least")]
            app = press(settled(target.set_value(80.0).run()), "Ask about all labels")
            assert "The thresholds from which 80" in said(app)
            (rarer,) = [box for box in app.number_input if box.label.startswith("Another prevalence")]
            app = press(settled(rarer.set_value(2.0).run()), "Ask about all labels")
            assert "The target is kept where 2" in said(app)
        if page.name == "share":
            assert "1 of 3 labels is miscalibrated: 'mass' too low." in said(app)
            (about,) = [group for group in app.button_group if str(group.key).startswith("share-labels")]
            app = settled(about.set_value("one").run())
            assert "A report is about one label, here 'mass' of 3." in said(app)


@pytest.mark.slow
def test_what_no_page_can_read_is_a_sentence_with_its_buttons() -> None:
    rows = ["p_effusion,p_mass,effusion,mass", *["0.9,0.25,1,-1", "0.8,0.75,1,1", "0.25,0.125,0,0"] * 6]
    app = press(upload(on_data(), "chests.csv", "\n".join(rows)), "Look at all labels")
    assert "−1" in app.error[0].value
    app = press(app, "Leave the case out of that label")
    app = on_page(press(app, "Look at all labels"), "overview")
    assert "2 labels · all labels, a check each" in said(app)


def test_the_bundled_example_has_its_answer_and_each_of_its_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise AssertionError("A survey was begun.")

    with monkeypatch.context() as patched:
        patched.setattr("pages.work.studies.survey", none)
        app = opened("overview", begin=AS_PEOPLE_GET_IT, in_use="chest-findings")
        assert "3 of 14 labels are miscalibrated: 'nodule' too low, 'cardiomegaly' too low" in said(app)
        assert "'effusion' too high" in said(app)
        assert len(lens_table(app)) == 14
    app = choose(on_data(), "Example", "chest-findings")
    assert "2,000 X-rays · 14 labels" in said(app)
    app = on_page(app, "reliability")
    assert "the label 'atelectasis'" in said(app)
    app = choose(app, "Label", "effusion")
    assert "the label 'effusion'" in said(app)
    assert app.session_state["settings"].spec.lens == LabelLens("effusion")
    assert "the label 'effusion'" in said(on_page(on_page(app, "tests"), "reliability"))
    another = opened("reliability", in_use="chest-findings")
    assert "'effusion'" not in said(another)  # what one session looks at is no other's


@pytest.mark.slow
def test_all_labels_together_have_a_diagram_everywhere_and_no_p_anywhere() -> None:
    app = choose(looked_at(), "Label", "")
    assert in_use(app).predictions.case_of is not None
    for page in page_list.pages():
        if not page.name:
            continue
        app = on_page(app, page.name)
        assert not app.exception, page.name
        assert not app.error, page.name
        words = said(app)
        assert "Exact" not in words or page.name in ("learn", "overview"), page.name
        if page.name == "overview":
            assert "1 of 3 labels is miscalibrated: 'mass' too low." in words
        if page.name == "reliability":
            assert "60 cases · 3 labels · all labels, pooled" in words
            assert "The model gives a label " in words
            assert len(app.get("plotly_chart")) == 1
            assert "The probabilities of the labels are typically" in words
        if page.name in ("tests", "decisions", "groups", "improve", "monitor", "reliability"):
            assert "All labels together have no exact p: the labels of one case depend" in words, page.name
        if page.name == "share":
            assert "1 of 3 labels is miscalibrated: 'mass' too low." in words
        if page.name == "compare":
            assert "so models are not compared by all of them together. Choose a label." in words
    app = choose(on_page(app, "reliability"), "Label", "mass")
    assert in_use(app).predictions.label_of == "mass"
    assert "the label 'mass'" in said(app)


def test_all_labels_together_are_asked_about_one_by_one_on_every_page() -> None:
    app = choose(looked_at(), "Label", "")
    app.session_state["monitor-time"], app.session_state["groups-by"] = ROWS, ("site",)
    app = on_page(app, "simplex")
    assert "of 171 pairs" in said(app)
    assert "171 cases" not in said(app)
    for page in ("tests", "improve", "groups", "monitor", "decisions"):
        app = on_page(app, page)
        assert not app.exception, page
        assert "All labels together have no exact p" in said(app), page
        if page == "tests":
            assert lens_table(app)["Check"].iloc[0] == "The label 'mass'"
            continue
        assert "Above is" not in said(app), page
        app = settled(press(app, "Ask about all labels"))
        assert not app.exception, page
        assert not app.error, page
        assert "Ask about all labels" not in [button.label for button in app.button], page
        assert "'mass'" in said(app), page


@pytest.mark.slow
def test_models_are_compared_label_by_label() -> None:
    """Each by the label in use, whichever the other is looked at by; below it a row a label."""
    app = choose(looked_at(), "Label", "mass")
    head, *rows = chests().decode().splitlines()
    odd = [",".join((*(str(1 - float(p)) for p in row.split(",")[:3]), *row.split(",")[3:])) for row in rows]
    app = upload(on_page(app, "data"), "other.csv", "\n".join((head, *odd)))
    app = on_page(press(app, "Look at all labels"), "compare")
    assert "the label 'effusion'" in said(app)
    assert "Above is 'effusion', one of 3 labels." in said(app)
    assert app.session_state["models"]["model-0"].predictions.label_of == "mass"
    app = settled(press(app, "Ask about all labels"))
    models = {"other.csv": of_bytes(odd, head), "chests.csv": of_bytes(rows, head)}
    (sentence,) = question_of(over := ask_each(compare, models)).answer(over, "case").each(Headline)
    assert sentence.text in said(app)
    assert not app.error


def of_bytes(rows: list[str], head: str) -> MultiLabelPredictions:
    return read_labels("\n".join((head, *rows)).encode(), name="p.csv").predictions
