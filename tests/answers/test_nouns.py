"""Every sentence of an answer calls a case what it is, on every question."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields

import pytest

from calibcore import DiagnosisSpec, Predictions, survey
from calibcore.answers import diagnosis as looks
from calibcore.answers import survey as surveys
from calibcore.answers.blocks import Answer, Block, Chart, Fold, Headline, Methods, Notes, Sentences
from calibcore.answers.nouns import said_of
from calibcore.answers.tables import Table
from calibcore.assessment.assess import assess
from calibcore.questions.registry import QUESTIONS
from tests.asked import small_ones


def prose(blocks: Iterable[Block]) -> Iterator[str]:
    """All that is said in them, but for cells of tables and for what draws."""
    for block in blocks:
        if isinstance(block, Fold):
            yield block.title
            yield from prose(block.blocks)
        elif isinstance(block, Chart):
            yield from (block.title, block.says, block.caption)
        elif isinstance(block, Table):
            yield from (block.title, *block.notes)
        else:
            for field in fields(block):
                value = getattr(block, field.name)
                yield from [value] if isinstance(value, str) else value if isinstance(value, tuple) else []


@pytest.mark.parametrize("kind", QUESTIONS)
def test_no_answer_speaks_of_cases_where_they_are_visits(kind: type) -> None:
    answer = QUESTIONS[kind].answer(small_ones()[kind](), "visit")
    said = [*answer.about, *prose(answer.blocks)]
    assert any("visit" in text for text in said)
    assert [text for text in said if re.search(r"\bcases?\b", re.sub(r"'[^']*'", "", text))] == []


def test_nor_does_that_of_a_survey_or_of_a_look() -> None:
    probs = [[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]] * 20
    p = Predictions.from_arrays(probs, [1, 0, 0] * 20, ["a", "b"])
    assessment = assess(p, survey(p, DiagnosisSpec(resamples=99)))
    for answer in surveys.says(assessment, "visit"), looks.says(assessment.survey.diagnoses[0], "visit"):
        said = [*answer.about, *prose(answer.blocks)]
        assert [text for text in said if re.search(r"\bcases?\b", re.sub(r"'[^']*'", "", text))] == []


def test_names_in_quotes_and_heads_of_tables_stay() -> None:
    blocks = (
        Headline("A case of 'case' is the model's: these cases, 'all cases' and \"a case\"."),
        Fold("Cases of a case", (Sentences(("no cases", "")),)),
        Methods("How a case was redrawn", ("by case",), "9 cases"),
        Notes(("the column 'case' names cases",)),
    )
    answer = Answer(("9 cases", "2 classes"), "'case'", blocks)
    headline, fold, methods, notes = said_of(answer, "eye").blocks
    assert headline == Headline("An eye of 'case' is the model's: these eyes, 'all cases' and \"an eye\".")
    assert isinstance(fold, Fold)
    assert (fold.title, fold.blocks) == ("Cases of an eye", (Sentences(("no eyes", "")),))
    assert methods == Methods("How an eye was redrawn", ("by eye",), "9 eyes")
    assert notes == Notes(("the column 'case' names eyes",))
    assert said_of(answer, "eye").about == ("9 eyes", "2 classes")
    assert said_of(answer, "case file") is answer
