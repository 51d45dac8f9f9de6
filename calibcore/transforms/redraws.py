"""Labels redrawn from predictions.

Under calibration the label of a case is a draw from its own prediction. Labels
are always drawn from row/sum, so that rows that sum to 1.000001 draw from a
probability.
"""

from collections.abc import Iterator

import numpy as np

from calibcore.data.labels import pooled_labels
from calibcore.data.predictions import Predictions
from calibcore.numerics import picking
from calibcore.numerics.draws import uniform
from calibcore.numerics.resampling import edges_in_threads, pick
from calibcore.numerics.types import Labels
from calibcore.transforms.nulls import Identity, Null

_BLOCK_BYTES, _BLOCK_BYTES_OF_MANY = 32_000_000, 128_000_000
"""Of numbers that are drawn together; of many classes more, as each time all edges are read once."""


def redrawn_labels(
    predictions: Predictions, n_resamples: int, rng: np.random.Generator, null: Null = Identity()
) -> Iterator[Labels]:
    """Labels drawn from the fixed predictions, in blocks (b, n) that add up to ``n_resamples`` rows.

    ``null`` says from which probabilities; of calibration from :attr:`.Predictions.chances`. Of pooled
    predictions the cases' labels are drawn and then pooled. The draws do not depend on the size of the
    blocks. Cost O(n m) a draw, memory 32 MB, of many classes 128, or one draw.
    """
    cases = predictions.cases
    of_calibration = isinstance(null, Identity)
    edges = edges_in_threads(predictions.chances if of_calibration else null.probs(cases))
    most = _BLOCK_BYTES if cases.m - 1 <= picking.FEW_EDGES else _BLOCK_BYTES_OF_MANY
    block = max(1, most // max(8 * cases.n, predictions.n))
    block -= block % min(block, picking.LANES)
    for start in range(0, n_resamples, block):
        labels = pick(edges, uniform(rng, (min(block, n_resamples - start), cases.n)))
        yield labels if cases is predictions else pooled_labels(labels, cases.m)
