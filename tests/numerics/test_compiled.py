"""Compiled passes against plain NumPy; threads and the cutting of rows change no bit."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import limits
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EDGE, UniformBinning, intervals, uniform_edges
from calibcore.diagram.bins import bins_by_number, bins_of
from calibcore.diagram.reliability import reliability
from calibcore.estimators import _cell_sums, _line_bins
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests import ConsistencyTest
from calibcore.numerics import lanes, loops, picking, poisson_binomial, random_numbers, tempering
from calibcore.numerics.fetching import fetch
from calibcore.numerics.resampling import class_edges, draw_labels
from calibcore.transforms.lenses import ClassLens, TopKLens
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each
from tests.strategies import FEW

ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng
MORE_THAN_A_BLOCK = loops.ROWS + 12_345


def many(m: int, n: int = MORE_THAN_A_BLOCK, decimals: int = 2) -> Predictions:
    """Many cases, most of them with ties."""
    g = np.round(RNG(m).dirichlet(np.ones(m), n), decimals)
    g[:, 0] = 0
    g[:, 0] = np.maximum(1 - g.sum(axis=1), 0)
    return Predictions.from_arrays(g / g.sum(axis=1, keepdims=True), RNG(1).integers(m, size=n))


# Labels.


@each("m", [2, 33, 34, 64, 65, 66, 200])
@each("sets", [1, 31, 32, 33, 96])
def test_labels_are_how_many_edges_lie_at_or_below(m: int, sets: int):
    """Few and many, of classes that cannot happen too, and of numbers that are edges themselves."""
    g = RNG(m).dirichlet(np.full(m, 0.1), 9)
    g[:2] = np.eye(m)[[0, m - 1]]
    edges = class_edges(g)
    u = RNG(sets).random((sets, 9))
    u[:, 3:6] = edges[3:6, RNG(1).integers(m - 1, size=sets)].T
    u[u >= 1] = 0.0
    found = np.empty(u.shape, np.int16)
    picking.pick(edges, u, found)
    assert_array_equal(
        found, [[sum(e <= x for e in row) for row, x in zip(edges, xs, strict=True)] for xs in u]
    )


# Threads.


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_parts(monkeypatch, threads: int):
    monkeypatch.setattr(limits, "LIMITS", SimpleNamespace(threads=threads))
    assert loops.in_threads(lambda x: x * x, range(50)) == [x * x for x in range(50)]
    assert loops.in_threads(lambda x: x, []) == []
    with pytest.raises(ZeroDivisionError):
        loops.in_threads(lambda x: 1 // (x - 3), range(5))


def test_blocks_cover_every_row_once():
    for n in (1, 2, 7, 8, 9):
        assert [i for rows in loops.blocks(n, 4) for i in range(n)[rows]] == list(range(n))


def test_the_number_of_threads_changes_no_bit(monkeypatch):
    p = many(5, decimals=6)
    small = p.with_rows(np.arange(300))

    def everything() -> list[np.ndarray]:
        top, third = TopKLens(1)(p), TopKLens(3)(p)
        bars = reliability(top, UniformBinning(15))
        return [
            top.probs, top.labels, third.probs, third.labels, ClassLens("2")(p).probs,
            UniformBinning(9).assign(p.probs), bins_of(top.probs, UniformBinning(15)).mean_prediction,
            np.array([ECE(UniformBinning(15))(top)]), bars.low, bars.high, bars.histogram,
            draw_labels(p.probs, RNG(0)), np.concatenate(list(redrawn_labels(small, 40, RNG(0)))),
            ECE().redrawn(small, np.concatenate(list(redrawn_labels(small, 40, RNG(0))))),
            ECE(UniformBinning(15)).prepared(top).draw(20, RNG(0)),
            ConsistencyTest(ECE(), 20)(top, RNG(0)).null_distribution,
            ConsistencyTest(ECE(), 600)(small, RNG(0)).null_distribution,
        ]  # fmt: skip

    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(limits, "LIMITS", SimpleNamespace(threads=threads))
        found.append(everything())
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            assert_array_equal(one, other)


# Lenses.


@pytest.mark.parametrize("k", [1, 2, 4, 6])
def test_top_k_of_many_cases_against_a_stable_sort(k: int):
    p = many(7)
    order = np.argsort(-p.probs, axis=1, kind="stable")
    falling = np.take_along_axis(p.probs, order, axis=1)
    found = TopKLens(k)(p)
    assert_array_equal(found.probs[:, :k], falling[:, :k])
    assert_allclose(found.probs[:, k], falling[:, k:].sum(axis=1), rtol=0, atol=1e-15)
    assert_array_equal(found.labels, np.minimum(np.argmax(order == p.labels[:, None], axis=1), k))
    assert (found.labels.dtype, found.probs.flags.c_contiguous) == (np.int64, True)


@pytest.mark.parametrize("c", [0, 3, 6])
def test_a_class_of_many_cases_against_sums(c: int):
    p = many(7)
    found = ClassLens(str(c))(p)
    assert_array_equal(found.probs[:, 0], p.probs[:, c])
    assert_allclose(found.probs[:, 1], np.delete(p.probs, c, axis=1).sum(axis=1), rtol=0, atol=1e-15)
    assert_array_equal(found.labels, (p.labels != c).astype(int))


# Intervals.


@FEW
@given(st.integers(1, 60), st.lists(st.floats(0, 1.00001), max_size=20))
def test_uniform_bins_are_where_the_literal_search_finds_them(n_bins: int, values: list[float]):
    """The smallest k ≥ 1 with p ≤ k/b + 1e-12, on all edges and within two doubles of them too."""
    edges = uniform_edges(n_bins)
    near = [np.nextafter(e, way) for e in (*edges, *(edges + EDGE)) for way in (-1, e, 2)]
    x = np.clip([*values, *near, *np.nextafter(near, 2), 0.0, 1.0, 5e-324], 0, 1.00001)
    expected = [next((k for k in range(n_bins - 1) if p <= edges[k] + EDGE), n_bins - 1) for p in x]
    assert UniformBinning(n_bins).assign(np.column_stack([x, 1 - x])).tolist() == expected


@FEW
@given(st.lists(st.floats(0, 1), max_size=12, unique=True), st.lists(st.floats(-0.5, 1.5), min_size=1))
def test_intervals_need_no_even_edges(edges: list[float], x: list[float]):
    e, column = np.sort(edges), np.array(x)[:, None]
    assert_array_equal(intervals(column, e), np.searchsorted(e, x))


def test_many_cases_of_many_classes_against_tuples():
    p = many(12, decimals=3)
    parts = np.searchsorted(uniform_edges(70)[:-1] + EDGE, p.probs)
    expected = np.unique(parts, axis=0, return_inverse=True)[1]
    assert_array_equal(UniformBinning(70).assign(p.probs), expected.ravel())  # 70^12 numbers: in two goes


# Sums and counts by bin.


@pytest.mark.parametrize("highest", [3, 40_000, 2**61])
@pytest.mark.parametrize("n", [1, 50, MORE_THAN_A_BLOCK])
def test_bins_by_number_against_unique_numbers(highest: int, n: int):
    g = RNG(2).dirichlet(np.ones(3), n)
    number = RNG(3).integers(0, highest, n) // 3 * 3
    bins = bins_by_number(g, number)
    numbers, index, counts = np.unique(number, return_inverse=True, return_counts=True)
    sums = np.zeros((len(numbers), 3))
    np.add.at(sums, index, g)
    assert_array_equal(bins.numbers, numbers)
    assert_array_equal(bins.index, index)
    assert_array_equal(bins.counts, counts)
    assert_allclose(bins.mean_prediction, sums / counts[:, None], rtol=1e-13)
    assert_array_equal(bins.rows, np.argsort(index, kind="stable"))
    assert_array_equal(index[bins.rows][bins.starts], np.arange(len(numbers)))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64])
def test_frequencies_do_not_depend_on_how_labels_are_stored(dtype: type):
    g = RNG(4).dirichlet(np.ones(3), 90)
    bins = bins_of(g, UniformBinning(3))
    sets = RNG(5).integers(0, 3, (7, 90))
    expected = np.zeros((7, bins.n_bins, 3))
    np.add.at(expected, (np.arange(7)[:, None], bins.index[None], sets), 1)
    found = bins.frequencies(np.asfortranarray(sets.astype(dtype)))
    assert_array_equal(found, expected / bins.counts[:, None])


def test_more_bins_than_sixteen_bits_hold():
    x = RNG(6).permutation(70_000) / 70_000
    bins = bins_of(np.column_stack([x, 1 - x]), UniformBinning(100_000))
    assert bins.n_bins == 70_000
    assert_array_equal(x[bins.rows], np.sort(x))


# What was compiled before.


def test_a_loop_is_compiled_anew_when_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    """numba alone would keep the old one: it looks at the caller's own file."""
    head = "from calibcore.numerics.loops import compiled, compiled_part\n"
    caller = "from inner import STEP, inner\n\n@compiled\ndef outer(x):\n    return inner(x) + STEP\n"
    (tmp_path / "outer.py").write_text(f"{head}{caller}\nprint(outer(1))\n", "utf-8")
    said = []
    for body, step in (("x + 1", 10), ("x + 2", 10), ("x + 2", 20)):
        inner = f"{head}STEP = {step}\n\n@compiled_part\ndef inner(x):\n    return {body}\n"
        (tmp_path / "inner.py").write_text(inner, "utf-8")
        ended = subprocess.run(
            [sys.executable, "outer.py"], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        said.append(int(ended.stdout))
    assert said == [12, 13, 23]


# What has no entry for Python.


def outside_of_loops(tree: ast.AST, names: Collection[str], modules: Collection[str]) -> Iterator[str]:
    """Where code that is not compiled names one of these functions, or one of ``modules`` by its module."""
    if isinstance(tree, ast.FunctionDef):
        decorators = " ".join(map(ast.unparse, tree.decorator_list))
        # What is compiled where it pays runs as Python, too.
        if "compiled" in decorators and "compiled_where_it_pays" not in decorators:
            return
    if isinstance(tree, ast.Name) and tree.id in names:
        yield f"{tree.lineno} {tree.id}"
    if isinstance(tree, ast.Attribute) and f"{getattr(tree.value, 'id', '')}.{tree.attr}" in modules:
        yield f"{tree.lineno} {tree.attr}"
    for part in ast.iter_child_nodes(tree):
        yield from outside_of_loops(part, names, modules)


def test_what_has_no_entry_for_python_is_called_by_loops_alone() -> None:
    """A call from Python would end the process, without a word."""
    folders = ("calibcore", "pages", "tests", "benchmarks", "experiments", "scripts")
    texts = {
        path: path.read_text(encoding="utf-8") for each in folders for path in (ROOT / each).rglob("*.py")
    }
    part = re.compile(r"^@(?:loops\.)?compiled_part\ndef (\w+)", re.MULTILINE)
    parts = {path: names for path, text in texts.items() if (names := set(part.findall(text)))}
    assert sum(map(len, parts.values())) > 20
    modules = {f"{path.stem}.{name}" for path, names in parts.items() for name in names}
    stems = "|".join(path.stem for path in parts)
    named = re.compile(rf"\.(?:{stems}) import|import .*\b(?:{stems})\b")
    bad = []
    for path, text in texts.items():
        if path not in parts and not named.search(text):
            continue
        tree = ast.parse(text)
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if f"{(node.module or '').rpartition('.')[2]}.{alias.name}" in modules
        }
        names = imported | parts.get(path, set())
        bad += [f"{path.name}:{place}" for place in outside_of_loops(tree, names, modules)]
    assert not bad
    loop = "\ndef f():\n    _edges(1)\n"
    call = f"_edges(1)\ntempering._edges(1)\n@compiled{loop}@compiled_where_it_pays(){loop}"
    assert len(list(outside_of_loops(ast.parse(call), {"_edges"}, modules))) == 3


