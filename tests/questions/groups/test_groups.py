"""groups: exact tests by group, their global p, the search, and what is withheld."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from calibcore import (
    ClassLens,
    DiagnosisSpec,
    ExponentialKernel,
    GroupSurvey,
    InputError,
    Predictions,
    TopKLens,
    diagnose,
    survey_groups,
)
from calibcore.data.times import DatesFitTwiceError
from calibcore.diagram.gap_sizes import Interval
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import TestResult, monte_carlo_pvalue
from calibcore.numerics.types import Float, Int
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.ask import too_few
from calibcore.questions.groups.columns import MOST_GROUPS, Column, column_of
from calibcore.questions.groups.redrawn import rarest
from calibcore.questions.groups.says import groups_table, table_handed_on
from calibcore.questions.groups.search import search
from calibcore.questions.groups.words import BESIDE, against, beside_sentence
from calibcore.terminal import answer_text
from calibcore.transforms.lenses import CanonicalLens, PooledLens
from tests.asked import EVIL, SMALL, cases, small
from tests.oracles.next import reference
from tests.quick import FEW as QUICK

FAST = DiagnosisSpec(resamples=199, seed=1)


@small(GroupSurvey)
def by_two_columns() -> GroupSurvey:
    return survey_groups(cases(), [EVIL, "day"], SMALL, worst=True)


def hospital(n: int = 900, m: int = 2, seed: int = 0, off: float = 0.0) -> Predictions:
    """Three sites, one of a fifth of the cases off by a shift; ages, months, sexes."""
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.full(m, 1.5), n)
    site = rng.choice(["A", "B", "C"], n, p=[0.5, 0.2, 0.3])
    truth = g.copy()
    at = site == "B"
    truth[at, 0] += off * (1 - truth[at, 0])
    truth[at, 1:] *= 1 - off
    labels = (rng.random((n, 1)) >= truth.cumsum(axis=1)[:, :-1]).sum(axis=1)
    columns = {
        "site": site.astype(object),
        "age": rng.integers(20, 90, n).astype(np.float64),
        "sex": rng.integers(2, size=n),
        "date": np.array([f"2026-{1 + i * 3 // n:02}-{1 + i % 28:02}" for i in range(n)], object),
        "patient": rng.integers(n // 3, size=n),
        "row": np.arange(n),
    }
    return Predictions.from_arrays(g, labels, [f"c{k}" for k in range(m)], columns)


def test_the_reference() -> None:
    """Each group's SKCE over all 64 label sets, and the largest standardised one."""
    case = reference("D", "two groups, SKCE unbiased in each, largest standardised")
    given, expected = case["input"], case["output"]
    g, y, of = np.array(given["G"]), np.array(given["y"]), np.array(given["group"])
    # All label sets, each as often as it happens; the mean and deviation of the null.
    sets = np.array([[(i >> k) & 1 for k in range(3)] for i in range(8)], np.int8)
    values, chances, observed = [], [], []
    for s in (0, 1):
        p = Predictions.from_arrays(g[of == s], y[of == s], ["a", "b"])
        kernel = ExponentialKernel(given["bandwidth"], "total-variation")
        evaluate = SKCE(kernel).prepared(p)
        values.append(evaluate(sets, None))
        chances.append(np.prod(np.where(sets == 0, p.probs[:, 0], p.probs[:, 1]), axis=1))
        observed.append(float(evaluate(p.labels[None].astype(np.int8), None)[0]))
        out = expected[f"group{s}"]
        mean = float(values[s] @ chances[s])
        sd = math.sqrt(float((values[s] - mean) ** 2 @ chances[s]))
        assert observed[s] == pytest.approx(out["statistic"], abs=1e-12)
        assert sd == pytest.approx(out["null_sd"], abs=1e-12)
        assert float(chances[s][values[s] >= observed[s] - 1e-12].sum()) == pytest.approx(out["p_exact"])
        values[s], observed[s] = (values[s] - mean) / sd, (observed[s] - mean) / sd
    both = np.maximum(values[0][:, None], values[1][None, :])
    largest = max(observed)
    joint = np.outer(*chances)
    out = expected["max_standardised"]
    assert largest == pytest.approx(out["statistic"], abs=1e-12)
    assert float(joint[both >= largest - 1e-12].sum()) == pytest.approx(out["p_exact"])
    assert float((joint * both).sum()) == pytest.approx(out["null_mean"])


