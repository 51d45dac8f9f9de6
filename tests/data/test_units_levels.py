"""The level of sign flips in worlds that did not settle when they are withheld."""

import math

import numpy as np
import pytest
from scipy.special import expit, logit, ndtr

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.numerics.types import Float, Int

Rng = np.random.Generator


def shared(many: int, share: float, prevalence: float, rng: Rng) -> tuple[Float, Float, Int]:
    """Some rows of a unit have one draw in common, whatever they predict; sizes are geometric, mean 10."""
    unit = np.repeat(np.arange(many), 1 + rng.geometric(1 / 9, many))
    p = rng.beta(2, 2 * (1 - prevalence) / prevalence, len(unit))
    own, common = rng.random(len(unit)), rng.random(many)[unit]
    return p, np.where(rng.random(len(unit)) < math.sqrt(share), common, own), unit


def of_patients(many: int, share: float, prevalence: float, rng: Rng) -> tuple[Float, Float, Int]:
    """All rows of a unit have one prediction, and a latent in common; sizes are log-normal."""
    sizes = np.clip(np.round(np.exp(rng.normal(1.8, 0.8, many))), 1, 80).astype(int)
    unit = np.repeat(np.arange(many), sizes)
    p = rng.beta(1.5, 1.5 * (1 - prevalence) / prevalence, many)[unit]
    latent = 1.8 * share
    noise = math.sqrt(1 - latent) * rng.normal(size=len(unit))
    return p, ndtr(math.sqrt(latent) * rng.normal(size=many)[unit] + noise), unit


def in_time(many: int, share: float, prevalence: float, rng: Rng) -> tuple[Float, Float, Int]:
    """Neighbouring rows of a unit resemble each other; most units are small, a fifth has 40 rows."""
    sizes = np.where(rng.random(many) < 0.8, rng.integers(2, 6, many), 40)
    unit = np.repeat(np.arange(many), sizes)
    latent, stays = rng.normal(size=(many, 40)), 3 * share
    for k in range(1, 40):
        latent[:, k] = stays * latent[:, k - 1] + math.sqrt(1 - stays**2) * latent[:, k]
    odds = 0.8 * rng.normal(size=len(unit)) + 0.6 * rng.normal(size=many)[unit]
    p = expit(odds + logit(prevalence) - 0.45 * (1 - 2 * prevalence))
    return p, ndtr(latent[np.arange(40) < sizes[:, None]]), unit


WORLDS = {"shared": shared, "of patients": of_patients, "in time": in_time}


def told(world: str, many: int, share: float, prevalence: float, files: int) -> list[float]:
    """The p of all rows of calibrated models, where it is not withheld."""
    found = []
    for k in range(files):
        rng = np.random.default_rng([k, many, *world.encode()])
        p, u, unit = WORLDS[world](many, share, prevalence, rng)
        probs = np.column_stack([p, 1 - p])
        made = Predictions.from_arrays(probs, (u >= p).astype(int), ["event", "none"], {"unit": unit})
        spec = DiagnosisSpec(unit="unit", resamples=99, tests=("exact-omnibus",), estimates=(), seed=k)
        units = diagnose(made, spec).units
        assert units is not None
        found += [units.pvalue] if units.pvalue is not None else []
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "many", "share", "prevalence"),
    [
        ("shared", 100, 0.3, 0.2),
        ("shared", 200, 0.05, 0.1),
        ("of patients", 100, 0.3, 0.2),
        ("in time", 160, 0.3, 0.2),
    ],
)
def test_sign_flips_that_are_told_keep_near_the_level(
    world: str, many: int, share: float, prevalence: float
) -> None:
    """A little more than 10 independent events are expected; of 5 to 10 .05 to .09 reject."""
    pvalues = told(world, many, share, prevalence, 200)
    rejected = float(np.mean([p <= 0.05 for p in pvalues]))
    print(f"{world}, {many} units, {share}, {prevalence}: {rejected:.3f} of {len(pvalues)}")
    assert len(pvalues) > 100
    assert rejected <= 0.07 + 3 * math.sqrt(0.07 * 0.93 / len(pvalues))


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_under_a_rare_event_they_are_withheld(world: str) -> None:
    assert not told(world, 20, 0.3, 0.05, 10)
