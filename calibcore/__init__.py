"""Caliblens: can a classifier's probabilities be believed?

>>> import numpy as np
>>> from calibcore import ECE, SKCE, ExactTest, Predictions
>>> p = Predictions.from_arrays([[1.0, 0.0], [0.0, 1.0]], [1, 0], class_names=("well", "ill"))
>>> ECE()(p)
1.0
>>> ExactTest(SKCE(estimator="biased"), n_resamples=99)(p, np.random.default_rng(0)).pvalue
0.01
"""

from collections.abc import Mapping

from calibcore import display
from calibcore.assertions import assert_calibrated
from calibcore.assessment.survey import Survey, survey
from calibcore.assessment.verdict import Verdict, Verdicts, judge
from calibcore.dashboard import show
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.diagnose import Diagnosis, diagnose
from calibcore.diagram.binning import (
    EquallyUncertainBinning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.mmce import MMCE
from calibcore.estimators.skce import SKCE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticCMETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactOmnibusTest,
    ExactTest,
    TestResult,
)
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.kernels import (
    ExponentialKernel,
    GaussianKernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.limits import VERSION as __version__
from calibcore.questions.compare import Comparison, compare
from calibcore.questions.decide import Decisions, decide
from calibcore.questions.groups import GroupSurvey, survey_groups
from calibcore.questions.label_noise import WrongLabels, explain_by_wrong_labels
from calibcore.questions.monitor import Monitoring, monitor
from calibcore.questions.over_labels import OverLabels, ask_each
from calibcore.questions.plan import Plan, plan
from calibcore.questions.recalibrate import Recalibration, recalibrate
from calibcore.questions.training import TrainingRun, track_training
from calibcore.questions.without_bins import average_without_bins
from calibcore.recalibrator import Recalibrator
from calibcore.scoring import CalibrationScorer
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import (
    AtLeastLens,
    CanonicalLens,
    ClassLens,
    GroupsLens,
    LabelLens,
    LabelsLens,
    PooledLens,
    RegionLens,
    SetLens,
    TopKLens,
    UpToLens,
)


def _views() -> Mapping[type, display.View]:
    from calibcore.notebook import VIEWS  # what words and figures need is not loaded before

    return VIEWS


display.show_by(_views)

__all__ = [
    "ECE",
    "MCE",
    "MMCE",
    "SKCE",
    "UCME",
    "AsymptoticBlockSKCETest",
    "AsymptoticCMETest",
    "AsymptoticSKCETest",
    "AtLeastLens",
    "CalibrationScorer",
    "CanonicalLens",
    "ClassLens",
    "Comparison",
    "ConsistencyTest",
    "Decisions",
    "Diagnosis",
    "DiagnosisSpec",
    "DistributionFreeSKCETest",
    "EqualMassBinning",
    "EquallyUncertainBinning",
    "ExactOmnibusTest",
    "ExactTest",
    "ExponentialKernel",
    "GaussianKernel",
    "GroupSurvey",
    "GroupsLens",
    "InputError",
    "LabelLens",
    "LabelsLens",
    "Matern32Kernel",
    "Matern52Kernel",
    "MeanVarianceBinning",
    "MedianVarianceBinning",
    "Monitoring",
    "MultiLabelPredictions",
    "OverLabels",
    "Plan",
    "PooledLens",
    "Predictions",
    "RationalQuadraticKernel",
    "Recalibration",
    "Recalibrator",
    "RegionLens",
    "Reliability",
    "SetLens",
    "SimplexBinning",
    "SmoothArrows",
    "Survey",
    "TestResult",
    "TopKLens",
    "TrainingRun",
    "UniformBinning",
    "UpToLens",
    "Verdict",
    "Verdicts",
    "WrongLabels",
    "__version__",
    "ask_each",
    "assert_calibrated",
    "average_without_bins",
    "compare",
    "decide",
    "diagnose",
    "explain_by_wrong_labels",
    "judge",
    "monitor",
    "plan",
    "recalibrate",
    "show",
    "survey",
    "survey_groups",
    "track_training",
]
