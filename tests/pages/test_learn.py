"""The Learn page: lessons at addresses of their own; each control moves its lesson, and no setting."""

import re
import threading

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import lessons
from calibcore.lessons import findings, words
from calibcore.questions.decide import words as deciding
from pages.server import page_list
from pages.ui.learn import course
from pages.ui.learn.lessons import LESSONS
from pages.ui.show import text
from pages.work import job
from tests.pages.harness import begun, opened, press, said, settled

ALL = len(LESSONS)


def at(name: str, app: AppTest | None = None) -> AppTest:
    """A lesson, as its address opens it: in a session that goes on, or in a fresh one."""
    if app is None:
        app = begun()
        app.session_state["in-use"] = "wine"
        app.switch_page("../learn.py")
    app.query_params[course.PARAMETER] = name
    return settled(app.run())


def heard(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def same(sentence: str) -> str:
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def links(app: AppTest) -> dict[str, str]:
    """Words of each link to a lesson -> the lesson."""
    found = [link.proto for link in app.main.get("page_link")]
    return {one.label: one.query_string.partition("=")[2] for one in found if one.query_string}


def test_the_list_leads_to_every_lesson_and_says_which_were_opened() -> None:
    app = opened("learn", in_use="wine")
    assert list(links(app).values()) == [*(lesson.name for lesson in LESSONS), *course.MORE]
    assert f"0 of {ALL} opened" in heard(app)
    for number, lesson in enumerate(LESSONS[:3], start=1):
        app = at(lesson.name, app)
        assert app.title[0].value == lesson.title
        assert f"Lesson {number} of {ALL} · {number} of {ALL} opened" in heard(app)
    app = at("lens", app)  # once more
    assert f"3 of {ALL} opened" in heard(app)
    app = at("glossary", app)  # which is no lesson
    assert app.title[0].value == "Every term in one line"
    del app.query_params[course.PARAMETER]
    app = settled(app.run())
    assert f"3 of {ALL} opened" in heard(app)
    rest = ALL + len(course.MORE) - 3
    assert [label.endswith("opened]") for label in links(app)] == 3 * [True] + rest * [False]


@pytest.mark.slow
def test_each_lesson_leads_to_the_next_and_to_the_one_before() -> None:
    names = [*(lesson.name for lesson in LESSONS), *course.MORE]
    app = None
    for number, name in enumerate(names):
        app = at(name, app)
        ways = {words.partition(":")[0]: to for words, to in links(app).items()}
        assert ways.get("Previous") == (names[number - 1] if number else None)
        assert ways.get("Next") == (names[number + 1] if number + 1 < len(names) else None)


def test_an_address_that_names_no_lesson_says_so_and_lists_them() -> None:
    app = at("![x](http://elsewhere)")
    assert "There is no lesson '![x](" in heard(app)
    assert len(links(app)) == ALL + len(course.MORE)


@pytest.mark.some(2)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_each_lesson_can_be_tried_on_the_model_in_use_or_on_an_example(lesson) -> None:
    app = at(lesson.name)
    (link,) = [one.proto for one in app.main.get("page_link") if not one.proto.query_string][:1]
    assert "opens with an example: Wines of three growers" in heard(app)
    assert link.label == lesson.link
    app.session_state["in-use"] = "gone"
    app = settled(app.run())
    assert "opens with an example: Handwritten digits, random forest" in heard(app)
    app = press(app, lesson.link)
    assert app.session_state["in-use"] == "digits-forest"
    assert app.title[0].value == page_list.page(lesson.page).heading


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_is_three_to_five_short_sentences(lesson) -> None:
    sentences = re.split(r"(?<=[.?])\s+", text(f"learn-{lesson.name}").replace(" % ", " ").strip())
    assert 3 <= len(sentences) <= 5
    for sentence in sentences:
        assert len(sentence.split()) < 25, sentence


@pytest.mark.slow
def test_what_is_moved_changes_the_sentence_and_no_setting() -> None:
    app = at("promise")
    app.select_slider(key="lesson-promise").set_value("very").run()
    assert same(words.promise_sentence(lessons.promises(3.0))) in heard(app)
    app = at("chance", app)
    app.select_slider(key="lesson-chance").set_value(1_000).run()
    assert same(words.chance_gap_sentence(lessons.chance_gap(1_000))) in heard(app)
    app = at("bars", app)
    app.slider(key="lesson-bars").set_value(7).run()
    found = lessons.redrawn_weather(7)
    assert same(words.outcomes_sentence(found, 7, 20, lessons.mean_outside())) in heard(app)
    app = at("compare", app)
    app.select_slider(key="lesson-compare").set_value(50).run()
    assert same(words.forecasters_sentence(lessons.two_forecasters(50), 50)) in heard(app)
    app = at("threshold", app)
    app.select_slider(key="lesson-threshold").set_value(0.9).run()
    worth = lessons.treated()
    assert same(deciding.threshold_sentence(worth, worth.at(0.9), "patient")) in heard(app)
    app = at("sure", app)
    app.select_slider(key="lesson-sure").set_value(0.5).run()
    assert same(words.sure_sentence(lessons.sure(), lessons.SAID.index(0.5))) in heard(app)
    app = at("grades", app)
    assert "Classes are given too high" in heard(app)
    app.select_slider(key="lesson-grades").set_value(0.0).run()
    assert "No sign that classes are given too high or too low" in heard(app)
    app = at("findings", app)
    app.select_slider(key="lesson-findings").set_value(0.9).run()
    assert same(words.together_sentence(findings.together(0.9))) in heard(app)
    assert not app.exception
    assert "settings" not in app.session_state  # nothing was ever changed
    assert app.session_state["in-use"] == "wine"


def test_the_toy_is_right_through_every_keyhole_and_wrong_as_a_whole() -> None:
    app = at("lens")
    lens = next(group for group in app.button_group if group.key == "lesson-lens")
    for choice, sentence in (
        ("Confidence", "always says 60 %, and that is how often it is right"),
        ("Class 1", "makes 3 predictions, and each happens exactly as often as it says"),
        ("Class 3", "makes 3 predictions, and each happens exactly as often as it says"),
        ("All three", "makes 6 predictions, and none happens as often as it says"),
    ):
        lens.set_value(choice).run()
        assert sentence in heard(app)
    assert len(app.table[0].value) == 6


def test_the_three_models_are_told_apart() -> None:
    app = at("neighbours")
    model = next(group for group in app.button_group if group.key == "lesson-neighbours")
    assert "Chance alone explains" in heard(app)
    for choice in ("Blind to one class", "Guessing"):
        model.set_value(choice).run()
        assert "None of 999 sets of outcomes" in heard(app)
        assert "Chance is a poor explanation" in heard(app)


@pytest.mark.slow
def test_twenty_data_sets_are_tried_and_twenty_more() -> None:
    app = at("exact")
    assert "Nothing has been tried yet." in heard(app)
    app = settled(press(app, "Try 20 data sets"))
    assert words.trials_sentence([lessons.trial(k) for k in range(20)]) in heard(app)
    app = settled(press(app, "Try 20 more"))
    assert words.trials_sentence([lessons.trial(k) for k in range(40)]) in heard(app)


def test_trying_can_be_stopped_and_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = at("exact")
    monkeypatch.setattr(job, "PATIENCE", 0.0)
    slow, stopping = lessons.trial, threading.Event()

    def waits(number: int) -> lessons.Trial:
        stopping.wait(10)
        return slow(number)

    monkeypatch.setattr(lessons, "trial", waits)
    app = press(app, "Try 20 data sets")
    app = press(app, "Stop")
    assert "Testing toy data was stopped." in heard(app)
    stopping.set()
    app = settled(press(app, "Start again"))
    assert "Of 20 calibrated data sets" in heard(app)
