"""Four CIFAR-10 networks against the values that the authors of W19 published.

The data lie beside the repository, in ``../shared/data/cifar10``; without them the file is skipped.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.diagram.bins import bins_of
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE, quadratic_estimates
from calibcore.hypothesis_tests import AsymptoticBlockSKCETest, DistributionFreeSKCETest
from calibcore.kernels import ExponentialKernel

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "cifar10"
NETWORKS = ("densenet121", "googlenet", "mobilenet_v2", "resnet18")

pytestmark = [
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the CIFAR-10 predictions are not there"),
    pytest.mark.parametrize("network", NETWORKS),
]


@cache
def predictions(network: str) -> Predictions:
    probs = np.loadtxt(FOLDER / f"{network}.csv", delimiter=",")
    labels = np.loadtxt(FOLDER / "labels.csv", dtype=int)
    return Predictions.from_arrays(probs, labels - 1)  # labels.csv counts from 1


@cache
def published(file: str) -> dict[str, dict[str, float]]:
    header, *lines = (line.split(",") for line in (FOLDER / file).read_text().split())
    return {line[0]: dict(zip(header[1:], map(float, line[1:]), strict=True)) for line in lines}


@cache
def kernel(network: str) -> ExponentialKernel:
    rule = ExponentialKernel("median-with-diagonal", "total-variation")
    return rule.resolved(predictions(network).probs)[0]


@cache
def estimates(network: str) -> dict[str, float]:
    p, k = predictions(network), kernel(network)
    return quadratic_estimates(p, k) | {"linear": SKCE(k, "linear")(p)}


def test_the_data_are_those_of_the_paper(network) -> None:
    p = predictions(network)
    assert (p.n, p.m, p.notes) == (10_000, 10, ())
    assert p.class_counts.tolist() == [1000] * 10


def test_ece_with_uniform_bins(network) -> None:
    expected = published("expected_errors.csv")[network]["ECE_uniform"]
    assert ECE(UniformBinning(10))(predictions(network)) == pytest.approx(expected, abs=1e-10)


def test_ece_with_bins_of_largest_variance(network) -> None:
    expected = published("expected_errors.csv")[network]["ECE_dynamic"]
    p, binning = predictions(network), MedianVarianceBinning(100)
    assert ECE(binning)(p) == pytest.approx(expected, abs=1e-10)
    assert bins_of(p.probs, binning).n_bins == 64


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("estimator", "column"),
    [("biased", "SKCEb_median"), ("unbiased", "SKCEuq_median"), ("linear", "SKCEul_median")],
)
def test_kernel_errors(network, estimator, column) -> None:
    expected = published("expected_errors.csv")[network][column]
    assert estimates(network)[estimator] == pytest.approx(expected, abs=1e-10)
    # 1e-10 is little beside 1e-5: nine digits agree, too.
    assert estimates(network)[estimator] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("estimator", "column"),
    [
        ("biased", "SKCEb_median_distribution_free"),
        ("unbiased", "SKCEuq_median_distribution_free"),
        ("linear", "SKCEul_median_distribution_free"),
    ],
)
@pytest.mark.slow
def test_distribution_free_bounds(network, estimator, column) -> None:
    """The published file applies the formula to negative estimates too; here the bound is then 1."""
    t = estimates(network)[estimator]
    expected = published("expected_pvalues.csv")[network][column] if t > 0 else 1.0
    test = DistributionFreeSKCETest(SKCE(kernel(network), estimator))
    assert test.of_statistic(predictions(network), t).pvalue == pytest.approx(expected, abs=1e-9)


@pytest.mark.some(1)
def test_asymptotic_linear_pvalue(network) -> None:
    """Published with the deviation over n blocks, here over n − 1."""
    expected = published("expected_pvalues.csv")[network]["SKCEul_median_asymptotic"]
    result = AsymptoticBlockSKCETest(SKCE(kernel(network), "linear"))(predictions(network))
    assert result.pvalue == pytest.approx(expected, rel=2e-4)


@pytest.mark.some(1)
def test_asymptotic_linear_pvalue_with_the_published_deviation(network) -> None:
    """With √((n − 1)/n) made up for, all digits agree."""
    expected = published("expected_pvalues.csv")[network]["SKCEul_median_asymptotic"]
    ours = AsymptoticBlockSKCETest(SKCE(kernel(network), "linear"))(predictions(network)).pvalue
    assert norm.sf(norm.isf(ours) * np.sqrt(5000 / 4999)) == pytest.approx(expected, rel=1e-7)