def test_monte_carlo_comes_near_the_reference() -> None:
    """Each group against redraws of its own."""
    p = hospital(120, off=0.3, seed=2)
    spec = replace(FAST, resamples=1_999, kernel=ExponentialKernel(0.5))
    found = survey_groups(p, ["site"], spec, statistic="skce-unbiased")
    assert grouping.headline(survey_groups(hospital(120), ["sex"], spec, statistic="skce-unbiased")).endswith(
        "What could have been seen is not known for this statistic."
    )
    for group in found.tested:
        rows = np.flatnonzero(p.metadata["site"] == group.value)
        kernel = SKCE(ExponentialKernel(0.5))
        lens = spec.lens(p.with_rows(rows))
        assert group.pvalue is not None
        evaluate = kernel.prepared(lens)
        rng = np.random.default_rng(5)
        drawn = (rng.random((1_999, lens.n)) >= lens.probs[:, 0]).astype(np.int8)
        own = monte_carlo_pvalue(float(evaluate(lens.labels[None], None)[0]), evaluate(drawn, None))
        assert group.pvalue == pytest.approx(own, abs=0.06)


def of_values(values: Iterable[float]) -> TestResult:
    of = np.array([*values])
    return TestResult(of[0], 1.0, "", "exact", of[1:], len(of) - 1)


def test_the_rarest_is_taken_over_all_label_sets() -> None:
    """Tails include the observed set, so that all are treated alike: by rank, beyond the highest tenth
    exponential with the mean excess there; what is infinite stays so, and what cannot vary is left out."""
    rng = np.random.default_rng(3)
    values = [rng.gamma(0.5, size=200), -rng.gamma(2.0, size=200), np.full(200, 5.0)]
    values[1][7] = np.inf

    def literal(group: Float, value: float) -> float:
        if math.isinf(value):
            return value
        falling = sorted(group[np.isfinite(group)], reverse=True)
        tenth = math.ceil(len(falling) / 10)
        start = falling[tenth]
        if value <= start:
            return -math.log(sum(x >= value for x in falling) / len(falling))
        excess = sum(x - start for x in falling[:tenth]) / tenth
        return math.log(len(falling) / tenth) + (value - start) / excess

    assert rarest([*map(of_values, values)]) == pytest.approx(
        [max(literal(group, group[s]) for group in values[:2]) for s in range(200)]
    )
    assert rarest([of_values([5.0, 5.0])]).tolist() == [-np.inf, -np.inf]
    ties = of_values([1.0, *np.arange(200) % 2])
    assert rarest([ties]) == pytest.approx(np.where(np.arange(-1, 200) % 2, -math.log(101 / 201), 0))


def test_groups_whose_redraws_lie_far_out_do_not_hide_one_that_is_off() -> None:
    """By deviations the first group, beyond all its redraws, lies nearer than most redraws of the others."""
    rng = np.random.default_rng(1)
    off = of_values([8.6, *rng.uniform(0, 4.7, 999)])
    calm = [of_values(rng.pareto(2.5, 1000)) for _ in range(14)]
    calm = [of_values([np.median(test.null_distribution), *test.null_distribution]) for test in calm]
    scores = rarest([off, *calm])
    assert monte_carlo_pvalue(float(scores[0]), scores[1:]) <= 0.005
    z = [
        (values - values.mean()) / values.std()
        for test in (off, *calm)
        for values in [np.append(test.statistic, test.null_distribution)]
    ]
    assert np.mean(np.max(z, axis=0) >= np.max(z, axis=0)[0]) > 0.05


