"""Files in, models side by side, cases that repeat."""

from dataclasses import fields

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest

from pages.ui import state
from tests.pages.harness import CSV, choose, on_page, opened, press, said, upload

LONE = "a,b,label\n" + "0.3,0.7,b\n0.6,0.4,a\n" * 7 + "0.3,0.7,a\n0.6,0.4,b\n"


def on_data() -> AppTest:
    return opened("data", in_use="wine")


def test_an_upload_is_used_and_explained() -> None:
    app = upload(on_data())
    assert "animals.csv · 60 cases · 3 classes" in said(app)
    assert "How the file was read, and why" in said(app)
    assert "Labels: column 'label' (because of its name)." in said(app)
    app = press(app, "See the verdict")
    assert app.title[0].value == "Can these probabilities be believed?"
    assert "animals.csv · 60 cases · 3 classes" in said(app)


def test_uploaded_bytes_leave_the_store_and_the_page_keeps_the_rest() -> None:
    def script() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from pages.ui import uploads

        store = get_script_run_ctx().uploaded_file_mgr.file_storage  # type: ignore[union-attr]
        came = uploads.choose()
        st.markdown(f"{came} {sum(len(files) for files in store.values())} {uploads.current()}")

    app = AppTest.from_function(script).run()
    upload(app)
    assert app.markdown[0].value.startswith("predictions 0 Source")
    assert f"data={CSV.encode()!r}" in app.markdown[0].value


def test_streamlit_still_has_what_the_removal_of_uploads_needs() -> None:
    assert {"uploaded_file_mgr", "session_id"} <= {f.name for f in fields(ScriptRunContext)}
    assert callable(MemoryUploadedFileManager.remove_file)


def test_the_file_itself_is_forgotten_when_the_data_page_is_left() -> None:
    app = upload(on_data())
    assert app.session_state["source"].data
    app.switch_page("../learn.py").run()
    assert "source" not in app.session_state
    app.switch_page("../data.py").run()
    assert "animals.csv · 60 cases" in said(app)


def test_a_file_is_read_differently_without_choosing_it_again() -> None:
    app = upload(on_data(), "percent.csv", "a,b,label\n30,70,b\n60,40,a\n" * 1 + "20,80,b\n" * 9)
    assert "percent.csv" in said(app)
    app = choose(app, "The numbers are", "Logits (softmax is applied)")
    assert app.session_state["models"]["model-0"].reading.value_kind == "logits"
    assert list(app.session_state["models"]) == ["model-0"]


def test_a_broken_file_is_one_sentence_and_the_model_stays() -> None:
    app = upload(on_data())
    upload(app, "broken.csv", "a,b,label\n0.5,0.5,a\n0.4,0.53,b\n0.2,0.8,b\n")
    assert "Row 2 sums to 0.93" in said(app)
    assert "broken.csv is not used. The pages still show: animals.csv." in said(app)
    assert len(app.session_state["models"]) == 1


def test_after_an_error_nothing_of_the_model_before_is_shown_but_its_name() -> None:
    app = upload(on_data())
    assert "See the verdict" in [b.label for b in app.button]
    faulty = CSV.replace("0.60,0.30,0.10", "0.60,x,0.10", 1).replace(",dog\n", ",wolf\n", 1)
    upload(app, "broken.csv", faulty)
    (error,) = app.error
    assert error.value.replace("\\", "").startswith("- Row 1 has 'x' in column 'dog'")
    assert error.value.count("\n- ") == 1  # both faults, a point for each
    assert "row 1 is row 2 of a spreadsheet" in error.value
    shown = said(app)
    for of_before in ("How the file was read", "What it is called", "60 rows"):
        assert of_before not in shown
    assert "See the verdict" not in [b.label for b in app.button]
    app = press(app, "Forget this file")
    assert not app.error
    assert "How the file was read, and why" in said(app)
    app = upload(app, "broken.csv", faulty)
    assert "broken.csv · 58 cases" in said(press(app, "Leave out these 2 rows"))


