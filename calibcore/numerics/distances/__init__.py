"""Distances between probability vectors, along the last axis.

In V19 Appendix D the column "squared Euclidean" holds plain Euclidean values.
"""

from calibcore.numerics.distances.bundled import squared_euclidean, total_variation
from calibcore.numerics.distances.distance import DEFAULT, DISTANCES, distance
from calibcore.strategies import import_all

__all__ = ["DEFAULT", "DISTANCES", "distance", "squared_euclidean", "total_variation"]

import_all(__name__, __path__)
