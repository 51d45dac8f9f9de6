"""What is said where labels and columns of probabilities probably do not belong together."""

import math
from dataclasses import replace

from calibcore.data.mismatch import Mismatch, mismatch
from calibcore.io import Reading
from calibcore.io.reordered import turned
from calibcore.wording import count, percent, plural
from calibcore.words.remedies import flags_beyond

MOST_NAMED = 8
"""Classes whose order is spelled out; of more, those that are others."""
QUESTION = "Are labels and columns of the same {cases}, in the same order?"


def mismatch_sentence(found: Mismatch, noun: str) -> str:
    """How often the model is right, what guessing would give, what another order would; and the question."""
    chance = 2 * math.sqrt(found.by_guessing * (1 - found.by_guessing) / found.n)
    near = abs(found.accuracy - found.by_guessing) <= chance
    guessing = "as by guessing" if near else f"where guessing gives {percent(found.by_guessing, 0)}"
    right = f"Right in {percent(found.accuracy, 0)} of {count(found.n, noun)}, {guessing}"
    question = QUESTION.format(cases=plural(noun))
    if found.accuracy_then is None:
        return f"{right}, though the model is {percent(found.claimed, 0)} sure on average. {question}"
    return f"{right}. It would be {percent(found.accuracy_then, 0)} if {_order(found)}. {question}"


def _order(found: Mismatch) -> str:
    """The order that would explain the labels."""
    names = found.columns_are
    if len(names) == 2:
        return "the two classes changed places"
    others = [(a, b) for a, b in zip(found.class_names, names, strict=True) if a != b]
    if len(names) <= MOST_NAMED or len(others) > MOST_NAMED:
        shown = ", ".join(repr(name) for name in names[:MOST_NAMED])
        return f"the columns were {shown}" + (", …" if len(names) > MOST_NAMED else "")
    return " and ".join(f"column {a!r} were {b!r}" for a, b in others)


def reorder_words(found: Mismatch) -> str:
    """What a button says that takes the columns so."""
    return "Swap the two classes" if len(found.columns_are) == 2 else "Take the columns in this order"


def mismatch_on_the_command_line(reading: Reading) -> str:
    """The sentence and the flag that takes the columns in the other order; empty where there is nothing."""
    found = mismatch(reading.predictions)
    if found is None:
        return ""
    said = mismatch_sentence(found, "case")
    if not found.columns_are:
        return said
    options = reading.options
    flags = flags_beyond(replace(options, columns_are=turned(reading, found.columns_are)), options)
    return f"{said} {reorder_words(found)} with {flags}."
