"""Below the diagram of the Reliability page: other bins, and every class by itself, when asked for."""

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, survey
from calibcore.assessment.assess import assess
from calibcore.data.examples import load_example
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.transforms.lenses import ClassLens
from calibcore.words.classes import classes_sentence
from calibcore.words.sensitivity import exploratory, sensitivity_sentence
from pages.ui import settings
from pages.work import costs
from tests.pages.harness import (
    AS_PEOPLE_GET_IT,
    QUICK,
    START,
    choose,
    displayed,
    on_page,
    opened,
    press,
    said,
    settled,
    upload,
)
from tests.pages.test_data_more import WEIGHTED, on_data

BOTH = {"fold-sensitivity": True, "fold-multiples": True}


def unfolded(data: str, *folds: str, begin: dict[str, object] = QUICK) -> AppTest:
    app = opened("reliability", begin, in_use=data)
    for fold in folds or BOTH:
        app.session_state[fold] = True
    return settled(app.run())


def jobs_of(app: AppTest, kind: str) -> int:
    return len(app.session_state["jobs"].get(kind, {})) if "jobs" in app.session_state else 0


def test_nothing_is_done_before_a_fold_is_opened() -> None:
    app = opened("reliability", in_use="wine")
    assert jobs_of(app, "sensitivity") == jobs_of(app, "survey") == 0
    labels = [fold.label for fold in app.expander]
    assert {"Would other bins change the answer?", "Every class by itself"} <= set(labels)


def test_other_bins_are_said_as_the_result_says_them() -> None:
    app = unfolded("wine", "fold-sensitivity")
    found = binning_sensitivity(load_example("wine"), START)
    assert sensitivity_sentence(found) in said(app)
    assert exploratory(found) in said(app)
    assert len(displayed(app.dataframe[-1])) == len(found.ways)
    assert jobs_of(app, "survey") == 0


@pytest.mark.slow
def test_another_setting_of_the_kernel_does_not_start_it_anew() -> None:
    app = unfolded("wine", "fold-sensitivity")
    app = settled(choose(on_page(app, "tests"), "Kernel", "gaussian"))
    app = settled(on_page(app, "reliability"))
    assert jobs_of(app, "sensitivity") == 1
    app = settled(choose(app, "Bins", "equal-mass"))
    assert jobs_of(app, "sensitivity") == 2
    assert "◯" not in said(app)
    assert "Your bins (15 equal-mass bins" in said(app)


@pytest.mark.slow
def test_every_class_is_shown_and_one_can_be_opened() -> None:
    app = unfolded("wine", "fold-multiples", begin=AS_PEOPLE_GET_IT)
    wine = load_example("wine")
    found = classes_by_evidence(assess(wine, survey(wine)))
    assert classes_sentence(found) in said(app)
    assert list(displayed(app.dataframe[-1])["Class"]) == [c.name for c in found.classes]
    app = settled(choose(app, "Look at one class", "grower 2"))
    assert app.session_state["settings"].spec.lens == ClassLens("grower 2")
    assert jobs_of(app, "survey") == 1
    assert classes_sentence(found) in said(app)
    app = settled(press(app, "Undo"))
    assert app.session_state["settings"].spec.lens == START.lens
    box = next(box for box in app.selectbox if box.label == "Look at one class")
    assert box.value is None


@pytest.mark.slow
def test_two_classes_have_no_panels() -> None:
    app = unfolded("breast-cancer")
    assert "the diagram of one says all about the other" in said(app)
    assert jobs_of(app, "survey") == 0
    assert "However the cases are binned" in said(app)


@pytest.mark.slow
def test_many_classes_at_once_can_be_binned_otherwise_too() -> None:
    app = settled(choose(unfolded("wine", "fold-sensitivity"), "Look at", "canonical"))
    assert "points over" in said(app)


@pytest.mark.slow
def test_weighted_cases_have_neither() -> None:
    app = choose(upload(on_data(), "w.csv", WEIGHTED), "Column with weights", "weight")
    app = app.switch_page("../reliability.py").run()
    for fold in BOTH:
        app.session_state[fold] = True
    app = settled(app.run())
    assert said(app).count("they give estimates and diagrams, but no tests") == 2


def test_what_takes_long_is_expected_to() -> None:
    pooled = DiagnosisSpec(lens=settings.START.lens)
    assert costs.seconds_of_other_bins(10_000, 2, pooled) < 1
    assert costs.seconds_of_other_bins(10_000_000, 10, pooled) > costs.UNASKED