def test_the_headline_does_not_clear_groups_that_all_together_are_off() -> None:
    calm = survey_groups(hospital(400), ["site", "sex"], FAST)
    assert grouping.headline(calm).startswith("No sign of miscalibration in any of 5 groups, but ")
    off = replace(calm, global_pvalue=0.04)
    assert grouping.headline(off) == (
        "No sign of miscalibration in any of 5 groups alone, but chance is a poor explanation of all of them "
        "together."
    )
    assert "range in the first line" not in " ".join(grouping.methods(calm))
    worst = survey_groups(hospital(1_500, off=0.35), ["site", "sex"], FAST)
    assert "range in the first line" in " ".join(grouping.methods(worst))


def test_the_headline_says_which_errors_could_have_gone_unseen() -> None:
    """Not that none could have been seen: an error of 20 points may well have been."""
    calm = survey_groups(hospital(400), ["site"], FAST)
    assert len(calm.tested) == 3

    def says(*sizes: float | None) -> str:
        """With so small an error seen in each group; 0 for a group that is consistent."""
        groups = [
            replace(
                group,
                verdict=replace(
                    group.verdict,
                    answer="consistent" if size == 0 else "cannot-tell",
                    smallest_detectable=size,
                    typical_gap=Interval(0.01, 0.0, 0.09),
                ),
            )
            for group, size in zip(calm.tested, sizes, strict=True)
            if group.verdict is not None
        ]
        return grouping.headline(replace(calm, groups=tuple(groups)))

    none = "No sign of miscalibration in any of 3 groups"
    unseen = "could have gone unseen"
    assert says(0, 0, 0) == f"{none}."
    assert says(0.072, 0.075, 0.074) == f"{none}, but errors of 5 up to 7.5 points {unseen}."
    assert says(0.0501, 0, 0) == f"{none}, but in one of them errors of 5 up to 5.01 points {unseen}."
    assert says(0.075, None, 0) == f"{none}, but in 2 of them errors of 5 points or more {unseen}."
    assert says(0.04, 0.04, 0.03) == f"{none}, but the typical gap may still be 9.0 points."
    assert says(0.04, 0.12, 0.075) == (
        f"{none}, but in 2 of them errors of 5 up to 12 points {unseen} and in one of them the typical gap "
        "may still be 9.0 points."
    )


def test_a_site_that_is_off_is_found() -> None:
    p = hospital(1_500, off=0.35)
    found = survey_groups(p, ["site", "sex"], FAST, worst=True)
    site = found.group("site", "B")
    assert site.verdict is not None
    assert (site.verdict.answer, site.verdict.refuted) == ("miscalibrated", None)
    assert [g.value for g in found.tested if g.adjusted is not None and g.adjusted <= 0.05] == ["B"]
    assert found.global_pvalue is not None
    assert found.global_pvalue <= 0.01
    assert found.columns == {"site": "text", "sex": "numbers"}
    gap = site.verdict.frequencies[0].gap
    rows = np.flatnonzero(p.metadata["site"] == "B")
    assert gap.value == pytest.approx((p.probs[rows, 1] - (p.labels[rows] == 1)).mean())
    assert gap.low > 0
    worst = found.worst
    assert worst is not None
    assert worst.where[0] == ("site", ("B",), True)
    assert worst.pvalue == 0.001
    again = GroupSurvey.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    document = found.to_document()
    keys = {"column", "value", "n", "p_value", "adjusted"}
    assert all(keys <= set(entry) for entry in document["groups"])
    assert document["global_p_value"] == found.global_pvalue
    assert [v.adjusted_in_column <= v.adjusted for v in found.tested]  # type: ignore[operator]


