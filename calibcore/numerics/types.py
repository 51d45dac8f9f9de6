"""Types of arrays."""

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Int = NDArray[np.int64]
Labels = NDArray[np.integer]
