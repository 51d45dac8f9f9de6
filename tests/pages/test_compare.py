"""Arrows that are tested on the Simplex page, and two figures side by side."""

import json
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, RegionLens, TopKLens
from pages.ui.settings import START, Settings
from pages.work import costs
from tests.pages.harness import choose, opened, press, said, settled, upload

FOREST = "digits-forest"


def through(lens: Lens, page: str = "simplex", in_use: str = FOREST, **more: object) -> AppTest:
    return opened(page, in_use=in_use, settings=Settings(replace(START, lens=lens), **more))  # type: ignore[arg-type]


def plain(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def options(app: AppTest) -> list[str]:
    return next(list(box.options) for box in app.selectbox if box.label == "Compare with")


def compared(app: AppTest, with_: str) -> AppTest:
    app = settled(choose(app, "Compare with", with_))
    assert not app.exception
    return app


def layout(app: AppTest, chart: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[chart].proto.spec)["layout"]
    return found


def test_a_region_appears_with_a_chosen_arrow_and_lines_with_a_switch() -> None:
    app = through(CanonicalLens(), in_use="wine")
    before = app.get("plotly_chart")[0].proto.spec
    assert "toself" not in before
    app = next(b for b in app.selectbox if b.label == "The wines of an arrow").select_index(3).run()
    assert "toself" in app.get("plotly_chart")[0].proto.spec
    assert "would end within" in plain(app)
    app = next(t for t in app.toggle if t.label.startswith("Lines where")).set_value(True).run()
    assert not app.exception
    assert "inside the thicker blue lines" in plain(app)


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
    assert "arrows are longer than chance allows." in text


def test_examples_of_the_same_cases_and_other_lenses_are_offered() -> None:
    found = options(through(TopKLens(2)))
    assert found[:2] == [
        "Model: Handwritten digits, naive Bayes",
        "Model: Handwritten digits, logistic regression",
    ]
    assert len(found) > 2
    assert all(option.startswith("Lens: ") for option in found[2:])
    assert "Lens: the 2 most likely classes" not in found
    assert not any("Model: " in o for o in options(through(CanonicalLens(), in_use="wine")))


def test_two_models_as_triangles_share_their_scale_of_colours() -> None:
    app = compared(through(TopKLens(2)), "Model: Handwritten digits, logistic regression")
    text = plain(app)
    assert len(app.get("plotly_chart")) == 3
    assert "**Handwritten digits, random forest**" in text
    assert "**Handwritten digits, logistic regression**" in text
    assert text.count("Average gap (ECE)") == 2
    assert text.count(" typically ") + text.count("No typical gap stands out") >= 2
    assert "Two models on the same 1,079 images, on the same scales." in text
    assert text.count("All 16 arrows are drawn.") == 3
    for axis in ("coloraxis", "coloraxis2"):
        assert layout(app, 1)[axis]["cmax"] == layout(app, 2)[axis]["cmax"] > 0


def test_two_tetrahedra() -> None:
    app = compared(through(TopKLens(3)), "Model: Handwritten digits, naive Bayes")
    assert len(app.get("plotly_chart")) == 3
    assert plain(app).count("Average gap (ECE)") == 2


def test_two_models_and_two_lenses_on_a_line() -> None:
    app = through(TopKLens(1), "reliability", two=UniformBinning(10))
    app = compared(app, "Model: Handwritten digits, naive Bayes")
    for axis in ("yaxis", "yaxis2"):
        assert layout(app, 1)[axis]["range"] == layout(app, 2)[axis]["range"]
    app = compared(app, "Lens: the class '3'")
    text = plain(app)
    assert "**The class '3'**" in text
    assert "**Confidence in the top class**" in text
    assert "Two views of one model" in text


def test_a_region_stays_with_both() -> None:
    app = through(RegionLens(TopKLens(1), "3", 0.3, 1.0), "reliability")
    app = compared(app, "Lens: the class '3'")
    assert "**The class '3', where '3' was given 30 % to 100 %**" in plain(app)


def test_uploaded_models_of_the_same_cases_are_offered_and_examples_are_not() -> None:
    app = upload(opened("data"), "one.csv")
    app = upload(app, "two.csv")
    app = app.switch_page("../reliability.py").run()
    found = options(app)
    assert [o for o in found if o.startswith("Model: ")] == ["Model: one.csv"]
    app = compared(app, "Model: one.csv")
    assert "Two models on the same 60 cases" in plain(app)


def test_cases_that_repeat_are_said_beside_the_p_values() -> None:
    app = upload(opened("data"), "one.csv")  # has a column of patients
    app = app.switch_page("../reliability.py").run()
    app = compared(app, "Lens: the class 'cat'")
    assert "The p-values may be too small" in plain(app)


def test_weighted_cases_are_drawn_side_by_side_without_gaps() -> None:
    rows = "".join(f"0.{i},0.{10 - i},1.{i},{'cat' if i % 2 else 'dog'}\n" for i in range(1, 10)) * 3
    app = upload(opened("data"), "heavy.csv", f"cat,dog,heft,label\n{rows}")
    choose(app, "Column with weights", "heft")
    app = app.switch_page("../reliability.py").run()
    app = compared(app, "Lens: the class 'cat'")
    assert len(app.get("plotly_chart")) == 3
    assert "Average gap (ECE)" not in plain(app)


def test_weighted_arrows_are_not_judged() -> None:
    rows = "".join(f"0.{i},0.{9 - i},0.1,1.{i},{'cdf'[i % 3]}\n" for i in range(1, 9)) * 4
    app = upload(opened("data"), "heavy.csv", f"c,d,f,heft,label\n{rows}")
    choose(app, "Column with weights", "heft")
    app = press(app.switch_page("../simplex.py").run(), "All three classes")
    text = plain(app)
    assert "Weighted cases do not say what chance allows" in text
    assert "Strong arrows have" not in text
    assert "Strong arrows are" not in text
    app = next(b for b in app.selectbox if b.label == "The cases of an arrow").select_index(0).run()
    assert not app.exception
    assert "weighted: nothing says where the arrow would end" in plain(app)


def test_a_class_in_use_is_not_offered_twice() -> None:
    app = through(ClassLens("3"), "reliability")
    assert "Lens: the class '3'" not in options(app)
    assert "Lens: confidence in the top class" in options(app)
