"""Rows that belong together: one row of each for what is exact, and what all rows say."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

from calibcore import (
    ClassLens,
    Diagnosis,
    DiagnosisSpec,
    ExponentialKernel,
    InputError,
    Predictions,
    TopKLens,
    compare,
    decide,
    diagnose,
    explain_by_wrong_labels,
    judge,
    monitor,
    plan,
    recalibrate,
    survey,
    survey_groups,
    track_training,
)
from calibcore.assessment.assess import assess
from calibcore.assessment.temperature_set import temperature_set
from calibcore.data.units import (
    NAME_THE_UNIT,
    are_topics,
    codes_of,
    one_row_a_unit,
    one_row_each,
    rows_looked_at,
    units_of,
)
from calibcore.diagnose import typical_gap_for
from calibcore.diagram.gap_sizes import frequencies
from calibcore.diagram.typical_gap import gaps_of
from calibcore.hypothesis_tests.units import (
    ALL_PAIRS,
    RARE,
    across_units,
    between_units,
    independent_events,
    sign_flips,
)
from calibcore.numerics.types import Float
from calibcore.questions.groups.columns import column_of
from calibcore.questions.without_bins import average_without_bins
from calibcore.terminal import (
    answer_text,
    diagnosis_text,
    survey_text,
)
from calibcore.transforms.lenses import PooledLens, RegionLens
from calibcore.words.diagram import member_rows, members
from calibcore.words.reported_methods import methods_parts
from calibcore.words.testing import units_sentence
from tests.cli.commands import run
from tests.oracles.next import references

Rng = np.random.Generator


def patients(many: int, each: int, share: float, rng: Rng, m: int = 2, skewed: bool = False) -> Predictions:
    """Rows of patients whose outcomes share a latent: marginally calibrated, ``share`` its correlation."""
    sizes = np.full(many, each)
    if skewed:
        sizes = 1 + rng.geometric(1 / each, many)
    unit = np.repeat(np.arange(many), sizes)
    n = len(unit)
    g = rng.dirichlet(np.full(m, 1.0), n)
    latent = math.sqrt(share) * rng.normal(size=many)[unit] + math.sqrt(1 - share) * rng.normal(size=n)
    u = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in latent])
    labels = (u[:, None] >= g.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(g, labels, [f"c{k}" for k in range(m)], {"patient": unit})


P = patients(80, 4, 0.6, np.random.default_rng(3))
UNIT = DiagnosisSpec(unit="patient", resamples=99, alpha=0.3)


@pytest.mark.parametrize("case", references("D", "clusters"), ids=lambda case: str(case["name"]))
def test_the_references(case: dict[str, dict[str, list[float]]]) -> None:
    """H, the estimate, and the p over all patterns of signs."""
    given, expected = case["input"], case["output"]
    g, y, unit = (np.array(given[key]) for key in ("G", "y", "cluster"))
    p = Predictions.from_arrays(g, y, [str(k) for k in range(g.shape[1])])
    kernel = ExponentialKernel(float(given["bandwidth"]), "total-variation")  # type: ignore[arg-type]
    H = between_units(p, unit, kernel)
    assert pytest.approx(np.array(expected["H"]), abs=1e-12) == H
    statistic, pvalue = sign_flips(p, unit, kernel, 400, np.random.default_rng(0))
    assert statistic == pytest.approx(expected["estimate"], abs=1e-12)
    many = len(H)
    signs = np.array([[1 - 2 * ((i >> k) & 1) for k in range(many)] for i in range(2**many)])
    flipped = np.einsum("bc,cd,bd->b", signs, H, signs)
    assert float((flipped >= flipped[0] - 1e-12).mean()) == expected["p_all_signs"]
    assert pvalue == pytest.approx(expected["p_all_signs"], abs=0.08)  # type: ignore[arg-type]


@pytest.mark.slow
def test_many_rows_take_a_kernel_of_low_rank() -> None:
    p = patients(400, 13, 0.3, np.random.default_rng(1))
    unit = units_of(p, "patient")[0]
    assert p.n > ALL_PAIRS
    kernel = ExponentialKernel(0.3)
    statistic, _ = sign_flips(p, unit, kernel, 199, np.random.default_rng(0))
    H = between_units(p, unit, kernel)
    pairs = p.n**2 - float(np.square(np.bincount(unit)).sum())
    assert statistic == pytest.approx(H.sum() / pairs, rel=1e-3, abs=1e-6)


def test_one_row_of_each() -> None:
    rows = rows_looked_at(P, "patient", 0)
    assert sorted(P.metadata["patient"][rows].tolist()) == list(range(80))
    assert (np.diff(rows) > 0).all()
    one = one_row_a_unit(P, "patient", 0)
    assert one.probs.tolist() == P.probs[rows].tolist()
    assert one_row_a_unit(P, "patient", 0) is one
    assert one_row_a_unit(P, None, 0) is P
    assert one_row_a_unit(P, "patient", 1).probs.tolist() != one.probs.tolist()
    # Each row of a unit as likely as any other, and of two units independently.
    unit = np.repeat([0, 1, 2], [3, 1, 2])
    drawn = np.array([one_row_each(unit, ["ä", "b\udce4", ""], seed) for seed in range(1_200)])
    counts = np.array([[((drawn[:, 0] == i) & (drawn[:, 2] == j)).sum() for j in (4, 5)] for i in range(3)])
    assert (drawn[:, 1] == 3).all()
    assert stats.chi2.sf(np.square(counts - 200).sum() / 200, 5) > 0.01
    for column, words in (("ward", "There is no column 'ward' of units"), ("hole", "Row 2 has nothing in")):
        holes = replace(P, metadata={"hole": np.array(["a", ""] * (P.n // 2), object)})
        with pytest.raises(InputError, match=words):
            one_row_a_unit(holes, column, 0)


def test_a_part_shows_the_rows_that_it_has_among_all() -> None:
    """Groups look at one row of every unit of the whole file; a group that is opened draws among its own."""
    chosen = rows_looked_at(P, "patient", 3)
    belongs = np.isin(P.metadata["patient"], np.unique(P.metadata["patient"])[::3])
    shown = np.flatnonzero(belongs)[rows_looked_at(P.with_rows(np.flatnonzero(belongs)), "patient", 3)]
    assert shown.tolist() == chosen[belongs[chosen]].tolist()
    assert 10 < len(shown) < len(chosen)
    # Nor does it matter which units come first.
    back = np.argsort(-np.unique(P.metadata["patient"], return_inverse=True)[1], kind="stable")
    assert sorted(back[rows_looked_at(P.with_rows(back), "patient", 3)]) == chosen.tolist()


def test_everything_exact_looks_at_one_row_of_each() -> None:
    """The same numbers as of a file that holds one row of each patient; sizes are of all rows."""
    one = one_row_a_unit(P, "patient", 0)
    plain = replace(UNIT, unit=None)
    found, alone = diagnose(P, UNIT), diagnose(one, plain)
    same = (
        "scores",
        "calibration_error",
        "skce",
        "tests",
        "reliability",
        "estimates",
        "bins",
        "decompositions",
    )
    a, b = found.to_document(), alone.to_document()
    for name in same:
        assert a[name] == b[name], name
    assert (found.n, found.fingerprint) == (80, P.fingerprint)
    assert a["typical_gap"] != b["typical_gap"]
    assert found.units is not None
    assert (found.units.rows, found.units.units, found.units.n_resamples) == (P.n, 80, 99)
    assert found.units.pvalue is not None
    again = Diagnosis.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert "units" not in b
    assert found.typical_gap == typical_gap_for(P, UNIT)
    of_survey, of_one = survey(P, UNIT), survey(one, plain)
    assert (of_survey.pvalues, of_survey.adjusted) == (of_one.pvalues, of_one.adjusted)
    for mine, its in zip(judge(P, of_survey), judge(one, of_one), strict=True):
        assert mine.smallest_detectable == its.smallest_detectable
        assert mine.n == its.n == 80


@pytest.mark.slow
def test_questions_look_at_one_row_of_each() -> None:
    one = one_row_a_unit(P, "patient", 0)
    other = Predictions.from_arrays(P.probs[:, ::-1] * 0.5 + 0.25, P.labels, P.class_names)
    other_one = other.with_rows(rows_looked_at(P, "patient", 0))
    spec = replace(UNIT, lens=TopKLens(1))
    plain = replace(spec, unit=None)
    found, alone = compare({"a": P, "b": other}, spec), compare({"a": one, "b": other_one}, plain)
    mine, its = found.to_document(), alone.to_document()
    assert (mine["pairs"], mine["nested"]) == (its["pairs"], its["nested"])
    assert [m["p_value"] for m in mine["models"]] == [m["p_value"] for m in its["models"]]
    assert f"{P.n} rows of 80 units (patient): one row of each was drawn at random, seed 0." in found.notes
    assert found.models[0].verdict.typical_gap == typical_gap_for(P, found.spec)
    run_, run_one = track_training({1: P, 2: other}, spec), track_training({1: one, 2: other_one}, plain)
    assert [e.pvalue for e in run_.epochs] == [e.pvalue for e in run_one.epochs]
    recalibrated = recalibrate(P, ["temperature"], UNIT)
    its_ = recalibrate(one, ["temperature"], replace(UNIT, unit=None))
    (method,), (its_method,) = recalibrated.methods, its_.methods
    assert replace(method, typical_gap=its_method.typical_gap) == its_method  # gaps are of all rows
    assert recalibrated.fingerprint == P.fingerprint
    assert "These are 80 units (patient), one row of each" in answer_text(recalibrated)


@pytest.mark.slow
def test_decisions_look_at_one_row_of_each() -> None:
    one, plain = one_row_a_unit(P, "patient", UNIT.seed), replace(UNIT, unit=None)
    class_of = replace(UNIT, lens=ClassLens("c0"))
    found = decide(P, class_of, [0.3, 0.6], against=patients(80, 4, 0.6, np.random.default_rng(3)))
    assert found.thresholds == decide(one, replace(class_of, unit=None), [0.3, 0.6], against=one).thresholds
    assert "These are 80 units (patient), one row of each" in answer_text(found)
    noisy = explain_by_wrong_labels(P, UNIT)
    assert noisy.smallest == explain_by_wrong_labels(one, plain).smallest
    assert "These are 80 units (patient), one row of each" in answer_text(noisy)
    wide = replace(UNIT, tolerance=0.3)
    planned = plan(P, wide)
    assert (planned.pilot, planned.cases) == (80, plan(one, replace(wide, unit=None)).cases)
    assert "So many units (patient) are needed" in answer_text(planned)
    arrows = average_without_bins(P, UNIT)
    assert arrows.pvalue == average_without_bins(one, plain).pvalue


def test_the_temperature_looks_at_one_row_of_each() -> None:
    assessed = assess(P, survey(P, UNIT))
    one = one_row_a_unit(P, "patient", UNIT.seed)
    assert assessed.temperature == temperature_set(one, 999, UNIT.alpha, UNIT.seed)


def test_an_impossible_outcome_counts_in_every_row() -> None:
    """Whatever the rows of a patient share, an outcome of probability 0 does not happen."""
    rows = set(rows_looked_at(P, "patient", 0).tolist())
    row = next(i for i in range(P.n) if i not in rows)
    g, y = P.probs.copy(), P.labels.copy()
    g[row], y[row] = [0.0, 1.0], 0
    refuted = Predictions.from_arrays(g, y, P.class_names, P.metadata)
    found = survey(refuted, UNIT)
    assert found.refuted == (1, 1)
    assert found.pvalues == (0.0, 0.0)
    assert found.diagnoses[0].impossible_outcomes == 1


def test_a_unit_that_is_named_is_not_asked_for() -> None:
    """In no note of an answer, and cases are not said to be independent."""
    note = f"320 rows hold 80 different values of 'patient'. {NAME_THE_UNIT}"
    noted = replace(P, notes=(note,))
    assert note in diagnose(noted, replace(UNIT, unit=None)).notes
    answers = (
        diagnose(noted, UNIT),
        survey_groups(noted, ["patient"], UNIT),
        monitor(noted, UNIT),
    )
    for answer in answers:
        assert note.removesuffix(f" {NAME_THE_UNIT}") in answer.notes
        assert "independent" not in " ".join(answer.notes)
    compared = compare({"first": noted, "second": noted}, UNIT)
    assert NAME_THE_UNIT not in " ".join(compared.notes)
    data = dict(methods_parts(assess(noted, survey(noted, UNIT)), "net"))["Data"]
    assert "320 rows of 80 units (patient) with 2 classes, the units independent by assumption." in data
    assert NAME_THE_UNIT not in data


def test_words_say_both() -> None:
    found = diagnose(P, UNIT)
    sentence = units_sentence(found)
    which = "In the check of the class 'c1', not adjusted for other checks"
    assert sentence.startswith(f"{P.n} rows of 80 units (patient). {which}: by one row of each (exact) p = ")
    assert "; by all rows (approximate) p = " in sentence
    assert sentence in diagnosis_text(found)
    assessment = assess(P, survey(P, UNIT))
    assert "rows of 80 units (patient)." in survey_text(assessment)
    few = P.with_rows(np.arange(40))
    withheld = units_sentence(diagnose(few, UNIT))
    assert "40 rows of 10 units (patient)" in withheld
    assert "All rows are not tested: fewer than 20 units." in withheld
    assert units_sentence(diagnose(P, replace(UNIT, unit=None))) == ""


def test_members_of_bins_are_rows_of_the_file() -> None:
    diagram = diagnose(P, UNIT).reliability
    rows = list(member_rows(P, UNIT, members(P, UNIT, range(diagram.n_bins))))
    assert sorted(row["Row"] for row in rows) == (rows_looked_at(P, "patient", 0) + 1).tolist()  # type: ignore[type-var]
    region = RegionLens(TopKLens(1), "c0", 0.5, 1.0)
    inside = diagnose(P, replace(UNIT, lens=region))
    assert inside.units is not None
    assert inside.units.rows == int((P.probs[:, 0] >= 0.5).sum())
    pooled = diagnose(P, replace(UNIT, lens=PooledLens(), tests=("exact",)))
    assert pooled.units is not None
    assert pooled.units.withheld == "pairs of one case"


def test_units_of_one_row_are_rows() -> None:
    alone = replace(P, metadata={"patient": np.arange(P.n)})
    a, b = diagnose(alone, UNIT), diagnose(alone, replace(UNIT, unit=None))
    assert (a.typical_gap, a.frequencies) == (b.typical_gap, b.frequencies)
    assert a.calibration_error == b.calibration_error


def test_a_stream_refuses_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = pd.DataFrame(P.probs, columns=P.class_names).assign(patient=P.metadata["patient"])
    table["label"] = [P.class_names[k] for k in P.labels]
    table.to_parquet(tmp_path / "p.parquet")
    table.to_csv(tmp_path / "p.csv", index=False)
    code, out, err = run(capsys, "stream", tmp_path / "p.parquet", "--unit", "patient")
    assert (code, out) == (2, "")
    assert "A stream cannot take one row of each unit" in err
    code, out, _ = run(capsys, "survey", tmp_path / "p.csv", "--unit", "patient", "--json")
    document = json.loads(out)
    assert document["lenses"][0]["diagnosis"]["spec"]["unit"] == "patient"
    assert document["lenses"][0]["diagnosis"]["units"]["units"] == 80
    path = tmp_path / "report.json"
    words = ("--unit", "patient", "--out", path, "--date", "2026-11-23")
    assert run(capsys, "report", tmp_path / "p.csv", *words)[0] == 0
    report = json.loads(path.read_text())
    assert "--unit patient" in report["report"]["repeat"]["command"]
    assert any("80 units (patient)" in caution for caution in report["report"]["cautions"])


def test_old_settings_are_as_before() -> None:
    assert "unit" not in DiagnosisSpec().to_document()
    assert DiagnosisSpec.from_json(DiagnosisSpec().to_json()) == DiagnosisSpec()
    assert DiagnosisSpec.from_json(UNIT.to_json()) == UNIT
    assert DiagnosisSpec.from_document({"unit": None}) == DiagnosisSpec()


def rejections(runs: int, how: str, all_rows: bool = True) -> float:
    rejected = 0
    for k in range(runs):
        rng = np.random.default_rng([k, 5])
        many, each, share, skewed = {
            "20 × 5": (20, 5, 0.3, False),
            "50 × 5": (50, 5, 0.3, False),
            "50 × 5, .8": (50, 5, 0.8, False),
            "skewed": (40, 5, 0.5, True),
        }[how]
        p = patients(many, each, share, rng, skewed=skewed)
        if all_rows:
            rejected += sign_flips(p, units_of(p, "patient")[0], ExponentialKernel(), 199, rng)[1] <= 0.05
        else:
            one = one_row_a_unit(p, "patient", k)
            spec = DiagnosisSpec(tests=("exact-omnibus",), estimates=(), resamples=199, seed=k)
            test = diagnose(one, spec).test("exact-omnibus")
            assert test is not None
            assert test.result is not None
            rejected += test.result.pvalue <= 0.05
    return rejected / runs


def test_sign_flips_keep_near_the_level_and_rows_alone_do_not() -> None:
    """Published for 50 × 5: .057. A test of the rows themselves rejects .10 to .46."""
    assert rejections(100, "50 × 5") <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100) + 0.02


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "published"), [("20 × 5", 0.071), ("50 × 5", 0.057), ("50 × 5, .8", 0.058), ("skewed", 0.075)]
)
def test_the_level_of_sign_flips(how: str, published: float) -> None:
    """Also where too few events are expected for a p that is told."""
    assert rejections(600, how) == pytest.approx(published, abs=0.03)


@pytest.mark.slow
def test_one_row_of_each_keeps_its_level() -> None:
    assert rejections(600, "50 × 5, .8", all_rows=False) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)


@pytest.mark.parametrize("runs", [60, pytest.param(400, marks=pytest.mark.slow)])
def test_intervals_over_units_cover(runs: int) -> None:
    """The net gap is 0: its interval over 40 units of 5 rows holds it 95 times in 100, over rows far less."""
    covered = np.zeros(2)
    for k in range(runs):
        p = patients(40, 5, 0.8, np.random.default_rng([k, 9]))
        unit = units_of(p, "patient")[0]
        for j, of in enumerate((unit, None)):
            _, (first,) = gaps_of(p, of)
            covered[j] += first.gap.low <= 0 <= first.gap.high
    assert covered[0] / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)
    assert covered[1] < covered[0]


def rare_patients(many: int, least: int, most: int, share: float, prevalence: float, rng: Rng) -> Predictions:
    """Calibrated rows of units of unequal sizes; predictions and outcomes of one are alike."""
    sizes = np.exp(rng.uniform(math.log(least), math.log(most), many)).astype(int)
    unit = np.repeat(np.arange(many), sizes)

    def shared(part: float) -> Float:
        of_unit, own = rng.normal(size=many)[unit], rng.normal(size=len(unit))
        return math.sqrt(part) * of_unit + math.sqrt(1 - part) * own

    logit = 0.5 * shared(0.5) + float(ndtri(prevalence)) * math.sqrt(1.25)
    p, happened = ndtr(logit), shared(share) < logit
    return Predictions.from_arrays(
        np.column_stack([p, 1 - p]), (~happened).astype(np.int64), ["e", "no"], {"patient": unit}
    )


def test_the_net_gap_leaves_one_unit_out_after_the_other() -> None:
    """The variance, its degrees of freedom and the claimed variance's multiple, by their definitions."""
    rng = np.random.default_rng(5)
    unit = np.repeat(np.arange(25), rng.integers(1, 30, 25))
    p = rng.random(len(unit))
    y = (rng.random(len(unit)) > p).astype(np.int64)
    off = p - (y == 0)
    left_out = [float(off[unit != c].mean()) for c in range(25)]
    jackknife = 24 / 25 * sum((one - sum(left_out) / 25) ** 2 for one in left_out)
    sizes = [int((unit == c).sum()) for c in range(25)]
    degrees = sum(sizes) ** 2 / sum(s * s for s in sizes) - 1
    assert degrees < 24
    quantile = float(stats.t.ppf(0.975, degrees))
    variance = quantile**2 * jackknife
    times = max(1.0, variance / stats.norm.ppf(0.975) ** 2 / (off.var(ddof=1) / len(off)))
    (found,) = frequencies(Predictions.from_arrays(np.column_stack([p, 1 - p]), y), unit)
    for shift in np.linspace(-0.6, 0.6, 241):
        q = np.clip(p - shift, 0, 1)
        claimed = stats.norm.ppf(0.975) ** 2 * times * float((q * (1 - q)).sum()) / len(p) ** 2
        gap = float((p - q).mean())
        inside = abs(gap - found.gap.value) <= math.sqrt(max(variance, claimed))
        if min(abs(gap - found.gap.low), abs(gap - found.gap.high)) > 1e-6:
            assert inside == (found.gap.low <= gap <= found.gap.high)


