"""The Learn page: each control moves its own lesson, and nothing of the session's settings."""

import re
import threading

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import lessons
from calibcore.words import deciding
from calibcore.words import lessons as words
from pages.ui.learn.lessons import LESSONS
from pages.ui.show import text
from pages.work import job
from tests.pages.harness import opened, press, said, settled


@pytest.fixture
def app() -> AppTest:
    return opened("learn", in_use="wine")


def heard(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def same(sentence: str) -> str:
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_the_contents_lead_to_every_lesson_and_the_glossary(app: AppTest) -> None:
    anchors = [header.proto.anchor for header in [*app.header, *app.subheader]]
    targets = re.findall(r"\]\(#([a-z-]+)\)", said(app))
    assert sorted(targets) == sorted(anchors)
    assert len(LESSONS) == 8
    assert len(set(targets)) == 10


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_is_three_to_five_short_sentences(lesson) -> None:
    sentences = re.split(r"(?<=[.?])\s+", text(f"learn-{lesson.name}").replace(" % ", " ").strip())
    assert 3 <= len(sentences) <= 5
    for sentence in sentences:
        assert len(sentence.split()) < 25, sentence


def test_what_is_moved_changes_the_sentence_and_no_setting(app: AppTest) -> None:
    app.select_slider(key="lesson-promise").set_value("very").run()
    assert same(words.promise_sentence(lessons.promises(3.0))) in heard(app)
    app.select_slider(key="lesson-chance").set_value(1_000).run()
    assert same(words.chance_gap_sentence(lessons.chance_gap(1_000))) in heard(app)
    app.slider(key="lesson-bars").set_value(7).run()
    found = lessons.redrawn_weather(7)
    assert same(words.outcomes_sentence(found, 7, 20, lessons.mean_outside())) in heard(app)
    app.select_slider(key="lesson-compare").set_value(50).run()
    assert same(words.forecasters_sentence(lessons.two_forecasters(50), 50)) in heard(app)
    app.select_slider(key="lesson-threshold").set_value(0.9).run()
    worth = lessons.treated()
    assert same(deciding.threshold_sentence(worth, worth.at(0.9), "patient")) in heard(app)
    assert not app.exception
    assert "settings" not in app.session_state  # nothing was ever changed
    assert app.session_state["in-use"] == "wine"


def test_the_toy_is_right_through_every_keyhole_and_wrong_as_a_whole(app: AppTest) -> None:
    lens = next(group for group in app.button_group if group.key == "lesson-lens")
    for choice, sentence in (
        ("Confidence", "always says 60 %, and that is how often it happens"),
        ("Class 1", "makes 3 predictions, and each happens exactly as often as it says"),
        ("Class 3", "makes 3 predictions, and each happens exactly as often as it says"),
        ("All three", "makes 6 predictions, and none happens as often as it says"),
    ):
        lens.set_value(choice).run()
        assert sentence in heard(app)
    assert len(app.table[0].value) == 6


def test_the_three_models_are_told_apart(app: AppTest) -> None:
    model = next(group for group in app.button_group if group.key == "lesson-neighbours")
    assert "Chance alone explains" in heard(app)
    for choice in ("Blind to one class", "Guessing"):
        model.set_value(choice).run()
        assert "None of 999 sets of outcomes" in heard(app)
        assert "Chance is a poor explanation" in heard(app)


def test_twenty_data_sets_are_tried_and_twenty_more(app: AppTest) -> None:
    assert "Nothing has been tried yet." in heard(app)
    app = settled(press(app, "Try 20 data sets"))
    assert words.trials_sentence([lessons.trial(k) for k in range(20)]) in heard(app)
    app = settled(press(app, "Try 20 more"))
    assert words.trials_sentence([lessons.trial(k) for k in range(40)]) in heard(app)


def test_trying_can_be_stopped_and_started_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
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
