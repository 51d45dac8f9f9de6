"""What is said where labels and columns of probabilities probably do not belong together."""

import math
from dataclasses import replace

from calibcore.data.mismatch import Mismatch, mismatch
from calibcore.io import Reading
from calibcore.io.reading import file_columns_are
from calibcore.wording import count, percent, plural
from calibcore.words.remedies import flags_beyond

MOST_NAMED = 8
"""Classes whose order is spelled out; of more, those that are others."""
QUESTION = "Are labels and columns of the same {cases}, in the same order?"


def mismatch_sentence(mismatch: Mismatch, noun: str) -> str:
    """How often the model is right, what guessing would give, what another order would; and the question."""
    chance = 2 * math.sqrt(mismatch.by_guessing * (1 - mismatch.by_guessing) / mismatch.n)
    near = abs(mismatch.accuracy - mismatch.by_guessing) <= chance
    guessing = "as by guessing" if near else f"where guessing gives {percent(mismatch.by_guessing, 0)}"
    right = f"Right in {percent(mismatch.accuracy, 0)} of {count(mismatch.n, noun)}, {guessing}"
    question = QUESTION.format(cases=plural(noun))
    if mismatch.accuracy_then is None:
        return f"{right}, though the model is {percent(mismatch.claimed, 0)} sure on average. {question}"
    return f"{right}. It would be {percent(mismatch.accuracy_then, 0)} if {_order(mismatch)}. {question}"


def _order(mismatch: Mismatch) -> str:
    """The order that would explain the labels."""
    names = mismatch.columns_are
    if len(names) == 2:
        return "the two classes changed places"
    others = [(a, b) for a, b in zip(mismatch.class_names, names, strict=True) if a != b]
    if len(names) <= MOST_NAMED or len(others) > MOST_NAMED:
        classes = ", ".join(repr(name) for name in names[:MOST_NAMED])
        return f"the columns were {classes}" + (", …" if len(names) > MOST_NAMED else "")
    return " and ".join(f"column {a!r} were {b!r}" for a, b in others)


def reorder_words(mismatch: Mismatch) -> str:
    """What a button says that takes the columns so."""
    return "Swap the two classes" if len(mismatch.columns_are) == 2 else "Take the columns in this order"


def mismatch_on_the_command_line(reading: Reading) -> str:
    """The sentence and the flag that takes the columns in the other order; empty where there is nothing."""
    doubt = mismatch(reading.predictions)
    if doubt is None:
        return ""
    sentence = mismatch_sentence(doubt, "case")
    if not doubt.columns_are:
        return sentence
    options = reading.options
    flags = flags_beyond(replace(options, columns_are=file_columns_are(reading, doubt.columns_are)), options)
    return f"{sentence} {reorder_words(doubt)} with {flags}."