# What runs as Python where it has little to do.


def arguments_of(name: str, n: int, m: int, rng: np.random.Generator) -> list[Any]:
    """Of a loop that is compiled where it pays, with ties, zeros and both zeros; the last are written to."""
    g = np.round(rng.dirichlet(np.full(m, 0.4), n), 2) * rng.choice([1.0, -0.0, 1 / 3], (n, 1))
    labels, pairs, new = rng.integers(m, size=n), np.zeros((n, 2)), np.zeros(n, np.int64)
    edges, bins = uniform_edges(5), rng.integers(4, size=n)
    return {
        "largest_and_rest": [g, labels, pairs, new],
        "class_and_rest": [g, labels, int(labels[0]), pairs, new],
        "interval_keys": [g, 0, m, edges, new],
        "add_pairs": [np.ascontiguousarray(g[:, :2]), labels, edges, np.zeros((5, 4))],
        "add_squares": [g, np.flatnonzero(rng.random(n) < 0.7), np.zeros(m), np.zeros(m)],
        "add_rows": [bins, rng.permutation(4), g, new, np.zeros((4, m))],
        "add_hits": [bins, rng.integers(m, size=(3, n)).astype(np.int8), np.zeros((3, 4, m), np.int64)],
        "_convolve_halves": [g.ravel(), 1e-14, *np.zeros((2, 2 * g.size)), np.zeros((64, 3), np.int64)],
        "_fill": [g, 64, np.zeros((2 + n // 64, m, 64))],
    }[name]


WHERE_IT_PAYS = {
    name: loop
    for module in (loops, poisson_binomial, tempering)
    for name, loop in vars(module).items()
    if hasattr(loop, "loop") and loop.__module__ == module.__name__
}


def test_every_loop_that_is_compiled_where_it_pays_is_looked_at_below() -> None:
    named = re.compile(r"^@(?:loops\.)?compiled_where_it_pays\(.*\)\ndef (\w+)", re.MULTILINE)
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "calibcore").rglob("*.py"))
    assert sorted(name for text in texts for name in named.findall(text)) == sorted(WHERE_IT_PAYS)


@each("name", sorted(WHERE_IT_PAYS))
@each("m", [2, 3, 11])
def test_a_loop_has_the_same_bits_as_python(name: str, m: int) -> None:
    for seed in range(20):
        given = arguments_of(name, 70 + seed, m, RNG(seed))
        others = [part.copy() if isinstance(part, np.ndarray) else part for part in given]
        assert WHERE_IT_PAYS[name].__wrapped__(*given) == WHERE_IT_PAYS[name].loop(*others)
        for one, other in zip(given, others, strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


_ROWS_THEN_MORE = """
import sys
import numpy as np
from calibcore.numerics import loops

def add(n):
    hits = np.zeros((1, 2, 2), np.int64)
    loops.add_hits(np.zeros(n, np.int64), np.zeros((1, n), np.int8), hits)
    assert hits[0, 0, 0] == n

if len(sys.argv) > 1:
    with loops.compiling_ahead():
        add(3)
else:
    add(3)
print(len(loops.add_hits.loop.signatures))
add(loops.FEW_NUMBERS)
print(len(loops.add_hits.loop.signatures))
"""


def test_a_loop_is_compiled_once_it_pays_or_ahead_and_taken_from_disk(tmp_path: Path) -> None:
    """Few numbers, then many; then again, with what is on disk; then in a new place, ahead."""
    said = []
    for place, how in (("a", []), ("a", []), ("b", ["ahead"])):
        env = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / place)}
        command = [sys.executable, "-c", _ROWS_THEN_MORE, *how]
        said.append(
            subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.split()
        )
    assert said == [["0", "1"], ["1", "1"], ["1", "1"]]


