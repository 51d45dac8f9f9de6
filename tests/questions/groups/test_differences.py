"""Nobody learns of fewer than 20 cases by subtracting what is handed on of groups: the attack is played."""

import json
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from calibcore import DiagnosisSpec, GroupSurvey, Predictions
from calibcore.assessment.assess import assess
from calibcore.diagram.gap_sizes import frequencies
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.columns import Column
from calibcore.questions.groups.differences import (
    ALIKE,
    CROSSED,
    FEWEST,
    LEFT,
    ONE_LARGE,
    between,
    kept_back,
    may_be_told,
)
from calibcore.questions.groups.says import table_handed_on
from calibcore.report import report_of, to_html, to_json
from tests.quick import survey, survey_groups

Sums = list[tuple[Any, float]]
"""Sets of cases, (n,) bool, and how many of each had the first outcome."""
FAST = DiagnosisSpec(resamples=99, alpha=0.5)


def bounds(told: Sums, among: Any, cells: Any) -> tuple[float, float]:
    """Fewest and most events that a set of cases may have had, given the told counts: all that anybody can
    know who knows every case's groups."""
    size = np.bincount(cells).astype(float)
    A = np.array([np.bincount(cells, there, len(size)) / size for there, _ in told])
    b = np.array([hits for _, hits in told])
    c = np.bincount(cells, among, len(size)) / size
    box = [(0.0, many) for many in size.tolist()]
    ends = [linprog(sign * c, A_eq=A, b_eq=b, bounds=box, method="highs") for sign in (1, -1)]
    assert all(end.status == 0 for end in ends)
    low, high = ends[0].fun, -ends[1].fun
    return float(np.ceil(low - 1e-6)), float(np.floor(high + 1e-6))


def cells_of(p: Predictions, names: list[str]) -> Any:
    """(n,) which cell of all columns crossed each case is in."""
    keys = ["\0".join(row) for row in zip(*(p.metadata[name].tolist() for name in names), strict=True)]
    return np.unique(keys, return_inverse=True)[1]


def counts_in(document: Mapping[str, Any], p: Predictions) -> Iterator[tuple[Any, float]]:
    """Every count of a set of cases in a document of groups, by whatever number it can be had."""
    for entry in document["groups"]:
        there = p.metadata[entry["column"]] == entry["value"]
        for of_class in (entry["verdict"] or {}).get("frequencies", ()):
            yield there, of_class["hits"]
            assert round(of_class["happened"] * of_class["n"]) == of_class["hits"]
    if (worst := document["worst"]) is not None:
        there = np.ones(p.n, bool)
        for part in worst["where"]:
            there &= np.isin(p.metadata[part["column"]], part["values"]) == part["inside"]
        assert there.sum() == worst["n"]
        yield there, round(worst["happened"] * worst["n"])


