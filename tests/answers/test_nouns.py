"""Every sentence of an answer calls a case what it is, on every question."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields

import pytest

from calibcore import DiagnosisSpec, Predictions, survey
from calibcore.answers import diagnosis as looks
from calibcore.answers import survey as surveys
from calibcore.answers.blocks import Answer, Block, Chart, Fold, Headline, Methods, Notes, Sentences
from calibcore.answers.nouns import rows_said_of, said_of, table_said_of
from calibcore.answers.tables import Column, Table
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
            yield from (block.title, block.says, block.caption, *prose([block.table]))
        elif isinstance(block, Table):
            yield from (block.title, *block.notes, *(column.name for column in block.columns))
        else:
            for field in fields(block):
                value = getattr(block, field.name)
                yield from [value] if isinstance(value, str) else value if isinstance(value, tuple) else []


@pytest.mark.parametrize("kind", QUESTIONS)
def test_no_answer_speaks_of_cases_where_they_are_visits(kind: type) -> None:
    answer = QUESTIONS[kind].answer(small_ones()[kind](), "visit")
    said = [*answer.about, *prose(answer.blocks)]
    assert any("visit" in text for text in said)
    assert [text for text in said if re.search(r"\b[Cc]ases?\b", re.sub(r"'[^']*'", "", text))] == []


def test_nor_does_that_of_a_survey_or_of_a_look() -> None:
    probs = [[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]] * 20
    p = Predictions.from_arrays(probs, [1, 0, 0] * 20, ["a", "b"])
    assessment = assess(p, survey(p, DiagnosisSpec(resamples=99)))
    for answer in surveys.says(assessment, "visit"), looks.says(assessment.survey.diagnoses[0], "visit"):
        said = [*answer.about, *prose(answer.blocks)]
        assert [text for text in said if re.search(r"\b[Cc]ases?\b", re.sub(r"'[^']*'", "", text))] == []


def test_names_in_quotes_stay() -> None:
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
    assert (fold.title, fold.blocks) == ("Eyes of an eye", (Sentences(("no eyes", "")),))
    assert methods == Methods("How an eye was redrawn", ("by eye",), "9 eyes")
    assert notes == Notes(("the column 'case' names eyes",))
    assert said_of(answer, "eye").about == ("9 eyes", "2 classes")
    assert said_of(answer, "case file") is answer


def test_heads_say_what_a_case_is_and_keys_and_names_of_classes_stay() -> None:
    columns = (
        Column("Cases", "cases", str),
        Column("With cases", "held", str),
        Column("Cause, case", "", str),
    )
    table = table_said_of(Table("bins", "Bins of cases", columns, (1,), notes=("a case each",)), "visit")
    assert table.rows() == [{"Visits": "1", "With visits": "1", "Cause, case": "1"}]
    assert table.rows(exact=True) == [{"cases": "1", "held": "1"}]
    assert (table.title, table.notes) == ("Bins of visits", ("a visit each",))
    assert rows_said_of([{"Cases": 3, "p": 1}], "study") == [{"Studies": 3, "p": 1}]
