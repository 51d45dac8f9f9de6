"""What a file read in slices can be asked for."""

import math

from calibcore.errors import InputError
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.nulls import Identity

SLICE_BYTES = 16_000_000
"""Of the probabilities in one slice; reading and looking through it takes a few copies of them."""
BLOCK_BYTES = 128_000_000
LEFT_OUT = "Not made, as the file was read in slices"


def check(spec: DiagnosisSpec) -> None:
    """Raises :class:`InputError` for settings that need all cases in memory."""
    if not spec.lens.streams:
        raise InputError(
            f"The {spec.lens.kind} lens cannot be streamed; take canonical, confidence, top-k, class or "
            "groups."
        )
    if spec.unit is not None:
        raise InputError(
            "A stream cannot take one row of each unit, and what it gives is exact for independent rows "
            "alone; leave out the unit, or take 'diagnose'."
        )
    if spec.shuffle:
        raise InputError("Rows of a stream cannot be shuffled; shuffle the file, or leave out the shuffling.")
    if not isinstance(spec.null, Identity):
        raise InputError("A stream tests calibration alone; leave out the other null hypothesis.")
    if spec.stop_at is not None:
        raise InputError("A stream makes all redraws; leave out the number at which a test stops.")
    if spec.bootstrap:
        raise InputError("A stream gives no bootstrap interval; set the number of samples to 0.")


def step_for(m: int, block_size: int) -> int:
    """Cases in a slice: whole blocks, an even number; fewer the more classes there are.

    Raises :class:`InputError` where one block's pairs are too many.
    """
    even = math.lcm(2, block_size)
    if 8 * even * (m + block_size) > BLOCK_BYTES:
        raise InputError(
            f"Blocks of {block_size:,} cases are too large for a stream with {m:,} classes; use smaller ones."
        )
    return max(1, SLICE_BYTES // (8 * (m + block_size)) // even) * even