def test_holm_within_and_across() -> None:
    found = survey_groups(hospital(600, off=0.1, seed=4), ["site", "sex", "date"], FAST)
    from calibcore.hypothesis_tests.adjust import holm

    pvalues = [g.pvalue for g in found.tested]
    assert [g.adjusted for g in found.tested] == holm(pvalues).tolist()  # type: ignore[arg-type]
    for name in found.columns:
        mine = [g for g in found.tested if g.column == name]
        assert [g.adjusted_in_column for g in mine] == holm([g.pvalue for g in mine]).tolist()  # type: ignore[misc]
    assert found.spec.resamples >= 2 * len(found.tested) / 0.05 - 1


def test_a_global_p_is_the_same_whatever_stands_beside() -> None:
    """Groups see the same label sets whichever columns are asked for: their p do not change."""
    p = hospital(300, seed=6)
    one, more = survey_groups(p, ["site"], FAST), survey_groups(p, ["site", "sex"], FAST)
    assert [g.pvalue for g in one.groups] == [g.pvalue for g in more.groups][:3]


def test_columns_become_groups() -> None:
    p = hospital(500)
    age = column_of(p, "age")
    assert (age.kind, len(age.values)) == ("quartiles", 4)
    edges = np.quantile(p.metadata["age"], [0.25, 0.5, 0.75], method="inverted_cdf")
    assert age.values[0] == f"up to {edges[0]:.6g}"
    assert age.codes.tolist() == np.searchsorted(edges, p.metadata["age"]).tolist()
    assert column_of(p, "sex").values == ("0", "1")
    assert column_of(p, "date").values == ("2026-01", "2026-02", "2026-03")
    assert (column_of(p, "site").kind, column_of(p, "site").values) == ("text", ("A", "B", "C"))
    gaps = {
        "age": np.where(np.arange(500) < 40, np.nan, p.metadata["age"]),
        "site": np.array(["", *p.metadata["site"][1:]], object),
        "same": np.ones(500),
        "twice": np.array(["03/04/2026", "05/06/2026"] * 250, object),
        "mixed": np.array(["12", "x"] * 250, object),
    }
    holes = replace(p, metadata=gaps)
    assert column_of(holes, "age").values[-1] == "missing"
    assert (column_of(holes, "age").codes == 4).sum() == 40
    assert column_of(holes, "site").values == ("A", "B", "C", "missing")
    assert column_of(holes, "same").values == ("1",)
    assert column_of(holes, "mixed").kind == "text"
    assert column_of(holes, "twice", "day-first").values == ("2026-04", "2026-06")
    with pytest.raises(DatesFitTwiceError):
        column_of(holes, "twice")
    names = replace(p, metadata={"name": np.array([f"n{i}" for i in range(500)], object)})
    with pytest.raises(InputError, match="The column 'name' has 500 groups; expected 50 at most"):
        column_of(names, "name")
    thousands = Predictions.from_arrays(
        np.tile(p.probs, (8, 1)), np.tile(p.labels, 8), p.class_names, {"name": np.arange(4_000).astype(str)}
    )
    assert column_of(thousands, "name").kind == "quartiles"
    told = replace(thousands, metadata={"name": np.char.add("n", thousands.metadata["name"].astype(str))})
    with pytest.raises(InputError, match="The column 'name' has 4,000 groups; expected 50 at most"):
        column_of(told, "name")
    with pytest.raises(InputError, match="beside predictions and labels; the other columns are 'site'"):
        column_of(p, "ward")
    assert column_of(p, "row").kind == "quartiles"
    assert MOST_GROUPS == 50


