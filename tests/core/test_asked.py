"""Every command and every setting: what a command is asked for it does, or refuses in one sentence.

A setting of something that a command does not make (the tolerance, of a diagnosis) has no bearing on it.
"""

from dataclasses import fields

from calibcore import DiagnosisSpec
from calibcore.binning import MedianVarianceBinning
from calibcore.kernels import GaussianKernel
from calibcore.lenses import ClassLens
from calibcore.nulls import Temperature

BASE = DiagnosisSpec(resamples=39, alpha=0.3)
ANOTHER = {
    "lens": ClassLens("b"),
    "binning": MedianVarianceBinning(20),
    "distance": "euclidean",
    "kernel": GaussianKernel(0.2, class_matrix=(1.0, 2.0)),
    "tests": ("asymptotic",),
    "resamples": 59,
    "interval": (0.2, 0.8),
    "bars": "resampled",
    "shuffle": True,
    "alpha": 0.15,
    "tolerance": 0.3,
    "seed": 5,
    "estimates": ("ici",),
    "null": Temperature(1.5),
    "stop_at": 2,
    "block_size": 4,
    "locations": 3,
    "precision": "float32",
    "adjustment": "benjamini-hochberg",
    "bin_adjustment": "holm",
    "bootstrap": 9,
}
"""Each setting at another value than the default, which a lens of two classes can take."""
OF_TESTS = {"tests", "estimates", "kernel", "block_size", "locations", "precision", "shuffle", "stop_at", "null"}
NO_BEARING = {
    "diagnose": {"tolerance", "adjustment"},
    # What a survey's own binnings, tests and estimates do not use.
    "survey": {"locations"},
    # Sums over all pairs are not made: the tests, estimates and bins that are name themselves in the notes.
    "stream": {"tolerance", "adjustment", "precision", "locations"},
    "reliability": {"tolerance", "adjustment", "distance", "bootstrap", *OF_TESTS} - {"null"} | {"bin_adjustment"},
    "null": {
        "tolerance", "adjustment", "bootstrap", "tests", "estimates", "bars", "interval", "block_size", "locations",
        "binning", "bin_adjustment", "alpha", "shuffle",
    },
    "tests": {"tolerance", "adjustment", "bootstrap", "estimates", "bars", "interval", "bin_adjustment", "alpha"},
    "binnings": {"tolerance", "adjustment", "bootstrap", "bars", "interval", "bin_adjustment", *OF_TESTS},
    "bandwidths": {
        "tolerance", "adjustment", "bootstrap", "bars", "interval", "bin_adjustment", "binning", "distance",
        *OF_TESTS,
    } - {"kernel", "precision", "null"},
    "classes": {"tolerance", "adjustment", "bootstrap", "bars", "interval", "bin_adjustment", *OF_TESTS},
}  # fmt: skip
REFUSED = {
    "diagnose": set(),
    "survey": {"lens", "tests", "estimates", "null"},
    "stream": {"shuffle", "null", "stop_at", "bootstrap", "estimates"},
    "reliability": {"null"},
    "null": set(),
    "tests": set(),
    "binnings": {"null", "stop_at"},
    "bandwidths": {"stop_at"},
    "classes": {"lens", "null", "stop_at"},
}
SETTINGS = [f.name for f in fields(DiagnosisSpec)]
