"""What the Data page offers beside an upload: examples, a sample, lines to copy, borrowed labels, weights."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibcore.answers.predictions import happened_table
from calibcore.data.examples import load_example
from calibcore.io import read
from pages.ui.data import exporting, file_reading
from tests.pages.harness import CSV, choose, numbers, on_page, opened, said, upload

PROBS = re.sub(r"^p?\w*,(.*),\w+$", r"\1", CSV, flags=re.MULTILINE)
"""The same without patients and labels."""
WEIGHTED = "a,b,weight,label\n" + "0.3,0.7,1,b\n0.6,0.4,2,a\n0.2,0.8,3,a\n" * 8


def on_data():  # type: ignore[no-untyped-def]
    return opened("data", in_use="wine")


def test_an_example_is_chosen_on_the_page_and_described() -> None:
    app = choose(on_data(), "Example", "breast-cancer")
    assert "In use: Breast tumours, gradient boosting" in said(app)
    assert "Wisconsin diagnostic data" in said(app)
    assert "285 patients · 2 classes" in said(app)
    app = upload(app)
    assert "Wisconsin" not in said(app)
    assert next(box for box in app.selectbox if box.label == "Example").value is None
    assert "In use: Wines of three growers" in said(choose(app, "Example", "wine"))


def test_the_sample_file_is_the_example_and_reads_without_a_word_of_help() -> None:
    found = read(exporting.sample().encode(), name="sample.csv")
    p = load_example(exporting.SAMPLE)
    assert found.predictions.class_names == p.class_names
    assert np.abs(found.predictions.probs - p.probs).max() < 2e-6
    assert (found.predictions.labels == p.labels).all()


@pytest.mark.parametrize("names", [("cat", "dog", "fox"), (0, 1, 2), (1, 2, 3)])
def test_the_scikit_learn_lines_write_a_file_that_is_read(
    names: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(90, 2)), np.array(names)[np.arange(90) % 3]
    model = LogisticRegression().fit(x, y)
    monkeypatch.chdir(tmp_path)
    lines = exporting.snippets()["scikit-learn"].removeprefix("```python").removesuffix("```")
    exec(lines, {"model": model, "X_test": x, "y_test": y})
    p = read(tmp_path / "predictions.csv").predictions
    assert p.class_names == tuple(map(str, names))
    np.testing.assert_allclose(p.probs, model.predict_proba(x), atol=1e-12)
    assert [p.class_names[k] for k in p.labels] == [str(name) for name in y]


def test_the_lines_of_pytorch_are_python() -> None:
    lines = exporting.snippets()
    assert list(lines) == ["scikit-learn", "PyTorch", "R"]
    compile(lines["PyTorch"].removeprefix("```python").removesuffix("```"), "lines", "exec")


def use_its_labels(app):  # type: ignore[no-untyped-def]
    return next(t for t in app.toggle if "use its labels" in t.label).set_value(True).run()


def test_a_second_model_may_use_the_labels_of_the_first() -> None:
    app = upload(on_data())
    assert not [t for t in app.toggle if "use its labels" in t.label]
    app = upload(app, "second.csv", PROBS)
    assert "No column of labels was found" in said(app)
    app = use_its_labels(app)
    assert "In use: second.csv" in said(app)
    assert "Labels: those of 'animals.csv', row by row" in said(app)
    assert "animals.csv · 60 cases · 3 classes · the same cases" in said(app)
    first, second = (m.predictions for m in app.session_state["models"].values())
    assert (first.labels == second.labels).all()
    app = next(t for t in app.toggle if "use its labels" in t.label).set_value(False).run()
    assert "No column of labels was found" in said(app)


def test_borrowed_labels_follow_the_names_and_not_the_places_of_the_classes() -> None:
    rows = [line.split(",") for line in PROBS.splitlines()]
    turned = "\n".join(",".join([c, a, b]) for a, b, c in rows) + "\n"
    app = use_its_labels(upload(upload(on_data()), "turned.csv", turned))
    first, second = (m.predictions for m in app.session_state["models"].values())
    assert second.class_names == ("fox", "cat", "dog")
    assert [first.class_names[k] for k in first.labels] == [second.class_names[k] for k in second.labels]
    assert "animals.csv · 60 cases · 3 classes · the same cases" in said(app)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (PROBS.replace("fox", "hen", 1), "fox"),
        ("cat,dog,fox,hen\n" + "0.2,0.3,0.4,0.1\n" * 60, "Its labels fit the same classes only"),
    ],
)
@pytest.mark.slow
def test_labels_are_not_lent_to_other_cases_or_classes(text: str, why: str) -> None:
    app = use_its_labels(upload(upload(on_data()), "other.csv", text))
    assert why in said(app)
    assert len(app.session_state["models"]) == 1


def test_labels_of_another_number_of_cases_are_not_offered() -> None:
    app = upload(upload(on_data()), "more.csv", PROBS + "0.2,0.3,0.5\n")
    assert "No column of labels was found" in said(app)
    assert not [t for t in app.toggle if "use its labels" in t.label]


def test_only_a_file_that_lacks_labels_is_offered_those_of_another() -> None:
    app = upload(upload(on_data()), "broken.csv", "a,b,label\n0.5,0.5,a\n0.4,0.53,b\n0.2,0.8,b\n")
    assert "Row 2 sums to 0.93" in said(app)
    assert not [t for t in app.toggle if "use its labels" in t.label]


def test_cameras_lead_to_the_column_or_the_file_of_the_labels() -> None:
    rows = [row + f",cam-{'east' if i % 2 else 'west'}" for i, row in enumerate(PROBS.splitlines()[1:])]
    app = upload(on_data(), "cameras.csv", "\n".join([f"{PROBS.splitlines()[0]},camera", *rows]) + "\n")
    assert "No column holds the classes. Column 'camera' holds 2 different values" in said(app)
    assert "Say which column holds the labels under 'Read it differently'." in said(app)
    assert "Name the classes" not in said(app)
    assert next(fold for fold in app.expander if "Are the labels in a file" in fold.label).proto.expanded
    app = choose(upload(on_data(), "cameras.csv", CSV.replace("patient", "camera")), LABELS, "camera")
    app = next(b for b in app.button if b.label.startswith("Take the labels from column")).click().run()
    assert "cameras.csv · 60 cases · 3 classes" in said(app)


LABELS = "Column with the labels"


def test_one_button_turns_what_has_a_row_a_class() -> None:
    columns = [row.split(",") for row in PROBS.splitlines()[1:]]
    data = {"probs": [[float(row[k]) for row in columns] for k in range(3)], "labels": [0, 1, 2] * 20}
    app = upload(on_data(), "turned.json", json.dumps(data))
    assert "The array 'probs' looks transposed: it has 3 rows and 60 columns" in said(app)
    app = next(b for b in app.button if b.label == "Turn it round").click().run()
    assert "turned.json · 60 cases · 3 classes" in said(app)
    assert "was turned round, as asked: 3 × 60 became 60 × 3." in said(app)


def test_the_columns_that_can_be_named_are_listed() -> None:
    app = upload(on_data())
    for label, none in (("labels", "detected automatically"), ("counts", "none"), ("weights", "none")):
        box = next(
            box for box in app.selectbox if box.label == f"Column with {'the ' * (label == 'labels')}{label}"
        )
        assert box.options == [none, "patient", "cat", "dog", "fox", "label"]
        assert box.value == none


def test_counts_repeat_rows() -> None:
    app = choose(upload(on_data(), "w.csv", WEIGHTED), "Column with counts", "weight")
    assert "w.csv · 48 cases" in said(app)
    assert app.session_state["models"]["model-0"].predictions.weights is None


@pytest.mark.some(2)
@pytest.mark.parametrize("page", ["overview", "reliability", "tests", "simplex", "learn"])
def test_every_page_copes_with_weighted_cases(page: str) -> None:
    app = choose(upload(on_data(), "w.csv", WEIGHTED), "Column with weights", "weight")
    assert "weights give estimates only" in said(app)
    app = on_page(app, page)
    assert not app.error
    if page != "learn":  # whose toys have p-values of their own
        assert "p =" not in said(app)
    if page in ("overview", "tests"):
        assert "These cases are weighted: they give estimates and diagrams" in said(app)
    if page == "overview":
        # Weights 1, 2, 3: sure 0.7, 0.6, 0.8 and right, right, wrong.
        assert "By weight, the model is 71.7\N{NO-BREAK SPACE}% sure of its answer" in said(app)
        assert numbers(app)["The model claimed"] == "71.7\N{NO-BREAK SPACE}%"
        assert numbers(app)["It was right"] == "50.0\N{NO-BREAK SPACE}%"


def test_classes_are_counted_and_weighed() -> None:
    app = choose(upload(on_data(), "w.csv", WEIGHTED), "Column with weights", "weight")
    p = app.session_state["models"]["model-0"].predictions
    first, second = happened_table(p).rows()
    space = "\N{NO-BREAK SPACE}"
    # Weights 1, 2, 3 on (0.3, b), (0.6, a), (0.2, a), eight times.
    assert list(first.values()) == ["a", "16", f"83.3{space}%", f"35.0{space}%"]
    assert list(second.values()) == ["b", "8", f"16.7{space}%", f"65.0{space}%"]
    unweighted = happened_table(load_example("wine")).rows()[0]
    assert list(unweighted)[2:] == ["Happened, share", "Predicted on average"]


def _slow_files() -> None:
    from pages.ui.data.file_reading import _progress

    for _ in range(3):
        with _progress() as check:
            check(False)
            check(True)


def test_several_files_in_one_run_may_all_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each offers a way to stop: two buttons of one name and no key of their own broke the page."""
    monkeypatch.setattr(file_reading, "PATIENCE", 0.0)
    monkeypatch.setattr(file_reading, "EVERY", 0.0)
    app = AppTest.from_function(_slow_files, default_timeout=120).run()
    assert not app.exception
    assert not app.button  # nor is one left when all is read


def test_words_for_a_confidence_are_explained_on_the_page() -> None:
    """Asked about with the words, and read once somebody says what they stand for."""
    rows = "".join(f"{a},{b},{word}\n" for a, b, word in zip("BACB" * 10, "BCCA" * 10, WORDS, strict=True))
    app = upload(on_data(), "words.csv", f"answer,target,confidence\n{rows}")
    assert "holds the words 'high', 'low'" in said(app)
    box = next(box for box in app.text_input if box.label == "Words for a confidence")
    app = box.input("high=2").run()
    assert "expected the word and a number from 0 to 1" in said(app)
    box = next(box for box in app.text_input if box.label == "Words for a confidence")
    app = box.input("high=0.9, low=0.4").run()
    assert app.session_state["models"]["model-0"].predictions.kind == "confidence"
    assert "row 1: answered B, 0.9 sure, truth B: right" in said(app)


WORDS = ["high", "low", "high", "low"] * 10
