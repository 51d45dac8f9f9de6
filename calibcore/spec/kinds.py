"""The sorts of strategy objects that settings may hold."""

from calibcore.diagram.binning import BINNINGS, Binning
from calibcore.kernels import KERNELS, Kernel
from calibcore.strategies import Strategies
from calibcore.transforms.lenses import LENSES, Lens
from calibcore.transforms.nulls import NULLS, Null

STRATEGIES: dict[object, Strategies] = {Lens: LENSES, Binning: BINNINGS, Kernel: KERNELS, Null: NULLS}
"""Annotation of a field that holds a strategy -> its kinds."""
