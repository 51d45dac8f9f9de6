"""The four CIFAR-10 networks of W19 pair by pair, against plain loops over all pairs of cases.

The data lie beside the repository, in ``../shared/data/cifar10``; without them the file is skipped.
"""

import math

import pytest

from calibcore.diagram.binning import UniformBinning
from calibcore.questions.compare.gap_differences import BinnedResiduals, gap_difference
from calibcore.questions.compare.nested import held
from calibcore.questions.compare.score_differences import (
    accuracy_difference,
    brier_difference,
    log_difference,
)
from calibcore.transforms.lenses import TopKLens
from tests.estimators.test_cifar10 import FOLDER, predictions
from tests.oracles.next import CIFAR10

REDRAWS = 999

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the CIFAR-10 predictions are not there")


@pytest.mark.parametrize("names", CIFAR10["pairs"])
@pytest.mark.some(2)
def test_a_pair_of_networks(names: str) -> None:
    expected = CIFAR10["pairs"][names]
    a, b = (predictions(name) for name in names.split(" − "))
    gap = gap_difference(*(BinnedResiduals.of(TopKLens(1)(p), UniformBinning(10)) for p in (a, b)))
    assert gap.difference == pytest.approx(expected["squared_gap_difference"], rel=1e-6, abs=1e-9)
    assert gap.jackknife_variance == pytest.approx(expected["jackknife_variance"], rel=1e-6)
    assert gap.pair_variance == pytest.approx(expected["pair_variance"], rel=1e-6)
    assert gap.z == pytest.approx(expected["z"], rel=1e-6)
    assert brier_difference(a, b, 0).difference == pytest.approx(expected["brier_difference"], rel=1e-6)
    assert log_difference(a, b).difference == pytest.approx(expected["log_difference"], rel=1e-6)
    accuracy = accuracy_difference(a, b)
    assert (accuracy.only_a, accuracy.only_b) == tuple(expected["mcnemar"].values())
    (nested,) = held(a, [b], REDRAWS, 0)
    whole = expected["A_holds_whatever_B_says"]
    assert nested.statistic == pytest.approx(whole["sum"], rel=1e-6)
    off = (nested.mean - whole["null_mean"]) / whole["null_sd"]  # ours is of the redraws
    assert abs(off) < 4 / math.sqrt(REDRAWS)
