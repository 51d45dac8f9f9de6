"""The page Improve: all methods, one in full, and a recalibrated model that is never tested."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.transforms.lenses import CanonicalLens
from pages.ui import state
from pages.ui.settings import Settings
from tests.pages.harness import START, choose, on_page, opened, press, said, settled, upload


def plain(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def test_the_best_method_is_open_and_another_can_be() -> None:
    app = settled(opened("improve", in_use="wine"))
    text = plain(app)
    assert "## Recalibration would help: temperature takes the typical gap from 1" in text
    assert text.count("(a gain of +0.1160, approximate interval ") == 1
    assert "A temperature of 1.9 (1.5 to 2.6) would mend it, if overconfidence is all that is wrong" in text
    assert "temperature takes the log loss from 0.6667 to 0.5507" in text
    assert "Temperature 1.9. This map is fitted to all wines." in text
    (box,) = [box for box in app.selectbox if box.label == "Method"]
    assert box.value == "temperature"
    app = settled(choose(app, "Method", "histogram"))
    assert "histogram of the confidence takes the Brier score from" in plain(app)
    assert "PyTorch" not in [button.label for button in app.get("download_button")]


def test_the_overview_says_the_same_temperature() -> None:
    app = settled(opened("", in_use="wine"))
    assert "A temperature of 1.9 (1.5 to 2.6) would mend it, if overconfidence is all that is wrong" in plain(
        app
    )


def test_more_classes_are_drawn_through_the_confidence() -> None:
    app = settled(opened("improve", in_use="wine", settings=Settings(replace(START, lens=CanonicalLens()))))
    text = plain(app)
    assert "The confidence is 14.9 points off on average over the bins before" in text
    assert "The typical gap is of all classes together, not of these bins." in text


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "reliability", "simplex", "tests", "compare", "improve", "share"])
def test_a_recalibrated_model_is_tested_nowhere(page: str) -> None:
    app = settled(press(settled(opened("improve", in_use="wine")), "Open these as a model"))
    key = app.session_state[state.IN_USE]
    model = app.session_state["models"][key]
    assert key == "wine-recalibrated-temperature"
    assert model.predictions.cross_fitted == "temperature"
    assert model.title == "Wines of three growers, gradient boosting, recalibrated (temperature)"
    app = settled(opened(page, in_use=key, models={key: model}))
    text = plain(app)
    assert "recalibrated" in text
    ways = [b.label for b in app.button] + [link.proto.label for link in app.get("page_link")]
    assert ways.count("Load other cases") == 1
    assert "p = " not in text
    assert "p ≤ " not in text
    back = [b for b in app.button if b.label.replace("\\", "").startswith("Back to 'Wines of three growers")]
    assert len(back) == (page not in ("reliability", "simplex"))  # which show all that there is
    if back:
        assert settled(back[0].click().run()).session_state[state.IN_USE] == "wine"


def test_a_file_with_the_mark_is_known_by_it() -> None:
    rows = "".join(
        f"{a:.2f},{1 - a:.2f},{'ill' if i % 3 else 'well'},isotonic\n"
        for i, a in enumerate([0.1, 0.4, 0.6, 0.9] * 15)
    )
    app = upload(opened("data"), "mended.csv", f"p_ill,p_well,label,caliblens_cross_fitted\n{rows}")
    assert "recalibrated on these same cases ('isotonic'): no tests" in plain(app)
    (model,) = app.session_state["models"].values()
    assert model.predictions.cross_fitted == "isotonic"


@pytest.mark.slow
def test_a_report_can_hold_what_recalibration_would_do() -> None:
    app = settled(opened("improve", in_use="wine"))
    app = on_page(app, "share")
    (box,) = [box for box in app.checkbox if box.label == "Include what recalibration would do"]
    app = settled(box.check().run())
    made = [job.future.result() for job in app.session_state["jobs"]["report"].values() if job.ready]
    (report,) = [one for one in made if one.parts]
    assert report.parts[0].name == "recalibration"
    assert report.plates[-1].says.startswith("Recalibration would help: temperature takes the typical gap")
