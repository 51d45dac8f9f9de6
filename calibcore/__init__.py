"""Caliblens: can a classifier's probabilities be believed?

>>> import numpy as np
>>> from calibcore import ECE, SKCE, ExactTest, Predictions
>>> p = Predictions.from_arrays([[1.0, 0.0], [0.0, 1.0]], [1, 0], class_names=("well", "ill"))
>>> ECE()(p)
1.0
>>> ExactTest(SKCE(estimator="biased"), n_resamples=99)(p, np.random.default_rng(0)).pvalue
0.01
"""

from calibcore.assessment.survey import Survey, survey
from calibcore.assessment.verdict import Verdict, verdicts
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis, diagnose
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
from calibcore.limits import VERSION as __version__
from calibcore.spec import DiagnosisSpec

__all__ = [
    "ECE",
    "MCE",
    "MMCE",
    "SKCE",
    "UCME",
    "AsymptoticBlockSKCETest",
    "AsymptoticCMETest",
    "AsymptoticSKCETest",
    "ConsistencyTest",
    "Diagnosis",
    "DiagnosisSpec",
    "DistributionFreeSKCETest",
    "ExactOmnibusTest",
    "ExactTest",
    "InputError",
    "Predictions",
    "Survey",
    "TestResult",
    "Verdict",
    "__version__",
    "diagnose",
    "survey",
    "verdicts",
]
