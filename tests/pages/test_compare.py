"""Arrows that are tested on the Simplex page; models compared, and two figures side by side."""

import json
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, RegionLens, TopKLens
from pages.ui.settings import Settings
from pages.work import costs
from tests.pages.harness import CSV, START, choose, displayed, on_page, opened, press, said, settled, upload

FOREST = "digits-forest"
PAIR = "Handwritten digits, random forest and Handwritten digits, logistic regression"


def through(lens: Lens, page: str = "simplex", in_use: str = FOREST, **more: object) -> AppTest:
    return opened(page, in_use=in_use, settings=Settings(replace(START, lens=lens), **more))  # type: ignore[arg-type]


def plain(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def options(app: AppTest, label: str = "Beside it") -> list[str]:
    return next(list(box.options) for box in app.selectbox if box.label == label)


def compared(app: AppTest, with_: str, label: str = "Beside it") -> AppTest:
    app = settled(choose(app, label, with_))
    assert not app.exception
    return app


def layout(app: AppTest, chart: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[chart].proto.spec)["layout"]
    return found


@pytest.mark.slow
def test_a_region_appears_with_a_chosen_arrow_and_the_cloud_goes_with_a_switch() -> None:
    app = through(CanonicalLens(), in_use="wine")
    assert "The darker blue holds" in plain(app)
    app = next(t for t in app.toggle if t.label.startswith("Where predictions")).set_value(False).run()
    assert not app.exception
    assert "The darker blue holds" not in plain(app)
    before = app.get("plotly_chart")[0].proto.spec
    assert "toself" not in before
    app = next(b for b in app.selectbox if b.label == "The wines of an arrow").select_index(3).run()
    assert "toself" in app.get("plotly_chart")[0].proto.spec
    assert "would end within" in plain(app)
    app = next(t for t in app.toggle if t.label == "Edges of the bins").set_value(True).run()
    assert not app.exception


def test_a_frame_appears_in_the_tetrahedron() -> None:
    app = through(TopKLens(3))
    before = app.get("plotly_chart")[0].proto.spec
    app = next(b for b in app.selectbox if b.label == "The images of an arrow").select_index(0).run()
    assert not app.exception
    assert len(app.get("plotly_chart")[0].proto.spec) > len(before)
    assert not [t for t in app.toggle if t.label.startswith("Lines where")]


def test_arrows_are_tested_as_a_job_where_that_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "UNNOTICED", 0.0)
    app = settled(through(CanonicalLens(), in_use="wine"))
    assert "2 of 8 arrows stand out, adjusted" in plain(app)
    assert "bins" in app.session_state["jobs"]


def test_too_many_bins_fall_back_to_their_bars_and_say_so() -> None:
    app = through(TopKLens(2), many=MedianVarianceBinning(1))
    text = plain(app)
    assert "longer than chance allows for their own bin, not adjusted" in text
    assert "cannot be told from chance one by one" in text
    assert "None of 933 arrows is longer than chance allows." in text


@pytest.mark.slow
def test_other_lenses_are_offered_below_the_comparison() -> None:
    found = options(through(TopKLens(2), "compare"))
    assert found
    assert all(option.startswith("Lens: ") for option in found)
    assert "Lens: the 2 most likely classes" not in found


@pytest.mark.slow
def test_two_models_as_triangles_share_their_scales() -> None:
    app = compared(through(TopKLens(2), "compare"), PAIR, "Open a pair")
    text = plain(app)
    assert len(app.get("plotly_chart")) == 3
    assert "**Handwritten digits, random forest**" in text
    assert "**Handwritten digits, logistic regression**" in text
    assert text.count("Average gap (ECE)") == 2
    assert text.count(" typically ") >= 2
    assert "Two models on the same 1,079 images, on the same scales." in text
    assert text.count("All 16 arrows are drawn.") == 2
    assert layout(app, 1)["xaxis"]["range"] == layout(app, 2)["xaxis"]["range"]


@pytest.mark.slow
def test_two_tetrahedra() -> None:
    app = compared(through(TopKLens(3), "compare"), PAIR, "Open a pair")
    assert len(app.get("plotly_chart")) == 3
    assert plain(app).count("Average gap (ECE)") == 2