def test_sign_flips_are_withheld_where_an_outcome_is_too_rare() -> None:
    """By predictions alone: 60 units of 10 rows with 10 % are 60 events, of which a unit's go together."""
    unit = np.repeat(np.arange(60), 10)
    for p, expected in ((0.1, 6.0), (0.2, 12.0), (0.8, 12.0)):
        of = Predictions.from_arrays(np.tile([p, 1 - p], (600, 1)), np.zeros(600, int))
        assert independent_events(of, unit) == pytest.approx(expected)
        found = across_units(of, unit, ExponentialKernel(), 9, np.random.default_rng(0))
        assert (found.pvalue is None, found.withheld) == (expected < 10, RARE if expected < 10 else "")
    three = Predictions.from_arrays(np.tile([0.98, 0.01, 0.01], (600, 1)), np.zeros(600, int))
    assert independent_events(three, unit) == pytest.approx(1.2)
    sizes = np.array([1, 2, 3, 10])
    some = Predictions.from_arrays(np.tile([0.25, 0.75], (16, 1)), np.zeros(16, int))
    literal = 4.0 / (sum(s * s for s in sizes) / 16)
    assert independent_events(some, np.repeat(np.arange(4), sizes)) == pytest.approx(literal)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("many", "least", "most", "share", "prevalence"),
    [
        (250, 5, 60, 0.5, 0.1),
        (200, 5, 60, 0.8, 0.1),
        (300, 3, 3, 0.5, 0.05),
        (120, 5, 5, 0.5, 0.1),
    ],
)
def test_the_level_of_sign_flips_where_an_outcome_is_rare(
    many: int, least: int, most: int, share: float, prevalence: float
) -> None:
    """Where they are not withheld they reject at most .07; withheld ones up to .31."""
    pvalues = []
    for k in range(150):
        rng = np.random.default_rng([k, many, most])
        p = rare_patients(many, least, most, share, prevalence, rng)
        unit = np.asarray(p.metadata["patient"])
        pvalues.append(across_units(p, unit, ExponentialKernel(), 99, rng).pvalue)
    told = [p for p in pvalues if p is not None]
    assert np.mean([p <= 0.05 for p in told]) <= 0.07 + 3 * math.sqrt(0.07 * 0.93 / len(told))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("many", "least", "most", "share", "prevalence"),
    [
        (20, 5, 200, 0.5, 0.3),
        (30, 5, 60, 0.8, 0.3),
        (60, 2, 400, 0.5, 0.3),
        (30, 10, 10, 0.5, 0.3),
        (30, 10, 10, 0.5, 0.05),
        (60, 5, 60, 0.5, 0.05),
        (100, 5, 60, 0.5, 0.02),
    ],
)
def test_the_net_gap_of_unequal_units_and_rare_events_covers(
    many: int, least: int, most: int, share: float, prevalence: float
) -> None:
    covered, runs = 0, 400
    for k in range(runs):
        p = rare_patients(many, least, most, share, prevalence, np.random.default_rng([k, many, most]))
        (found,) = frequencies(p, np.asarray(p.metadata["patient"]))
        covered += found.gap.low <= 0 <= found.gap.high
    assert covered / runs >= 0.92 - 2 * math.sqrt(0.92 * 0.08 / runs)


