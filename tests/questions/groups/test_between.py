"""Whether groups differ from each other: Q by its definition, its level, its words."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from calibcore import GroupSurvey, Predictions
from calibcore.numerics.types import Int
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.between import Between, between
from tests.questions.groups.test_groups import FAST, hospital
from tests.quick import survey_groups


def two_classes(n: int, seed: int, off: np.ndarray) -> Predictions:
    """The event happens less often than was said, by ``off`` (n,)."""
    rng = np.random.default_rng(seed)
    g = rng.uniform(0.3, 0.7, n)
    return Predictions.from_arrays(
        np.column_stack([g, 1 - g]), (rng.random(n) >= g - off).astype(int), ["ill", "well"]
    )


def thirds(n: int) -> list[Int]:
    return [np.arange(n)[k::3] for k in range(3)]


def slow_q(p: Predictions, rows: list[Int]) -> float:
    """By its definition, case by case."""
    means, weights = [], []
    off = sum(float(p.labels[i] == 0) - p.probs[i, 0] for i in range(p.n)) / p.n
    for of_group in rows:
        g = [float(p.probs[i, 0]) for i in of_group]
        r = [float(p.labels[i] == 0) - p.probs[i, 0] for i in of_group]
        n = len(r)
        mean = sum(r) / n
        of_sample = sum((x - mean) ** 2 for x in r) / (n - 1)
        own = sum((x + off) * (1 - x - off) for x in g) / n
        means.append(mean)
        weights.append(1 / max(max(of_sample, own) / n, 0.25 / n**2))
    middle = sum(w * d for w, d in zip(weights, means, strict=True)) / sum(weights)
    return float(sum(w * (d - middle) ** 2 for w, d in zip(weights, means, strict=True)))


def test_q_is_its_definition() -> None:
    p, rows = two_classes(90, 1, np.repeat([0.0, 0.2], 45)), thirds(90)
    q, pvalue = between(p, rows)
    assert q == pytest.approx(slow_q(p, rows), rel=1e-12)
    assert pvalue == pytest.approx(chi2.sf(q, 2), rel=1e-12)
    sure = Predictions.from_arrays(np.eye(2)[[0, 1] * 30], [0, 1] * 30, ["a", "b"])
    assert between(sure, thirds(60)) == (0.0, 1.0)  # nothing varies, and nothing is divided by 0


@pytest.mark.slow
@pytest.mark.parametrize("off", [0.0, 0.25])
def test_groups_that_are_off_alike_are_rarely_said_to_differ(off: float) -> None:
    """At 5 %, of 600 made files of three groups of 40 cases: .05, give or take .018."""
    every = [between(two_classes(120, seed, np.full(120, off)), thirds(120))[1] for seed in range(600)]
    assert 0.02 < float(np.mean(np.array(every) <= 0.05)) < 0.07
    apart = np.where(np.arange(120) % 3 == 0, off + 0.3, off)
    seen = [between(two_classes(120, seed, apart), thirds(120))[1] for seed in range(50)]
    assert float(np.mean(np.array(seen) <= 0.05)) > 0.5


def test_it_is_asked_of_every_column_and_told_of_those_that_may_be() -> None:
    p = hospital(900, off=0.5)
    found = survey_groups(p, ["site", "sex"], FAST)
    assert found.between is not None
    by = {between.column: between for between in found.between}
    rows = [np.flatnonzero(p.metadata["site"] == site) for site in "ABC"]
    q, pvalue = between(FAST.lens(p), rows)
    assert by["site"] == Between("site", 3, q, pvalue, min(1.0, 2 * pvalue))
    said = grouping.between_sentence(found)
    assert said.startswith("On balance groups differ from each other by site (adjusted p ")
    assert "; no sign of it by sex (adjusted p = " in said
    assert grouping.headline(found).startswith("Worst in site B: it says ")
    assert GroupSurvey.from_json(found.to_json()).between == found.between
    hidden = replace(found, kept_back={"site": "why"}).without_cases()
    assert [between.column for between in hidden.between or ()] == ["sex"]
    earlier = found.to_document()
    del earlier["between"]
    read = GroupSurvey.from_document(earlier)
    assert read.between is None
    assert not grouping.between_sentence(read)
    assert said.endswith(". These p are approximate, for large samples.")
    alone = grouping.between_sentence(replace(found, between=(by["site"],)))
    assert alone.endswith("). This p is approximate, for large samples.")
    many = tuple(replace(by["site"], column=f"c{i}") for i in range(8))
    assert "and 3 more columns." in grouping.between_sentence(replace(found, between=many))
