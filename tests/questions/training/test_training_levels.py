"""How often a run of calibrated epochs is named, and how often an epoch is found from which on it is off."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, TopKLens, track_training
from calibcore.numerics.types import Float

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=199)
EPOCHS = 6


@dataclass(frozen=True)
class World:
    """Epochs that tell more and more cases apart, ``sharper`` from the fourth on, of ``n`` cases."""

    n: int
    sharper: float = 1.0

    def run(self, seed: int) -> dict[int, Predictions]:
        """Uniform chances q. Epoch t says the mean of q in 2ᵗ⁺¹ equal parts, which is calibrated."""
        rng = np.random.default_rng([seed, self.n])
        q = rng.random(self.n)
        labels = (rng.random(self.n) < q).astype(int)
        return {t: Predictions.from_arrays(self._said(q, t), labels) for t in range(1, EPOCHS + 1)}

    def _said(self, q: Float, epoch: int) -> Float:
        parts = 2 ** (epoch + 1)
        g = (np.floor(q * parts) + 0.5) / parts
        odds = np.log(g / (1 - g)) * (self.sharper if epoch > EPOCHS // 2 else 1.0)
        g = 1 / (1 + np.exp(-odds))
        return np.stack([1 - g, g], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "least", "most"),
    [
        (World(300), 0.0, 0.05),
        (World(1_000), 0.0, 0.05),
        (World(1_000, 1.5), 0.60, 1.0),
        (World(3_000, 1.5), 0.90, 1.0),
    ],
)
def test_how_often_an_epoch_is_named_rightly(world: World, least: float, most: float) -> None:
    """Of calibrated runs, any; of those that go off in the fourth epoch, that one and no earlier one."""
    runs = 100
    found = [track_training(world.run(seed), SPEC) for seed in range(runs)]
    share = sum(
        bool(each.rejected) if world.sharper == 1 else each.miscalibrated_from == EPOCHS // 2 + 1
        for each in found
    )
    error = 3 * math.sqrt(max(least * (1 - least), most * (1 - most), 0.01) / runs)
    assert least - error <= share / runs <= most + error
    early = sum((each.miscalibrated_from or EPOCHS) <= EPOCHS // 2 for each in found)
    assert early / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
