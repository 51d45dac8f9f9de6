"""The Decisions page: through which lens it decides, the threshold that is chosen, what it says there."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, decide, explain_by_wrong_labels
from calibcore.data.examples import load_example
from calibcore.questions.decide import RANGES, TARGET
from calibcore.questions.decide import words as deciding
from calibcore.questions.label_noise import words
from calibcore.transforms.lenses import CanonicalLens, ClassLens, SetLens, TopKLens
from calibcore.wording import in_noun
from pages.ui import settings
from pages.ui.settings import Settings
from tests.pages.harness import (
    AS_PEOPLE_GET_IT,
    CSV,
    START,
    choose,
    on_page,
    opened,
    said,
    settled,
    upload,
)


def plain(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def charts(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec)["layout"] for chart in app.get("plotly_chart")]


def through(lens: Any, data: str = "wine") -> AppTest:
    return opened("decisions", in_use=data, settings=Settings(replace(START, lens=lens)))


def test_the_models_own_answers_and_a_threshold_that_is_chosen() -> None:
    app = opened("decisions", AS_PEOPLE_GET_IT)
    text = plain(app)
    found = decide(load_example("digits-forest"), DiagnosisSpec(lens=TopKLens(1)))
    first = f"## {deciding.headline(found, 'image')}".replace("\N{NO-BREAK SPACE}", " ")
    assert first in text
    assert first.startswith("## At a threshold of 80 %, of 1")
    assert deciding.promise_sentence(found).replace("\N{NO-BREAK SPACE}", " ") in text
    assert in_noun(deciding.BEFOREHAND, "image") in text
    (slider,) = [s for s in app.select_slider if s.label == "Threshold"]
    assert slider.value == 0.8
    curve, selective, promise = charts(app)
    assert curve["shapes"][0]["x0"] == pytest.approx(80)
    assert promise["xaxis"]["title"]["text"] == "Coverage: images answered alone, %"
    assert promise["shapes"][0]["y0"] == pytest.approx(5)
    app = settled(slider.set_value(0.95).run())
    text = plain(app)
    assert first not in text
    one = found.at(0.95)
    assert deciding.selective_sentence(found, one, "image").replace("\N{NO-BREAK SPACE}", " ") in text
    curve, selective, _ = charts(app)
    assert curve["shapes"][0]["x0"] == pytest.approx(95)
    assert selective["shapes"][0]["x0"] == pytest.approx(100 * one.share_treated)


def test_a_class_against_the_rest_by_the_box_and_back() -> None:
    app = through(CanonicalLens())
    text = plain(app)
    assert "A decision is about two outcomes. All classes together have 3." in text
    assert not charts(app)
    names = load_example("wine").class_names
    app = settled(choose(app, "Decide about", ClassLens(names[0])))
    text = plain(app)
    assert "A decision is about two outcomes" not in text
    assert re.search(rf"are '{names[0]}' \(95.% interval \d+ to \d+\)\. The model promised", text)
    assert "Against treating all: " in text
    curve, ruled_in, ruled_out = charts(app)  # no errors of answers: a class is no answer
    assert [each["xaxis"]["title"]["text"].split()[2] for each in (ruled_in, ruled_out)] == ["ruled"] * 2
    assert curve["shapes"][0]["x0"] == pytest.approx(20)  # and has a threshold of its own
    assert app.session_state["settings"].spec.lens == ClassLens(names[0])


def test_of_a_rare_event_the_page_says_that_no_model_is_needed_and_leads_on() -> None:
    rows = ["p_ill,p_well,truth", *["0.04,0.96,well", "0.03,0.97,well"] * 96, *["0.04,0.96,ill"] * 6]
    app = upload(opened("data", in_use="wine"), "rare.csv", "\n".join(rows))
    app = settled(choose(on_page(app, "decisions"), "Decide about", TopKLens(1)))
    assert "Always answering 'well' is right in 97.0 %: look at 'ill' instead." in plain(app)
    (act,) = [button for button in app.button if button.label == "Act for 'ill'"]
    app = settled(act.click().run())
    assert app.session_state["settings"].spec.lens == ClassLens("ill")
    assert "97.0 % of the cases are not 'ill' without any model" in plain(app)
    assert not [button for button in app.button if button.label == "Act for 'ill'"]


def test_sets_have_their_sentence() -> None:
    assert "The sets hold " in plain(through(SetLens(0.9)))


@pytest.mark.slow
def test_wrong_labels_wait_for_a_click_on_tests() -> None:
    app = opened("tests", AS_PEOPLE_GET_IT, in_use="diabetes")
    found = explain_by_wrong_labels(load_example("diabetes"), DiagnosisSpec(lens=TopKLens(1)))
    assert "would explain it (" not in plain(app)
    (start,) = [b for b in app.button if b.key == "start Trying shares of wrong labels"]
    app = settled(start.click().run())
    text = plain(app)
    assert words.sentence(found).replace("\N{NO-BREAK SPACE}", " ") in text
    assert found.smallest is not None
    assert 0 < found.smallest <= found.estimate
    assert words.likeliest_sentence(found).replace("\N{NO-BREAK SPACE}", " ") in text


@pytest.mark.slow
def test_a_range_of_thresholds_for_rare_events_and_what_a_report_holds_then() -> None:
    """Each kind of question has its own range; the p of all together is of the range in use."""
    p, name = load_example("wine"), load_example("wine").class_names[0]
    asked = Settings(replace(settings.START, lens=ClassLens(name)))
    app = opened("decisions", AS_PEOPLE_GET_IT, in_use="wine", settings=asked)
    (box,) = [group for group in app.button_group if group.label == "Thresholds"]
    assert box.value == "middle"
    app = settled(box.set_value("low").run())
    found = decide(p, DiagnosisSpec(lens=ClassLens(name)), RANGES["low"])
    text = plain(app)
    assert deciding.promise_sentence(found).replace("\N{NO-BREAK SPACE}", " ") in text
    assert deciding.headline(found, "case").partition(" cases ")[2].replace("\N{NO-BREAK SPACE}", " ") in text
    assert "thresholds from 0.5 % to 20 %" in text
    (slider,) = [s for s in app.select_slider if s.label == "Threshold"]
    assert slider.value == 0.05
    assert charts(app)[0]["shapes"][0]["x0"] == pytest.approx(5)
    app = settled(choose(app, "Decide about", TopKLens(1)))
    assert "thresholds from 50 % to 95 %" in plain(app)
    app = settled(choose(app, "Decide about", ClassLens(name)))
    assert "thresholds from 0.5 % to 20 %" in plain(app)


@pytest.mark.slow
def test_a_report_can_hold_the_decisions_of_the_lens_in_use() -> None:
    lens = ClassLens(load_example("wine").class_names[0])
    app = settled(opened("share", in_use="wine", settings=Settings(replace(START, lens=lens))))
    label = "Include what decisions at a threshold are worth"
    assert not [box for box in app.checkbox if box.label == label]
    app = on_page(app, "decisions")
    (ranges,) = [group for group in app.button_group if group.label == "Thresholds"]
    app = settled(ranges.set_value("low").run())
    app = on_page(app, "share")
    (box,) = [box for box in app.checkbox if box.label == label]
    app = settled(box.check().run())
    made = [job for job in app.session_state["jobs"]["report"].values() if job.ready]
    (part,) = made[-1].future.result().parts
    assert part.name == "decisions"
    assert part.document["event"] == load_example("wine").class_names[0]
    assert part.document["thresholds"][0]["threshold"] < 0.05 < part.document["thresholds"][-1]["threshold"]


def test_a_target_is_kept_from_some_threshold_on_or_it_is_said_how_many_cases_it_takes() -> None:
    app, p = through(TopKLens(1), "digits-forest"), load_example("digits-forest")
    spec = replace(START, lens=TopKLens(1))
    (target,) = [box for box in app.number_input if box.label == "Right in at least, %"]
    assert target.value == 95
    for share in (95, 99.5):
        app = settled(target.set_value(share).run())
        (target,) = [box for box in app.number_input if box.label == "Right in at least, %"]
        found = decide(p, spec, RANGES["high"], target=share / 100)
        for sentence in deciding.guarantee_sentences(found, "image"):
            assert sentence.replace("\N{NO-BREAK SPACE}", " ") in plain(app)


def test_another_prevalence_is_of_a_class_and_a_target_is_to_hold_there() -> None:
    p = load_example("wine")
    app = through(ClassLens(p.class_names[0]))
    (share,) = [box for box in app.number_input if box.label == "Another prevalence, %"]
    assert share.value is None
    app = settled(share.set_value(2.0).run())
    found = decide(p, replace(START, lens=ClassLens(p.class_names[0])), prevalence=0.02, target=TARGET)
    first, *_ = deciding.prevalence_sentences(found, 0.2, "case")
    assert first.partition(", acting from ")[2].replace("\N{NO-BREAK SPACE}", " ") in plain(app)
    assert [box.value for box in app.number_input if box.label == "Right in at least, %"] == [100 * TARGET]
    for sentence in deciding.there_sentences(found, "wine"):
        assert in_noun(sentence, "wine").replace("\N{NO-BREAK SPACE}", " ") in plain(app)


@pytest.mark.slow
def test_a_target_in_each_group_of_a_column() -> None:
    app = opened("decisions", in_use="clinic", settings=Settings(replace(START, lens=TopKLens(1))))
    assert "Does it hold in every group?" not in plain(app)
    app = settled(choose(app, "Also in each group of", "site"))
    assert "Does it hold in every group?" in plain(app)
    assert "groups of 'site'" in plain(app)
    assert len(charts(app)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("named", ["one", "each"])
def test_a_column_without_groups_is_said_and_the_answer_stands_all_the_same(named: str) -> None:
    rows = [line.partition(",")[2] for line in CSV.splitlines()[1:]]
    sites = ["west"] * len(rows) if named == "one" else [f"row {i}" for i in range(len(rows))]
    text = "site,cat,dog,fox,label\n" + "".join(f"{a},{b}\n" for a, b in zip(sites, rows, strict=True))
    app = on_page(upload(opened("data"), "sites.csv", text), "decisions")
    before = charts(app)
    assert before
    app = settled(choose(app, "Also in each group of", "site"))
    why = "all cases are in one, 'west'." if named == "one" else "The column 'site' has 60 groups"
    assert f"Groups of 'site': {why}" in plain(app)
    assert "is not possible" not in plain(app)
    assert "A promised threshold in each group" not in plain(app)
    assert len(charts(app)) == len(before)