@each("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_loops_draw_what_numpy_draws_and_so_do_the_copies(bits: Any) -> None:
    for shown in {random_numbers.SHOWN, False}:
        fill = _filled_by(*random_numbers.functions(shown))
        rng, other, found = (np.random.Generator(bits(7)), np.random.Generator(bits(7)), np.empty(9_000))
        fill(random_numbers.source(rng, shown), found)
        laws = [other.standard_exponential, other.standard_normal, other.random]
        assert_array_equal(found, [laws[i % 3]() for i in range(len(found))])
        assert rng.random() == other.random()


_CUT = """
import importlib, sys
from functools import partial
import numpy as np
from calibcore.estimators import _tessellations
from calibcore.numerics import random_numbers

if "hidden" in sys.argv:
    random_numbers.source = partial(random_numbers.source, shown=False)
    copies = random_numbers.functions(False)
    random_numbers.exponential, random_numbers.normal, random_numbers.uniform = copies
    importlib.reload(_tessellations)
rng = np.random.default_rng(3)
points, order, opens = rng.dirichlet(np.ones(4), 200), np.empty(200, np.int32), np.empty(200, np.int8)
for mean in 0.8, None:
    _tessellations.tessellate(points, np.array([0.5, 2.0, 8.0]), mean, rng, order, opens)
    print(order.tolist(), opens.tolist())
print(rng.random())
"""


@pytest.mark.slow
def test_cells_are_the_same_where_numpy_hides_its_functions(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    shown, hidden = (
        subprocess.run([sys.executable, "-c", _CUT, how], env=env, capture_output=True, text=True, check=True)
        for how in ("shown", "hidden")
    )
    assert shown.stdout == hidden.stdout
    assert len(set(shown.stdout.splitlines())) == 3


def _filled_by(exponential: Any, normal: Any, uniform: Any) -> Any:
    @njit
    def fill(rng: Any, out: Any) -> None:
        for i in range(len(out)):
            out[i] = exponential(rng) if i % 3 == 0 else normal(rng) if i % 3 == 1 else uniform(rng)

    return fill


@pytest.mark.parametrize(
    ("module", "file"), [(_cell_sums, "fetching.py"), (lanes, "drawn_hits.py"), (_line_bins, "lanes.py")]
)
def test_loops_are_compiled_anew_where_what_they_use_has_changed(
    module: ModuleType, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = loops._digest_of_others(vars(module))
    monkeypatch.setattr(loops, "_digest_of_file", lambda path: "other" if path.endswith(file) else "same")
    other = loops._digest_of_others(vars(module))
    monkeypatch.setattr(loops, "_digest_of_file", lambda path: "same")
    assert len({before, other, loops._digest_of_others(vars(module))}) == 3


def test_rows_are_fetched_wherever_they_are() -> None:
    """The first and the last, of one row and of an array that nobody may write to; nothing is changed."""
    for rows in (np.arange(640.0).reshape(5, 2, 64), np.ones((1, 3), np.int8), np.zeros((2, 1))):
        kept, given = rows.copy(), loops.read_only(rows)
        _fetch_all(given)
        assert_array_equal(given, kept)


@loops.compiled
def _fetch_all(rows: np.ndarray) -> None:
    for i in range(len(rows)):
        fetch(rows, i)
