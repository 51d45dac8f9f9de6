"""Answers as blocks: columns defined once, and every kind of block in every renderer."""

import argparse
import csv
import io
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest

from calibcore import (
    CanonicalLens,
    ClassLens,
    DiagnosisSpec,
    InputError,
    Predictions,
    TopKLens,
    compare,
    decide,
    diagnose,
    explain_by_wrong_labels,
    monitor,
    survey,
    survey_groups,
)
from calibcore.answers import diagnosis as looks
from calibcore.answers import survey as surveys
from calibcore.answers.blocks import (
    Answer,
    Badge,
    Beside,
    Block,
    Cases,
    Caution,
    Chart,
    Doubts,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
    every_table,
)
from calibcore.answers.tables import Column, Table
from calibcore.assessment.assess import assess
from calibcore.cli import report as report_command
from calibcore.limits import asset_path
from calibcore.notebook.answers import html_of
from calibcore.questions.registry import QUESTIONS
from calibcore.report.content import report_of
from calibcore.report.parts import answered
from calibcore.terminal import diagnosis_text, survey_text, text_of
from calibcore.words.tables import csv_of
from tests.asked import small_ones

Item = tuple[str, float, float | None]
COLUMNS: tuple[Column[Item], ...] = (
    Column("Name", "name", lambda item: item[0]),
    Column(
        "Gap", ("gap", "gap, high"), lambda item: item[1:], lambda gap, high: f"{gap:.1f} to {high}", True
    ),
    Column("", "twice", lambda item: 2 * item[1]),
    Column("High", "", lambda item: item[2], lambda high: f"{high:.2f}", unknown="–"),
)
ITEMS: tuple[Item, ...] = (("=1+1", 0.25, 0.5), ("b", 1 / 3, None))
TABLE: Table[Item] = Table("t", "A table", COLUMNS, ITEMS, ITEMS[:1])
OWN = replace(TABLE, name="own", notes=("<b>below", ""), of_lens=False)


def test_a_column_gives_cells_and_numbers_in_full_precision() -> None:
    assert TABLE.rows() == [
        {"Name": "=1+1", "Gap": "0.2 to 0.5", "High": "0.50"},
        {"Name": "b", "Gap": "0.3 to None", "High": "–"},
    ]
    assert TABLE.few_rows() == TABLE.rows()[:1]
    assert TABLE.rows(exact=True) == [
        {"name": "=1+1", "gap": 0.25, "gap, high": 0.5, "twice": 0.5},
        {"name": "b", "gap": 1 / 3, "gap, high": None, "twice": 2 / 3},
    ]
    assert TABLE.right == ("Gap",)
    first, second = csv.DictReader(io.StringIO(csv_of(TABLE.rows(exact=True))))
    assert first == {"name": "'=1+1", "gap": "0.25", "gap, high": "0.5", "twice": "0.5"}
    assert float(second["gap"]) == 1 / 3
    assert second["gap, high"] == ""
    only_exact: Table[Item] = Table("t", "A table", COLUMNS[2:3], ITEMS)
    assert (only_exact.rows(), only_exact.few_rows()) == ([], [])


def test_as_many_keys_as_numbers() -> None:
    wrong: Column[Item] = Column("Gap", ("gap", "low", "high"), lambda item: item[1:])
    with pytest.raises(ValueError, match="zip"):
        wrong.exact(ITEMS[0])


def patients() -> Predictions:
    rng = np.random.default_rng(1)
    p = rng.beta(1, 2, 200)
    labels = (rng.random(200) > p).astype(int)
    return Predictions.from_arrays(np.column_stack([p, 1 - p]), labels, ["ill", "well"])


def found() -> Any:
    return decide(patients(), DiagnosisSpec(lens=ClassLens("ill"), resamples=199))


CHART = Chart(
    "decisions", "<b>title", "chart says", "decisions.decision_figure", "decision_print", None, "case", TABLE
)
EVERY: tuple[Block, ...] = (
    Badge("<b>Badge", "✕", "close", "miscalibrated"),
    Headline("<b>headline"),
    Sentences(("sentence one", "", "sentence two")),
    Doubts(("doubt one", "", "doubt two")),
    Cases("cases"),
    Fold("fold", (Sentences(("inside",)), TABLE)),
    OWN,
    CHART,
    Methods("How", ("method one", "method two", "method three"), "drawn", drawn_for=1),
    Caution("caution"),
    Beside("beside"),
    Notes(("note one", "", "note two")),
)
ANSWER = Answer(("9 cases", "2 classes"), "lens", EVERY)


def test_every_kind_of_block_is_in_the_answer_of_these_tests() -> None:
    kinds = {getattr(kind, "__origin__", kind) for kind in get_args(Block)}
    assert set(map(type, EVERY)) == kinds
    assert ANSWER.headline == "<b>headline"
    assert list(every_table(EVERY)) == [TABLE, OWN]