def table(seed: int) -> tuple[Predictions, list[str]]:
    """Cases with up to three columns of text, some of whose groups are small, and some nested."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(90, 260))
    g = rng.uniform(0.3, 0.7, n)
    labels = (rng.random(n) > g).astype(int)
    site = rng.choice(["A", "B", "C"], n, p=[0.5, 0.35, 0.15]).astype(object)
    site[rng.permutation(n)[: rng.integers(1, 10)]] = "hidden"
    merged = np.where(np.isin(site, ["A", "hidden"]), "A+", "rest").astype(object)
    sex = rng.choice(["f", "m"], n).astype(object)
    near = site.copy()
    near[near == "hidden"] = rng.choice(["A", "B"], int((near == "hidden").sum()))
    columns = {"site": site, "merged": merged, "sex": sex, "near": near}
    names = [str(name) for name in rng.permutation(list(columns))[: rng.integers(1, 5)]]
    p = Predictions.from_arrays(np.column_stack([g, 1 - g]), labels, ["ill", "well"], columns)
    return p, names


def hidden_sets(p: Predictions, names: list[str]) -> Iterator[Any]:
    """Small groups, and small differences of groups of different columns, either way."""
    sets = [p.metadata[name] == value for name in names for value in np.unique(p.metadata[name])]
    for one, other in product(sets, sets):
        for there in (one, one & ~other, one & other):
            if 0 < there.sum() < FEWEST:
                yield there


def attack(p: Predictions, names: list[str], document: Mapping[str, Any], total: float) -> None:
    """Of withheld groups every number of events is possible, of other small sets half of the numbers."""
    told = [(np.ones(p.n, bool), total), *counts_in(document, p)]
    cells = cells_of(p, names)
    for there in hidden_sets(p, names):
        low, high = bounds(told, there, cells)
        assert high - low >= there.sum() / 2
        if (p.metadata["site"][there] == "hidden").all():
            assert (low, high) == (0, there.sum())


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(60))
def test_who_subtracts_learns_of_no_small_set(seed: int) -> None:
    """Sets of 1 to 19 cases that groups make, from all counts that are handed on of groups and in all."""
    p, names = table(seed)
    found = survey_groups(p, names, FAST, worst=seed % 3 == 0)
    shared = json.loads(found.without_cases().to_json())
    attack(p, names, shared, frequencies(FAST.lens(p))[0].hits)


@pytest.mark.slow
def test_the_same_from_a_report() -> None:
    """From its document: the totals stand under the lenses, and no count of the column anywhere."""
    p, _ = table(3)
    names = ["site", "sex"]
    found = survey_groups(p, names, FAST, worst=True)
    made = report_of(p, assess(p, survey(p, FAST)), FAST, title="x", date="2026-11-21", answers=[found])
    document = json.loads(to_json(made))
    whole = next(one for one in document["lenses"] if one["verdict"]["lens"]["kind"] == "canonical")
    attack(p, names, document["groups"], whole["verdict"]["frequencies"][0]["hits"])
    entries = [entry for entry in document["groups"]["groups"] if entry["column"] == "site"]
    assert entries
    for entry in entries:
        text = json.dumps(entry)
        assert not [key for key in ("hits", "happened", "said", "rows") if f'"{key}"' in text]
        assert entry["n"] is None
    page = to_html(made)
    large = [(p.metadata["site"] == value).sum() for value in "ABC"]
    assert "hidden" not in json.dumps(document["groups"])
    for n in large:
        assert f"{n} cases" not in page


def test_the_attack_succeeds_on_what_is_kept_back() -> None:
    """The same bounds from everything give a hidden group's events exactly: the tests above can fail."""
    exact = 0
    for seed in range(12):
        p, names = table(seed)
        if "site" not in names:
            continue
        of_site = [p.metadata["site"] == value for value in ("A", "B", "C")]
        told = [(there, float((p.labels[there] == 0).sum())) for there in (np.ones(p.n, bool), *of_site)]
        hidden = p.metadata["site"] == "hidden"
        low, high = bounds(told, hidden, cells_of(p, names))
        assert low == high == (p.labels[hidden] == 0).sum()
        exact += 1
    assert exact > 3


def columns_of(*codes: Any) -> tuple[list[Column], list[Any]]:
    """Columns of these groups, and the sizes of their groups."""
    columns = [
        Column(f"c{i}", "text", tuple(map(str, range(int(one.max()) + 1))), one, False)
        for i, one in enumerate(codes)
    ]
    return columns, [np.bincount(one) for one in codes]


def sized(*sizes: int) -> Any:
    """Groups of so many cases, one after the other."""
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize(
    ("codes", "why"),
    [
        ([sized(300, 280, 20)], {}),
        ([sized(300, 280, 19)], {"c0": LEFT}),
        ([sized(300, 280, 13, 13)], {}),
        ([sized(300, 280, 18, 3)], {"c0": ONE_LARGE}),
        ([sized(300, 299, 1)], {"c0": LEFT}),
        # A of one column and A with 5 more of another: either is enough, both are not.
        ([sized(300, 305), sized(305, 300)], {"c1": CROSSED}),
        ([sized(300, 305), sized(300, 305)], {}),
        ([sized(300, 305), sized(321, 284)], {}),
        # One and its opposite.
        ([sized(300, 305), 1 - sized(305, 300)], {"c1": CROSSED}),
        # Two groups of one column against one of another: no pair differs by few.
        ([sized(100, 100, 400), sized(205, 395)], {"c1": CROSSED}),
        ([sized(100, 100, 400), np.arange(600) % 2], {}),
    ],
)
def test_which_columns_are_kept_back(codes: list[Any], why: dict[str, str]) -> None:
    columns, sizes = columns_of(*codes)
    assert kept_back(columns, np.arange(len(codes[0])), sizes, False) == why


