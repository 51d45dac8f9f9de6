"""What arrows without bins show, in words and rows."""

import numpy as np

from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.wording import count, percent
from calibcore.words.phrases import digits_shown, p_words, points, top_bins

METHOD = (
    "At each place outcomes less predictions are averaged with the weights of a kernel. The predictions are "
    "{reach} away on average. An arrow is strong where it is longer than redrawn outcomes allow at all "
    "places at once. That holds exactly."
)


def method(found: SmoothArrows) -> str:
    """What an arrow is, how far it averages (total variation distance), and when it is strong."""
    return METHOD.format(reach=points(found.reach))


def sentence(found: SmoothArrows) -> str:
    """At how many places outcomes lie further away than chance allows, and where most."""
    strong, places = int(found.strong.sum()), len(found.places)
    p = p_words(found.pvalue, found.at_floor, alpha=found.alpha)
    if not strong:
        return (
            f"At none of {count(places, 'place')} do outcomes lie further from the predictions than chance "
            f"allows ({p} for all at once)."
        )
    worst = int(np.argmax(np.where(found.strong, found.lengths, -1)))
    more = int(np.argmax(found.arrows[worst]))
    size, given = _size(float(found.arrows[worst, more])), percent(float(found.places[worst].max()), 0)
    return (
        f"At {strong:,} of {count(places, 'place')} outcomes lie further from the predictions than chance "
        f"allows ({p} for all at once). Most where '{_likeliest(found, worst)}' was given {given}: "
        f"'{found.class_names[more]}' happens {size} more often."
    )


def place_lines(found: SmoothArrows, place: int) -> tuple[str, ...]:
    """One place in lines: what is predicted around it, what happens more and less, and what chance allows."""
    arrow, names = found.arrows[place], found.class_names
    more, less = int(arrow.argmax()), int(arrow.argmin())
    chance = "longer than chance allows" if found.strong[place] else "within what chance allows"
    return (
        f"Around {top_bins(found.places[place].tolist(), names)}",
        f"'{names[more]}' happens {_size(float(arrow[more]))} more often",
        f"'{names[less]}' happens {_size(float(-arrow[less]))} less often",
        f"About {found.cases[place]:,.0f} cases, {chance}",
    )


def _size(size: float) -> str:
    """In points, with as many digits as show that it is not 0."""
    return points(size, digits_shown(size) or 1)


def _likeliest(found: SmoothArrows, place: int) -> str:
    return found.class_names[int(np.argmax(found.places[place]))]


def rows(found: SmoothArrows, exact: bool = False) -> list[dict[str, object]]:
    """One row a place, the longest arrow in units of chance first; in full precision if ``exact``."""
    ratio = found.lengths / np.where(found.deviation > 0, found.deviation, 1.0)
    row = _exact_row if exact else _row
    return [row(found, j) for j in np.argsort(-ratio, kind="stable").tolist()]


def _row(found: SmoothArrows, j: int) -> dict[str, object]:
    more = int(found.arrows[j].argmax())
    return {
        "Place": top_bins(found.places[j].tolist(), found.class_names),
        "Happens more": f"'{found.class_names[more]}' {_size(float(found.arrows[j, more]))}",
        "Cases": f"{found.cases[j]:,.0f}",
        "Stands out": "yes" if found.strong[j] else "no",
    }


def _exact_row(found: SmoothArrows, j: int) -> dict[str, object]:
    names = found.class_names
    return {
        **{f"place: {name}": float(found.places[j, k]) for k, name in enumerate(names)},
        **{f"arrow: {name}": float(found.arrows[j, k]) for k, name in enumerate(names)},
        "length": float(found.lengths[j]),
        "allowed by chance": float(found.allowed[j]),
        "cases": float(found.cases[j]),
        "share": float(found.shares[j]),
        "stands out": bool(found.strong[j]),
    }