def test_a_terminal_renders_every_block() -> None:
    table = "A table\n  Name         Gap  High\n  =1+1  0.2 to 0.5  0.50"
    assert text_of(ANSWER) == (
        "9 cases, 2 classes; lens\n\n✕ <b>Badge\n<b>headline\nsentence one\nsentence two\n"
        "doubt one\ndoubt two\ncases\ninside\n\n"
        f"{table}\n\n{table}\n  <b>below\n\nbeside\n\n"
        "- note one\n- note two\n- method one\n- method two drawn\n- method three\n- caution"
    )


def test_what_is_too_long_for_a_line_stands_below_a_table_of_text() -> None:
    why: Column[Item] = Column("Why", "", lambda item: "because" * (item[2] is None), below=True)
    items: tuple[Item, ...] = (*ITEMS, ("c, biased", 1.0, None))
    table = Table("t", "A table", (*COLUMNS[:1], why), items)
    assert text_of(Answer((), "", (table,))) == (
        "A table\n  Name\n  =1+1\n  b\n  c, biased\n  b: because\n  c: because"
    )
    assert table.rows()[1] == {"Name": "b", "Why": "because"}


def test_a_notebook_renders_every_block_as_text() -> None:
    html = html_of(ANSWER)
    body = html[html.index("</style>") :]
    order = ("9 cases · 2 classes · lens", 'chip miscalibrated">✕ &lt;b&gt;Badge', "&lt;b&gt;headline",
             "sentence one", "sentence two", '<p class="caution">doubt one', "doubt two", "cases</p>",
             "<summary>fold", "inside", "=1+1", "</details>", "&lt;b&gt;below", "<summary>Methods",
             "method one", "method two", "caution</p>", "beside", "note one", "note two")  # fmt: skip
    places = [body.index(words) for words in order]
    assert places == sorted(places)
    assert body.count('aria-label="A table"') == 2
    assert "<b>" not in body


