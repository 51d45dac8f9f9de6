"""A file that cannot be read: the sentence, what would mend it as buttons, and how it is taken back."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.harness import Tab, choose, displayed, opened, press, said, upload

GOOD = [("0.2", "0.3", "0.5", "a"), ("0.1", "0.1", "0.8", "c"), ("0.4", "0.5", "0.1", "b")] * 4
PROBS = "a,b,c\n" + "".join(",".join(row[:3]) + "\n" for row in GOOD)
LABELS = "label\n" + "".join(row[3] + "\n" for row in GOOD)


def table(*changes: tuple[int, int, str]) -> str:
    """The good table with some cells (row from 1, column from 1) changed."""
    rows = [list(row) for row in GOOD]
    for row, column, text in changes:
        rows[row - 1][column - 1] = text
    return "a,b,c,label\n" + "".join(",".join(row) + "\n" for row in rows)


SCORES = "a,b,label\n" + "-1.5,2,b\n3,0.5,a\n" * 6
BROKEN = {
    "a bad cell": (table((3, 2, "oops"), (5, 2, "")), "", ["Leave out these 2 rows"]),
    "a bad sum": (table((3, 2, "0.45")), "", ["Divide every row by its sum", "Leave out this row"]),
    "a bad label": (table((3, 4, "zebra")), "", ["Leave out this row"]),
    "a row too long": (table((3, 4, "b,b")), "", ["Leave out this row"]),
    "scores": (SCORES, "", ["These look like logits: apply softmax"]),
    "rows of counts": (
        "a,b,label\n" + "3,4,a\n1,5,b\n" * 6,
        "",
        ["These look like logits: apply softmax", "Divide every row by its sum"],
    ),
    "an open base": (
        "a,b,c,label\n" + "0.2,0.3,0.5,1\n0.1,0.1,0.8,2\n" * 6,
        "",
        ["The labels count from 0", "The labels count from 1"],
    ),
    "unnamed columns": (
        "0.2,0.8,ill\n0.7,0.3,well\n" * 6,
        "",
        ["The columns are 'ill', 'well'", "The columns are 'well', 'ill'"],
    ),
    "one column": (
        "p,label\n" + "0.2,u\n0.9,v\n" * 6,
        "",
        ["It holds the probabilities of 'u'", "It holds the probabilities of 'v'"],
    ),
    "several labels": (
        PROBS,
        "mine,theirs\n" + "".join(f"{row[3]},{'bca'['abc'.index(row[3])]}\n" for row in GOOD),
        ["The labels are 'mine'", "The labels are 'theirs'"],
    ),
    "files that may be swapped": (
        "id,site,label\n" + "".join(f"{i},{i % 5},{row[3]}\n" for i, row in enumerate(GOOD)),
        PROBS,
        ["Swap the two files"],
    ),
    "another delimiter": (None, "", ["Separate the cells by commas"]),
}


def on_data() -> AppTest:
    return opened("data", in_use="wine")


def refused(name: str) -> AppTest:
    text, labels, _ = BROKEN[name]
    app = upload(on_data(), "broken.csv", table() if text is None else text)
    if labels:
        app = upload(app, "labels.csv", labels, place=1)
    if text is None:
        next(t for t in app.text_input if t.label == "Columns are separated by").set_value(";").run()
    return app


def texts(app: AppTest) -> str:
    controls = (*app.button, *app.selectbox, *app.text_input, *app.toggle)
    return said(app) + "".join(f"{c.label} {c.help}" for c in controls)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.some(4)
def test_every_button_mends(name: str) -> None:
    app = refused(name)
    before = app.error[0].value
    offered = [b.label.replace("\\", "") for b in app.button if (b.key or "").startswith(("mend-", "take-"))]
    assert offered == BROKEN[name][2]
    assert "--" not in texts(app)
    files = "broken.csv and labels.csv are" if BROKEN[name][1] else "broken.csv is"
    shown = f"{files} not used. The pages still show: Wines of three growers"
    if BROKEN[name][0] is None:  # it was read until then
        shown = "The pages still show broken.csv as it was read before."
    assert shown in said(app)
    for number, words in enumerate(offered):
        app = press(refused(name) if number else app, words)
        assert not app.error or app.error[0].value != before
        assert "--" not in texts(app)
        if not app.error:
            model = app.session_state["models"]["model-0"]
            assert model.reading is not None
            assert f"In use: {'labels' if model.reading.swapped else 'broken'}.csv" in said(app)


def test_rows_that_are_left_out_are_noted_and_can_be_taken_back() -> None:
    app = press(refused("a bad cell"), "Leave out these 2 rows")
    assert "broken.csv · 10 cases" in said(app)
    assert "2 of 12 rows were left out, as asked: 3, 5." in [w.value.replace("\\", "") for w in app.warning]
    box = next(t for t in app.text_input if t.label == "Rows left out")
    assert box.value == "3,5"
    app = box.set_value("5").run()
    assert "Row 3 has 'oops' in column 'b'." in app.error[0].value.replace("\\", "")
    app = press(app, "Leave out this row")
    assert app.session_state["models"]["model-0"].predictions.n == 10


def test_nothing_is_said_of_a_file_that_is_read_as_it_is() -> None:
    app = upload(on_data(), "good.csv", table())
    fold = next(fold for fold in app.expander if fold.label == "Read it differently")
    assert {t.value for t in fold.text_input} == {""}
    values = {"Detect automatically", "detected automatically", "none", "Ask"}
    assert {b.value for b in fold.selectbox} == values


def test_softmax_is_taken_back_where_it_was_chosen() -> None:
    app = press(refused("scores"), "These look like logits: apply softmax")
    assert "Softmax was applied" in said(app)
    box = next(b for b in app.selectbox if b.label == "The numbers are")
    assert box.value == "Logits (softmax is applied)"
    assert choose(app, "The numbers are", "Detect automatically").error


def test_readings_stand_beside_each_other_with_their_rows() -> None:
    app = refused("an open base")
    first, second = (
        displayed(table) for table in app.dataframe if list(table.value) == ["a", "b", "c", "was"]
    )
    assert (list(first["a"]), list(first["was"])) == (["0.2", "0.1", "0.2"], ["b", "c", "b"])
    assert list(second["was"]) == ["a", "b", "a"]
    app = press(app, "The labels count from 1")
    assert next(b for b in app.selectbox if b.label == "Integer labels count").value == "1, 2, 3, …"


def test_rows_that_are_no_numbers_change_nothing_and_stay() -> None:
    app = upload(on_data(), "good.csv", table())
    app = next(t for t in app.text_input if t.label == "Rows left out").set_value("three").run()
    assert "expected their numbers, as in 3, 17, 25-40" in said(app)
    assert next(t for t in app.text_input if t.label == "Rows left out").value == "three"
    assert app.session_state["models"]["model-0"].predictions.n == 12
    app = next(t for t in app.text_input if t.label == "Rows left out").set_value("3").run()
    assert "expected their numbers" not in said(app)
    assert app.session_state["models"]["model-0"].predictions.n == 11


def test_files_the_wrong_way_round_are_swapped_with_a_word_and_back() -> None:
    app = upload(on_data(), "truth.csv", LABELS)
    assert app.error
    app = upload(app, "probs.csv", PROBS, place=1)
    assert not app.error
    assert "probs.csv · 12 cases" in said(app)
    assert any(
        "The two files were swapped (by what they hold)" in w.value.replace("\\", "") for w in app.warning
    )
    app = choose(app, "The predictions are", "In the first file")
    assert app.error


def test_a_file_without_labels_waits_for_them() -> None:
    app = upload(on_data(), "probs.csv", PROBS)
    assert not app.error
    assert "No column of labels was found" in app.info[0].value
    assert "Say which column holds the labels under 'Read it differently'" in said(app)
    assert app.session_state["fold-differently"]
    app = upload(app, "truth.csv", LABELS, place=1)
    assert "No column of labels" not in said(app)
    assert "probs.csv · 12 cases" in said(app)


def test_the_columns_of_the_file_of_labels_are_listed_for_the_labels() -> None:
    app = press(refused("several labels"), "The labels are 'theirs'")
    box = next(b for b in app.selectbox if b.label == "Column with the labels")
    assert box.options == ["detected automatically", "mine", "theirs"]
    assert box.value == "theirs"
    assert next(b for b in app.selectbox if b.label == "Column with counts").options == [
        "none",
        "a",
        "b",
        "c",
    ]


def test_a_choice_outlives_a_reload_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    tab = Tab(monkeypatch)
    tab.connects()
    tab.does(lambda: press(refused("scores"), "These look like logits: apply softmax"))
    app = tab.opens()
    assert app.session_state["models"]["model-0"].reading.value_kind == "logits"
    assert (
        next(b for b in app.selectbox if b.label == "The numbers are").value == "Logits (softmax is applied)"
    )


QUESTIONS = {
    "two labels": (
        "cat,dog,label,target\n" + "0.75,0.25,cat,dog\n0.5,0.5,dog,dog\n0.25,0.75,dog,cat\n" * 4,
        ["The labels are 'label'", "The labels are 'target'"],
        ["row 1: cat 0.75, dog 0.25, was cat", "row 1: cat 0.75, dog 0.25, was dog"],
    ),
    "two sets of columns": (
        "a: cat,a: dog,b: cat,b: dog,label\n" + "0.75,0.25,0.5,0.5,cat\n0.5,0.5,0.25,0.75,dog\n" * 6,
        ["Only a", "Only b"],
        ["row 1: cat 0.75, dog 0.25, was cat", "row 1: cat 0.5, dog 0.5, was cat"],
    ),
    "percent or not": (
        "risk_percent,label\n" + "0.75,1\n0.5,0\n0.25,0\n" * 4,
        ["The numbers are percent", "The numbers are probabilities"],
        ["row 1: 0 0.993, 1 0.0075, was 1", "row 1: 0 0.25, 1 0.75, was 1"],
    ),
    "labels in words": (
        "p,outcome\n" + "0.75,u\n0.5,v\n0.25,v\n" * 4,
        ["It holds the probabilities of 'u'", "It holds the probabilities of 'v'"],
        ["row 1: v 0.25, u 0.75, was u", "row 1: u 0.25, v 0.75, was u"],
    ),
    "a name that says nothing": (
        "cat,dog,owl,species\n" + "0.75,0.125,0.125,1\n0.5,0.5,0,2\n0.25,0.25,0.5,3\n" * 4,
        ["The labels are 'species'"],
        ["row 1: cat 0.75, dog 0.125, owl 0.125, was cat"],
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.some(1)
def test_each_of_two_readings_is_shown_and_taken(name: str) -> None:
    text, buttons, rows = QUESTIONS[name]
    for words, row in zip(buttons, rows, strict=True):
        app = upload(on_data(), "question.csv", text)
        offered = [b.label.replace("\\", "") for b in app.button if (b.key or "").startswith("take-")]
        assert offered == buttons
        assert sum(list(table.value)[-1] == "was" for table in app.dataframe) == len(buttons)
        app = press(app, words)
        assert not app.error
        assert row in said(app)


@pytest.mark.slow
def test_files_are_joined_as_chosen_and_that_is_taken_back() -> None:
    app = upload(
        on_data(),
        "probs.csv",
        "patient,"
        + "".join(f"{i % 4},{line}\n" if i else f"{line}\n" for i, line in enumerate(PROBS.splitlines())),
    )
    app = upload(
        app,
        "truth.csv",
        "patient,"
        + "".join(f"{i % 3},{line}\n" if i else f"{line}\n" for i, line in enumerate(LABELS.splitlines())),
        place=1,
    )
    assert "stands in both files, and differs" in said(app)
    app = press(app, "Row by row")
    assert not app.error
    box = next(b for b in app.selectbox if b.label == "The files belong together")
    assert box.value == "Row by row"
    assert choose(app, "The files belong together", "Detect automatically").error


@pytest.mark.slow
def test_one_hot_columns_are_typed() -> None:
    head = "a,b,c,u,v,w,site\n"
    rows = ["0.9,0.1,0,1,0,0,1\n", "0.1,0.8,0.1,0,1,0,1\n", "0,0.2,0.8,0,0,1,0\n"] * 4
    app = upload(on_data(), "probs.csv", head + "".join(rows))
    box = next(one for one in app.text_input if one.label == "Or one-hot columns")
    assert box.value == ""
    app = box.set_value("u, v, w").run()
    assert not app.error
    assert app.session_state["models"]["model-0"].reading.label_source == "columns:u,v,w"
    assert next(one for one in app.text_input if one.label == "Or one-hot columns").value == "u, v, w"
    app = next(one for one in app.text_input if one.label == "Or one-hot columns").set_value("u, v").run()
    assert "There are 2 columns of labels" in said(app)


def test_whether_an_answer_was_right_is_said_by_a_button() -> None:
    rows = "0.9,1\n0.2,1\n0.4,0\n0.7,0\n0.3,1\n" * 4
    app = upload(on_data(), "answers.csv", "prob,correct\n" + rows)
    assert "may say whether the rounded answer was right, or what happened" in said(app)
    app = press(app, "The labels are 'correct'; it says whether the rounded answer was right")
    assert not app.error
    labels = app.session_state["models"]["model-0"].reading.predictions.labels
    assert labels[:5].tolist() == [1, 0, 1, 0, 0]
    box = next(one for one in app.selectbox if one.label == "The labels say")
    assert box.value == "Whether the likelier class was right"
    app = choose(app, "The labels say", "What happened")
    assert app.session_state["models"]["model-0"].reading.predictions.labels[:5].tolist() == [1, 1, 0, 0, 1]


def test_one_of_several_labels_is_read_by_a_button() -> None:
    rows = ["p_effusion,p_mass,effusion,mass", *["0.9,0.25,1,", "0.8,0.75,1,1", "0.25,0.125,0,0"] * 6]
    app = upload(on_data(), "chests.csv", "\n".join(rows))
    assert "a case may be several of them" in app.error[0].value
    app = press(app, "Read the label 'mass'")
    p = app.session_state["models"]["model-0"].predictions
    assert (p.n, p.class_names) == (12, ("not mass", "mass"))
