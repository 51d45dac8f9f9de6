"""The parts of streaming, each beside its slow definition; progress, memory and the command line."""

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from calibcore import Diagnosis, DiagnosisSpec, Predictions
from calibcore.__main__ import main
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    UniformBinning,
)
from calibcore.diagram.bins import bins_of
from calibcore.errors import InputError
from calibcore.hypothesis_tests.asymptotic import Terms
from calibcore.io import read, row_groups
from calibcore.io.row_groups import RowGroups
from calibcore.kernels import ExponentialKernel
from calibcore.kernels.bandwidths import bandwidth_by_rule
from calibcore.numerics.draws import Draws, chunks_of
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.numerics.progress import Cancelled
from calibcore.numerics.resampling import class_edges
from calibcore.numerics.streams import stream
from calibcore.settings import lens_from_words
from calibcore.streaming import diagnose_slices, supported
from calibcore.streaming.bandwidth import _SampledPairs, rule_for
from calibcore.streaming.bins import MOST_BINS, BinTable, tuples
from calibcore.streaming.blocks import BlockPairs
from calibcore.streaming.totals import Order
from calibcore.transforms.nulls import Temperature
from calibcore.transforms.redraws import redrawn_labels
from tests.streaming.streamed import model, write

FEW = DiagnosisSpec(tests=("exact",), estimates=(), resamples=9, binning=UniformBinning(4))


@pytest.mark.parametrize(("m", "n"), [(2, 10_000), (3, 9_001), (140, 4_500)])
def test_draws_are_those_of_all_cases_in_memory(m: int, n: int) -> None:
    """At any place, for any of the redraws, however the cases are cut."""
    probs, labels = model(n, m)
    p = Predictions.from_arrays(probs, labels)
    expected = np.concatenate(list(redrawn_labels(p, 70, stream(3, "name"))))
    found = np.full_like(expected, -1)
    draws, edges = Draws(stream(3, "name")), class_edges(p.probs)
    for redraws in (range(0, 1), range(1, 67), range(67, 70)):
        for start, end in pairwise((0, 1, 4_000, n)):

            def use(cases: slice, b: int, some: np.ndarray, start: int = start) -> None:
                found[b : b + len(some), start + cases.start :][:, : some.shape[1]] = some

            draws.labels(start, n, edges[start:end], redraws, use, chunks_of(end - start, 7))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("weights", [None, (1.0, 0.5, 2.0), ((2, 1, 0), (1, 2, 0), (0, 0, 1))])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_pairs_in_blocks_are_those_of_the_definition(size: int, weights) -> None:
    rng = np.random.default_rng(size)
    g, y = rng.dirichlet(np.ones(3), 10 * size), rng.integers(3, size=(4, 10 * size))
    kernel = ExponentialKernel(0.4, class_matrix=weights)
    M = np.eye(3) if weights is None else np.diag(weights) if np.ndim(weights) == 1 else np.array(weights)
    kappa = kernel.matrix(g, g)
    pairs = BlockPairs.of(g, kernel, size)
    for labels, total in zip(y, pairs.sums(y.astype(np.int8)), strict=True):
        r = np.eye(3)[labels] - g
        h = kappa * (r @ M @ r.T)
        blocks = [np.triu(h[s : s + size, s : s + size], 1).sum() for s in range(0, len(g), size)]
        assert total == pytest.approx(sum(blocks), rel=1e-12)
        np.testing.assert_allclose(
            pairs.terms(labels), np.array(blocks) / (size * (size - 1) / 2), rtol=1e-11, atol=1e-14
        )


