"""The Time page: what orders the cases, the alarm, dates that fit twice, the next file, a saved state."""

import json
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, Predictions, monitor
from calibcore.data.examples import load_example
from calibcore.questions.monitor import words as monitoring
from calibcore.transforms.lenses import CanonicalLens
from calibcore.words.dates import time_words
from pages.ui.settings import Settings
from pages.ui.state import Loaded
from tests.pages.harness import START, choose, opened, press, said, settled

LENS = Settings(replace(START, lens=CanonicalLens()))
RNG = np.random.default_rng(8)
N = 600
Q = RNG.uniform(0.1, 0.9, N)
LABELS = (RNG.random(N) > Q - 0.2 * (np.arange(N) > 300)).astype(int)
DATES = np.array([f"2026-{1 + i // 50:02d}-{1 + i % 28:02d}" for i in range(N)])
DATES.sort()


def part(rows: slice, dates: np.ndarray = DATES) -> Predictions:
    q = Q[rows]
    return Predictions.from_arrays(
        np.column_stack([q, 1 - q]), LABELS[rows], ["ill", "well"], {"seen": dates[rows]}
    )


def as_csv(rows: slice) -> str:
    lines = [
        f"{q:.17g},{1 - q:.17g},{date},{'ill' if y == 0 else 'well'}"
        for q, y, date in zip(Q[rows], LABELS[rows], DATES[rows], strict=True)
    ]
    return "\n".join(["ill,well,seen,label", *lines]) + "\n"


def page(p: Predictions, **state: object) -> AppTest:
    data = Loaded("model-0", "first.csv", "", "visit", p, repeats=False)
    return settled(opened("monitor", models={data.key: data}, in_use=data.key, settings=LENS, **state))


def give(app: AppTest, label: str, name: str, data: bytes) -> AppTest:
    (widget,) = [one for one in app.file_uploader if one.label == label]
    widget.set_value([(name, data, "application/octet-stream")]).run()
    return settled(settled(app))


def headline(app: AppTest) -> str:
    return next(line for line in said(app).splitlines() if line.startswith("## "))


@pytest.mark.slow
def test_what_is_needed_and_an_example_that_has_it() -> None:
    app = opened("monitor", in_use="wine")
    assert "To watch a model in time takes a column" in said(app)
    app = settled(press(app, "Look at an example with dates"))
    found = monitor(load_example("clinic"), DiagnosisSpec(lens=CanonicalLens(), unit="patient"), time="date")
    assert headline(app) == f"## {monitoring.headline(found, 'visit')}"
    assert headline(app).startswith("## Not calibrated any more since about ")
    assert f"an alarm, at visit {found.alarm:,} ({time_words(found.crossed_times[20.0])})" in said(app)
    assert "Since when is an estimate, no promise." in said(app)
    assert "3,000 rows of 1,460 units (patient)" in said(app)
    app = settled(choose(app, "What orders the cases", "The order of the rows"))
    assert "The visits are taken in the order of their rows." in said(app)


@pytest.mark.slow
def test_the_next_file_gives_the_numbers_of_one_run() -> None:
    whole = monitor(part(slice(0, N)), DiagnosisSpec(lens=CanonicalLens()), time="seen")
    assert whole.alarm is not None
    app = page(part(slice(0, 300)))
    assert "No alarm in 300 visits" in headline(app)
    app = give(app, "Next month's predictions", "second.csv", as_csv(slice(300, N)).encode())
    assert headline(app) == f"## {monitoring.headline(whole, 'visit')}"
    assert f"an alarm, at visit {whole.alarm:,} ({time_words(whole.crossed_times[20.0])})" in said(app)
    assert "Goes on from 'first.csv', 300 visits before these." in said(app)
    app = settled(choose(app, "Look at", "Confidence in the answer"))
    assert "The state has the lens" in said(app)
    app = settled(press(app, "Look at the class 'well' as before"))
    assert headline(app) == f"## {monitoring.headline(whole, 'visit')}"
    app = settled(press(app, "Begin anew with this file"))
    assert "Goes on from" not in said(app)
    # An earlier file does not come after: said, and nothing is lost.
    app = give(app, "Next month's predictions", "third.csv", as_csv(slice(0, 100)).encode())
    assert "where the state ends; expected the cases that came after." in said(app)


@pytest.mark.slow
def test_a_saved_state_and_files_that_are_none() -> None:
    first = monitor(part(slice(0, 300)), DiagnosisSpec(lens=CanonicalLens()), time="seen")
    whole = monitor(part(slice(0, N)), DiagnosisSpec(lens=CanonicalLens()), time="seen")
    app = page(part(slice(300, N)))
    app = give(app, "A state that was saved", "notes.json", json.dumps({"state": "x"}).encode())
    assert "notes.json: The state says it is 'x'; expected one that monitor wrote." in said(app)
    app = settled(press(app, "Leave this file out"))
    assert "notes.json" not in said(app)
    app = give(app, "A state that was saved", "state.json", first.to_state().encode())
    assert headline(app) == f"## {monitoring.headline(whole, 'visit')}"
    assert "Goes on from 'state.json', 300 visits before these." in said(app)
    app = give(app, "Next month's predictions", "diary.csv", b"Dear diary,\n")
    assert "diary.csv: " in said(app)


@pytest.mark.slow
def test_a_hostile_state_is_a_sentence_and_a_good_one_still_works() -> None:
    """Sizes once reached a compiled loop, which wrote past its array; a text was multiplied by a number."""
    first = monitor(part(slice(0, 300)), DiagnosisSpec(lens=CanonicalLens()), time="seen")
    good = json.loads(first.to_state())
    app = page(part(slice(300, N)))
    for place, value, words in (
        ("n", 1e308, "evidence.n is 1e+308; expected a whole number"),
        ("n", "300", "evidence.n is '300'; expected a whole number"),
        ("step", "x" * 60_000, "evidence.step is 'xxx"),
        ("every", 0, "evidence.every is 0; expected a whole number"),
        ("before", [], "evidence.every is 2; expected"),
    ):
        changed = json.dumps(good | {"evidence": good["evidence"] | {place: value}})
        app = give(app, "A state that was saved", "state.json", changed.encode())
        assert f"state.json: The state cannot be used: {words}" in said(app)
    assert not app.exception
    app = give(app, "A state that was saved", "state.json", first.to_state().encode())
    assert "cannot be used" not in said(app)
    assert "Goes on from 'state.json', 300 visits before these." in said(app)
    (before,) = app.session_state["monitor-before"].values()
    assert before.hold.size > len(first.to_state()), "what it holds does not count"
    app = settled(press(app, "Begin anew with this file"))
    assert "Goes on from" not in said(app)


def test_dates_that_fit_twice_are_asked_about() -> None:
    twice = np.array([f"{1 + i // 60:02d}/{1 + i % 12:02d}/2026" for i in range(N)])
    app = page(part(slice(0, N), twice))
    assert "Monitoring is not possible" not in said(app)
    app = settled(settled(press(app, "The month comes first")))
    assert "Dates: the month comes first, as you said." in said(app)
    assert headline(app).startswith(("## Not calibrated any more", "## No alarm"))
