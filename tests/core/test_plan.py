"""plan: how many cases are enough; a pilot without labels; what would tell."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from calibcore import (
    CanonicalLens,
    DiagnosisSpec,
    ExactOmnibusTest,
    InputError,
    Plan,
    Predictions,
    RegionLens,
    TopKLens,
    assert_calibrated,
    plan,
)
from calibcore.assessment.alternatives import Alternative, alternatives, uneven
from calibcore.assessment.chance_limits import LIMITS_FALL
from calibcore.assessment.enough import FEW as FEW_CASES
from calibcore.assessment.enough import LEAST
from calibcore.assessment.survey import default_binning, survey
from calibcore.assessment.verdict import Verdict, verdicts
from calibcore.figures.enough import enough_figure
from calibcore.io import read
from calibcore.io.options import ReadOptions
from calibcore.io.unlabelled import NO_LABELS, read_pilot
from calibcore.numerics.resampling import draw_labels
from calibcore.questions.plan import (
    about,
    cases_for,
    cases_for_size,
    cases_that_would_tell,
    detectable_with,
    is_sketch,
    sketched,
)
from calibcore.transforms.nulls import Temperature
from calibcore.words import planning
from calibcore.words.terminal import plan_text
from calibcore.words.verdicts import as_a_whole
from tests.core.commands import run
from tests.oracles.next import references

FEW = DiagnosisSpec(lens=TopKLens(1))
HALF = Predictions.from_arrays(np.full((300, 2), 0.5), np.zeros(300, int))


def power_of_binomial(n: int, shift: float, alpha: float = 0.05) -> float:
    """Of the exact test of |hits − n/2| where all predictions are ½ and the truth is ½ + shift."""
    off = np.abs(np.arange(n + 1) - n / 2)
    law, truth = binom.pmf(np.arange(n + 1), n, 0.5), binom.pmf(np.arange(n + 1), n, 0.5 + shift)
    pvalues = np.array([law[off >= one - 1e-9].sum() for one in off])
    return float(truth[pvalues <= alpha].sum())


# --- against exact numbers --------------------------------------------------------------


ANCHORS = [
    *((c["input"]["shift"], c["output"]["fewest_cases_from_which_on_power_holds"])
      for c in references("G", "planner")),
    (0.15, 97),
]  # fmt: skip


@pytest.mark.parametrize(("shift", "cases"), ANCHORS)
def test_the_exact_anchors(shift: float, cases: int) -> None:
    """The anchor is exact: the fewest cases from which on the power is 8 in 10 or more."""
    powers = [power_of_binomial(n, shift) for n in range(cases - 1, cases + 40)]
    assert powers[0] < 0.8 <= min(powers[1:])
    found = plan(HALF, DiagnosisSpec(tolerance=shift), hypotheses=1)
    assert found.cases_to_see is not None
    assert abs(found.cases_to_see / cases - 1) <= 0.1
    assert power_of_binomial(found.cases_to_see, shift) >= 0.75
    assert not found.extrapolated


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "cases"), ANCHORS)
def test_the_anchors_over_seeds(shift: float, cases: int) -> None:
    found = [
        plan(HALF, DiagnosisSpec(tolerance=shift, seed=seed), hypotheses=1).cases_to_see or 0
        for seed in range(20)
    ]
    print(shift, cases, sorted(found))
    assert abs(np.mean(found) / cases - 1) <= 0.07
    assert all(abs(one / cases - 1) <= 0.13 for one in found)


WORLDS = [
    ("beta:2,5", CanonicalLens(), 0.05),
    ("beta:0.5,0.5", CanonicalLens(), 0.08),
    ("dirichlet:1,1,1", TopKLens(1), 0.05),
    ("dirichlet:1,1,1", CanonicalLens(), 0.08),
    ("dirichlet:5,1,1,1", CanonicalLens(), 0.08),
]


@pytest.mark.parametrize(
    ("words", "lens", "tolerance", "runs"),
    [
        ("beta:2,5", CanonicalLens(), 0.1, 60),
        *(pytest.param(*world, 400, marks=pytest.mark.slow) for world in WORLDS),
    ],
)
def test_the_planned_number_is_enough(words: str, lens, tolerance: float, runs: int) -> None:
    """Label sets with each error of that size, of fresh predictions, tested one by one."""
    found = plan(words, DiagnosisSpec(lens=lens, tolerance=tolerance), hypotheses=1)
    cases = found.cases_to_see or 0
    law, rng = sketched(words), np.random.default_rng(5)
    resamples = 199
    powers: dict[str, float] = {}
    for kind in ("overconfidence", "bias", "uneven"):
        seen = tried = 0
        for k in range(runs):
            induced = lens(law.draw(cases, rng))
            errors: list[Alternative] = [*alternatives(induced), uneven(induced)]
            fitting = [one for one in errors if one.pattern == kind and one.largest > tolerance]
            if not fitting:
                continue
            one = fitting[k % len(fitting)]
            labels = draw_labels(one.probs(induced.probs, tolerance / one.largest), rng)
            p = Predictions.from_arrays(induced.probs, labels, induced.class_names, renormalise=True)
            seen += ExactOmnibusTest(n_resamples=resamples)(p, rng).pvalue <= 0.05
            tried += 1
        if tried:
            powers[kind] = seen / tried
    print(words, lens, tolerance, cases, powers)
    error = math.sqrt(0.8 * 0.2 / runs)
    assert min(powers.values()) >= 0.8 - 3 * error - 0.03
    assert powers[found.check.pattern] <= 0.8 + 3 * error + 0.06


# --- what is planned from ---------------------------------------------------------------


def test_labels_are_never_looked_at_and_more_tolerance_needs_fewer() -> None:
    rng = np.random.default_rng(3)
    probs = rng.dirichlet(np.ones(3), 200)
    cases = {plan(Predictions.from_arrays(probs, labels), FEW).cases
             for labels in (np.zeros(200, int), rng.integers(3, size=200))}  # fmt: skip
    assert len(cases) == 1
    assert plan(Predictions.from_arrays(probs, np.zeros(200, int)), replace(FEW, tolerance=0.1)).cases < min(
        cases
    )


def test_a_region_needs_more_cases_than_it_looks_at() -> None:
    everywhere = DiagnosisSpec(lens=TopKLens(1), tolerance=0.08)
    inside = replace(everywhere, lens=RegionLens(TopKLens(1), "class 1", 0.0, 0.3))
    found = plan("dirichlet:1,1,1", inside)
    assert found.share == pytest.approx(1 - 0.7**2, abs=0.03)
    assert found.cases_to_see is not None
    assert found.cases_to_see * found.share == pytest.approx(found.check.n, rel=0.3)
    assert found.cases >= found.cases_to_see


def test_more_than_can_be_simulated_is_extrapolated() -> None:
    found = plan("beta:2,5", DiagnosisSpec(tolerance=0.004))
    assert found.extrapolated
    assert found.check.n == 20_000
    assert found.cases > 60_000
    assert "Up to 20,000 cases were simulated; the rest is extrapolated." in plan_text(found)
    assert found.detectable((found.cases_to_see or 0) // 4) == pytest.approx(0.008, rel=1e-4)


def test_a_plan_goes_there_and_back_through_json() -> None:
    found = plan("beta:2,5", replace(FEW, tolerance=0.1))
    again = Plan.from_json(found.to_json())
    assert (again.cases, again.check, again.pilot) == (found.cases, found.check, "beta:2,5")
    assert again.to_json() == found.to_json()


def test_refusals() -> None:
    for words in (
        "beta:2",
        "beta:1,2,3",
        "dirichlet:1",
        "dirichlet:1,0",
        "dirichlet:1,-2",
        "beta:a,b",
        "gamma:1,2",
    ):
        with pytest.raises(InputError, match=r"expected dirichlet:A,B,… or beta:A,B, numbers above 0"):
            sketched(words)
    assert is_sketch("beta:2,5")
    assert not is_sketch("beta.csv")
    with pytest.raises(InputError, match="a plan is for a test of calibration"):
        plan("beta:2,5", DiagnosisSpec(null=Temperature(2.0)))
    weighted = Predictions.from_arrays(HALF.probs, HALF.labels, weights=np.linspace(1, 2, 300))
    with pytest.raises(InputError, match="weights give estimates only"):
        plan(weighted)
    with pytest.raises(InputError, match=r"no more than the tolerance of 0\.9\. Plan for a smaller one"):
        plan("beta:2,5", DiagnosisSpec(tolerance=0.9))


def test_certain_predictions_need_few_and_no_fewer_than_can_be_seen() -> None:
    sure = Predictions.from_arrays([[1.0, 0.0]] * 30, [0] * 30)
    assert plan(sure, DiagnosisSpec(tolerance=0.2)).cases >= LEAST
    three = Predictions.from_arrays(np.eye(3)[[0, 1, 2] * 10], [0, 1, 2] * 10)
    found = plan(three, DiagnosisSpec(tolerance=0.05))
    assert found.cases > LEAST
    assert found.check.power == pytest.approx(0.8, abs=0.1)


# --- files ------------------------------------------------------------------------------


def table(n: int = 60) -> pd.DataFrame:
    g = np.random.default_rng(1).dirichlet(np.ones(3), n).round(4)
    g[:, 2] = (1 - g[:, 0] - g[:, 1]).round(4)
    return pd.DataFrame(g, columns=["cat", "dog", "owl"])


def test_a_file_without_labels(tmp_path: Path) -> None:
    path, frame = tmp_path / "pilot.csv", table()
    frame.to_csv(path, index=False)
    p = read_pilot(path)
    assert p.class_names == ("cat", "dog", "owl")
    np.testing.assert_allclose(p.probs, frame.to_numpy(), atol=1e-12)
    assert p.notes[0] == NO_LABELS
    frame["patient"] = [f"p{i}" for i in range(len(frame))]
    frame["age"] = np.arange(len(frame)) % 50 + 30
    frame.to_csv(path, index=False)
    np.testing.assert_allclose(read_pilot(path).probs, table().to_numpy(), atol=1e-12)
    assert read_pilot(path).metadata["patient"].tolist() == frame["patient"].tolist()
    (100 * table()).to_csv(path, index=False)
    np.testing.assert_allclose(read_pilot(path).probs, table().to_numpy(), atol=1e-9)


def test_one_column_without_labels_and_an_array(tmp_path: Path) -> None:
    column = table()["cat"]
    path = tmp_path / "pilot.csv"
    pd.DataFrame({"probability": column}).to_csv(path, index=False)
    p = read_pilot(path)
    assert (p.m, p.class_names) == (2, ("no event", "event"))
    np.testing.assert_allclose(p.probs[:, 1], column, atol=1e-12)
    np.save(tmp_path / "pilot.npy", table().to_numpy())
    assert read_pilot(tmp_path / "pilot.npy").m == 3


def test_one_column_that_may_be_percent_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("risk %\n0.3\n0.8\n")
    with pytest.raises(InputError):
        read_pilot(path)


def test_a_file_with_labels_is_read_as_ever(tmp_path: Path) -> None:
    path, frame = tmp_path / "pilot.csv", table()
    labels = draw_labels(frame.to_numpy(), np.random.default_rng(2))
    frame["label"] = np.array(["cat", "dog", "owl"])[labels]
    frame.to_csv(path, index=False)
    p = read_pilot(path)
    assert NO_LABELS not in p.notes
    assert p.labels.tolist() == labels.tolist()


def test_what_is_no_pilot_is_refused_with_the_sentence_of_reading(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("name,place\nanna,here\nbert,there\n")
    with pytest.raises(InputError):
        read_pilot(path)
    both = pd.concat([table(), table(60).rename(columns=str.upper).iloc[::-1].reset_index(drop=True)], axis=1)
    both.to_csv(path, index=False)
    with pytest.raises(InputError):
        read_pilot(path)
    chosen = read_pilot(path, options=ReadOptions(probability_columns=("CAT", "DOG", "OWL")))
    assert chosen.class_names == ("CAT", "DOG", "OWL")


# --- the command ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pilot.csv"
    table(200).to_csv(path, index=False)
    words = ("--lens", "confidence", "--tolerance", "0.1")
    code, printed, _ = run(capsys, "plan", path, *words, "--json")
    assert code == 0
    document = json.loads(printed)
    assert 150 < document["cases"] < 600
    assert (document["tolerance"], document["data"]["pilot"]) == (0.1, 200)
    code, text, _ = run(capsys, "plan", path, *words)
    assert code == 0
    assert f"About {about(document['cases'])} cases would do: an error of 10 points would be seen" in text
    assert "Predictions as those of 200 cases, whose labels were not used." in text
    code, printed, _ = run(capsys, "plan", "beta:2,5", "--tolerance", "0.1", "--json")
    assert (code, json.loads(printed)["data"]["pilot"]) == (0, "beta:2,5")
    code, out, err = run(capsys, "plan", "beta:2", "--tolerance", "0.1")
    assert (code, out) == (2, "")
    assert "expected dirichlet:A,B,… or beta:A,B, numbers above 0" in err


# --- beside "cannot tell" ---------------------------------------------------------------


def test_how_many_cases_would_tell() -> None:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(3), 150)
    labels = draw_labels(probs, rng)
    p = Predictions.from_arrays(probs, labels)
    verdict: Verdict = verdicts(p, survey(p, FEW, [TopKLens(1)]))[0]
    assert verdict.answer == "cannot-tell"
    assert verdict.smallest_detectable is not None
    assert verdict.limit_by_chance is not None
    seen = 150 * (verdict.smallest_detectable / 0.05) ** 2
    known = 150 * (verdict.limit_by_chance / (0.05 * math.sqrt(2))) ** (1 / LIMITS_FALL)
    assert known > seen
    expected = known
    cases = cases_that_would_tell(verdict)
    assert cases is not None
    assert expected <= cases <= 1.1 * expected
    assert planning.would_tell_sentence(verdict, "patient") == (
        f"It takes about {cases:,} patients in all to show that a calibrated model is off by no more than "
        "7.1 points, 8 times in 10."
    )
    easy = replace(verdict, limit_by_chance=0.05)
    cases = cases_that_would_tell(easy)
    assert cases is not None
    assert seen <= cases <= 1.1 * seen
    assert planning.would_tell_sentence(easy, "patient") == (
        f"It takes about {cases:,} patients in all to see an error of 5 points, 8 times in 10."
    )
    assert cases_that_would_tell(replace(verdict, limit_by_chance=None)) == cases  # of earlier versions
    for other in (replace(verdict, answer="consistent"), replace(verdict, smallest_detectable=None)):
        assert cases_that_would_tell(other) is None
        assert planning.would_tell_sentence(other) == ""


def test_a_plan_is_for_a_survey_unless_it_is_for_one_lens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = DiagnosisSpec(tolerance=0.15)
    surveyed, alone = plan("beta:2,5", spec), plan("beta:2,5", spec, hypotheses=1)
    assert (surveyed.hypotheses, surveyed.level, alone.level) == (2, 0.025, 0.05)
    assert surveyed.cases_to_see is not None
    assert alone.cases_to_see is not None
    assert alone.cases_to_see < surveyed.cases_to_see < surveyed.cases
    assert "level 0.025: 0.05 over the 2 checks of a survey" in " ".join(plan_text(surveyed).split())
    assert "for this lens alone" in plan_text(alone)
    code, printed, _ = run(capsys, "plan", "beta:2,5", "--tolerance", "0.15", "--this-lens-alone", "--json")
    assert (code, json.loads(printed)["cases"]) == (0, alone.cases)
    with pytest.raises(InputError, match="number of hypotheses is 0"):
        plan("beta:2,5", spec, hypotheses=0)


def test_few_cases_are_planned_by_the_mean_over_draws_of_predictions() -> None:
    """One draw of predictions said 17 or 53 for one law."""
    found = [plan("beta:1,1", DiagnosisSpec(tolerance=0.2, seed=seed), hypotheses=1) for seed in range(2)]
    sizes = [one.cases_to_see or 0 for one in found]
    assert max(sizes) < FEW_CASES
    assert max(sizes) <= 1.35 * min(sizes)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "tolerance"), [("beta:1,1", 0.15), ("dirichlet:1,1,1", 0.1)])
def test_calibrated_models_with_the_planned_cases_are_consistent(words: str, tolerance: float) -> None:
    spec, law, rng = DiagnosisSpec(tolerance=tolerance), sketched(words), np.random.default_rng(11)
    cases = plan(words, spec).cases
    answers = []
    for _ in range(30):
        drawn = law.draw(cases, rng)
        p = Predictions.from_arrays(drawn.probs, draw_labels(drawn.probs, rng), drawn.class_names)
        answers.append(as_a_whole(verdicts(p, survey(p, spec))).answer)
    print(words, cases, {one: answers.count(one) for one in set(answers)})
    assert answers.count("consistent") >= 20  # of 30; fewer once in 50 times where it is 8 in 10


@pytest.mark.slow
def test_the_same_number_stands_wherever_these_cases_cannot_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, frame = tmp_path / "few.csv", table(120)
    labels = draw_labels(frame.to_numpy(), np.random.default_rng(2))
    frame["label"] = np.array(["cat", "dog", "owl"])[labels]
    frame.to_csv(path, index=False)
    p = read(path).predictions
    found = verdicts(p, survey(p, binning_of_many=default_binning(3, p.n)))
    sentence = planning.would_tell_sentence(as_a_whole(found))
    assert re.fullmatch(r"It takes about [\d,]+ cases in all to .* points, 8 times in 10\.", sentence)
    assert sentence in found._repr_html_()
    assert sentence in as_a_whole(found)._repr_html_()
    with pytest.raises(AssertionError, match=f"{sentence} With a larger tolerance this may pass"):
        assert_calibrated(p)
    assert sentence in run(capsys, "survey", path)[1]
    out = tmp_path / "report.json"
    assert sentence in run(capsys, "report", path, "--out", out)[1]
    assert sentence in json.loads(out.read_text())["report"]["more"]


def test_fewer_and_more_cases_than_these() -> None:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(3), 150)
    p = Predictions.from_arrays(probs, draw_labels(probs, rng))
    verdict: Verdict = verdicts(p, survey(p, FEW, [TopKLens(1)]))[0]
    cases = cases_for(verdict)
    assert cases is not None
    more = cases_that_would_tell(verdict)
    assert more == cases_for_size(verdict)
    assert f"takes about {more:,} cases." in planning.enough_sentence(verdict)
    verdict = replace(verdict, limit_by_chance=0.05)
    assert cases == cases_that_would_tell(verdict)
    assert "consistent" not in planning.enough_sentence(verdict)
    assert detectable_with(verdict, 150) == verdict.smallest_detectable
    assert 0.05 / 1.05 <= detectable_with(verdict, cases) <= 0.05
    assert f"With about {cases:,} patients an error of 5 points" in planning.enough_sentence(
        verdict, "patient"
    )
    rows = planning.enough_rows(verdict, exact=True)
    assert {150, cases} <= {row["cases"] for row in rows}
    sizes = [row["smallest detectable"] for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    (these,) = [row for row in planning.enough_rows(verdict) if row["Cases"] == "150 (these)"]
    assert these["Seen 8 times in 10 from"].startswith(f"{100 * detectable_with(verdict, 150):.1f} point")
    # Whatever the verdict: with enough of them fewer would have done.
    assert cases_for(replace(verdict, answer="consistent")) == cases
    unseen = replace(verdict, smallest_detectable=None)
    assert cases_for(unseen) is None
    assert planning.enough_rows(unseen) == []
    assert planning.enough_sentence(unseen).startswith("Even the largest error could go unseen.")
    with pytest.raises(InputError, match="nothing to draw"):
        enough_figure(unseen)


@pytest.mark.slow
@pytest.mark.parametrize("m", [2, 3])
def test_so_many_cases_would_tell(m: int) -> None:
    """With them D80 is about the tolerance: by the same survey of fresh predictions of the same law."""
    rng = np.random.default_rng(m)
    spec = DiagnosisSpec(tolerance=0.06)
    ratios = []
    for _ in range(8):
        verdict = _verdict(rng.dirichlet(np.ones(m), 200), rng, spec)
        if verdict.answer == "cannot-tell":
            cases = cases_that_would_tell(verdict)
            assert cases is not None
            larger = _verdict(rng.dirichlet(np.ones(m), cases), rng, spec).smallest_detectable
            assert larger is not None
            ratios.append(larger / spec.tolerance)
    print(m, np.round(ratios, 3))
    assert len(ratios) >= 4
    assert np.mean(ratios) == pytest.approx(1, abs=0.06)


def _verdict(probs: np.ndarray, rng: np.random.Generator, spec: DiagnosisSpec) -> Verdict:
    p = Predictions.from_arrays(probs, draw_labels(probs, rng))
    return verdicts(p, survey(p, spec, [CanonicalLens()]))[0]


@pytest.mark.parametrize(
    ("cases", "rounded"),
    [(1_823, 1_900), (97, 97), (820, 820), (821, 830), (7.2, 8), (0.4, 1), (123_456, 130_000)],
)
def test_rounding_to_two_digits(cases: float, rounded: int) -> None:
    assert about(cases) == rounded
