"""All labels together: pairs of a case and a label, by plain loops; intervals over cases, and no test."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import (
    ECE,
    Diagnosis,
    DiagnosisSpec,
    LabelLens,
    LabelsLens,
    MultiLabelPredictions,
    Predictions,
    RegionLens,
    decide,
    diagnose,
    judge,
    monitor,
    recalibrate,
    survey,
    survey_groups,
)
from calibcore.data.label_pairs import PAIRS_REFUSED, PAIRS_UNTESTED
from calibcore.diagnose import reliability_for, typical_gap_for
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.diagram.gap_sizes import frequencies
from calibcore.diagram.typical_gap import gaps_of
from calibcore.errors import InputError
from calibcore.estimators.intervals import bootstrap_interval
from calibcore.estimators.scores import with_standard_errors

NAMES = ("effusion", "mass", "hernia")
SPEC = DiagnosisSpec(lens=LabelsLens(), resamples=99)


def findings(
    n: int = 60, seed: int = 0, alike: float = 0.9, names: tuple[str, ...] = NAMES
) -> MultiLabelPredictions:
    """Calibrated label by label; what decides the labels of a case beyond that is ``alike`` correlated."""
    rng = np.random.default_rng([39, seed])
    probs = rng.integers(1, 16, (n, len(names))) / 16
    # uniform numbers that hardly differ within a case
    own, shared = rng.random(probs.shape), rng.random((n, 1))
    u = np.where(rng.random(probs.shape) < alike, shared, own)
    true = np.where(rng.random(probs.shape) < 0.1, np.nan, u < probs)
    columns = {"site": np.where(np.arange(n) % 2, "East", "West"), "patient": np.arange(n) // 2}
    return MultiLabelPredictions.from_arrays(probs, true, names, columns)


def by_loops(p: MultiLabelPredictions) -> list[tuple[int, float, bool]]:
    """The case, the probability and the outcome of each pair, one by one."""
    return [
        (i, float(p.probs[i, j]), bool(p.outcomes[i, j]))
        for i in range(p.n)
        for j in range(p.k)
        if p.outcomes[i, j] >= 0
    ]


def test_pairs_are_those_whose_outcome_is_known_case_by_case() -> None:
    p = findings()
    pairs, expected = LabelsLens()(p.pairs()), by_loops(p)
    assert pairs.case_of is not None
    assert pairs.case_of.tolist() == [i for i, _, _ in expected]
    assert pairs.probs[:, 0].tolist() == [g for _, g, _ in expected]
    assert (pairs.labels == 0).tolist() == [true for _, _, true in expected]
    assert_allclose(pairs.probs.sum(axis=1), 1, rtol=0, atol=1e-15)
    assert pairs.metadata["site"].tolist() == [str(p.metadata["site"][i]) for i, _, _ in expected]
    some = pairs[pairs.probs[:, 0] > 0.5]
    assert some.case_of is not None
    assert some.case_of.tolist() == [i for i, g, _ in expected if g > 0.5]
    assert pairs.fingerprint != Predictions.from_arrays(pairs.probs, pairs.labels).fingerprint


def test_the_diagram_is_that_of_plain_loops() -> None:
    p = findings()
    diagram = diagnose(p, SPEC).reliability
    for b in range(diagram.n_bins):
        inside = [(g, t) for _, g, t in by_loops(p) if diagram.lowest[b] <= g <= diagram.highest[b]]
        assert diagram.counts[b] == len(inside)
        assert_allclose(diagram.mean_prediction[b, 0], sum(g for g, _ in inside) / len(inside))
        assert_allclose(diagram.observed[b, 0], sum(t for _, t in inside) / len(inside))
    assert (diagram.bars, diagram.has_bars) == ("labels", False)
    assert np.isnan(diagram.low).all()
    assert not diagram.outside.any()
    assert_array_equal(reliability_for(p.pairs(), SPEC).counts, diagram.counts)


def test_standard_errors_of_scores_add_up_each_case_before_they_square() -> None:
    p = findings()
    means, errors = with_standard_errors(p.pairs())
    rows = by_loops(p)
    brier = [2 * (g - t) ** 2 for _, g, t in rows]
    assert_allclose(means["brier"], sum(brier) / len(rows))
    sums = dict.fromkeys((i for i, _, _ in rows), 0.0)
    for (i, _, _), value in zip(rows, brier, strict=True):
        sums[i] += value - means["brier"]
    k = len(sums)
    expected = (k / (k - 1) * sum(total**2 for total in sums.values())) ** 0.5 / len(rows)
    assert_allclose(errors["brier"], expected)


def test_the_gap_has_the_jackknife_over_cases_by_plain_loops() -> None:
    """With as many cases, whose sums differ, 1.96 standard errors of leaving one case out after the other."""
    p = findings(400, alike=1.0)
    rows, found = by_loops(p), diagnose(p, SPEC)
    (net,) = found.frequencies
    off = [g - t for _, g, t in rows]
    assert_allclose(net.gap.value, sum(off) / len(off))
    without = []
    for case in sorted({i for i, _, _ in rows}):
        left = [value for (i, _, _), value in zip(rows, off, strict=True) if i != case]
        without.append(sum(left) / len(left))
    k, mean = len(without), sum(without) / len(without)
    half = 1.96 * ((k - 1) / k * sum((value - mean) ** 2 for value in without)) ** 0.5
    assert_allclose([net.gap.high - net.gap.value, net.gap.value - net.gap.low], half, rtol=0.06)
    unit = np.array([sorted({i for i, _, _ in rows}).index(i) for i, _, _ in rows])
    assert found.typical_gap == gaps_of(p.pairs(), unit)[0] == typical_gap_for(p.pairs(), SPEC)


def test_intervals_over_cases_hold_where_those_over_pairs_do_not() -> None:
    """Of 200 calibrated files 95 % of the first hold no gap, up to chance; of the second far fewer."""
    over_cases = over_pairs = 0
    for seed in range(200):
        pairs = findings(150, seed, 1.0, tuple("abcdefghij")).pairs()
        case = np.unique(pairs.case_of, return_inverse=True)[1]
        (held,), (pooled,) = frequencies(pairs, case), frequencies(pairs)
        over_cases += held.gap.low <= 0 <= held.gap.high
        over_pairs += pooled.gap.low <= 0 <= pooled.gap.high
    assert over_cases >= 180  # binomial, 95 %: less once in 1,000
    assert over_pairs < 140


@pytest.mark.parametrize("binning", [UniformBinning(5), EqualMassBinning(4)], ids=["fixed", "adaptive"])
def test_the_bootstrap_draws_cases_with_all_their_pairs(binning: UniformBinning | EqualMassBinning) -> None:
    p, ece = findings(30), ECE(binning)
    pairs = p.pairs()
    found = bootstrap_interval(ece, pairs, 40, np.random.default_rng(3))
    assert pairs.case_of is not None
    cases, rng, drawn = sorted(set(pairs.case_of.tolist())), np.random.default_rng(3), []
    rows_of = {case: np.flatnonzero(pairs.case_of == case).tolist() for case in cases}
    for _ in range(40):
        chosen = rng.integers(len(cases), size=len(cases))
        rows = [row for place in chosen.tolist() for row in rows_of[cases[place]]]
        alone = Predictions.from_arrays(pairs.probs[rows], pairs.labels[rows])
        if isinstance(binning, UniformBinning):
            groups = np.minimum((alone.probs[:, 0] * 5).astype(int), 4)
            parts = [groups == b for b in range(5)]
            gaps = [abs((alone.probs[:, 0] - (alone.labels == 0))[part].sum()) for part in parts]
            drawn.append(sum(gaps) / len(rows))
        else:
            drawn.append(ece(alone))
    assert_allclose([found.low, found.high], np.quantile(drawn, [0.025, 0.975]))
    assert diagnose(p, DiagnosisSpec(lens=LabelsLens(), bootstrap=9)).ece_interval is not None


def test_nothing_is_tested_and_it_is_said_why() -> None:
    p = findings()
    pairs, found = p.pairs(), diagnose(p, SPEC)
    assert found.tests
    assert {test.note for test in found.tests} == {f"withheld: {PAIRS_UNTESTED}"}
    assert all(test.result is None for test in found.tests)
    assert (found.bin_pvalues, found.units, found.recalibration, found.skce) == (None, None, {}, {})
    assert (found.n, found.m, found.kind, found.fingerprint) == (60, 3, "labels", p.fingerprint)
    assert found.lens_n == pairs.n
    again = Diagnosis.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    asked = (
        lambda: survey(pairs),
        lambda: judge(pairs, survey(p, SPEC.__class__(resamples=99))),
        lambda: decide(pairs, SPEC),
        lambda: recalibrate(pairs, None, SPEC),
        lambda: survey_groups(pairs, ["site"], SPEC),
        lambda: monitor(pairs, SPEC),
    )
    for ask in asked:
        with pytest.raises(InputError) as refused:
            ask()
        assert str(refused.value) == PAIRS_REFUSED
    with pytest.raises(InputError, match=r"No lens can be tested\. labels: These are pairs"):
        survey(p, lenses=[LabelsLens()])
    beside = survey(p, DiagnosisSpec(resamples=99), lenses=[LabelsLens(), LabelLens("mass")])
    assert beside.refused == (("labels", PAIRS_REFUSED),)


def test_one_label_and_classes_are_no_pairs() -> None:
    p = findings()
    for other in (p.label("mass"), Predictions.from_arrays([[0.9, 0.1], [0.2, 0.8]], [0, 1])):
        assert not LabelsLens().fits(other)
        with pytest.raises(InputError, match="these are predictions of one label, or over classes"):
            LabelsLens()(other)
    assert LabelsLens.plainest(p.pairs()) == LabelsLens()
    with pytest.raises(InputError, match="by the lens 'labels' at all pairs, of which nothing is tested"):
        diagnose(p)


def test_units_belong_together_as_cases_do() -> None:
    """Two cases a patient: the interval is over patients, and no row is left out."""
    p = findings(100)
    spec = DiagnosisSpec(lens=LabelsLens(), resamples=99, unit="patient")
    found, pairs = diagnose(p, spec), p.pairs()
    assert found.lens_n == pairs.n
    patient = np.unique(pairs.metadata["patient"], return_inverse=True)[1]
    assert found.typical_gap == gaps_of(pairs, patient)[0]
    assert found.typical_gap != gaps_of(pairs, np.unique(pairs.case_of, return_inverse=True)[1])[0]


def test_a_region_of_pairs_keeps_whose_they_are() -> None:
    p = findings(100)
    lens = RegionLens(LabelsLens(), "true", 0.5, 1.0)
    found, pairs = diagnose(p, DiagnosisSpec(lens=lens, resamples=99)), p.pairs()
    inside = pairs.probs[:, 0] >= 0.5
    assert found.lens_n == inside.sum()
    unit = np.unique(np.asarray(pairs.case_of)[inside], return_inverse=True)[1]
    assert found.typical_gap == gaps_of(pairs[inside], unit)[0]


def test_few_cases_and_weights_have_no_interval() -> None:
    few = findings(15)
    assert diagnose(few, SPEC).typical_gap is None
    with pytest.raises(InputError, match="fewer than 20 cases"):
        typical_gap_for(few.pairs(), SPEC)
    p = findings(40)
    weights = np.arange(1.0, 41.0)
    weighted = MultiLabelPredictions.from_arrays(
        p.probs, np.where(p.outcomes < 0, np.nan, p.outcomes), NAMES, weights=weights
    )
    pairs, rows = weighted.pairs(), by_loops(p)
    assert pairs.weights is not None
    assert_allclose(pairs.weights / pairs.weights[0], [weights[i] / weights[rows[0][0]] for i, _, _ in rows])
    assert diagnose(weighted, SPEC).typical_gap is None
    assert diagnose(weighted, SPEC).reliability.bars == "none"


def test_too_many_pairs_and_too_few_cases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibcore.data.several_labels.MOST_PAIRS", 100)
    with pytest.raises(InputError, match=r"60 cases with 3 labels make 1\d\d pairs; expected 100 at most"):
        findings().pairs()
    one = MultiLabelPredictions.from_arrays([[0.5, 0.5], [0.5, 0.5]], [[1, 0], [None, None]], ["a", "b"])
    with pytest.raises(InputError, match="1 case has a known outcome; expected at least 2"):
        one.pairs()