def test_a_report_renders_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases, and what stands beside the verdict, are said once; of a fold a report has the tables."""
    from calibcore.report import parts

    result = found()
    question = replace(QUESTIONS[type(result)], says=lambda *_: ANSWER, without_cases=lambda result: result)
    monkeypatch.setattr(parts, "QUESTIONS", {type(result): question})
    part = answered(result, "a file")
    assert part is not None
    assert part.plates[0].says == "<b>headline sentence one sentence two"
    assert part.plates[0].rows == TABLE.few_rows()
    assert [(table.title, table.note) for table in part.tables] == [
        ("A table, lens", "note one note two caution"),
        ("A table", "<b>below"),
    ]
    assert part.methods == (("How", "method one method two method three"),)
    monkeypatch.setattr(parts, "QUESTIONS", {type(result): replace(question, repeat=None)})
    with pytest.raises(InputError, match="No report holds an answer"):
        answered(result, "a file")


def test_one_answer_has_one_title_everywhere() -> None:
    result = found()
    question = QUESTIONS[type(result)]
    answer = question.answer(result, "patient")
    (table,), (chart,) = answer.each(Table), answer.each(Chart)
    part = answered(result, "a file", "patient")
    assert part is not None
    assert table.title == chart.title == "Net benefit in 100 patients"
    assert part.tables[0].title.startswith(f"{table.title}, ")
    assert part.name == question.name
    assert "Net benefit in 100 cases" in text_of(question.answer(result))
    assert "Net benefit in 100 cases" in result._repr_html_()


def test_an_answer_that_no_report_holds_is_refused() -> None:
    noisy = explain_by_wrong_labels(Predictions.from_arrays(np.full((20, 2), 0.5), [0, 1] * 10))
    assert QUESTIONS[type(noisy)].repeat is None
    with pytest.raises(InputError, match="No report holds an answer of the type 'WrongLabels'"):
        answered(noisy, "a file")


def in_sites() -> Predictions:
    """200 × 2, of 3 sites, one of them of a single case."""
    rng = np.random.default_rng(2)
    p = rng.beta(1, 2, 200)
    site = np.where(np.arange(200) % 2, "B", "A").astype(object)
    site[7] = "alone"
    labels = (rng.random(200) > p).astype(int)
    return Predictions.from_arrays(np.column_stack([p, 1 - p]), labels, ["ill", "well"], {"site": site})


@pytest.mark.parametrize(
    ("ask", "title"),
    [
        (lambda p, spec: survey_groups(p, ["site"], spec), "Group by group"),
        (
            lambda p, spec: monitor(p, spec, window=40),
            "Observed minus predicted in windows of 40 cases",
        ),
    ],
    ids=["groups", "monitoring"],
)
def test_a_table_has_one_title_and_one_set_of_rows_everywhere(ask: Any, title: str) -> None:
    result = ask(in_sites(), DiagnosisSpec(lens=ClassLens("ill"), resamples=199))
    question = QUESTIONS[type(result)]
    (table,) = every_table(question.answer(result).blocks)
    part = answered(result, "a file")
    assert part is not None
    assert table.title == title
    assert part.tables[0].title == f"{title}, the class 'ill'"
    assert part.plates[0].title == f"{question.title}: the class 'ill'"
    text, html = text_of(question.answer(result)), result._repr_html_()
    assert f"\n{title}\n" in text
    assert f'aria-label="{title}"' in html
    first, last = (next(iter(row.values())) for row in (table.few_rows()[0], table.few_rows()[-1]))
    assert all(first in said and last in said for said in (text, html))
    assert result.to_frame().to_dict("records")[0].keys() == table.rows(exact=True)[0].keys()
    assert "alone" not in str(part.tables) + str(part.document)
    assert ("alone" in text) == (question.name == "groups")


def test_a_survey_and_a_diagnosis_have_one_title_and_one_set_of_rows_everywhere() -> None:
    p, spec = in_sites(), DiagnosisSpec(resamples=199, estimates=())
    surveyed = survey(p, spec, [TopKLens(1), CanonicalLens()])
    assessment, looked = assess(p, surveyed), diagnose(p, spec)
    report = report_of(p, assessment, spec, title="A report", date="2026-01-02")
    reported = {table.name: table for table in report.tables}
    of_survey = surveys.says(assessment)
    answers: tuple[tuple[Answer, str, Any], ...] = (
        (of_survey, survey_text(assessment), surveyed.verdicts),
        (looks.says(looked), diagnosis_text(looked), looked),
    )
    for answer, text, shown in answers:
        html, tables = shown._repr_html_(), list(every_table(answer.blocks))
        assert len(tables) >= 3
        for table in tables:
            cells = [next(iter(row.values())) for row in table.few_rows()]
            assert f"\n{table.title}\n" in text
            assert all(f"\n  {cell} " in text for cell in cells)
            # Verdicts by themselves do not know how often each class happened.
            assert f'aria-label="{table.title}"' in html or table.name == "classes"
            if answer is of_survey:
                assert reported[table.name].title == table.title
                assert [next(iter(row.values())) for row in reported[table.name].rows] == cells
    assert (report.badge, report.answer) == (of_survey.each(Badge)[0], of_survey.headline)
    (checks,) = of_survey.each(Table)
    assert surveyed.verdicts.to_frame().to_dict("records")[0].keys() == checks.rows(exact=True)[0].keys()


def test_a_report_asks_and_places_questions_as_they_say() -> None:
    reported = [question for question in QUESTIONS.values() if question.repeat is not None]
    for one, other in pairwise(reported):
        assert one.place != other.place, f"{one.name} and {other.name} have one place in reports."
    parser = argparse.ArgumentParser()
    report_command.add_arguments(parser)
    for question in QUESTIONS.values():
        assert bool(question.flag) == (question.ask is not None), f"{question.name} has one of flag and ask."
        typed = ["p.csv", "--out", "r.html", *([f"--{question.name}"] if question.flag else [])]
        assert not question.flag or getattr(parser.parse_args(typed), question.name)
        assert question.repeat is None or question.what != "The answer is", (
            f"{question.name} lacks what: how a sentence on results of other predictions begins."
        )


@pytest.mark.some(3)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.name)
def test_a_question_names_what_is_there(question: Any) -> None:
    reported = (question.without_cases is None, question.repeat is None, not question.again)
    assert len(set(reported)) == 1, "A report needs without_cases, repeat and again, all three."
    if not any(reported):
        file = f"caption-{question.name}.md"
        assert asset_path("texts", file).is_file(), f"Write assets/texts/{file}, how its figure is read."
        answer = question.answer(small_ones()[question.result]())
        for block in (Chart, Methods):
            assert len(answer.each(block)) == 1, f"In a report it needs one {block.__name__}, in no fold."
    assert question.included.startswith("Include ")


def test_a_report_of_a_comparison_shows_every_name_on_one_short_line() -> None:
    """Names come from files and from whoever types them; the command says nothing of names that it lacks."""
    p, (a, b) = patients(), (f"\u202e{'long ' * 20}{end}\n" for end in "ab")
    part = answered(compare({a: p, b: p}, DiagnosisSpec(lens=ClassLens("ill"), resamples=199)), {}, "patient")
    assert part is not None
    figure, tables = part.plates[0].says, [list(table.rows) for table in part.tables]
    said = json.dumps([figure, *tables, dict(part.document)])
    assert "\\u202e" not in said
    assert "\\n" not in said
    names = [row["Model"] for row in part.tables[0].rows]
    assert names[0] != names[1]
    assert max(map(len, names)) < 70
    assert part.tables[2].title == "What each model leaves out"  # of all classes, whatever the lens is
    assert part.repeat.words[:4] == ("caliblens", "compare", "MODEL1", "MODEL2")
    assert part.document["models"][0]["name"] in names