def test_whose_cases_they_are_is_asked_where_a_column_suggests_it() -> None:
    def asked(app: AppTest) -> bool:
        return "Column that names the patient or group of each case" in [box.label for box in app.selectbox]

    assert asked(upload(on_data()))
    app = upload(opened("data", in_use="wine"), "lone.csv", LONE)
    assert not asked(app)
    app.session_state["fold-belonging"] = True
    assert asked(app.run())


def test_labels_may_come_in_a_file_of_their_own_before_or_after() -> None:
    probs = "a,b\n" + "0.3,0.7\n0.6,0.4\n" * 8
    labels = "label\n" + "b\na\n" * 8
    app = upload(on_data(), "labels.csv", labels, place=1)
    assert "labels.csv waits for its file of predictions" in said(app)
    assert "probs.csv · 16 cases" in said(upload(app, "probs.csv", probs))

    app = upload(on_data(), "probs.csv", probs)
    assert "No column of labels was found" in app.info[0].value
    app = upload(app, "labels.csv", labels, place=1)
    assert "probs.csv · 16 cases" in said(app)
    assert "No column of labels" not in said(app)


def test_models_stand_side_by_side_are_renamed_and_removed() -> None:
    app = upload(upload(on_data()), "second.csv", CSV.replace("0.60,0.30,0.10", "0.50,0.40,0.10"))
    assert "animals.csv · 60 cases · 3 classes · the same cases" in said(app)
    next(t for t in app.text_input if t.label == "Name of the model").set_value("Better").run()
    assert "Better · 60 cases" in said(app)
    app = press(app, "Look at it")
    assert "In use: animals.csv" in said(app)
    assert "Better · 60 cases · 3 classes · the same cases" in said(app)
    app = press(app, "Remove this model")
    assert [model.title for model in app.session_state["models"].values()] == ["Better"]
    app = upload(app, "lone.csv", LONE)
    assert "Better · 60 cases · 3 classes · other cases" in said(app)


def test_two_files_of_one_name_are_told_apart() -> None:
    app = upload(upload(on_data()), text=CSV.replace("0.60,0.30,0.10", "0.50,0.40,0.10"))
    assert [m.title for m in app.session_state["models"].values()] == ["animals.csv", "animals.csv (2)"]


@pytest.mark.slow
def test_models_are_bounded_and_the_oldest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MOST_MODELS", 3)
    app = on_data()
    for i in range(4):
        upload(app, f"file{i}.csv", LONE)
    titles = [model.title for model in app.session_state["models"].values()]
    assert titles == [f"file{i}.csv" for i in range(1, 4)]


@pytest.mark.parametrize("page", ["overview", "tests"])
@pytest.mark.slow
def test_repeated_cases_are_said_beside_every_p_value(page: str) -> None:
    app = upload(on_data())
    assert next(b for b in app.selectbox if b.label.startswith("Column that names")).value == "patient"
    warning = "here 60 cases come from 20 different values of 'patient'"
    assert warning in said(app)
    app = on_page(app, page)
    assert warning in said(app)
    assert app.metric or "-badge[" in said(app)
    assert app.dataframe or app.table


def test_the_user_may_say_that_cases_repeat_or_that_the_column_is_none() -> None:
    app = upload(on_data())
    column = next(b for b in app.selectbox if b.label.startswith("Column that names"))
    column.select("– none –").run()
    assert not app.warning
    next(b for b in app.selectbox if "belong together" in b.label).select("Yes, some belong together").run()
    assert "you said that some belong together" in said(app)


def test_a_column_in_which_nothing_repeats_gives_no_warning() -> None:
    text = "patient," + LONE.replace("\n0.", "\np,0.")
    rows = text.splitlines()
    distinct = [rows[0], *(row.replace("p,", f"p{i},") for i, row in enumerate(rows[1:]))]
    app = upload(on_data(), text="\n".join(distinct) + "\n")
    assert not app.warning
    assert "none repeats" in said(app)


def test_the_noun_is_used_everywhere() -> None:
    app = upload(on_data())
    next(t for t in app.text_input if t.label == "One case is called").set_value("animal").run()
    assert "60 animals" in said(app)
    assert "60 animals" in said(app.switch_page("../reliability.py").run())


def test_nobody_is_told_that_an_upload_is_an_example() -> None:
    app = press(upload(on_data()), "See the verdict")
    assert "New here?" not in said(app)