def test_small_groups_are_shown_and_say_nothing() -> None:
    p = hospital(400)
    site = np.array(["A"] * 379 + ["one"] + ["few"] * 19 + [""], object)
    rare = np.tile([0.999, 0.001], (40, 1))
    held = replace(p, metadata={"site": site})
    found = survey_groups(held, ["site"], FAST)
    assert {g.value: (g.n, g.withheld) for g in found.groups} == {
        "A": (379, ""),
        "few": (19, "fewer than 20 cases"),
        "missing": (1, "fewer than 20 cases"),
        "one": (1, "fewer than 20 cases"),
    }
    shown = [row["Cases"] for row in groups_table(found).rows()]
    assert shown == ["379", *["fewer than 20"] * 3]
    assert [row["n"] for row in groups_table(found).rows(exact=True)] == [379, 19, 1, 1]
    # 19 of the 21 that are left are of one group: what is handed on has no counts of the others either.
    assert [(row["value"], row["n"]) for row in table_handed_on(found).rows(exact=True)] == [("A", None)]
    for group in found.groups:
        if group.withheld:
            assert (group.pvalue, group.adjusted, group.verdict) == (None, None, None)
    assert len(found.tested) == 1
    assert (
        too_few(Predictions.from_arrays(rare, [0] * 40, ["a", "b"])) == "fewer than 5 expected of one outcome"
    )
    none = survey_groups(
        replace(p.with_rows(np.arange(15)), metadata={"site": site[:15]}), ["site"], FAST, worst=True
    )
    assert (none.global_pvalue, none.worst, none.tested) == (None, None, ())
    GroupSurvey.from_json(none.to_json())


