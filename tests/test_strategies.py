"""Every strategy that is entered passes the battery of its sort; so does one that somebody adds."""

from pathlib import Path
from typing import Any

import pytest

import tests.oracles
from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.numerics.distances import DISTANCES
from calibcore.strategies import import_all
from calibcore.transforms.lenses import (
    LENSES,
    AtLeastLens,
    CanonicalLens,
    ClassLens,
    GroupsLens,
    LabelLens,
    LabelsLens,
    Lens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
    UpToLens,
)
from calibcore.transforms.nulls import NULLS, Mixture, Null, Temperature
from tests.strategy_battery import (
    check_binning,
    check_distance,
    check_kernel,
    check_lens,
    check_null,
    plainest,
    rest_of,
)

import_all("tests.oracles", tests.oracles.__path__)

SPELLED_OUT: list[Lens] = [
    CanonicalLens(), TopKLens(1), TopKLens(2), TopKLens(3), ClassLens("cow"),
    GroupsLens((("mammals", ("dog", "cat", "cow")), ("birds", ("hen",)))),
    RegionLens(CanonicalLens(), "cat", 0.05, 0.9), SetLens(), SetLens(0.5),
    RegionLens(RegionLens(TopKLens(1), "cow", 0.1, 0.8), "dog", 0, 0.7),
]  # fmt: skip
BY_ITSELF = {PooledLens.kind, LabelLens.kind, LabelsLens.kind, UpToLens.kind, AtLeastLens.kind}
"""Pairs of cases, one of several labels and all of them, classes in order: test_pooled.py,
test_survey_labels.py, test_label_pairs.py and test_ordered.py."""
OF_A_KIND = [*SPELLED_OUT, *rest_of(LENSES, SPELLED_OUT, plainest)]


@pytest.mark.parametrize("kind", KERNELS)
def test_every_kernel(kind: str, tmp_path: Path, capsys: Any) -> None:
    check_kernel(kind, tmp_path, capsys)


@pytest.mark.some(3)
@pytest.mark.parametrize("kind", BINNINGS)
def test_every_binning(kind: str, tmp_path: Path, capsys: Any) -> None:
    check_binning(kind, tmp_path, capsys)


@pytest.mark.parametrize("lens", OF_A_KIND, ids=repr)
def test_every_lens(lens: Lens, tmp_path: Path, capsys: Any) -> None:
    check_lens(lens, tmp_path, capsys)


NULLS_OF_A_KIND = [cls.usual() for cls in NULLS.values()] + [Mixture(0.3, "cat"), Temperature(0.5)]


@pytest.mark.parametrize("null", NULLS_OF_A_KIND, ids=repr)
def test_every_null(null: Null, tmp_path: Path, capsys: Any) -> None:
    check_null(null, tmp_path, capsys)


@pytest.mark.parametrize("kind", DISTANCES)
def test_every_distance(kind: str, tmp_path: Path, capsys: Any) -> None:
    check_distance(kind, tmp_path, capsys)


def test_no_lens_is_left_out() -> None:
    missing = set(LENSES) - {lens.kind for lens in OF_A_KIND} - BY_ITSELF
    assert not missing, (
        f"Of the kind {', '.join(sorted(missing))} none is plainest for four classes: add one that fits "
        "them to SPELLED_OUT in tests/test_strategies.py."
    )


def test_two_of_one_kind_are_refused() -> None:
    class Other:
        kind = "uniform"

    with pytest.raises(TypeError, match="Other and UniformBinning are both of kind 'uniform'"):
        BINNINGS.enter(Other)
    with pytest.raises(TypeError, match="NoKind has no kind"):
        BINNINGS.enter(type("NoKind", (), {}))


def test_a_kind_without_an_oracle_fails_with_a_sentence(tmp_path: Path, capsys: Any) -> None:
    KERNELS.enter(type("MadeKernel", (KERNELS["gaussian"],), {"kind": "made"}))
    try:
        with pytest.raises(
            AssertionError, match="The kernel 'made' has no oracle: write one in tests/oracles"
        ):
            check_kernel("made", tmp_path, capsys)
    finally:
        KERNELS.leave("made")