@pytest.mark.slow
def test_a_text_that_stands_in_every_row_is_held_once() -> None:
    """A million characters in each of 200 rows would take 800 MB, each on its own."""
    long = "x" * 1_000_000
    column = np.full(200, long, object)
    codes, values = codes_of(column, names=False)
    assert (codes.max(), values) == (0, [long])
    with pytest.raises(InputError, match=r"a text of 1,000,000 characters; expected a name of 10,000"):
        codes_of(column)
    p = Predictions.from_arrays(np.full((200, 2), 0.5), np.arange(200) % 2, metadata={"note": column})
    with pytest.raises(InputError, match="1,000,000 characters"):
        units_of(p, "note")
    with pytest.raises(InputError, match="1,000,000 characters"):
        column_of(p, "note")


@pytest.mark.parametrize(
    ("name", "values", "topics"),
    [
        ("subject", ["anatomy", "law", "high_school_physics"] * 20, True),
        ("Animal", ["cat", "dog"] * 30, True),
        ("subject", [f"S{i % 6}" for i in range(60)], False),  # numbered
        ("subject", ["AB", "CD", "EF"] * 20, False),  # initials
        ("subject", [f"word{'x' * (i % 20)}" for i in range(60)], False),  # three rows each
        ("subject", [1, 2, 3] * 20, False),
        ("patient", ["Smith", "Jones"] * 30, False),
        ("subject_id", ["anatomy", "law"] * 30, False),
    ],
)
def test_topics_are_told_from_people(name: str, values: list[object], topics: bool) -> None:
    assert are_topics(name, np.array(values)) is topics