def test_three_columns_of_which_any_two_may_be_told() -> None:
    """Parity: the third tells a small cell only beside both others."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, 800), rng.integers(0, 2, 800)
    # c is 'a or b, but not both', except for few rows
    few = np.flatnonzero((a == 1) & (b == 1))[:6]
    a[rng.permutation(np.setdiff1d(np.flatnonzero((a == 1) & (b == 1)), few))] = 0
    c = a + b
    c[few] = 1
    assert may_be_told([a, b], np.arange(800)) == (between_least(a, b) >= 1)
    assert not may_be_told([a, b, c], np.arange(800))


def between_least(*codes: Any) -> bool:
    """The linear program of every atom, with no shortcut."""
    atoms, of = np.unique(np.column_stack(codes), axis=0, return_inverse=True)
    size = np.bincount(of.reshape(-1)).astype(float)
    spans = np.hstack([np.eye(int(column.max()) + 1)[column] for column in atoms.T])
    small = np.flatnonzero(size < FEWEST)
    return all(between(spans, size, int(k)) >= max(FEWEST - size[k], size[k]) - 1e-6 for k in small)


@pytest.mark.some(6)
@pytest.mark.parametrize("seed", range(25))
def test_the_shortcut_lets_nothing_pass_that_the_program_refuses(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 400))
    codes = [rng.integers(0, rng.integers(2, 5), n) for _ in range(rng.integers(2, 4))]
    if seed % 2:
        codes[1] = np.where(rng.random(n) < 0.1, codes[1], codes[0])
    assert may_be_told(codes, np.arange(n)) == between_least(*codes)


def test_rows_of_few_units_are_few_cases() -> None:
    """40 rows of 4 patients are 4 cases; so are those that no drawn row stands for."""
    codes, unit = sized(300, 260, 40), np.r_[np.arange(560), np.repeat([600, 601, 602, 603], 10)]
    (column,), _ = columns_of(codes)
    assert kept_back([column], unit, [np.array([300, 260, 4])], False) == {"c0": LEFT}
    assert kept_back([column], unit, [np.array([300, 260, 0])], False) == {"c0": LEFT}
    assert kept_back([column], np.arange(600), [np.array([300, 260, 40])], False) == {}


def test_of_predictions_that_are_alike_no_test_tells_a_count() -> None:
    rng = np.random.default_rng(0)
    site = np.repeat(["A", "B", "hidden"], [60, 50, 5]).astype(object)
    p = Predictions.from_arrays([[0.4, 0.6]] * 115, rng.integers(0, 2, 115), ["a", "b"], {"site": site})
    found = survey_groups(p, ["site"], FAST)
    assert found.kept_back == {"site": ALIKE}
    shared = found.without_cases()
    assert [(g.value, g.n, g.pvalue, g.verdict) for g in shared.groups] == [
        ("A", None, None, None),
        ("B", None, None, None),
    ]
    assert grouping.headline(shared) == "No group is shown."


def test_tables_that_are_handed_on_and_earlier_documents() -> None:
    p, _ = table(3)
    found = survey_groups(p, ["site", "sex"], FAST)
    rows = table_handed_on(found).rows(exact=True)
    assert "hidden" not in {row["value"] for row in rows}
    for row in rows:
        kept = row["column"] == "site"
        assert row["counts"] == (LEFT if kept else "")
        assert (row["net gap"] is None, row["n"] is None) == (kept, kept)
    assert "Cases and net gaps of 'site' are not handed on: what is left" in unescape(found._repr_html_())
    shown = str(found.figure().to_dict())
    assert [f"{g.n} cases" in shown for g in found.tested] == [g.column == "sex" for g in found.tested]
    assert found.to_frame()["n"].notna().all()
    earlier = found.to_document()
    del earlier["kept_back"]
    read = GroupSurvey.from_document(earlier)
    assert read.kept_back is None
    assert all(g.n is None for g in read.without_cases().groups)
    twice = found.without_cases().without_cases()
    assert twice.to_json() == found.without_cases().to_json()
