"""Drawn files with a confidence: read right, or the right reading is within reach of what is offered."""

import numpy as np
import pytest

from calibcore.errors import InputError, SeveralModelsError
from calibcore.io import Reading, ReadOptions, read
from tests.hostile.grammar.confidences import Drawn, Known, drawn

STEPS = 4
"""So many buttons are pressed at most."""
SEEDS, FILES = 4, 150
"""So many files are drawn of each seed."""


def holds(reading: Reading, known: Known) -> bool:
    """Whether a model is read as it is known, without the rows that were left out."""
    p, out = reading.predictions, {row - 1 for row in reading.options.leave_out_rows}
    rest = [i for i, row in enumerate(known.rows.tolist()) if row not in out]
    if p.n != len(rest) or len(rest) <= len(known.rows) / 2:
        return False
    right = 0 if p.kind == "confidence" else 1  # of two classes the one that is looked for stands last
    if p.kind != "confidence" and not (known.event and p.m == 2):
        return False
    same = np.allclose(p.probs[:, right], known.sure[rest], atol=1e-9)
    return bool(same) and bool(((p.labels == right) == known.right[rest]).all())


def within_reach(file: Drawn, known: Known, options: ReadOptions, steps: int = STEPS) -> bool:
    """Whether a way of at most so many buttons leads to what the file means."""
    try:
        return holds(read(file.data, name=file.name, options=options), known)
    except InputError as error:
        ways = [options.mended(remedy) for remedy in error.remedies if remedy.change] if steps else []
    return any(within_reach(file, known, way, steps - 1) for way in ways if way != options)


def fault(file: Drawn) -> str:
    """What is wrong with how a file is read; "" if nothing is."""
    try:
        reading = read(file.data, name=file.name)
    except SeveralModelsError as error:
        for model, known in file.models.items():
            ways = [one for one in error.remedies if one.change.get("model") == model or not model]
            if not any(within_reach(file, known, ReadOptions().mended(one)) for one in ways):
                return f"{model or 'the only model'} is out of reach: {error}"
        return ""
    except InputError as error:
        for model, known in file.models.items():
            if not within_reach(file, known, ReadOptions()):
                return f"{model or 'it'} is out of reach: {error}"
        return ""
    if len(file.models) > 1:
        return "several models were read as one"
    return "" if holds(reading, file.models[""]) else f"read as something else: {reading.notes}"


@pytest.mark.slow
def test_a_drawn_file_is_read_right_or_leads_there() -> None:
    """None is read as something else. Of one in a hundred the right reading may be out of reach."""
    faults = {}
    for seed in range(SEEDS):
        for i in range(FILES):
            file = drawn(np.random.default_rng([seed, i]))
            if said := fault(file):
                faults[seed, i] = (said, file.tags)
    others = {which: said for which, said in faults.items() if "out of reach" not in said[0]}
    assert not others, next(iter(others.items()))
    assert len(faults) <= 0.01 * SEEDS * FILES, next(iter(faults.items()))
