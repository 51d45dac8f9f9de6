"""Numbers from other people's test suites and manuals, each with where it stands.

Inputs and results only. Binary cases give the probability of the class labelled 1.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Binary:
    """Probabilities of "1", labels 0 and 1."""

    probs: Array
    labels: NDArray[np.int64]


def binary(probs: object, labels: object) -> Binary:
    return Binary(np.asarray(probs, np.float64), np.asarray(labels, np.int64))


# --- scikit-learn 1.9.1 -------------------------------------------------------
# sklearn/tests/test_calibration.py, test_calibration_curve: 2 bins, uniform and of equal mass (quantiles).
SKLEARN_UNIFORM = binary([0.0, 0.1, 0.2, 0.8, 0.9, 1.0], [0, 0, 0, 1, 1, 1])
SKLEARN_UNIFORM_TRUE, SKLEARN_UNIFORM_PREDICTED = (0.0, 1.0), (0.1, 0.9)
SKLEARN_QUANTILE = binary([0.0, 0.1, 0.2, 0.5, 0.9, 1.0], [0, 0, 0, 0, 1, 1])
SKLEARN_QUANTILE_TRUE, SKLEARN_QUANTILE_PREDICTED = (0.0, 2 / 3), (0.1, 0.8)
# sklearn/metrics/tests/test_classification.py, test_brier_score_loss_binary and _multiclass. The binary
# score there is of one class, half of the sum over two (`scale_by_half`).
SKLEARN_BRIER_BINARY = binary([0.1, 0.8, 0.9, 0.3, 1.0, 0.95], [0, 1, 1, 0, 1, 1])
SKLEARN_BRIER_BINARY_HALF = (0.1**2 + 0.2**2 + 0.1**2 + 0.3**2 + 0.05**2) / 6
SKLEARN_BRIER_MULTICLASS = (
    ([[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]], [0, 2, 1], 2 / 3),
    ([[0.2, 0.7, 0.1], [0.6, 0.2, 0.2], [0.6, 0.1, 0.3]], [1, 0, 2], 0.41333333),
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0, 1, 2], 0.0),
    ([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [0, 1, 2], 2.0),
)

# --- torchmetrics 1.x ---------------------------------------------------------
# functional/classification/calibration_error.py, the docstrings; l1 is the ECE, max the MCE, l2 the root of
# the mean squared gap. No case lies on an inner edge, so that it does not matter which side is closed.
TORCH_MULTICLASS = (
    [[0.25, 0.20, 0.55], [0.55, 0.05, 0.40], [0.10, 0.30, 0.60], [0.90, 0.05, 0.05]],
    [0, 1, 2, 0],
)
TORCH_MULTICLASS_3_BINS = {"l1": 0.2000, "l2": 0.2082, "max": 0.2333}
TORCH_BINARY = binary([0.25, 0.25, 0.55, 0.75, 0.75], [0, 0, 1, 1, 1])
TORCH_BINARY_2_BINS = {"l1": 0.2900, "l2": 0.2918, "max": 0.3167}
# tests/unittests/classification/test_calibration_error.py, test_binary_with_zero_pred: 2 bins, l1.
TORCH_ZERO = binary([1.0, 1.0, 1.0, 1.0, 0.0], [0, 0, 1, 1, 1])
TORCH_ZERO_2_BINS = 0.6

# --- verified calibration (Kumar et al. 2019) ---------------------------------
# calibration/util_test.py; one bin per distinct value ("discrete bins"), ℓ1 and ℓ2.
KUMAR_BINARY = binary(
    [0.5, 0.5, 0.5, 0.6, 0.5, 0.6, 0.6, 0.6, 0.6], [0, 1, 0, 1, 0, 1, 1, 1, 0]
)  # test_get_binary_ce, test_get_two_label_ce
KUMAR_BINARY_L1 = 4 / 9 * 0.25 + 5 / 9 * 0.2
KUMAR_BINARY_L2 = math.sqrt(4 / 9 * 0.25**2 + 5 / 9 * 0.2**2)
KUMAR_MULTICLASS = (
    [[0.6, 0.3, 0.1]] * 6 + [[0.1, 0.8, 0.1]] * 4 + [[0.1, 0.0, 0.9]] * 4,
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2],
)  # test_get_three_label_ce
KUMAR_TOP_L1 = 6 / 14 * (5 / 6 - 0.6) + 4 / 14 * 0.05 + 4 / 14 * 0.1
KUMAR_TOP_L2 = math.sqrt(6 / 14 * (5 / 6 - 0.6) ** 2 + 4 / 14 * 0.05**2 + 4 / 14 * 0.1**2)
KUMAR_CLASSWISE_L1 = (
    4 / 42 * 0.1 + 6 / 42 * (5 / 6 - 0.6) + 8 / 42 * 0.1 + 4 / 42 * 0.05 + 6 / 42 * (0.3 - 1 / 6)
)
KUMAR_CLASSWISE_L2 = math.sqrt(
    4 / 42 * 0.1**2
    + 6 / 42 * (5 / 6 - 0.6) ** 2
    + 8 / 42 * 0.1**2
    + 4 / 42 * 0.05**2
    + 6 / 42 * (0.3 - 1 / 6) ** 2
)
# test_ece, 3 bins, top label; the last row of the source sums to 1.05 and stands here with its first
# entry 0.15 for 0.2, which the top label does not see.
KUMAR_ECE = (
    [[0.8, 0.1, 0.1], [0.6, 0.2, 0.2], [0.0, 0.9, 0.1], [0.0, 1.0, 0.0], [0.3, 0.3, 0.4], [0.15, 0.0, 0.85]],
    [0, 0, 1, 1, 0, 2],
)
KUMAR_ECE_3_BINS = 4 / 6 * (1 - (0.8 + 0.85 + 0.9 + 1.0) / 4)
KUMAR_MISSING = ([[0.9, 0.1], [0.8, 0.2]], [0, 0])  # test_missing_classes_ece
KUMAR_MISSING_ECE = 0.15
# test_plugin_ce, the last: bins {0.3 → 1} and {0.6 → 0}, ℓ2.
KUMAR_PLUGIN = binary([0.3, 0.6], [1, 0])
KUMAR_PLUGIN_L2 = 0.6519202405

# --- MAPIE 1.x ----------------------------------------------------------------
# mapie/tests/test_metrics.py: RandomState(1234567890); `num_bins=50` cuts [0, 1] at linspace(0, 1, 50),
# that is in 49 equal bins. Four decimals.
MAPIE_BINS = 49
_prng = RandomState(1234567890)
_score, _scores = _prng.random(51), _prng.random((51, 5))
_true = _prng.randint(0, 2, 51)
MAPIE_SCORE = binary(_score, _true)
MAPIE_SCORE_ECE = 0.4471  # test_ece_score
MAPIE_MAX = binary(_scores.max(axis=1), _true)
MAPIE_MAX_ECE = 0.5363  # test_ece_scores: the largest of five scores against a label of 0 or 1
# test_top_label_ece: given the predicted class, of the five (labels are 0 or 1 only). MAPIE takes the plain
# mean over the predicted classes; weighted by how often each is predicted (Gupta & Ramdas 2022) it differs.
MAPIE_TOP_LABEL = (_scores.max(axis=1), _scores.argmax(axis=1), _true)
MAPIE_TOP_LABEL_PLAIN_MEAN = 0.6997
# test_spiegelhalter_statistic and _p_value_calibrated; the p-value there is one-sided.
_one = RandomState(1)
_labels = _one.choice([0, 1], size=100)
MAPIE_SPIEGELHALTER = binary(_one.uniform(size=100), _labels)
MAPIE_SPIEGELHALTER_Z = 13.906833
_one = RandomState(1)
_probs = _one.uniform(size=100)
MAPIE_SPIEGELHALTER_CALIBRATED = binary(_probs, _one.uniform(size=100) <= _probs)
MAPIE_SPIEGELHALTER_CALIBRATED_P_ONE_SIDED = 0.174832

# --- model-diagnostics, against R's reliabilitydiag ---------------------------
# src/model_diagnostics/scoring/tests/test_scoring.py, test_decompose_with_numbers: CORP decompositions of
# the score of one class (half our Brier score; our log loss).
CORP = binary([0.4, 0.3, 0.2, 0.1, 0.5, 0.9], [0, 0, 0, 1, 1, 1])
CORP_SQUARED = {
    "miscalibration": 0.1016667, "discrimination": 0.125, "uncertainty": 0.25, "score": 0.2266667,
}  # fmt: skip
CORP_LOG = {
    "miscalibration": 0.3237327, "discrimination": 0.3182571, "uncertainty": 0.6931472, "score": 0.6986228,
}  # fmt: skip