@pytest.mark.parametrize(("m", "b"), [(3, 7), (10, 10), (40, 11), (70, 3)])
def test_keys_of_bins_are_the_bins_in_their_order(m: int, b: int) -> None:
    g = np.random.default_rng(m).dirichlet(np.full(m, 0.2), 2_000)
    g[:50] = 0.0
    g[:50, 0] = 1.0
    binning = UniformBinning(b)
    keys, bins = tuples(g, binning), binning.assign(g)
    assert keys.shape[1] == (1 if m < 20 else -(-m // (17 if b == 11 else 39)))
    numbers = np.unique(keys, axis=0, return_inverse=True)[1].ravel()
    np.testing.assert_array_equal(numbers, np.unique(bins, return_inverse=True)[1])


@pytest.mark.parametrize("parts", [1, 2, 7, 40])
def test_laws_of_hits_put_together(parts: int) -> None:
    probs, labels = model(20_000, 2)
    p = Predictions.from_arrays(probs, labels)
    table = BinTable(UniformBinning(5), 2, parts)
    for rows in np.array_split(np.arange(p.n), parts):
        table.add(p.with_rows(rows))
    binned, whole = table.finish(), bins_of(p.probs, UniformBinning(5))
    np.testing.assert_array_equal(binned.bins.counts, whole.counts)
    np.testing.assert_array_equal(table.index(p.probs), whole.index)
    for b, (first, law) in enumerate(binned.laws):
        expected = hits_distribution(p.probs[whole.index == b, 0] / p.probs[whole.index == b].sum(axis=1))
        found = np.zeros_like(expected)
        found[first : first + len(law)] = law
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)
        np.testing.assert_allclose(found.cumsum(), expected.cumsum(), rtol=0, atol=1e-13)


def test_terms_add_up_in_any_parts() -> None:
    x = np.random.default_rng(0).normal(1e3, 1.0, 1_000)
    found = Terms.of(x[:1]) + Terms.of(x[1:10]) + (Terms.of(x[10:500]) + Terms.of(x[500:]))
    assert found.mean == pytest.approx(x.mean(), rel=1e-14)
    assert found.squares / 999 == pytest.approx(x.var(ddof=1), rel=1e-10)
    assert (found.count, found.low, found.high) == (1_000, x.min(), x.max())


@pytest.mark.some(2)
@pytest.mark.parametrize("metric", ["euclidean", "total-variation"])
@pytest.mark.parametrize("rule", ["median", "mean"])
def test_sampled_pairs_in_several_passes(rule: str, metric: str) -> None:
    """A million pairs, of which 312,500 are held at a time."""
    probs, _ = model(10_100, 3)
    probs[7_000:] = probs[:3_100]
    pairs = rule_for(ExponentialKernel(rule, metric), 10_100, 3, 240_000)
    assert isinstance(pairs, _SampledPairs)
    pairs = _SampledPairs(10_100, 3, metric, 15_000_000)
    for passes in range(1, 5):
        for start in range(0, 10_100, 999):
            pairs.add(start, probs[start : start + 999])
        assert pairs.needs_another_pass() == (passes < 4)
    assert pairs.bandwidth(rule, metric, lambda: False) == bandwidth_by_rule(probs, rule, metric)


@pytest.mark.parametrize("labels", ["abcabcabcabc", "aabbccaabbcc", "aaaabbbbcccc", "aaaaaaaaaaa", "abb"])
@pytest.mark.parametrize("step", [2, 4, 6])
def test_order_of_labels_from_slices(labels: str, step: int) -> None:
    y = np.array(["abc".index(letter) for letter in labels])
    order = Order(np.zeros(3, np.int64))
    for start in range(0, len(y), step):
        order.add(y[start : start + step])
    pairs = zip(labels[::2], labels[1::2], strict=False)
    assert order.changes == sum(one != other for one, other in pairwise(labels))
    assert order.alike == sum(one == other for one, other in pairs)
    assert order.counts.tolist() == [labels.count(letter) for letter in "abc"]


REFUSED = {
    "pooled": ({"lens": lens_from_words("pooled")}, "pooled lens cannot be streamed"),
    "region": ({"lens": lens_from_words("region:0:0.5:1")}, "region lens cannot be streamed"),
    "shuffle": ({"shuffle": True}, "cannot be shuffled"),
    "null": ({"null": Temperature(2.0)}, "calibration alone"),
    "stop": ({"stop_at": 10}, "makes all redraws"),
    "bootstrap": ({"bootstrap": 100}, "no bootstrap interval"),
    "blocks": ({"block_size": 50_000}, "too large for a stream"),
    "equal mass": ({"binning": EqualMassBinning(), "lens": lens_from_words("confidence")}, "equal-mass bins"),
    "medians": ({"binning": MedianVarianceBinning()}, "median-variance bins look at all predictions"),
    "means": ({"binning": MeanVarianceBinning()}, "mean-variance bins look at all predictions"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_settings_that_need_all_cases_are_refused(tmp_path: Path, what: str) -> None:
    changes, sentence = REFUSED[what]
    data = RowGroups(write(tmp_path / "p.parquet", *model(500, 3)))
    with pytest.raises(InputError, match=sentence):
        diagnose_slices(data, replace(FEW, **changes))


def test_too_many_bins_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "p.parquet", *model(MOST_BINS + 3_000, 5), 5_000)
    with pytest.raises(InputError, match=r"More than 10,000 bins hold cases"):
        diagnose_slices(RowGroups(path), replace(FEW, binning=UniformBinning(1_000)))


@pytest.mark.parametrize("lens", ["canonical", "confidence"])
def test_progress_rises_to_one_and_may_cancel(tmp_path: Path, lens: str, monkeypatch) -> None:
    monkeypatch.setattr(supported, "SLICE_BYTES", 12_000)
    data = RowGroups(write(tmp_path / "p.parquet", *model(900, 3)))
    spec = replace(FEW, lens=lens_from_words(lens), binning=UniformBinning(2), alpha=0.9)
    told: list[tuple[float, str]] = []
    diagnose_slices(data, spec, lambda *said: told.append(said), 1_000)
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert {words for _, words in told} == {
        "reading slice by slice", "redrawing outcomes slice by slice", "done",
    }  # fmt: skip
    for at in (0.05, 0.5):

        def stop(fraction: float, _: str, at: float = at) -> None:
            if fraction >= at:
                raise Cancelled

        with pytest.raises(Cancelled):
            diagnose_slices(data, spec, stop)


def peak(path: Path, spec: DiagnosisSpec) -> int:
    diagnose_slices(RowGroups(path), spec)  # what is compiled or imported stays
    tracemalloc.start()
    diagnose_slices(RowGroups(path), spec)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_slices(tmp_path: Path, monkeypatch) -> None:
    """Eight times the slices; with the number as bandwidth nothing is kept of a case."""
    monkeypatch.setattr(supported, "SLICE_BYTES", 250_000)
    monkeypatch.setattr(row_groups, "_STEP", 2_000)
    spec = replace(FEW, lens=lens_from_words("confidence"), kernel=ExponentialKernel(0.2), resamples=5)
    few, many = (
        peak(write(tmp_path / f"{n}.parquet", *model(n, 4), 1_000_000), spec) for n in (10_000, 80_000)
    )
    assert 4 * supported.step_for(4, 10) < 20_000
    assert many < 1.1 * few


@pytest.mark.slow
def test_row_groups_may_be_larger_than_a_slice_and_smaller(tmp_path: Path, monkeypatch) -> None:
    spec = replace(FEW, binning=UniformBinning(2), alpha=0.9)
    monkeypatch.setattr(supported, "SLICE_BYTES", 12_000)
    found = {
        diagnose_slices(RowGroups(write(tmp_path / "p.parquet", *model(2_000, 3), group)), spec).to_json()
        for group in (5, 333, 2_000)
    }
    assert len(found) == 1


@pytest.fixture
def answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator:
    write(tmp_path / "p.parquet", *model(600, 3))

    def answer(*arguments: object, file: str = "p.parquet") -> tuple[int, str, str]:
        code = main(["stream", str(tmp_path / file), *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return answer


FLAGS = ("--lens", "confidence", "--binning", "uniform:5", "--resamples", 19, "--tests", "exact,asymptotic")


def test_command_line_json_is_a_diagnosis(answers, tmp_path: Path) -> None:
    code, out, err = answers(*FLAGS, "--json", "--estimates", "none")
    assert (code, err) == (0, "")
    document = json.loads(out)
    found = Diagnosis.from_json(out)
    assert found.to_document() == document
    assert document["data"]["fingerprint"] == read(tmp_path / "p.parquet").predictions.fingerprint
    assert document["skce"]["unbiased"] is None
    assert found.estimates == ()


def test_command_line_text(answers) -> None:
    code, out, _ = answers(*FLAGS)
    assert code == 0
    for words in (
        "Kernel error, exact (linear)",
        "Kernel error, exact (blocks)",
        "Kernel error (SKCE), linear",
    ):
        assert words in out
    assert "unbiased" not in out.partition("- Not made")[0].replace("exact-skce", "")
    assert "19 sets of outcomes drawn from the model's own predictions had a kernel error" in out


def test_command_line_refuses_in_one_sentence(answers, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("a,b,label\n0.5,0.5,0\n0.5,0.5,1\n")
    for arguments, file, sentence in (
        ((), "p.csv", "'p.csv' is no Parquet file, and only Parquet is read in slices."),
        (("--labels", "y.csv"), "p.parquet", "Labels in a second file cannot be streamed"),
        (("--lens", "class:none"), "p.parquet", "There is no class 'none'"),
    ):
        code, out, err = answers(*arguments, file=file)
        assert (code, out) == (2, "")
        assert sentence in err
        assert len(err.splitlines()) == 1
