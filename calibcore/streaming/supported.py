"""What a file read in slices can be asked for."""

import math

from calibcore.errors import InputError
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.nulls import Identity

SLICE_BYTES = 16_000_000
"""Of the probabilities in one slice; reading and looking through it takes a few copies of them."""
BLOCK_BYTES = 128_000_000
LEFT_OUT = "Not made, as the file was read in slices"


def check(spec: DiagnosisSpec) -> None:
    """Raises :class:`InputError` for settings that need all cases in memory."""
    refused = {
        f"The {spec.lens.kind} lens cannot be streamed; take canonical, confidence, top-k, class or "
        "groups.": not spec.lens.streams,
        "A stream cannot take one row of each unit, and what it gives is exact for independent rows "
        "alone; leave out the unit, or take 'diagnose'.": spec.unit is not None,
        "Rows of a stream cannot be shuffled; shuffle the file, or leave out the shuffling.": spec.shuffle,
        "A stream tests calibration alone; leave out the other null hypothesis.": not isinstance(
            spec.null, Identity
        ),
        "A stream makes all redraws; leave out the number at which a test stops.": spec.stop_at is not None,
        "A stream gives no bootstrap interval; set the number of samples to 0.": spec.bootstrap > 0,
    }
    for sentence, applies in refused.items():
        if applies:
            raise InputError(sentence)


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
