"""Tests of the null hypothesis that the model is calibrated.

Each test is built, then called: ``test(predictions, rng) -> TestResult``. What
its p-value promises stands in ``TestResult.promise``:

============  ====================================================================
exact         level α at any n, for independent cases
bound         an upper bound of the p-value at every n; conservative
asymptotic    approximate, for large n
none          no guarantee; for comparison
============  ====================================================================
"""

from calibcore.hypothesis_tests.asymptotic import (
    AsymptoticBlockSKCETest,
    AsymptoticCMETest,
    AsymptoticSKCETest,
    SpiegelhalterTest,
)
from calibcore.hypothesis_tests.bins import BinPvalues
from calibcore.hypothesis_tests.bounds import DistributionFreeSKCETest
from calibcore.hypothesis_tests.consistency import ConsistencyTest
from calibcore.hypothesis_tests.exact import ExactTest
from calibcore.hypothesis_tests.omnibus import ExactOmnibusTest
from calibcore.hypothesis_tests.result import (
    Component,
    Promise,
    TestResult,
    monte_carlo_pvalue,
    none_as_extreme,
)

__all__ = [
    "AsymptoticBlockSKCETest",
    "AsymptoticCMETest",
    "AsymptoticSKCETest",
    "BinPvalues",
    "Component",
    "ConsistencyTest",
    "DistributionFreeSKCETest",
    "ExactOmnibusTest",
    "ExactTest",
    "Promise",
    "SpiegelhalterTest",
    "TestResult",
    "monte_carlo_pvalue",
    "none_as_extreme",
]
