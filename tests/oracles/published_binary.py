"""Figures that others published or compute, each with its origin.

Probabilities and outcomes are facts; nothing else of the sources is here.
"""

import numpy as np

# 1. R's reliabilitydiag, `summary(reliabilitydiag(pred = z, y = y))`, as quoted in the tests of
# model-diagnostics (test_scoring.py, test_decompose_with_numbers). Brier there of one class.
RELIABILITYDIAG_Y = [0, 0, 0, 1, 1, 1]
RELIABILITYDIAG_Z = [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
RELIABILITYDIAG_BRIER = (0.2266667, 0.1016667, 0.125, 0.25)
RELIABILITYDIAG_LOG_LOSS = (0.6986228, 0.3237327, 0.3182571, 0.6931472)

# 2. Isotonic regression: Busing 2022 (doi 10.18637/jss.v102.c01), in the tests of model-diagnostics.
BUSING_Y, BUSING_FIT = [8, 4, 8, 2, 2, 0, 8], [4, 4, 4, 4, 4, 4, 8]

# 3. Verified calibration (Kumar 2019; uncertainty-calibration 0.1.4, util_test.py): one bin a value.
KUMAR_PROBS = [0.5, 0.5, 0.5, 0.6, 0.5, 0.6, 0.6, 0.6, 0.6]
KUMAR_LABELS = [0, 1, 0, 1, 0, 1, 1, 1, 0]
KUMAR_CE = 4 / 9 * 0.25 + 5 / 9 * 0.2
KUMAR_SQUARED_CE = 4 / 9 * 0.25**2 + 5 / 9 * 0.2**2

# 4. The same, test_get_three_label_ce: mean over marginals, and the confidence alone.
KUMAR_THREE_PROBS = [[0.6, 0.3, 0.1]] * 6 + [[0.1, 0.8, 0.1]] * 4 + [[0.1, 0.0, 0.9]] * 4
KUMAR_THREE_LABELS = [0] * 5 + [1] * 4 + [2] * 5
KUMAR_CLASSWISE = (
    4 / 42 * 0.1 + 6 / 42 * (5 / 6 - 0.6) + 8 / 42 * 0.1 + 4 / 42 * 0.05 + 6 / 42 * (0.3 - 1 / 6)
)
KUMAR_TOP = 6 / 14 * (5 / 6 - 0.6) + 4 / 14 * 0.05 + 4 / 14 * 0.1

# 5. MAPIE, the docstring of spiegelhalter_statistic, to three digits.
MAPIE_Y = [0, 1, 0, 1, 0]
MAPIE_P = [0.1, 0.9, 0.21, 0.9, 0.5]
MAPIE_Z = -0.757

# 6. torchmetrics, docstrings of binary_calibration_error (n_bins = 2: l1, l2, max) …
TORCHMETRICS_P = [0.25, 0.25, 0.55, 0.75, 0.75]
TORCHMETRICS_Y = [0, 0, 1, 1, 1]
TORCHMETRICS_BINARY = (0.2900, 0.2918, 0.3167)
# 7. … and of multiclass_calibration_error (n_bins = 3), of the confidence.
TORCHMETRICS_PROBS = [[0.25, 0.20, 0.55], [0.55, 0.05, 0.40], [0.10, 0.30, 0.60], [0.90, 0.05, 0.05]]
TORCHMETRICS_LABELS = [0, 1, 2, 0]
TORCHMETRICS_MULTICLASS = (0.2000, 0.2082, 0.2333)

# 8. scikit-learn, docstring of brier_score_loss: of one class.
SKLEARN_Y, SKLEARN_P, SKLEARN_BRIER = [0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], 0.0375

# 9.–12. What others compute for 400 cases that anyone can write down again.
_i = np.arange(400)
P400 = ((_i * 37) % 401 + 0.5) / 401
Y400 = (((_i * _i * 7 + _i * 3) % 97) / 97 < P400**1.5).astype(np.int64)

# calzone-tool 0.1.0: spiegelhalter_z_test (two-sided), …
CALZONE_SPIEGELHALTER = (-1.5516556515039097, 0.12074463948252578)
# … cox_regression_analysis: slope, intercept, their 95 % intervals; then with the slope fixed at 1, …
CALZONE_COX_SLOPE = (1.3365895561417307, (1.05984188, 1.61333723))
CALZONE_COX_INTERCEPT = (-1.09774007795381, (-1.4031744, -0.79230575))
CALZONE_INTERCEPT_SLOPE_1 = (-0.9346659988901728, (-1.18535729, -0.6839747))
# … lowess_regression_analysis (delta = 0), the ICI for a span of a half and of two thirds.
CALZONE_ICI = {0.5: 0.1590999605328516, 2 / 3: 0.15348188394642961}
# model-diagnostics 1.5.0, decompose: score, miscalibration, discrimination, uncertainty; Brier of one class.
DECOMPOSE_BRIER = (0.15272398803490028, 0.05188357191434738, 0.12590333387944708, 0.22674375)
DECOMPOSE_BRIER_TENTHS = (0.1536, 0.046249602430090256, 0.11939335243009021, 0.22674375)
DECOMPOSE_LOG_LOSS = (0.4807901917789216, 0.14515739360406915, 0.3102524913921565, 0.645885289567009)
# relplot 1.0.3 (by the authors of smooth ECE), smECE; its grid has 200 points, hence 1 % at best.
RELPLOT_SMECE = 0.15086141819694676

# Decision curves: R's dcurves on its simulated `df_binary` (750 cases, 105 events), from the benchmark tables
# in the tests of Python's dcurves (r_simple_binary_dca_result_df.csv, dca_tutorial_interventions_vals.csv).
# Marker -> threshold -> true and false positives, net benefit, interventions avoided in 100 (None: unknown).
DCURVES_N, DCURVES_EVENTS = 750, 105
DCURVES = {
    "marker": {
        0.1: (78, 281, 0.06237037037037037, 16.133333333333336),
        0.2: (41, 77, 0.029, 41.6),
        0.3: (23, 31, 0.012952380952380951, 56.35555555555555),
    },
    "age": {
        0.1: (84, 289, 0.0691851851851852, None),
        0.2: (59, 110, 0.042, None),
        0.3: (35, 46, 0.02038095238095238, None),
        0.5: (14, 7, 0.009333333333333336, None),
    },
}
DCURVES_TREAT_ALL = {0.1: 0.04444444444444445, 0.2: -0.075, 0.3: -0.2285714285714286, 0.5: -0.72}
