"""The Tests page: the drawn test, every test's promise, and the folds below."""

import re
from dataclasses import replace

import pytest

from calibcore import diagnose
from calibcore.assessment.verdict_tests import VERDICT_TEST, with_test_of_survey
from calibcore.data.examples import load_example
from calibcore.settings import ESTIMATES
from calibcore.words.sensitivity import EXPLORATORY, bandwidth_sentence
from calibcore.words.testing import heading_of_test, together_sentence, withheld_words
from pages.work import studies
from tests.pages.harness import START, choose, on_page, opened, press, said, settled
from tests.quick import survey


def test_the_answer_is_said_in_natural_frequencies() -> None:
    app = opened("tests", in_use="wine")
    found = diagnose(load_example("wine"), START)
    headings = [m.value.replace("\\", "") for m in app.markdown if m.value.startswith("## ")]
    assert headings[0].startswith("## By this test alone chance ")
    assert headings == [f"## {heading_of_test(found, 'exact-omnibus')}"]
    assert "the observed one counted" in said(app)


def test_one_test_has_the_p_of_the_survey_and_what_decides_is_said() -> None:
    app = on_page(settled(opened("overview", in_use="wine")), "tests")
    words = re.search(
        r"The verdict goes by (p = [\d.]+.*?): that is (p = [\d.]+).*? of the survey \(([\d,]+) redraws\), "
        r"adjusted for \d checks\.",
        said(app),
    )
    assert words is not None, said(app)
    heading = next(m.value for m in app.markdown if m.value.startswith("## "))
    assert f" of {words[3]} sets of outcomes" in heading
    assert f"{words[2]}, the hatched share" in said(app)
    assert words[2] in {metric.value for metric in app.metric}


def test_a_test_of_other_settings_keeps_its_own_p() -> None:
    p = load_example("wine")
    made = survey(p, START).diagnoses[0]
    spec = replace(made.spec, resamples=99)
    own = diagnose(p, spec)
    assert with_test_of_survey(own, made).test(VERDICT_TEST) == made.test(VERDICT_TEST)
    other = diagnose(p, replace(spec, seed=spec.seed + 1))
    assert with_test_of_survey(other, made) is other


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exact-ece", "had an average gap (ECE) at least as large"),
        ("asymptotic-unbiased", "bootstrap samples of a calibrated model"),
        ("distribution-free-biased", "It follows a formula"),
        ("spiegelhalter", "With many cases, a calibrated model shows a z"),
    ],
)
def test_any_test_can_be_drawn_and_stays_drawn(name: str, words: str) -> None:
    app = choose(opened("tests", in_use="wine"), "Test drawn", name)
    assert not app.exception
    assert words in said(app)
    app.switch_page("../learn.py").run()
    assert words in said(on_page(app, "tests"))


def test_a_withheld_test_says_why() -> None:
    app = opened("tests", in_use="wine")
    withheld = [t for t in diagnose(load_example("wine"), START).tests if t.result is None]
    for test in withheld[:1]:
        assert test.note.removeprefix("withheld")[:40] in said(choose(app, "Test drawn", test.name))


def test_without_tests_the_page_says_where_they_are() -> None:
    app = opened("tests", in_use="wine")
    box = next(box for box in app.multiselect if box.label == "Tests")
    app = settled(box.set_value([]).run())
    assert "No test is chosen" in said(app)


@pytest.mark.slow
def test_other_estimates_are_made_when_asked_for_and_the_p_values_stay() -> None:
    app = opened("tests", in_use="wine")
    before = together_sentence(diagnose(load_example("wine"), START))
    assert before in said(app)
    kept = len(app.session_state["jobs"]["diagnosis"])
    app = settled(press(app, "Make them"))
    assert before in said(app)
    assert len(app.session_state["jobs"]["diagnosis"]) == kept
    tables = [set(table.value.columns) for table in app.table]
    assert any("Estimate" in columns for columns in tables)
    assert app.session_state["settings"].spec.estimates == ESTIMATES
    press(app, "Undo")
    assert app.session_state["settings"].spec.estimates == ()


def test_two_jobs_together_are_the_whole_diagnosis() -> None:
    from dataclasses import replace

    p = load_example("wine")
    spec = replace(START, estimates=("smooth-ece", "skce-block", "mmce"), resamples=99)
    tested, estimated = diagnose(p, replace(spec, estimates=())), diagnose(p, replace(spec, tests=()))
    assert studies.together(tested, estimated).to_json() == diagnose(p, spec).to_json()


@pytest.mark.slow
@pytest.mark.parametrize(("key", "curve"), [("breast-cancer", True), ("w19-m2", True)])
def test_recalibration_and_parts_of_scores_are_there(key: str, curve: bool) -> None:
    app = opened("tests", in_use=key)
    columns = [set(table.value.columns) for table in app.table]
    assert any("Coefficient" in found for found in columns) == curve
    assert any("Part" in found for found in columns)
    app = settled(choose(app, "Look at", "canonical"))
    if load_example(key).m > 2:
        assert "Only for lenses of two classes" in said(app)


def test_an_exact_test_may_stop_early() -> None:
    app = opened("tests", in_use="wine")
    next(t for t in app.toggle if t.label == "Stop exact tests early").set_value(True).run()
    app = settled(app)
    assert app.session_state["settings"].spec.stop_at == 10
    assert "where the test stopped" in said(app) or "the observed one counted" in said(app)


def test_every_test_stands_in_one_figure_and_withheld_ones_say_why() -> None:
    app = opened("tests", in_use="wine")
    found = diagnose(load_example("wine"), START)
    words = said(app)
    assert together_sentence(found) in words
    for line in withheld_words(found):
        assert line in words


@pytest.mark.slow
def test_other_bandwidths_are_tried_when_asked_for() -> None:
    app = opened("tests", in_use="wine")
    (job,) = app.session_state["jobs"]["bandwidths"].values()
    assert job.waits
    assert "Trying other bandwidths may take about 1 second. It can be stopped." in said(app)
    app = settled(press(app, "Start"))
    assert bandwidth_sentence(job.future.result()) in said(app)
    assert EXPLORATORY in said(app)
    app = settled(choose(app, "Bins", "equal-mass"))  # of no effect on the kernel test
    assert EXPLORATORY in said(app)
    app = settled(choose(app, "Kernel", "gaussian"))
    assert EXPLORATORY not in said(app)
    app = settled(press(app, "Undo"))
    assert EXPLORATORY in said(app)


def test_beside_a_narrow_bandwidth_others_are_offered_at_once() -> None:
    app = opened("tests", in_use="breast-cancer")
    fold = next(box for box in app.expander if box.label == "Would another bandwidth change the answer?")
    assert fold.proto.expanded
    assert "may miss errors in the rest" in "".join(warning.value for warning in app.warning)
    other = opened("tests", in_use="wine")
    fold = next(box for box in other.expander if box.label == "Would another bandwidth change the answer?")
    assert not fold.proto.expanded


@pytest.mark.slow
def test_where_all_predictions_are_one_there_is_no_bandwidth_to_try() -> None:
    app = settled(press(opened("tests", in_use="v19-table-2"), "Start"))
    assert "every bandwidth gives the same test" in said(app)
