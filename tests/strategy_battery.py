"""What every kernel, binning, lens, null and distance must do, whoever wrote it."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.__main__ import main
from calibcore.diagram.binning import BINNINGS, Binning
from calibcore.errors import InputError
from calibcore.estimators import _tiles
from calibcore.kernels import KERNELS, METRICS, Kernel
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import lens_from_words, lens_to_words
from calibcore.settings.words import binning_from_words, binning_to_words, null_from_words, null_to_words
from calibcore.strategies import Strategies
from calibcore.transforms.lenses import LENSES, Lens
from calibcore.transforms.nulls import NULLS, Null
from calibcore.transforms.redraws import redrawn_labels
from tests.oracles.literal_kernels import distance
from tests.oracles.strategies import exact, oracle_of

NAMES = ("cat", "dog", "cow", "hen")


def simplex_points(n: int, m: int, seed: int) -> np.ndarray:
    """All corners, the middle, midpoints of edges, random points, some of them near the border, one twice."""
    corners, rng = np.eye(m), np.random.default_rng(seed)
    edges = (corners + np.roll(corners, 1, axis=0)) / 2
    wide, narrow = (rng.dirichlet(np.full(m, alpha), n) for alpha in (0.5, 0.05))
    rest = n - 2 * m - 2
    return np.vstack(
        [corners, np.full((1, m), 1 / m), edges, wide[: rest - rest // 3], narrow[: rest // 3], wide[:1]]
    )


def made(n: int, m: int, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.ones(m), n)
    return Predictions.from_arrays(g, [rng.choice(m, p=row) for row in g], NAMES[:m])


def rest_of(sort: Strategies, spelled_out: Iterable[Any], plain: Callable[[Any], Any]) -> list[Any]:
    """The plain one of every kind that is not spelled out, where there is one: whoever adds a kind enters it
    nowhere."""
    known = {one.kind for one in spelled_out}
    rest = (plain(cls) for kind, cls in sort.items() if kind not in known)
    return [one for one in rest if one is not None]


def plainest(lens: type[Lens]) -> Lens | None:
    """Of four classes."""
    return lens.plainest(made(20, 4))


def check_settings(**of: Any) -> None:
    """Settings that hold a strategy come back from JSON."""
    spec = replace(DiagnosisSpec(), **of)
    assert DiagnosisSpec.from_json(spec.to_json()) == spec


def check_command(folder: Path, capsys: Any, *flags: str, m: int = 3) -> dict[str, Any]:
    """The command line takes it; returns the JSON."""
    p, file = made(60, m), folder / "p.csv"
    rows = [",".join([*p.class_names, "label"])]
    rows += [
        ",".join([*map(repr, g), p.class_names[y]]) for g, y in zip(p.probs.tolist(), p.labels, strict=True)
    ]
    file.write_text("\n".join(rows))
    assert main(["diagnose", str(file), "--resamples", "9", "--tests", "exact", "--json", *flags]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def check_kernel(kind: str, folder: Path, capsys: Any) -> None:
    cls, shape = KERNELS[kind], oracle_of(KERNELS, kind)
    for metric in METRICS:
        for m in (2, 3, 10):
            if metric == "euclidean" or m == 2 or cls.any_metric:
                for bandwidth in (0.05, 0.4, 3.0):
                    _check_matrix(cls(bandwidth, metric), m, shape)
                _check_sums(cls(0.3, metric), m)
    assert cls("median").resolved(made(50, 3).probs)[0].bandwidth > 0
    check_settings(kernel=cls(0.2))
    assert check_command(folder, capsys, "--kernel", kind)["spec"]["kernel"]["kind"] == kind


def _check_matrix(kernel: Kernel, m: int, shape: Any) -> None:
    points = simplex_points(40, m, m)
    K = kernel.matrix(points, points)
    assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-10
    assert K.min() >= 0
    assert K.max() == 1
    assert_array_equal(np.diag(K), np.ones(40))
    width = float(kernel.bandwidth)
    expected = [[shape(distance(kernel.metric, a, b) / width) for b in points] for a in points]
    assert_allclose(K, expected, rtol=1e-12, atol=1e-300)
    assert_allclose(kernel.matrix(points[:30], points[-7:]), K[:30, -7:], rtol=1e-12)
    assert_allclose(kernel.paired(points, points[::-1]), np.diag(K[:, ::-1]), rtol=1e-12)
    assert_array_equal(kernel.paired(points, points), np.ones(40))


def _check_sums(kernel: Kernel, m: int) -> None:
    """The compiled sums over pairs, against the whole matrix."""
    g, rng = simplex_points(150, m, 1), np.random.default_rng(2)
    r, labels = rng.normal(size=(150, m)), rng.integers(0, m, (5, 150))
    counts = rng.integers(0, 3, (150, 4))
    K = kernel.matrix(g, g) * (1 - np.eye(150))
    H = K * (r @ r.T)
    assert_allclose(_tiles.pair_sum(kernel, g, r), H.sum() / 2, rtol=1e-10, atol=1e-9)
    assert_allclose(_tiles.off_diagonal_product(kernel, g, r), K @ r, rtol=1e-10, atol=1e-9)
    expected = [(K * (y[:, None] == y)).sum() / 2 for y in labels]
    assert_allclose(_tiles.agreement_sums(kernel, g, labels), expected, rtol=1e-10)
    quadratic, sums = _tiles.bootstrap_sums(kernel, g, r, counts)
    whole = H + np.diag(np.square(r).sum(axis=1))
    assert_allclose(quadratic, np.einsum("ib,ij,jb->b", counts, whole, counts), rtol=1e-9, atol=1e-8)
    assert_allclose(sums, whole.sum(axis=1), rtol=1e-9, atol=1e-9)


def check_binning(kind: str, folder: Path, capsys: Any) -> None:
    cls, literal = BINNINGS[kind], oracle_of(BINNINGS, kind)
    fitting = [m for m in (2, 3, 4) if cls().fits(m)]
    assert fitting
    for m in fitting:
        for size in (cls.smallest, 4, 20):
            binning: Binning = cls(size)
            for seed in range(5):
                tenths = np.random.default_rng(seed).multinomial(10, np.full(m, 1 / m), 40) / 10
                assert partition(binning.assign(tenths)) == literal(exact(tenths), binning)
            assert binning_from_words(binning_to_words(binning)) == binning
            assert binning.phrase(m)
            check_settings(binning=binning)
        assert cls.suggested(1_000).fits(m)
    document = check_command(folder, capsys, "--binning", kind, m=fitting[-1] if fitting[-1] < 4 else 3)
    assert document["spec"]["binning"]["kind"] == kind


def partition(index: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(index == b).tolist()) for b in np.unique(index)}


def check_lens(lens: Lens, folder: Path, capsys: Any) -> None:
    """One lens of its kind, on predictions of four classes that it fits."""
    p, literal = made(80, 4), oracle_of(LENSES, lens.kind)
    assert lens.fits(p)
    assert LENSES[lens.kind] is type(lens)
    cases = [literal(lens, g, int(y), NAMES) for g, y in zip(p.probs.tolist(), p.labels, strict=True)]
    through = lens(p)
    rows = [i for i, case in enumerate(cases) if case is not None]
    assert_array_equal(lens.rows(p), rows)
    shown = [case for case in cases if case is not None]
    assert_allclose(through.probs, [g for g, _ in shown], atol=1e-15)
    assert_array_equal(through.labels, [y for _, y in shown])
    assert_allclose(through.probs.sum(axis=1), p.probs[rows].sum(axis=1), atol=1e-12)
    _check_calibration_survives(lens)
    _check_confidence(lens)
    assert lens.phrase()
    assert lens_from_words(lens_to_words(lens)) == lens
    check_settings(lens=lens)
    found = diagnose(p, DiagnosisSpec(lens=lens, resamples=9, tests=("exact",), estimates=()))
    assert found.reliability.counts.sum() == len(rows)


def _check_confidence(lens: Lens) -> None:
    """What needs all probabilities refuses predictions of which only the confidence is known."""
    if lens.shows_confidence:
        return
    try:
        lens(Predictions.from_confidence([0.9, 0.4, 0.7], [True, False, True]))
    except InputError:
        return
    pytest.fail(
        f"The lens {lens.kind!r} takes a confidence for all probabilities: begin its __call__ with "
        "refuse_but_confidence(predictions, self)."
    )


def _check_calibration_survives(lens: Lens) -> None:
    """Labels drawn from predictions are, through the lens, drawn from what it shows."""
    p = Predictions.from_arrays(np.tile([0.1, 0.2, 0.3, 0.4], (4_000, 1)), np.zeros(4_000, int), NAMES)
    (labels,) = redrawn_labels(p, 1, np.random.default_rng(0))
    through = lens(Predictions.from_arrays(p.probs, labels[0], NAMES))
    happened = np.bincount(through.labels, minlength=through.m) / through.n
    assert_allclose(happened, through.probs.mean(axis=0), atol=0.04)


def check_null(null: Null, folder: Path, capsys: Any) -> None:
    """One null of its kind, on predictions of three classes that it fits."""
    p, literal = made(60, 3), oracle_of(NULLS, null.kind)
    rows = p.probs.tolist()
    expected = [literal(null, rows, g, p.class_names) for g in rows]
    assert_allclose(null.probs(p), expected, rtol=1e-11, atol=1e-15)
    assert_allclose(null.probs(p).sum(axis=1), 1, atol=1e-9)
    other = Predictions.from_arrays(p.probs, (p.labels + 1) % 3, p.class_names)
    assert_array_equal(null.probs(other), null.probs(p))
    assert null.phrase()
    assert null_from_words(null_to_words(null)) == null
    for field in null.settings:
        assert hasattr(null, field.name)
    check_settings(null=null)
    document = check_command(folder, capsys, "--null", null_to_words(null))
    assert document["spec"]["null"]["kind"] == null.kind


def check_distance(kind: str, folder: Path, capsys: Any) -> None:
    cls, literal = DISTANCES[kind], oracle_of(DISTANCES, kind)
    points = simplex_points(30, 3, 0)
    expected = [[literal(a, b) for b in points] for a in points]
    between = cls()(points[:, None], points[None])
    assert_allclose(between, expected, rtol=1e-12, atol=1e-15)
    assert_array_equal(between, between.T)
    assert_array_equal(between == 0, (points[:, None] == points[None]).all(axis=-1))
    assert between.max() <= cls.largest + 1e-12
    check_settings(distance=kind)
    assert check_command(folder, capsys, "--distance", kind)["spec"]["distance"] == kind
