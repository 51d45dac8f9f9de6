"""Net benefit at another prevalence: published numbers, a plain loop over weighted cases, its interval."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibcore import ClassLens, Decisions, DiagnosisSpec, InputError, Predictions, TopKLens, decide
from calibcore.numerics.types import Float, Int
from calibcore.questions.decide import words as deciding
from calibcore.questions.decide.prevalence import AtPrevalence
from tests.cli.commands import run

ILL = DiagnosisSpec(lens=ClassLens("ill"), resamples=99)


def two(chances: Float, hits: Int) -> Predictions:
    return Predictions.from_arrays(np.column_stack([chances, 1 - chances]), 1 - hits, ["ill", "well"])


def test_it_is_what_dcurves_publishes_of_a_family_history() -> None:
    # 750 cases, 105 with cancer; 24 of these and 91 of the others have a family history of it
    chances = np.repeat([0.9, 0.001, 0.9, 0.001], [24, 81, 91, 554])
    hits = np.repeat([1, 1, 0, 0], [24, 81, 91, 554])
    decisions = decide(two(chances, hits), ILL, [0.05, 0.1, 0.2], prevalence=0.14)
    delivered = [0.025614035087719297, 0.018518518518518517, 0.0016666666666666635]
    everyone = [0.09473684210526317, 0.04444444444444445, -0.07499999999999998]
    for point, benefit, treat_all in zip(decisions.at_prevalence, delivered, everyone, strict=True):
        assert point.net_benefit == pytest.approx(benefit, abs=1e-15)
        assert point.treat_all == pytest.approx(treat_all, abs=1e-15)


@pytest.mark.parametrize("prevalence", [0.002, 0.02, 0.5, 0.97])
def test_it_is_the_mean_over_cases_with_the_weight_of_their_class(prevalence: float) -> None:
    rng = np.random.default_rng(1)
    chances = np.round(rng.beta(1, 2, 300), 2)
    hits = (rng.random(300) < chances).astype(int)
    decisions = decide(two(chances, hits), ILL, [0.02, 0.3, 0.9], prevalence=prevalence)
    mixed = hits.mean()
    for point in decisions.at_prevalence:
        total = everyone = 0.0
        for p, y in zip(chances.tolist(), hits.tolist(), strict=True):
            weight = prevalence / mixed if y else (1 - prevalence) / (1 - mixed)
            worth = 1.0 if y else -point.threshold / (1 - point.threshold)
            everyone += weight * worth / 300
            if p >= point.threshold:
                total += weight * worth / 300
        assert (point.net_benefit, point.treat_all) == (pytest.approx(total), pytest.approx(everyone))
        assert point.interval.low <= point.net_benefit <= point.interval.high
        assert point.minus_treat_all_ends[0] + point.treat_all == pytest.approx(point.interval.low)
    plain = decide(two(chances, hits), ILL, [0.02, 0.3, 0.9], prevalence=float(mixed))
    for point, weighted in zip(plain.thresholds, plain.at_prevalence, strict=True):
        assert weighted.net_benefit == pytest.approx(
            point.net_benefit
        )  # at its own prevalence it is the same


def test_where_it_cannot_be_said_a_sentence_says_why() -> None:
    p = two(np.linspace(0.1, 0.9, 40), np.arange(40) % 2)
    with pytest.raises(InputError, match="Look through a class: --lens class:ill"):
        decide(p, DiagnosisSpec(lens=TopKLens(1), resamples=99), prevalence=0.02)
    with pytest.raises(InputError, match=r"The event happened in 40 of 40 cases\. Another prevalence needs"):
        decide(two(np.full(40, 0.5), np.ones(40, int)), ILL, prevalence=0.02)
    for value in (0.0, 1.0, float("nan")):
        with pytest.raises(InputError, match=r"The prevalence is .*; expected a number above 0 and below 1"):
            decide(p, ILL, prevalence=value)
    few = two(np.linspace(0.1, 0.9, 30), np.arange(30) < 15)
    of_few = decide(few, ILL, [0.2], prevalence=0.02)
    assert of_few.at_prevalence[0].interval is None
    assert "too few patients of one kind for an interval" in " ".join(
        deciding.prevalence_sentences(of_few, 0.2, "patient")
    )


def test_the_command_says_it_and_the_document_is_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    chances = np.round(rng.beta(1, 2, 200), 3)
    rows = [
        f"{p},{1 - p},{'ill' if u < p else 'well'}" for p, u in zip(chances, rng.random(200), strict=True)
    ]
    (path := tmp_path / "two.csv").write_text("\n".join(["ill,well,truth", *rows]))
    options = ("--lens", "class:ill", "--thresholds", "0.05,0.2", "--prevalence", "0.02", "--resamples", "99")
    code, out, _ = run(capsys, "decide", path, *options)
    assert code == 0
    assert "are 'ill', acting from 20 % on is worth" in out.replace("\N{NO-BREAK SPACE}", " ")
    code, out, _ = run(capsys, "decide", path, *options, "--json")
    document = json.loads(out)
    assert code == 0
    assert [entry["prevalence"] for entry in document["at_prevalence"]] == [0.02, 0.02]
    decisions = Decisions.from_json(out)
    assert decisions.at_prevalence[0].net_benefit == document["at_prevalence"][0]["net_benefit"]
    document["at_prevalence"][0]["hits"] = document["at_prevalence"][0]["with_event"] + 1
    with pytest.raises(InputError, match="More are treated than there are"):
        Decisions.from_document(document)


@pytest.mark.slow
def test_its_interval_covers() -> None:
    rng, lowest, every = np.random.default_rng(3), 1.0, list[float]()
    for with_event, without in ((20, 20), (50, 500), (500, 50), (300, 300)):
        for hit, alarm in ((0.05, 0.001), (0.3, 0.01), (0.7, 0.1), (0.95, 0.3), (0.999, 0.02)):
            for prevalence in (0.005, 0.1, 0.5):
                for t in (0.01, 0.2, 0.5):
                    true = AtPrevalence(t, prevalence, 0, 1, 0, 1)
                    gain, loss = true._weights
                    benefit, covered = gain * hit - loss * alarm, 0
                    hits, alarms = rng.binomial(with_event, hit, 400), rng.binomial(without, alarm, 400)
                    for x, y in zip(hits.tolist(), alarms.tolist(), strict=True):
                        interval = AtPrevalence(t, prevalence, x, with_event, y, without).interval
                        covered += interval.low - 1e-12 <= benefit <= interval.high + 1e-12
                    every.append(covered / 400)
                    lowest = min(lowest, covered / 400)
    assert lowest > 0.86
    assert np.median(every) > 0.94
