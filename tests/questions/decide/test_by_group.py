"""A promised threshold in each group: that of the group alone, and how often any of them is broken."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibcore import (
    ClassLens,
    Decisions,
    DiagnosisSpec,
    InputError,
    Predictions,
    TopKLens,
    decide,
    survey,
    survey_groups,
)
from calibcore.assessment.assess import assess
from calibcore.numerics.types import Float, Int
from calibcore.questions.decide import words as deciding
from calibcore.questions.decide.by_group import by_group
from calibcore.questions.decide.guarantee import guarantee_of, ruled_out
from calibcore.questions.decide.says import groups_table
from calibcore.questions.groups.columns import Column
from calibcore.report import report_of
from calibcore.report.document import to_document
from tests.cli.commands import run

SITES = ("A", "B", "C", "D")
OF_CLASS = DiagnosisSpec(lens=ClassLens("ill"), resamples=99)


def sites(n: int, rng: np.random.Generator) -> Int:
    return np.append(np.arange(4), rng.choice(4, n - 4, p=[0.4, 0.3, 0.2, 0.1]))


def predictions(chances: Float, hits: Int, site: Int) -> Predictions:
    return Predictions.from_arrays(
        np.column_stack([chances, 1 - chances]), 1 - hits, ["ill", "well"],
        metadata={"site": np.array(SITES)[site]},
    )  # fmt: skip


def asked(n: int = 800) -> tuple[Float, Int, Int]:
    rng = np.random.default_rng(1)
    chances, site = rng.beta(30, 1, n), sites(n, rng)
    return chances, (rng.random(n) < chances).astype(int), site


def test_each_group_has_the_promise_of_its_own_cases_at_a_quarter_of_the_risk() -> None:
    chances, hits, site = asked()
    result = decide(predictions(chances, hits, site), OF_CLASS, target=0.9, risk=0.08, groups="site").by_group
    assert result is not None
    assert (result.column, [group.value for group in result.groups]) == ("site", list(SITES))
    for code, group in enumerate(result.groups):
        rows = site == code
        alone = guarantee_of(chances[rows], hits[rows], 0.9, 0.02)
        out = ruled_out(chances[rows], hits[rows], 0.9, 0.02)
        assert (group.n, group.guarantee.accepted) == (rows.sum(), alone.accepted)
        assert (group.guarantee.threshold, group.guarantee.wrong) == (alone.threshold, alone.wrong)
        assert group.rule_out is not None
        assert (group.rule_out.threshold, group.rule_out.cases_needed) == (out.threshold, out.cases_needed)


def test_what_is_said_of_groups_and_what_is_handed_on() -> None:
    chances, hits, site = asked()
    result = decide(predictions(chances, hits, site), OF_CLASS, target=0.9, groups="site")
    first, out = deciding.groups_sentences(result, "patient")
    shown = [group for group in result.by_group.groups if group.guarantee.threshold is not None]
    assert f"in {len(shown)} of the 4 groups of 'site': '{shown[0].value}' from " in first
    assert len(shown) > 1
    assert "All of them hold at once (sure to 95 %), each in its own group." in first
    nowhere = "In none of the 4 groups of 'site' was one found that is shown to."
    assert out == f"Ruling out is another promise. {nowhere}"
    hopeless = decide(predictions(np.full(800, 0.5), 0 * hits, site), OF_CLASS, target=0.9, groups="site")
    first, out = deciding.groups_sentences(hopeless)
    assert first.endswith(f"in each. {nowhere}")
    assert out.endswith("All of them hold at once (sure to 95\N{NO-BREAK SPACE}%), each in its own group.")
    (table,) = groups_table(result, "patient")
    assert [row["group"] for row in table.rows(exact=True)] == list(SITES)
    assert result.without_cases().by_group is not None
    few = np.arange(800) >= 781
    small = predictions(chances, hits, np.where(few, 3, site % 3))  # 19 cases
    assert decide(small, OF_CLASS, target=0.9, groups="site").without_cases().by_group is None
    plain = decide(small, OF_CLASS, target=0.9)
    assert (deciding.groups_sentences(plain), groups_table(plain)) == ((), ())


def test_the_command_and_its_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chances, hits, site = asked(300)
    rows = [
        f"{p},{1 - p},{'ill' if hit else 'well'},{SITES[s]}"
        for p, hit, s in zip(chances, hits, site, strict=True)
    ]
    (path := tmp_path / "sites.csv").write_text("\n".join(["ill,well,truth,site", *rows]))
    options = ("--lens", "confidence", "--resamples", "99")
    code, out, _ = run(capsys, "decide", path, *options, "--target", "0.8", "--by", "site", "--json")
    document = json.loads(out)["by_group"]
    assert (code, document["column"], len(document["groups"])) == (0, "site", 4)
    assert document["groups"][0]["guarantee"]["risk"] == 0.0125
    assert Decisions.from_json(out).by_group.groups[0].value == "A"
    code, _, err = run(capsys, "decide", path, *options, "--by", "site")
    assert (code, err) == (2, "--by is of a target; say which by --target 0.95.\n")


def test_groups_without_a_target_are_refused() -> None:
    with pytest.raises(InputError, match="Groups are of a target"):
        decide(predictions(*asked()), DiagnosisSpec(lens=TopKLens(1), resamples=99), groups="site")


@pytest.mark.slow
@pytest.mark.parametrize("n", [800, 3_000])
def test_all_promises_of_groups_hold_at_once(n: int) -> None:
    """The share of files in which any of four groups breaks its promise."""
    files, broken = 400, dict[str, int]()
    for seed in range(files):
        rng = np.random.default_rng([n, seed])
        site = sites(n, rng)
        score = 1 / (1 + np.exp(-np.abs(1.5 + 1.5 * rng.normal(size=n))))
        column = Column("site", "text", SITES, site, False)
        for name, true in {
            "a hair below in all": np.full(n, 0.9499),
            "a hair below in one": np.where(site == 2, 0.9499, 0.98),
            "calibrated": score,
            "too sure in one": np.where(site == 1, score - 0.1, score),
            "a hair below at the top of each": np.where(score > 0.9, 0.9495, 0.97),
        }.items():
            result = by_group(column, score, (rng.random(n) < true).astype(int), True, 0.95, 0.05)
            broken[name] = broken.get(name, 0) + any(
                group.guarantee.threshold is not None
                and true[(site == code) & (score >= group.guarantee.threshold)].mean() < 0.95 - 1e-9
                for code, group in enumerate(result.groups)
            )
    limit = files * 0.05 + 3 * math.sqrt(files * 0.05 * 0.95)
    assert {name: count for name, count in broken.items() if count > limit} == {}
    assert broken["a hair below in all"] > 0  # it is asked for something


@pytest.mark.parametrize("with_rows", [False, True])
def test_beside_other_groups_nothing_is_handed_on_that_crosses_with_them(with_rows: bool) -> None:
    chances, hits, site = asked()
    p = predictions(chances, hits, site)
    crossing = {**p.metadata, "ward": np.array(["x", "y"])[np.arange(800) % 2]}
    p, few = replace(p, metadata=crossing), replace(OF_CLASS, estimates=())
    answers = [decide(p, few, target=0.9, groups="site"), survey_groups(p, ["ward"], few)]
    checked = assess(p, survey(p, few, [few.lens]))
    for told, alone in ((answers[:1], True), (answers, with_rows)):
        made = report_of(p, checked, few, title="x", date="2026-11-27", answers=told, with_rows=with_rows)
        assert (to_document(made)["decisions"].get("by_group") is not None) == alone