def test_alike_predictions_and_impossible_outcomes() -> None:
    n = 120
    g = np.tile([[0.25, 0.75]], (n, 1))
    y = np.tile([0, 1, 1, 1], n // 4)
    site = np.repeat(["A", "B"], n // 2)
    p = Predictions.from_arrays(g, y, ["a", "b"], {"site": site})
    found = survey_groups(p, ["site"], FAST)
    assert all(group.pvalue is not None and group.pvalue > 0.05 for group in found.groups)
    g = np.random.default_rng(0).dirichlet([1, 1], n)
    g[5] = [0.0, 1.0]
    y[5] = 0
    refuted = survey_groups(Predictions.from_arrays(g, y, ["a", "b"], {"site": site}), ["site"], FAST)
    first = refuted.group("site", "A")
    assert (first.pvalue, refuted.global_pvalue) == (0.0, 0.0)
    assert first.verdict is not None
    assert first.verdict.refuted is not None


@pytest.mark.slow
def test_three_classes_and_lenses() -> None:
    p = hospital(600, m=3, off=0.4)
    assert survey_groups(p, ["site"]).spec.lens == TopKLens(1)
    one = survey_groups(p, ["site"], replace(FAST, lens=ClassLens("c0")), worst=True)
    assert one.class_names == ("c0", "other") or one.class_names[0] == "c0"
    assert one.group("site", "B").verdict is not None
    whole = survey_groups(p, ["site"], FAST)  # all three classes together
    assert whole.group("site", "B").adjusted is not None
    with pytest.raises(InputError, match="take groups before pooling"):
        survey_groups(p, ["site"], replace(FAST, lens=PooledLens()))
    for words, call in (
        ("There are 0 columns to group by", lambda: survey_groups(p, [])),
        ("There is no statistic 'ece'", lambda: survey_groups(p, ["site"], FAST, statistic="ece")),
        ("weighted", lambda: survey_groups(weighted(p), ["site"])),
    ):
        with pytest.raises(InputError, match=words):
            call()


def weighted(p: Predictions) -> Predictions:
    weights = np.linspace(1, 2, p.n)
    return Predictions.from_arrays(p.probs, p.labels, p.class_names, p.metadata, weights=weights)


@pytest.mark.slow
def test_one_row_a_unit() -> None:
    p = hospital(900)
    found = survey_groups(p, ["site"], replace(FAST, unit="patient"))
    units = len(set(p.metadata["patient"].tolist()))
    assert (found.n, found.rows, sum(g.n for g in found.groups)) == (units, 900, units)
    assert found.spec.unit == "patient"
    for group in found.tested:
        of_all = p.with_rows(np.flatnonzero(p.metadata["site"] == group.value))
        alone = diagnose(of_all, replace(found.spec, tests=(), estimates=()))
        assert group.verdict is not None
        assert group.verdict.typical_gap == alone.typical_gap
        assert group.verdict.frequencies == alone.frequencies
        assert group.units == alone.units
    assert GroupSurvey.from_json(found.to_json()).to_json() == found.to_json()
    age = survey_groups(p, ["age"], replace(FAST, unit="patient"))
    assert [g.value for g in age.groups] == list(column_of(p, "age").values)  # of all rows


def literal_search(columns: list[Column], g: Float, y: Int) -> float:
    """The largest score by plain loops over all runs."""

    def runs() -> list[np.ndarray]:
        found = []
        for column in columns:
            many = len(column.values) - column.missing
            if len(column.values) < 2:
                continue
            if column.ordered:
                found += [column.codes < k for k in range(1, many)]
                found += [(column.codes >= k) & (column.codes < many) for k in range(1, many)]
                found += [column.codes == many] * column.missing
            else:
                found += [column.codes == c for c in range(len(column.values))]
        return found

    def score(rows: np.ndarray) -> float:
        p = g[rows]
        if rows.sum() < 30 or p.sum() < 5 or (1 - p).sum() < 5:
            return -1.0
        return abs(float((y[rows] - p).sum())) / math.sqrt(float((p * (1 - p)).sum()))

    best = max(runs(), key=score)
    return max(score(best), *(score(run & best) for run in runs()), *(score(run & ~best) for run in runs()))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_search_against_plain_loops(seed: int) -> None:
    p = hospital(240, seed=seed)
    names = ["site", "age", "sex", "date"]
    holes = dict(p.metadata) | {"age": np.where(np.arange(240) % 5 == 0, np.nan, p.metadata["age"])}
    p = replace(p, metadata=holes)
    columns = [column_of(p, name) for name in names]
    worst = search(p, columns, 19, 0)
    assert worst is not None
    g, y = p.probs[:, 0], (p.labels == 0).astype(np.int64)
    assert worst.score == pytest.approx(literal_search(columns, g, y), abs=1e-9)
    inside = np.ones(p.n, np.bool_)
    for column, values, within in worst.where:
        of = column_of(p, column)
        chosen = np.isin(np.array(of.values)[of.codes], values)
        inside &= chosen if within else ~chosen
    assert (int(inside.sum()), worst.said, worst.happened) == (
        worst.n, pytest.approx(g[inside].mean()), pytest.approx(y[inside].mean())
    )  # fmt: skip
    assert abs((y[inside] - g[inside]).sum()) / math.sqrt((g * (1 - g))[inside].sum()) == pytest.approx(
        worst.score
    )


@pytest.mark.parametrize("runs", [40, pytest.param(600, marks=pytest.mark.slow)])
def test_the_search_keeps_its_level(runs: int) -> None:
    """Published: p ≤ .05, .1, .25 in .045, .095, .245 of 2,500 runs, B = 39; power .71."""
    pvalues = []
    for run in range(runs):
        p = hospital(300, seed=1_000 + run)
        worst = search(p, [column_of(p, name) for name in ("site", "age", "sex", "date")], 39, run)
        assert worst is not None
        pvalues.append(worst.pvalue)
    for level in (0.05, 0.1, 0.25):
        assert np.mean(np.array(pvalues) <= level) <= level + 3 * math.sqrt(level * (1 - level) / runs)


def sharp(rng: np.random.Generator) -> tuple[Float, Int]:
    """Logits and labels of the world in which the other tables were made."""
    y = rng.integers(2, size=400)
    x = rng.normal(size=(400, 2)) + 1.5 * np.eye(2)[y]
    return 1.5 * (x[:, 0] - x[:, 1]), y


def milder(rng: np.random.Generator) -> tuple[Float, Int]:
    """Logits that are normal with a deviation of 1.2."""
    logit = 1.2 * rng.normal(size=400)
    return logit, (rng.random(400) >= 1 / (1 + np.exp(-logit))).astype(np.int64)


@pytest.mark.slow
@pytest.mark.parametrize(("world", "power"), [(sharp, 0.3), (milder, 0.48)])
def test_level_and_power_of_groups(
    world: Callable[[np.random.Generator], tuple[Float, Int]], power: float
) -> None:
    """Published, SKCE, n = 400, 5 groups of 40 to 5 %: .052; one group of 20 % shifted by .7 logit: .58.

    The published world is not named. Here .33 where predictions are sharp (overall .15 to .21, published
    .20), .49 with uniform probabilities, .57 and .60 (400 runs) with normal logits of deviation 1.2 and 1.
    """
    runs = 300
    rejected = {0.0: 0, 0.7: 0}
    for shift in rejected:
        for run in range(runs):
            rng = np.random.default_rng([run, 11])
            logit, y = world(rng)
            group = rng.choice(5, 400, p=[0.4, 0.25, 0.2, 0.1, 0.05])
            logit = logit + shift * (group == 2)
            g = 1 / (1 + np.exp(-np.column_stack([logit, -logit])))
            p = Predictions.from_arrays(g, y, ["a", "b"], {"group": group})
            spec = DiagnosisSpec(resamples=199, seed=run)
            found = survey_groups(p, ["group"], spec, statistic="skce-unbiased")
            assert found.global_pvalue is not None
            rejected[shift] += found.global_pvalue <= 0.05
    assert rejected[0.0] / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert rejected[0.7] / runs >= power


def test_what_is_tested_beside_the_headline_is_a_problem_where_it_is_clear() -> None:
    """Four tests at 5 % each would find something in .10 of calibrated models."""
    found = survey_groups(hospital(300, seed=4), ["site"], FAST, worst=True, effort=QUICK)
    assert found.between is not None
    assert found.worst is not None
    silent = replace(found, groups=(), global_pvalue=0.4, between=(), worst=None)
    differ, clearly = (
        replace(silent, between=tuple(replace(each, adjusted=p) for each in found.between))
        for p in (0.01, 0.005)
    )
    worst, surely = (replace(silent, worst=replace(found.worst, pvalue=p)) for p in (0.01, 0.005))
    together = replace(worst, global_pvalue=0.01)
    for speaks in (differ, worst):
        assert against(speaks) == ""
        assert BESIDE in answer_text(speaks)
    for speaks, words in (
        (clearly, "groups differ"),
        (surely, "miscalibrated where it is worst"),
        (together, "miscalibrated in all groups together"),
        (silent, ""),
    ):
        assert against(speaks) == words
        assert BESIDE not in answer_text(speaks)


@pytest.mark.slow
def test_how_often_anything_is_found_in_groups_of_calibrated_models() -> None:
    """Of 1,000 files of 1,000 cases in 5 groups: .051 by the headline, .054 of reports, .097 by anything."""
    runs, in_reports, anything = 300, 0, 0
    for run in range(runs):
        rng = np.random.default_rng([run, 9])
        q = 1 / (1 + np.exp(-rng.normal(0, 1.5, 1_000)))
        labels = (rng.random(1_000) > q).astype(int)
        site = np.array(list("ABCDE"))[rng.integers(5, size=1_000)]
        p = Predictions.from_arrays(np.column_stack([q, 1 - q]), labels, ["a", "b"], {"site": site})
        spec = DiagnosisSpec(lens=CanonicalLens(), resamples=199, seed=run)
        found = survey_groups(p, ["site"], spec, worst=True, effort=QUICK)
        in_reports += bool(against(found))
        anything += bool(against(found) or beside_sentence(found))
    assert in_reports / runs <= 0.06 + 3 * math.sqrt(0.06 * 0.94 / runs)
    assert anything / runs <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / runs)