@pytest.mark.slow
def test_two_models_and_two_lenses_on_a_line() -> None:
    app = through(TopKLens(1), "compare", two=UniformBinning(10))
    app = compared(app, PAIR, "Open a pair")
    for axis in ("yaxis", "yaxis2"):
        assert layout(app, 1)[axis]["range"] == layout(app, 2)[axis]["range"]
    assert "lies outside its bar in 7 of 9 bins" in plain(app)  # bin by bin
    app = compared(app, "Lens: the class '3'")
    text = plain(app)
    assert "**The class '3'**" in text
    assert "**Confidence in the answer**" in text
    assert "Two views of one model" in text


def test_a_region_stays_with_both() -> None:
    app = through(RegionLens(TopKLens(1), "3", 0.3, 1.0), "compare")
    assert "Comparing is not possible: Through this lens only" in plain(app)
    app = compared(app, "Lens: the class '3'")
    assert "**The class '3', where '3' was given 30 % to 100 %**" in plain(app)


@pytest.mark.slow
def test_uploaded_models_of_the_same_cases_are_offered_and_examples_are_not() -> None:
    app = upload(opened("data"), "one.csv")
    app = upload(app, "two.csv")
    app = on_page(app, "compare")
    (box,) = [box for box in app.multiselect if box.label == "Compared with"]
    assert (box.options, box.value) == (["one.csv"], ["model-0"])
    text = plain(app)
    assert "'two.csv' and 'one.csv' say the same in every case: they are one model." in text
    assert "Two models on the same 60 cases" in text  # the only pair is open


@pytest.mark.slow
def test_cases_that_repeat_are_said_beside_the_p_values() -> None:
    app = upload(opened("data"), "one.csv")  # has a column of patients
    app = on_page(app, "compare")
    assert "A comparison needs another model of the same cases" in plain(app)
    app = compared(app, "Lens: the class 'cat'")
    assert "The p-values may be too small" in plain(app)


@pytest.mark.slow
def test_weighted_cases_are_drawn_side_by_side_without_gaps() -> None:
    rows = "".join(f"0.{i},0.{10 - i},1.{i},{'cat' if i % 2 else 'dog'}\n" for i in range(1, 10)) * 3
    app = upload(opened("data"), "heavy.csv", f"cat,dog,heft,label\n{rows}")
    choose(app, "Column with weights", "heft")
    app = app.switch_page("../compare.py").run()
    assert "so models are not compared." in plain(app)
    app = compared(app, "Lens: the class 'cat'")
    assert len(app.get("plotly_chart")) == 2
    assert "Average gap (ECE)" not in plain(app)


@pytest.mark.slow
def test_weighted_arrows_are_not_judged() -> None:
    rows = "".join(f"0.{i},0.{9 - i},0.1,1.{i},{'cdf'[i % 3]}\n" for i in range(1, 9)) * 4
    app = upload(opened("data"), "heavy.csv", f"c,d,f,heft,label\n{rows}")
    choose(app, "Column with weights", "heft")
    app = on_page(app, "simplex")
    text = plain(app)
    assert "Weighted cases do not say what chance allows" in text
    assert "Strong arrows have" not in text
    assert "Strong arrows are" not in text
    app = next(b for b in app.selectbox if b.label == "The cases of an arrow").select_index(0).run()
    assert not app.exception
    assert "weighted: nothing says where the arrow would end" in plain(app)


def test_a_class_in_use_is_not_offered_twice() -> None:
    app = through(ClassLens("3"), "compare")
    assert "Lens: the class '3'" not in options(app)
    assert "Lens: confidence in the answer" in options(app)


THREE = "Handwritten digits, logistic regression"


def boxes(app: AppTest) -> list[str]:
    """The keys of the models beside the one in use."""
    (box,) = [box for box in app.multiselect if box.label == "Compared with"]
    return list(box.value)


def test_the_answer_stands_first_and_models_can_be_left_out() -> None:
    app = opened("compare")
    text = plain(app)
    others = "'Handwritten digits, naive Bayes' and 'Handwritten digits, random forest'"
    assert f"## '{THREE}' is better calibrated than {others} (adjusted p " in text
    models, pairs = (displayed(table) for table in app.dataframe)
    assert models["Model"].tolist()[0] == THREE
    assert len(pairs) == 3
    (box,) = [box for box in app.multiselect if box.label == "Compared with"]
    app = settled(box.set_value(["Handwritten digits, naive Bayes"]).run())
    assert THREE not in plain(app).partition("Pair by pair")[0].split("##", 1)[1]
    app = on_page(app, "tests")
    app = on_page(app, "compare")
    assert boxes(app) == ["digits-naive-bayes"]  # as it was left
    (box,) = [box for box in app.multiselect if box.label == "Compared with"]
    app = settled(box.set_value([]).run())
    assert "Choose at least one other model above." in plain(app)


