"""What triangle and tetrahedron show: their corners, the arrows drawn and left out, the cases of an arrow."""

from collections.abc import Sequence

from calibcore.predictions import Int, Predictions
from calibcore.reliability import Reliability
from calibcore.words.looking import arrow_words
from calibcore.words.phrases import count, expected, percent, plural

MOST_MEMBERS = 50
"""Cases of an arrow that are listed."""


def quoted(names: Sequence[str]) -> str:
    """ "'cat', 'dog' and 'fox'"."""
    *most, last = (f"'{name}'" for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def corners_sentence(found: Reliability, noun: str = "case") -> str:
    """What a figure shows here: its corners, and what an arrow is."""
    return (
        f"The corners are {quoted(found.class_names)}. Each arrow leads from what the model said of similar "
        f"{plural(noun)} to what happened."
    )


def arrows_drawn(found: Reliability, least: int, most: int, noun: str = "case") -> str:
    """How many arrows are drawn, which are not, and how many long ones chance alone would make."""
    drawn = found.fullest(least, most)
    bins = count(found.n_bins, "arrow")
    if not len(drawn):
        return (
            f"No bin holds {count(least, noun)}: the fullest has {int(found.counts.max()):,}. "
            "A lower number, or larger bins, bring arrows back."
        )
    chance = ""
    if found.bars != "none":
        chance = f" Were the model calibrated, we would expect {expected(found.expected_outside)} long ones."
    if found.n_bins == 1:
        return f"All predictions are in one bin, so there is one arrow. Smaller bins show more.{chance}"
    if len(drawn) == found.n_bins:
        return f"All {bins} are drawn.{chance}"
    enough = int((found.counts >= least).sum())
    which = f"those of {least:,} {plural(noun)} or more" if enough == len(drawn) else "the fullest bins"
    rest = found.n_cases - int(found.counts[drawn].sum())
    return (
        f"{len(drawn):,} of {bins} are drawn, {which}; the others stand for {rest:,} of "
        f"{count(found.n_cases, noun)}.{chance}"
    )


def arrow_label(found: Reliability, b: int, noun: str = "case") -> str:
    """An arrow in a list: "52 wines · cat: 81 %, dog: 12 %, fox: 7 %"."""
    return f"{count(int(found.counts[b]), noun)} · {arrow_words(found, b, found.class_names)[0]}"


def members_sentence(found: Reliability, b: int, noun: str = "case") -> str:
    """What was said of the cases of an arrow, what happened, and how many are listed."""
    said, seen = arrow_words(found, b, found.class_names)
    n = int(found.counts[b])
    shown = f" The first {MOST_MEMBERS} are below." if n > MOST_MEMBERS else ""
    return f"{count(n, noun)}. Predicted on average: {said}. Happened: {seen}.{shown}"


def member_rows(given: Predictions, seen: Predictions, rows: Int, members: Int) -> list[dict[str, object]]:
    """The first cases of an arrow as a table: row, other columns, the corners' probabilities, the outcome.

    given : the predictions as they were loaded
    seen : what the lens makes of them
    rows : (seen.n,) the rows of ``given`` that the lens shows
    members : rows of ``seen``
    """
    listed = []
    for i in members[:MOST_MEMBERS].tolist():
        at = int(rows[i])
        row: dict[str, object] = {"Row": at + 1}
        row |= {f"{name} (column)": str(column[at]) for name, column in given.metadata.items()}
        row |= {name: percent(float(g)) for name, g in zip(seen.class_names, seen.probs[i], strict=True)}
        row["Happened"] = seen.class_names[seen.labels[i]]
        if given.class_names != seen.class_names:
            row["Class"] = given.class_names[given.labels[at]]
        listed.append(row)
    return listed


def group_name(members: Sequence[str], most: int = 24) -> str:
    """A name for a group that has none: its classes, as many as fit, and how many more."""
    for kept in range(len(members), 1, -1):
        more = "" if kept == len(members) else f" + {len(members) - kept}"
        if len(name := ", ".join(members[:kept]) + more) <= most:
            return name
    return members[0] if len(members) == 1 else f"{members[0]} + {len(members) - 1}"


def confused_words(classes: Sequence[str]) -> str:
    """A choice of corners: the classes confused most, and the rest."""
    return f"Most confused: {quoted(classes)}, and the rest"
