"""A page renders every kind of block."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from calibcore import lessons
from calibcore.questions.decide.says import MOST_ROWS
from tests.pages.harness import said


def page() -> None:
    from dataclasses import replace

    from calibcore import lessons
    from calibcore.answers.blocks import (
        Badge,
        Cases,
        Caution,
        Chart,
        Doubts,
        Fold,
        Headline,
        Methods,
        Notes,
        Sentences,
    )
    from calibcore.answers.tables import Table
    from calibcore.questions.decide.says import says_at
    from pages.ui import answered

    found = lessons.treated()
    (chart,) = says_at(found, found.at(0.2), "patient").each(Chart)
    table = replace(chart.table, name="own", title="A *table*", notes=("*below*", ""))
    assert isinstance(table, Table)
    untitled = replace(chart, name="selective", title="", noun="", table_open=True)
    answered.draw(
        (
            Badge("Cannot tell", "?", "question_mark", "cannot-tell"),
            Headline("<b>headline"),
            Doubts(("doubt *one*", "", "doubt two")),
            Sentences(("sentence *one*", "", "sentence two")),
            Cases("not here"),
            Fold("Nothing", ()),
            Fold("All of it", (Sentences(("inside",)),)),
            table,
            chart,
            untitled,
            Methods("How", ("method one",)),
            Caution("caution"),
            Notes(("note one", "", "note *two*")),
        ),
        level=3,
    )


def test_a_page_renders_every_block() -> None:
    app = AppTest.from_function(page, default_timeout=60).run()
    assert not app.exception
    marks = [element.value for element in app.markdown]
    assert "question_mark" in marks[0]
    assert "Cannot tell" in marks[0]
    assert marks[1:4] == [r"### \<b\>headline", r"sentence \*one\*", "sentence two"]
    assert [element.value for element in app.warning] == [r"doubt \*one\*", "doubt two"]
    assert [element.value for element in app.subheader] == [r"A \*table\*", "Net benefit in 100 patients"]
    small = [element.value for element in app.caption]
    assert [words for words in small if words.startswith(("caution", "note", "\\*"))] == [
        r"\*below\*",
        "caution",
        "note one",
        r"note \*two\*",
    ]
    assert "not here" not in said(app)
    labels = [fold.label for fold in app.expander]
    with_figure = ["How to read this", "The thresholds as a table"]
    assert labels == ["All of it", *with_figure, *with_figure, "How"]
    figure, of_cases = app.get("plotly_chart")
    assert ("100 patients" in figure.proto.spec, "100 patients" in of_cases.proto.spec) == (True, False)
    spec: dict[str, Any] = json.loads(figure.proto.spec)
    assert spec["layout"]["shapes"][0]["x0"] == 20
    assert len(app.dataframe) == 2  # the table, and that of the figure whose table is open
    assert len(app.dataframe[0].value) == len(lessons.treated().grid) > MOST_ROWS
