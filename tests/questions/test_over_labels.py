"""Questions asked of each of several labels: each p is that of the label alone, Holm adjusts them."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from calibcore import (
    DiagnosisSpec,
    InputError,
    LabelLens,
    MultiLabelPredictions,
    OverLabels,
    Plan,
    ask_each,
    compare,
    decide,
    diagnose,
    explain_by_wrong_labels,
    monitor,
    recalibrate,
    survey,
    survey_groups,
)
from calibcore.assessment.assess import assess
from calibcore.hypothesis_tests.adjust import holm
from calibcore.pipelines.junit import junit_of
from calibcore.pipelines.markdown import markdown_of
from calibcore.pipelines.summary import summary_of
from calibcore.questions.decide.named_thresholds import thresholds_by_label, thresholds_in_words
from calibcore.questions.label_noise.by_label import BY_LABEL as WRONG_LABELS
from calibcore.questions.over_labels import question_of
from calibcore.questions.registry import QUESTIONS
from calibcore.report import report_of, to_document, to_json
from calibcore.terminal import answer_text
from tests.assessment.test_survey_labels import strongly_dependent
from tests.cli.commands import run
from tests.quick import FEW
from tests.settings.test_schemas import check

NAMES = ("effusion", "mass", "edema")
SPEC = DiagnosisSpec(resamples=99, alpha=0.1)


def findings(n=240, shift=(-1.6, 0.0, 0.0), seed=4):
    rng = np.random.default_rng(seed)
    probs, true = strongly_dependent(rng, n, 3, enumerate(shift))
    columns = {"site": np.array(["A", "B"])[np.arange(n) % 2], "day": np.arange(n) // 5}
    return MultiLabelPredictions.from_arrays(probs.round(3), true, NAMES, columns)


def mended(p):
    """The same cases, the first label as it should be."""
    odds = p.probs / (1 - p.probs) * np.exp([-1.6, 0.0, 0.0])
    return MultiLabelPredictions.from_arrays(odds / (1 + odds), p.outcomes, NAMES, p.metadata)


P = findings()


def asked(name):
    more = {
        "compare": (compare, {"old": P, "new": mended(P)}, {}),
        "recalibrate": (recalibrate, P, {"methods": ["temperature"], "folds": 2}),
        "decide": (decide, P, {"thresholds": [0.2]}),
        "groups": (survey_groups, P, {"by": ["site"], "effort": FEW}),
        "monitor": (monitor, P, {"time": "day"}),
        "label-noise": (explain_by_wrong_labels, P, {}),
    }
    ask, cases, how = more[name]
    return ask_each(ask, cases, SPEC, **how)


@pytest.fixture(scope="module")
def decided():
    return asked("decide")


def test_each_label_has_the_p_that_it_has_alone_and_holm_adjusts(decided):
    spec = DiagnosisSpec(resamples=299, alpha=0.1)  # 10 · 3/α − 1
    alone = [
        decide(P.label(name), DiagnosisSpec(**{**vars(spec), "lens": LabelLens(name)}), [0.2])
        for name in NAMES
    ]
    assert [of.pvalue for of in decided.labels] == [each.simultaneous_pvalue for each in alone]
    assert [of.adjusted for of in decided.labels] == holm([of.pvalue for of in decided.labels]).tolist()
    assert [of.result.to_json() for of in decided.labels] == [each.to_json() for each in alone]
    assert [of.found for of in decided.labels] == [True, False, False]
    assert decided["mass"] is decided.labels[1].result


@pytest.mark.some(3)
@pytest.mark.parametrize("name", ["decide", "monitor", "label-noise", "groups", "recalibrate"])
def test_the_table_is_the_answer_everywhere_and_its_document_has_a_schema(name):
    over = asked(name)
    question = question_of(over)
    assert question.command == over.question == name
    text = answer_text(over)
    assert all(label in text for label in NAMES)
    assert "however they depend on each other" in text
    document = json.loads(over.to_json())
    check(over.to_json(), "labels")
    assert [entry["label"] for entry in document["labels"]] == list(NAMES)
    assert set(over.to_frame()["label"]) == set(NAMES)
    assert "effusion" in over._repr_html_()
    if question.without_cases is not None:
        assert "| effusion |" in markdown_of(over)
        brief = summary_of(over)
        assert brief.question == name
        assert {row["label"] for row in brief.rows} == set(NAMES)


def test_labels_that_are_off_stand_first_and_are_named(decided):
    text = answer_text(decided)
    assert "1 of 3 labels delivers something else than the model promises: 'effusion' less." in text
    assert text.index("  effusion") < min(text.index("  mass"), text.index("  edema"))


def test_a_label_that_no_share_explains_is_not_counted_among_the_explained():
    over = ask_each(explain_by_wrong_labels, P, SPEC)

    def headline(**smallest):
        rows = [
            replace(row, found=row.label in smallest, result=replace(row.result, smallest=share))
            for row in over.labels
            for share in [smallest.get(row.label, 0.0)]
        ]
        return WRONG_LABELS.headline(rows, "case")

    share = "Wrong outcomes that would explain what happened, for "
    never = "of 3 labels no share of wrong outcomes explains what happened: "
    assert headline() == "None of 3 labels needs wrong outcomes to explain what happened."
    assert headline(mass=0.1) == f"{share}1 of 3 labels: 'mass' (10.0\N{NO-BREAK SPACE}%)."
    assert headline(edema=None) == f"In 1 {never}'edema'."
    assert headline(effusion=0.1, edema=None) == (
        f"{share}1 of 3 labels: 'effusion' (10.0\N{NO-BREAK SPACE}%). In 1 {never}'edema'."
    )


def test_a_threshold_a_label_and_only_those_named():
    over = ask_each(decide, P, SPEC, thresholds={"mass": [0.3], "edema": [0.1, 0.2]})
    assert [(of.label, of.result.grid) for of in over.labels] == [("mass", (0.3,)), ("edema", (0.1, 0.2))]
    assert [each.label for each in over.refused] == ["effusion"]
    with pytest.raises(InputError, match="There is no label 'fracture'"):
        ask_each(decide, P, SPEC, thresholds={"fracture": [0.3]})


def test_the_command_asks_again_about_those_that_were_asked_about():
    own = {"mass": [0.3], "edema": [0.1, 0.2]}
    some = ask_each(decide, P, SPEC, thresholds=own, target=0.975, risk=0.01)
    said = dict(pairwise(question_of(some).repeat(some, "findings.csv").words))
    asked_again = thresholds_by_label(said["--thresholds"])
    assert {name: list(each) for name, each in asked_again.items()} == own
    assert (float(said["--target"]), float(said["--risk"])) == (0.975, 0.01)
    told = answer_text(some).replace("\N{NO-BREAK SPACE}", " ")
    assert "97.5 % right from" in told
    assert "from which 97.5 % are right all keep that, but for a chance of 1 % at most" in told
    alike = ask_each(decide, P, SPEC, thresholds=[0.2], target=0.9)
    said = dict(pairwise(question_of(alike).repeat(alike, "findings.csv").words))
    assert (said["--thresholds"], said["--risk"]) == ("0.2", "0.05")


@pytest.mark.parametrize(
    "thresholds",
    [
        {"effusion": (0.2, 0.3), "mass": (0.1,)},
        {"effusion, left": (0.2,), "mass": (0.1,)},
        {"mass:0.1": (0.2,), ' "{': (0.5,), "": (0.25,)},
        {'{"mass"': (0.2,)},
        {"a:0.3,b": (1 / 3,)},
    ],
)
def test_thresholds_of_any_name_can_be_typed_again(thresholds):
    words = thresholds_in_words(thresholds)
    assert thresholds_by_label(words) == {
        label: pytest.approx(each, abs=1e-12) for label, each in thresholds.items()
    }
    assert words.startswith('{"') != (set(thresholds) == {"effusion", "mass"})


@pytest.mark.parametrize(
    "words",
    [
        '{"mass": 0.2}',
        '{"mass": []}',
        '{"mass": [true]}',
        '{"mass": ["0.2"]}',
        '{"mass": [NaN]}',
        '{"mass": {"low": 0.1}}',
        '{"mass": {}}',
        "{} :",
        "{:",
        "[0.2]:",
        '{"mass": [1' + "0" * 400 + "]}",
        '{"mass":' * 100_000,
    ],
)
def test_thresholds_that_cannot_be_read_are_one_sentence(words):
    with pytest.raises(InputError, match=r"^The thresholds are .*; expected numbers as in effusion:0\.2,"):
        thresholds_by_label(words)


def test_a_label_that_is_named_twice_has_both_thresholds_in_words_and_in_json():
    both = {"mass": (0.1, 0.2)}
    assert thresholds_by_label("mass:0.1,mass:0.2") == both
    assert thresholds_by_label('{"mass": [0.1], "mass": [0.2]}') == both


def test_all_labels_share_the_risk_of_a_target_and_the_hypotheses_of_a_plan():
    over = ask_each(decide, P, SPEC, thresholds=[0.2], target=0.8, risk=0.06)
    assert {round(of.result.guarantee.risk, 12) for of in over.labels} == {0.02}

    assert "So do the thresholds for ruling out, with a chance of 6" in answer_text(over)

    asked_with = []

    def planned(pilot, spec=None, progress=None, *, hypotheses=None):
        asked_with.append(hypotheses)
        raise InputError("not planned here")

    planned.__annotations__["return"] = Plan
    with pytest.raises(InputError, match="No label can be looked at"):
        ask_each(planned, P, SPEC)
    assert asked_with == [3, 3, 3]


def test_the_table_has_what_was_asked_of_every_label():
    """A target, another prevalence, groups; and where the target needs no model."""
    over = ask_each(decide, P, SPEC, thresholds=[0.2], target=0.9, groups="site")
    text = answer_text(over).replace("\N{NO-BREAK SPACE}", " ")
    for words in ("90 % right from", "90 % ruled out to", "Right in groups", "Ruled out in", " of 2"):
        assert words in text
    assert "Of the groups of 'site' those are counted that have a threshold of their own." in text
    assert "Without any model" not in text
    over = ask_each(decide, P, SPEC, thresholds=[0.2], target=0.8, prevalence=0.1)
    text = answer_text(over).replace("\N{NO-BREAK SPACE}", " ")
    assert "The target is kept where 10 % of the cases have the label." in text
    assert "Without any model, ruling out every case is right in 80 % or nearly for " in text
    assert "Right in groups" not in text


def test_an_alarm_over_labels_takes_more_evidence_than_of_one():
    over = asked("monitor")
    alarms = {of.label: (of.result.alarm is not None, of.found) for of in over.labels}
    assert alarms["effusion"] == (True, True)
    assert "takes evidence of 60, not of 20" in answer_text(over)
    assert over.alarm == "effusion"
    assert '<testcase classname="caliblens.monitor" name="effusion"><failure' in junit_of(over, True)


def test_models_are_compared_label_by_label():
    over = asked("compare")
    first = next(of for of in over.labels if of.label == "effusion")
    assert [model.name for model in first.result.models] == ["old", "new"]
    assert over.fingerprint is None
    assert first.found
    assert "'new' is better calibrated for 1 of 3 labels: 'effusion'." in answer_text(over)
    others = MultiLabelPredictions.from_arrays(P.probs[:, :2], np.zeros((P.n, 2)), NAMES[:2])
    with pytest.raises(InputError, match="expected the same labels"):
        ask_each(compare, {"a": P, "b": others})


@pytest.mark.parametrize(
    ("ask", "cases", "words"),
    [(diagnose, P, "is no question"), (decide, P.label("mass"), "was given an object of type Predictions")],
)
def test_what_is_no_question_of_labels_is_refused(ask, cases, words):
    with pytest.raises(TypeError, match=words):
        ask_each(ask, cases)


def test_a_lens_on_one_label_is_refused_and_a_label_that_nothing_is_known_of_is_left_out():
    with pytest.raises(InputError, match="each is looked at by itself"):
        ask_each(decide, P, DiagnosisSpec(lens=LabelLens("mass")))
    true = np.where(P.outcomes < 0, np.nan, P.outcomes).astype(float)
    true[1:, 2] = np.nan
    p = MultiLabelPredictions.from_arrays(P.probs, true, NAMES)
    over = ask_each(decide, p, SPEC, thresholds=[0.2])
    assert [each.label for each in over.refused] == ["edema"]
    assert "Nothing is said of 'edema'" in answer_text(over)


def test_a_question_of_one_label_says_how_all_are_asked_about():
    with pytest.raises(InputError, match=r"ask_each\(decide, …\)"):
        decide(P)


MANY = [f"finding {i}" for i in range(12)]
ON_REDRAWS = [
    question.command
    for question in QUESTIONS.values()
    if question.by_label is not None and question.by_label.hypothesis and question.by_label.redrawn
]


@pytest.mark.some(2)
@pytest.mark.parametrize("name", sorted(ON_REDRAWS, key=lambda name: name != "recalibrate"))
def test_redraws_of_many_labels_are_as_many_as_is_said_and_let_the_smallest_p_be_found(name):
    """However many tests of a label its p is the smallest of."""
    probs, true = strongly_dependent(np.random.default_rng(5), 100, len(MANY), [(0, -2.5)])
    site = np.array(["A", "B"])[np.arange(100) % 2]
    p = MultiLabelPredictions.from_arrays(probs.round(3), true, MANY, {"site": site})
    methods = ["temperature", "vector", "class-mix", "histogram", "isotonic", "logistic"]
    ask, how = {
        "recalibrate": (recalibrate, {"methods": methods, "folds": 2}),
        "decide": (decide, {"thresholds": [0.2]}),
        "groups": (survey_groups, {"by": ["site"], "effort": FEW}),
        "label-noise": (explain_by_wrong_labels, {}),
    }[name]
    over = ask_each(ask, p, DiagnosisSpec(alpha=0.2, resamples=99), **how)
    first = over.labels[0]
    assert first.at_floor
    assert first.found
    assert first.adjusted <= 0.1
    redraws = {row.result.spec.resamples for row in over.labels}
    if name == "recalibrate":
        redraws |= {method.test.n_resamples for row in over.labels for method in row.result.methods}
        assert redraws == {2 * len(MANY) * len(methods) * 5 - 1}
    (many,) = redraws
    assert f"It takes {many:,} redraws of each label, seed 0." in answer_text(over)


def test_a_group_is_named_only_where_groups_differ():
    over = ask_each(survey_groups, P, SPEC, by=["site"], effort=FEW)
    headline = answer_text(over)
    assert "1 of 3 labels is off in some group: 'effusion'. No sign that groups differ" in headline
    assert "most in" not in headline
    row = next(row for row in over.to_frame().to_dict("records") if row["label"] == "effusion")
    assert row["groups differ, adjusted p"] > SPEC.alpha
    odds = P.probs / (1 - P.probs) * np.exp(np.where((P.metadata["site"] == "A")[:, None], 2.5, 0.0))
    apart = MultiLabelPredictions.from_arrays(odds / (1 + odds), P.outcomes, NAMES, P.metadata)
    named = answer_text(ask_each(survey_groups, apart, SPEC, by=["site"], effort=FEW))
    assert "(most in site A)" in named
    assert "(most in site B)" not in named


def test_how_far_off_a_label_is_lately_stands_beside_what_chance_gives():
    (row, *_) = asked("monitor").to_frame().to_dict("records")
    low, high, gap = (row[key] for key in (
        "if calibrated, low", "if calibrated, high", "observed minus predicted lately",
    ))  # fmt: skip
    assert low < 0 < high
    assert not low <= gap <= high


@pytest.fixture
def file(tmp_path):
    heads = [*(f"{name}_prob" for name in NAMES), *(f"{name}_true" for name in NAMES), "site", "day"]
    rows = np.column_stack([P.probs, P.outcomes, P.metadata["site"], P.metadata["day"]])
    path = tmp_path / "findings.csv"
    path.write_text("\n".join([",".join(heads), *(",".join(map(str, row)) for row in rows)]))
    return path


def test_commands_without_a_label_ask_about_all(file, capsys):
    code, out, _ = run(capsys, "decide", file, "--thresholds", "effusion:0.2,mass:0.3", "--resamples", "99")
    assert code == 0
    assert "2 labels by Holm's method" in out
    assert "- One label with all that is known of it: --label NAME." in out
    code, out, _ = run(capsys, "monitor", file, "--time", "day", "--json", "--fail-if", "alarm")
    assert code == 1
    document = json.loads(out)
    assert (document["document"], document["question"]) == ("labels", "monitor")
    code, _, err = run(capsys, "monitor", file, "--time", "day", "--state", file.with_name("s.json"))
    assert code == 2
    assert "A state is of one label" in err


def test_a_report_of_several_labels_has_their_table_first():
    judged = assess(P, survey(P, SPEC, effort=FEW))
    how = {"title": "Chest findings", "date": "2026-11-21", "answers": [asked("decide")]}
    report = report_of(P, judged, SPEC, **how)
    assert report.table_first
    assert next(row["Check"] for row in report.tables[0].rows) == "The label 'effusion'"
    assert "3 labels, each by itself" in report.front.asked
    assert [plate.title for plate in report.plates][-1] == "Each label by itself"
    document = to_document(report)
    assert document["decisions"]["question"] == "decide"
    assert document["data"]["class_counts"] == P.class_counts.tolist()
    check(to_json(report), "report")


@pytest.mark.slow
def test_no_more_than_the_level_of_files_has_a_finding_however_labels_depend():
    rng, found = np.random.default_rng(41), 0
    for _ in range(200):
        p = MultiLabelPredictions.from_arrays(*strongly_dependent(rng, 200, 14))
        over: OverLabels = ask_each(decide, p, thresholds=[0.1, 0.3])
        found += any(of.found for of in over.labels)
    assert found <= 18  # P(Binomial(200, 0.05) > 18) = 0.006
