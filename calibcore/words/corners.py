"""What triangle and tetrahedron show: their corners, the arrows drawn and left out."""

from collections.abc import Sequence

from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.wording import count, plural
from calibcore.words.looking import arrow_words

WHERE_THEY_ARE, PREDICTIONS = "Where the predictions are", "predictions"


def quoted(names: Sequence[str]) -> str:
    """ "'cat', 'dog' and 'fox'"."""
    *most, last = (f"'{name}'" for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def corners_sentence(diagram: Reliability, noun: str = "case") -> str:
    """What a figure shows here: its corners, and what an arrow is."""
    return (
        f"The corners are {quoted(diagram.class_names)}. Each arrow leads from what the model said of "
        f"similar {plural(noun)} to what happened."
    )


def arrows_drawn(diagram: Reliability, least: int, most: int, noun: str = "case") -> str:
    """How many arrows are drawn, and which are not."""
    fullest = diagram.fullest(least, most)
    bins = count(diagram.n_bins, "arrow")
    if not len(fullest):
        return (
            f"No bin holds {count(least, noun)}: the fullest has {int(diagram.counts.max()):,}. "
            "A lower number, or larger bins, bring arrows back."
        )
    if diagram.n_bins == 1:
        return "All predictions are in one bin, so there is one arrow. Smaller bins show more."
    if len(fullest) == diagram.n_bins:
        return f"All {bins} are drawn."
    enough = int((diagram.counts >= least).sum())
    which = f"those of {least:,} {plural(noun)} or more" if enough == len(fullest) else "the fullest bins"
    rest = diagram.n_cases - int(diagram.counts[fullest].sum())
    return (
        f"{len(fullest):,} of {bins} are drawn, {which}; the others stand for {rest:,} of "
        f"{count(diagram.n_cases, noun)}."
    )


def zoom_label(zoom: Zoom, names: Sequence[str]) -> str:
    """A part as a choice: "Near 'cat'"; one that holds all arrows is where the predictions are."""
    return WHERE_THEY_ARE if zoom.corner is None else f"Near '{names[zoom.corner]}'"


def zoom_word(zoom: Zoom, names: Sequence[str]) -> str:
    """A part as the command line names it: "near:cat", "predictions"."""
    return PREDICTIONS if zoom.corner is None else f"near:{names[zoom.corner]}"


def zoom_sentence(zoom: Zoom, names: Sequence[str], within: int, drawn: int) -> str:
    """How much larger a part is drawn, where it is, and which arrows begin there."""
    least = [
        f"'{name}' {100 * low:g}\N{NO-BREAK SPACE}%"
        for name, low in zip(names, zoom.lowest, strict=True)
        if low
    ]
    return (
        f"Drawn {1 / zoom.side:,.3g} times as large: the part with at least {' and '.join(least)}. "
        f"{within:,} of {count(drawn, 'arrow')} {'begins' if within == 1 else 'begin'} here. "
        "Arrows that end outside of it run on; the small figure shows where it lies."
    )


def arrow_label(diagram: Reliability, b: int, noun: str = "case") -> str:
    """An arrow in a list: "52 wines · cat: 81 %, dog: 12 %, fox: 7 %"."""
    return f"{count(int(diagram.counts[b]), noun)} · {arrow_words(diagram, b, diagram.class_names)[0]}"


def group_name(members: Sequence[str], most: int = 24) -> str:
    """A name for a group that has none: its classes, as many as fit, and how many more."""
    for n_named in range(len(members), 1, -1):
        more = "" if n_named == len(members) else f" + {len(members) - n_named}"
        if len(name := ", ".join(members[:n_named]) + more) <= most:
            return name
    return members[0] if len(members) == 1 else f"{members[0]} + {len(members) - 1}"


def confused_words(classes: Sequence[str]) -> str:
    """A choice of corners: the classes confused most, and the rest."""
    return f"Most confused: {quoted(classes)}, and the rest"
