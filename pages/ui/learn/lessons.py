"""The lessons: a statement, a text, one control, what is seen now, the way to one's own data."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui import show
from pages.ui.learn import controls, toys


@dataclass(frozen=True)
class Lesson:
    """One lesson; its text is ``assets/texts/learn-{name}.md``."""

    name: str
    """In its address."""
    title: str
    help: str
    """Beside the title."""
    choose: Callable[[], Any]
    """The control; what was chosen."""
    shown: Callable[[Any], None]
    """Draws what belongs to that choice."""
    page: str
    """Where the same is seen with one's own data."""
    link: str
    """The words that lead there."""


LESSONS = (
    Lesson(
        "promise",
        "A probability is a promise that can be checked",
        show.glossary("calibrated"),
        controls.overconfidence,
        toys.promise,
        "overview",
        "Does your model keep its promise?",
    ),
    Lesson(
        "lens",
        "Right through four lenses, and yet wrong",
        show.glossary("lens"),
        controls.lens,
        toys.lens,
        "simplex",
        "See your classes together",
    ),
    Lesson(
        "chance",
        "Chance alone makes gaps",
        show.glossary("ECE"),
        controls.size,
        toys.chance,
        "overview",
        "Your gap beside what chance makes",
    ),
    Lesson(
        "bars",
        "Grey bars show what chance allows",
        show.glossary("consistency bar"),
        controls.outcomes,
        toys.bars,
        "reliability",
        "Your bins and their bars",
    ),
    Lesson(
        "neighbours",
        "Similar cases should not miss the same way",
        show.glossary("kernel"),
        controls.model,
        toys.neighbours,
        "tests",
        "Your kernel error",
    ),
    Lesson(
        "exact",
        "An exact test can be trusted where resampling cannot",
        show.glossary("exact test"),
        controls.sets,
        toys.exact,
        "tests",
        "Test your own predictions",
    ),
    Lesson(
        "compare",
        "Two raw gaps are not compared",
        show.glossary("typical gap"),
        controls.bins,
        toys.compare,
        "compare",
        "Compare your own models",
    ),
    Lesson(
        "threshold",
        "What acting at a threshold is worth",
        show.glossary("net benefit"),
        controls.threshold,
        toys.threshold,
        "decisions",
        "Your model at a threshold",
    ),
    Lesson(
        "sure",
        "A language model says it is 90 % sure",
        show.glossary("confidence"),
        controls.sureness,
        toys.sure,
        "reliability",
        "How sure your model is, and how often right",
    ),
    Lesson(
        "grades",
        "Grades are in order: too high, or too low?",
        show.glossary("classes in order"),
        controls.border,
        toys.grades,
        "overview",
        "Your own grades",
    ),
    Lesson(
        "findings",
        "Several findings at once: each has its own p",
        show.glossary("several labels"),
        controls.together,
        toys.findings,
        "overview",
        "Your own findings",
    ),
)


@st.fragment
def draw(lesson: Lesson) -> None:
    """One lesson; what is moved in it redraws nothing else."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown(show.text(f"learn-{lesson.name}"))
        chosen = lesson.choose()
    with right:
        lesson.shown(chosen)