def test_a_sample_is_compared_on_the_same_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "seconds_of_comparison", lambda n, *_: n / 10)
    app = opened("compare")
    app = settled(press(app, "A random sample of 200 images: under a minute"))
    text = plain(app)
    assert "Of a random sample: 200 of 1,079 images." in text
    assert boxes(app) == ["digits-naive-bayes", "digits-logistic"]
    assert "Pair by pair" in text


def add(app: AppTest, **files: str) -> AppTest:
    """On this page, several at once."""
    (widget,) = [w for w in app.file_uploader if w.label.startswith("Drop the files of other models")]
    widget.set_value([(f"{name}.csv", text.encode(), "text/csv") for name, text in files.items()]).run()
    return settled(app)


BOLD = "patient,cat,dog,fox,label\n" + "".join(
    f"p{i // 3},{a:.2f},{b:.2f},{1 - a - b:.2f},{('cat', 'dog', 'fox')[i % 3]}\n"
    for i, (a, b) in enumerate([(0.9, 0.05), (0.1, 0.85), (0.1, 0.1), (0.1, 0.8), (0.9, 0.1)] * 12)
)
"""Another model of the cases of the harness, in their order."""


@pytest.mark.slow
def test_models_are_added_where_they_are_compared() -> None:
    """Several at once; one of other cases, one without labels and one that is no file of predictions."""
    app = add(opened("compare"), first=CSV, bold=BOLD)
    assert app.session_state["in-use"] == "model-0"  # in place of the example
    assert boxes(app) == ["model-1"]
    unlabelled = "\n".join(line.rsplit(",", 1)[0] for line in BOLD.splitlines())
    app = add(app, unlabelled=unlabelled, short=CSV.rsplit("p19,", 1)[0] + "\n", text="Dear diary")
    text = plain(app)
    assert boxes(app) == ["model-1"]
    assert "short.csv is not compared" in app.warning[0].value.replace("\\", "")  # where it was dropped
    assert "short.csv is not compared: 'first.csv' has 60 cases and 'short.csv' has" in text
    assert "unlabelled.csv: " in text
    assert "text.csv: " in text
    app = settled(press(app, "The same 60 cases in the same order: use the labels of 'first.csv'"))
    assert boxes(app) == ["model-1", "model-2"]
    app = press(app, "Answer on the Data page")
    assert app.title[0].value == "Your own predictions"
    assert "Dear diary" in said(app) or "text.csv" in said(app)
    app = on_page(app, "compare")
    assert "text.csv" not in said(app)  # it is answered, or left


def test_a_file_that_is_left_out_is_gone() -> None:
    app = add(upload(opened("data"), "one.csv").switch_page("../compare.py").run(), text="Dear diary")
    assert "text.csv: " in said(app)
    app = settled(press(app, "Leave this file out"))
    assert "text.csv" not in said(app)
    assert app.session_state["in-use"] == "model-0"


@pytest.mark.slow
def test_renamed_and_removed_models() -> None:
    app = upload(upload(opened("data"), "one.csv"), "two.csv", BOLD)
    (name,) = [box for box in app.text_input if box.label == "Name of the model"]
    app = name.set_value("Bold *one*").run()
    app = on_page(app, "compare")
    text = plain(app)
    assert boxes(app) == ["model-0"]
    assert "Bold *one*" in text.partition("##")[2]
    app = app.switch_page("../data.py").run()
    app = settled(app.button(key="remove-model-0").click().run())
    app = on_page(app, "compare")
    assert "A comparison needs another model of the same cases" in plain(app)
    app = settled(press(app, "Look at three models of one example"))
    assert len(boxes(app)) == 2


@pytest.mark.slow
def test_a_report_can_hold_the_comparison() -> None:
    app = opened("compare")
    app = on_page(app, "share")
    words = f"Include the comparison with Handwritten digits, naive Bayes and {THREE}"
    (box,) = [box for box in app.checkbox if box.label.replace("\\", "") == words]
    app = settled(box.check().run())
    (job,) = [j for j in app.session_state["jobs"]["report"].values() if j.ready and j.future.result().parts]
    report = job.future.result()
    assert report.plates[-1].says.startswith(f"'{THREE}' is better calibrated than")
    (part,) = report.parts
    assert part.repeat.command.startswith("caliblens compare MODEL1 MODEL2 MODEL3 --lens top-k:1")
