"""How the diagram is looked at: a curve, intervals; looks that survive pages and are no setting."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, Predictions, average_without_bins, survey
from calibcore.answers.diagram import bins_table
from calibcore.assessment.assess import assess
from calibcore.data.examples import EXAMPLES, load_example
from calibcore.diagnose import reliability_for
from calibcore.diagnose.curves import curve_for
from calibcore.diagnose.parts import spread_bins, spread_for
from calibcore.diagram.binning import EqualMassBinning
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.report.plates import plates
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, PooledLens, TopKLens
from calibcore.words import smooth
from calibcore.words.diagram import EVEN, LOG_ODDS, crowded_sentence, diagram_sentence
from pages.ui import settings, show
from pages.ui.settings import Settings
from pages.ui.state import Loaded
from pages.work import costs
from tests.pages.harness import AS_PEOPLE_GET_IT, START, choose, displayed, opened, said, settled

NOUN = next(example.noun for example in EXAMPLES if example.key == "wine")
INTERVALS, DIAGRAM = "Intervals of the frequencies", "Diagram"


def with_curve(app: AppTest, kind: str) -> AppTest:
    app.segmented_control(key="look-curve").set_value(kind).run()
    assert not app.exception, app.exception
    return app


def toggled(app: AppTest, label: str) -> AppTest:
    next(toggle for toggle in app.toggle if toggle.label == label).set_value(True).run()
    assert not app.exception, app.exception
    return app


def classical(app: AppTest) -> AppTest:
    app.segmented_control(key="look-view").set_value("classical").run()
    assert not app.exception, app.exception
    return app


def labels(app: AppTest) -> set[str]:
    return {widget.label for widget in [*app.toggle, *app.segmented_control]}


@pytest.mark.parametrize("kind", ["isotonic", "smooth"])
def test_a_curve_has_its_sentence_and_its_table(kind: str) -> None:
    app = opened("reliability", in_use="wine")
    tables = len(app.dataframe)
    assert "curve is outside" not in said(app)
    app = settled(with_curve(app, kind))
    p = load_example("wine")
    found, curve = reliability_for(p, START), curve_for(p, START, kind)
    assert diagram_sentence(found, NOUN, curve, START.lens) in said(app)
    assert len(app.dataframe) == tables + 1
    assert any(f"Observed ({kind})" in table.value.columns for table in app.dataframe)


def test_a_curve_is_a_look_that_survives_pages_and_is_no_setting() -> None:
    app = with_curve(opened("reliability", in_use="wine"), "smooth")
    assert "settings" not in app.session_state
    app.switch_page("../learn.py").run()
    app.switch_page("../reliability.py").run()
    assert "The smooth curve is outside" in said(app)


def test_intervals_are_offered_in_the_classical_view_alone() -> None:
    app = opened("reliability", in_use="wine")
    assert INTERVALS not in labels(app)
    app = toggled(classical(app), INTERVALS)
    assert app.session_state["look-whiskers"]
    assert "Whiskers" in said(app)


def test_the_table_of_the_bins_has_the_intervals() -> None:
    app = opened("reliability", in_use="wine")
    assert "Interval of observed (90\N{NO-BREAK SPACE}%)" in displayed(app.dataframe[0]).columns


def test_where_there_are_no_intervals_the_switch_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    app = toggled(classical(opened("reliability", in_use="wine")), INTERVALS)
    monkeypatch.setattr(
        "pages.ui.reliability.members.frequency_intervals",
        lambda found, _: frequency_intervals(found, PooledLens()),
    )
    app.run()
    assert not app.exception, app.exception
    switch = next(toggle for toggle in app.toggle if toggle.label == INTERVALS)
    assert switch.disabled
    assert "not independent" in switch.help
    assert not any("Interval" in name for name in displayed(app.dataframe[0]).columns)


def test_many_classes_have_neither() -> None:
    app = settled(choose(opened("reliability", in_use="wine"), "Look at", "canonical"))
    assert labels(app).isdisjoint({INTERVALS, DIAGRAM, "Curve"})


def test_weighted_cases_have_one_switch() -> None:
    p = Predictions.from_arrays([[0.3, 0.7], [0.8, 0.2]] * 10, [0, 1] * 10, weights=list(range(1, 21)))
    data = Loaded("model-1", "Mine", "", "case", p)
    app = classical(opened("reliability", in_use="model-1", models={"model-1": data}))
    assert labels(app) & {INTERVALS, DIAGRAM, "Curve"} == {DIAGRAM}


def test_a_curve_that_takes_long_is_drawn_beside_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("reliability", AS_PEOPLE_GET_IT, in_use="wine")
    monkeypatch.setattr(costs, "AT_ONCE", 0.15)
    app = settled(with_curve(app, "isotonic"))
    assert "curve" in app.session_state["jobs"]
    assert "The isotonic curve is outside" in said(app)


@pytest.mark.slow
def test_class_lenses_have_curves_of_their_own() -> None:
    app = with_curve(opened("reliability", in_use="wine"), "isotonic")
    before = said(app)
    app = settled(choose(app, "Look at", "class"))
    assert said(app) != before
    assert isinstance(app.session_state["settings"].spec.lens, ClassLens)
    assert "The isotonic curve is outside" in said(app)


def test_estimates_lie_near_what_was_measured() -> None:
    """Seconds on two cores: 10,000 cases and a million through the confidence; ten times the redraws."""
    usual, many = settings.START, replace(START, resamples=9_999)
    for n, spec, measured in ((10_000, usual, 0.25), (1_000_000, usual, 0.85), (10_000, many, 2.2)):
        assert 1 / 3 < costs.seconds_of_curve(n, spec) / measured < 3
    assert costs.seconds_of_curve(1_000_000, usual) < costs.AT_ONCE < costs.seconds_of_curve(10, many)


def test_rows_in_full_are_those_of_the_words() -> None:
    found = reliability_for(load_example("wine"), START)
    rows = bins_table(found, frequency_intervals(found, START.lens)).rows(exact=True)
    assert all(row["observed, low"] <= row["observed hit"] <= row["observed, high"] for row in rows)


def test_nearly_sure_predictions_start_in_log_odds_with_the_way_back() -> None:
    app, p = opened("reliability", in_use="digits-logistic"), load_example("digits-logistic")
    spread = spread_for(p, START)
    assert spread is not None
    own = spread_bins(START, spread)
    assert own != START
    assert crowded_sentence(spread, LOG_ODDS, own.binning, "image") in said(app)
    assert diagram_sentence(reliability_for(p, own), "image", lens=START.lens) in said(app)
    assert "15 bins: split at the median" in said(app)
    app.segmented_control(key="look-axis").set_value(EVEN).run()
    assert not app.exception, app.exception
    usual = reliability_for(p, START)
    assert crowded_sentence(spread, EVEN, START.binning, "image") in said(app)
    assert diagram_sentence(usual, "image", lens=START.lens) in said(app)
    assert "settings" not in app.session_state
    app.switch_page("../learn.py").run()
    app.switch_page("../reliability.py").run()
    assert diagram_sentence(usual, "image", lens=START.lens) in said(app)


@pytest.mark.slow
def test_overview_and_report_say_that_reliability_has_other_bins() -> None:
    said_so = "On the page Reliability they are spread out on a log-odds axis, in other bins."
    sure, even = settled(opened(in_use="digits-logistic")), settled(opened(in_use="breast-cancer"))
    assert said_so in said(sure)
    p = load_example("digits-logistic")
    assessment = assess(p, survey(p, replace(START, resamples=99, tests=("exact-omnibus",)), [TopKLens(1)]))
    (first, *_) = plates(p, assessment, "image")
    assert said_so in first.reading
    of_two = replace(START, lens=CanonicalLens())
    assert (said_so in said(even)) == (spread_for(load_example("breast-cancer"), of_two) is not None)


def test_tests_keep_the_bins_of_the_settings_and_name_them() -> None:
    app = settled(opened("tests", in_use="digits-logistic"))
    usual = reliability_for(load_example("digits-logistic"), START)
    outside = next(metric for metric in app.metric if metric.label == "Bins outside")
    assert outside.value == f"{usual.outside.sum()} of {usual.n_bins}"
    assert f"10 equal-width bins, {usual.n_bins} with images; if calibrated" in said(app)


def test_bins_that_were_chosen_stay_on_the_axis_in_log_odds() -> None:
    chosen = Settings(two=EqualMassBinning(15))
    app = opened("reliability", in_use="digits-logistic", settings=chosen)
    assert "15 equal-mass bins" in said(app)
    assert "starts on a log-odds axis; 'Even' brings back the axis from 0 to 100" in said(app)
    assert "split at the median" not in said(app)


@pytest.mark.parametrize("example", ["digits-forest", "v19-table-1"])
def test_other_predictions_have_no_axis_to_choose(example: str) -> None:
    assert "Axis" not in labels(opened("reliability", in_use=example))


def test_the_classical_diagram_has_the_usual_bins_and_no_axis_to_choose() -> None:
    app = classical(opened("reliability", in_use="digits-logistic"))
    assert len(app.get("plotly_chart")) == 1
    assert "Axis" not in labels(app)
    usual = reliability_for(load_example("digits-logistic"), START)
    assert diagram_sentence(usual, "image", lens=START.lens) in said(app)
    assert "confidence in the answer, 10 equal-width bins" in said(app)


EXPLAINED = ("Grey bars", "Triangle at the edge", "Log-odds", "Curve", "Whiskers", "Chance")


def test_how_to_read_a_diagram_explains_only_what_is_drawn() -> None:
    app = opened("reliability", in_use="wine")
    for term in ("Log-odds", "Curve", "Whiskers", "Beside it"):
        assert f"**{term}**" not in said(app)
    assert "**Grey bars**" in said(app)
    app = with_curve(classical(app), "isotonic")
    assert "**Curve**" in said(app)
    assert "**Whiskers**" in said(toggled(app, INTERVALS))
    assert "**Log-odds**" in said(opened("reliability", in_use="digits-logistic"))


def test_each_point_that_a_reading_may_leave_out_stands_in_one() -> None:
    texts = "".join(map(show.text, ("reliability", "reliability-classical", "reliability-many")))
    found = reliability_for(load_example("wine"), START)
    for term in {*show.not_drawn(found), *EXPLAINED}:
        assert f"\n- **{term}**" in texts


def test_a_curve_without_bins_takes_the_place_of_the_bins_and_gives_it_back() -> None:
    asked = Settings(replace(settings.START, lens=TopKLens(1)))
    app = opened("reliability", in_use="wine", settings=asked)
    app = settled(toggled(app, "Without bins"))
    found = average_without_bins(load_example("wine"), DiagnosisSpec(lens=TopKLens(1)))
    assert smooth.sentence(found, TopKLens(1)) in said(app)
    assert "A curve without bins" in [one.value for one in app.subheader]
    assert DIAGRAM not in labels(app)
    (table,) = [displayed(one) for one in app.dataframe if "Happened more often" in one.value]
    assert len(table) == len(found.places)
    (switch,) = [toggle for toggle in app.toggle if toggle.label == "Without bins"]
    app = settled(switch.set_value(False).run())
    assert DIAGRAM in labels(app)
    assert "A curve without bins" not in [one.value for one in app.subheader]


def test_what_has_no_curve_has_no_switch() -> None:
    def through(lens: Lens) -> AppTest:
        return opened("reliability", in_use="wine", settings=Settings(replace(START, lens=lens)))

    for lens in (CanonicalLens(), PooledLens()):
        assert "Without bins" not in labels(through(lens))
