"""Every page where only the confidence is known: its answer, or what needs all probabilities."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.examples import load_example
from pages.server import page_list
from tests.confidence import amiss
from tests.pages.harness import displayed, on_page, opened, said, upload

ROWS = load_example("letters")[:150]
FILE = "true_labels,pred_labels,confidences\n" + "".join(
    f"{true},{answered},{sure}\n"
    for true, answered, sure in zip(
        ROWS.metadata[TRUTH], ROWS.metadata[PREDICTED], ROWS.probs[:, 0].tolist(), strict=True
    )
)
SAYS = {
    "overview": "too sure",
    "reliability": "sure of its answer on average, and right",
    "simplex": "needs the probabilities of all classes, and here only the confidence in the answer is known.",
    "tests": "by this test alone",
    "decisions": "the model answers",
    "groups": "Choose all the columns that you want to look at.",
    "monitor": "takes a column that says when each case happened",
    "compare": "A comparison needs another model of the same",
    "improve": "Class mix: not tried; it needs the probabilities of all classes",
    "share": "too sure",
    "data": "· confidence only",
}
"""Page -> what it says of either file."""
OF_THEIR_OWN = {"training", "learn"}
"""Pages that show other data than what is in use."""
READ = {
    "alt",
    "body",
    "label",
    "options",
    "placeholder",
    "text",
    "name",
    "ticktext",
    "hovertext",
    "customdata",
}
"""What people read of an element and of a figure. What helps is the same on every data."""
EXAMPLES = ("Built: ", "Simulated: ")
"""So begin titles that may speak of classes."""


def _words(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _words(json.loads(inner) if name == "spec" else inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner, key)
    elif isinstance(value, str) and key in READ and not value.startswith(EXAMPLES):
        yield value.replace("\\", "")


def read_by_people(app: AppTest) -> str:
    """Texts, tables, figures, and all that can be chosen."""
    tables = [displayed(table).to_string() for table in app.dataframe]
    others = [element.proto for element in app._tree if isinstance(getattr(element, "proto", None), Message)]
    words = [words for proto in others for words in _words(MessageToDict(proto))]
    return "\n".join([said(app), *tables, *words])


def test_no_page_is_left_out() -> None:
    assert {*SAYS, *OF_THEIR_OWN} == {page.name for page in page_list.pages()}


@pytest.mark.parametrize("page", SAYS)
@pytest.mark.some(3)
def test_each_page_has_its_answer_or_says_what_it_needs(page: str) -> None:
    text = read_by_people(opened(page, in_use="letters"))
    assert SAYS[page].lower() in text.lower()
    assert not amiss(text)


@pytest.mark.slow
def test_each_page_of_a_file_with_truth_answer_and_confidence() -> None:
    app = upload(opened("data", in_use="wine"), "mine.csv", FILE)
    assert "mine.csv · 150 cases · confidence only" in said(app)
    assert not amiss(said(app))
    for page in SAYS:
        text = read_by_people(app := on_page(app, page))
        assert SAYS[page].lower() in text.lower(), page
        assert not amiss(text), page


def test_groups_by_what_was_answered() -> None:
    app = opened("groups", in_use="letters", groups_by=(PREDICTED,))
    assert len(app.get("plotly_chart"))
    assert not amiss(read_by_people(app))


@pytest.mark.parametrize("page", [page for page in SAYS if page != "data"])
@pytest.mark.slow
def test_a_multiple_choice_has_all_pages(page: str) -> None:
    """Options that vary in number are options, and all of them are known."""
    text = read_by_people(opened(page, in_use="multiple-choice"))
    assert "only the confidence" not in text
    assert "in the top class" not in text


def test_words_for_a_confidence_are_asked_one_by_one() -> None:
    """Beside the sentence, and with what was left out still to be said."""
    lines = "\n".join(f"{word},{right}" for word, right in [("high", 1), ("low", 0), ("high", 1)] * 9)
    app = upload(opened("data", in_use="wine"), "words.csv", f"confidence,correct\n{lines}\n")
    assert [box.label for box in app.number_input] == ["high, %", "low, %"]
    app.number_input[0].set_value(90)
    button = next(one for one in app.button if one.label == "Read it by these numbers")
    app = button.click().run()
    assert "Each of them needs a number." in said(app)
    for box, fraction in zip(app.number_input, (0.9, 0.3), strict=True):  # as the command line takes them
        box.set_value(fraction)
    app = next(one for one in app.button if one.label == "Read it by these numbers").click().run()
    assert "Per cent is expected: 95, not 0.95." in said(app)
    for box, number in zip(app.number_input, (90, 30), strict=True):
        box.set_value(number)
    app = next(one for one in app.button if one.label == "Read it by these numbers").click().run()
    assert "words.csv · 27 cases · confidence only" in said(app)
    assert "row 1: 0.9 sure: right" in said(app)
