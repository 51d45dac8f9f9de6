"""What is shown without bins, in words: arrows, or of two classes a curve."""

import numpy as np

from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, percent, plural
from calibcore.words.looking import AS_IT_IS
from calibcore.words.phrases import ALONE, digits_shown, p_words, points, top_bins

NARROWER = "So wide an average hides narrow errors: a smaller bandwidth, in the side bar, shows them."
WIDE = 0.1
"""From such a reach on that is said. Only a bandwidth that somebody typed has it."""
MOST_STRETCHES = 2
"""Stretches of a curve that are told one by one."""


def _two(found: SmoothArrows) -> bool:
    return len(found.class_names) == 2


def method(found: SmoothArrows) -> str:
    """What an arrow is, how far it averages (total variation distance), and when it is strong; of two classes
    what the curve is, and how often a calibrated model's curve lies in its band."""
    if _two(found):
        return (
            "What happened less what was predicted, both averaged over similar predictions. The grey band "
            f"holds the whole curve of a calibrated model {percent(1 - found.alpha, 0)} of the time, exactly."
        )
    return (
        "An arrow leads from what was predicted to what happened, both averaged over predictions "
        f"{points(found.reach)} away on average. It is strong where it is longer than redrawn outcomes allow "
        "at all places at once. That holds exactly."
    )


def sentence(found: SmoothArrows, lens: Lens = AS_IT_IS) -> str:
    """At how many places outcomes lie further away than chance allows, and where most; of two classes where
    the curve leaves what chance allows, by how much at most, and how far it averages. ``lens`` is what it was
    made through."""
    p = p_words(found.pvalue, found.at_floor, alpha=found.alpha)
    return _curve_sentence(found, p, lens) if _two(found) else _arrows_sentence(found, p)


def _arrows_sentence(found: SmoothArrows, p: str) -> str:
    strong, places = int(found.strong.sum()), len(found.places)
    if not strong:
        return (
            f"At none of {count(places, 'place')} do outcomes lie further from the predictions than chance "
            f"allows ({p} for all at once)."
        )
    worst = int(np.argmax(np.where(found.strong, found.lengths, -1)))
    place = found.predicted[worst]
    likeliest, given = found.class_names[int(place.argmax())], percent(float(place.max()), 0)
    return (
        f"At {strong:,} of {count(places, 'place')} outcomes lie further from the predictions than chance "
        f"allows ({p} for all at once). Most where '{likeliest}' was given {given}: "
        f"{most_words(found, worst, ' happens')} more often."
    )


def most_words(found: SmoothArrows, j: int, happens: str = "", sign: int = 1) -> str:
    """The class that happens more often at a place, or less, and by how much: "'cat' happens 3.1 points"."""
    arrow = sign * found.arrows[j]
    size = float(arrow.max())
    return f"'{found.class_names[int(arrow.argmax())]}'{happens} {points(size, digits_shown(size) or 1)}"


def place_lines(found: SmoothArrows, j: int) -> tuple[str, ...]:
    """One place in lines: what is predicted around it, what happens more and less, and what chance allows."""
    chance = "longer than chance allows" if found.strong[j] else "within what chance allows"
    return (
        f"Around {top_bins(found.predicted[j].tolist(), found.class_names)}",
        f"{most_words(found, j, ' happens')} more often",
        f"{most_words(found, j, ' happens', -1)} less often",
        f"About {found.cases[j]:,.0f} cases, {chance}",
    )


def _curve_sentence(found: SmoothArrows, p: str, lens: Lens) -> str:
    reach = f"The curve averages over predictions {points(found.reach)} away on average."
    p = f"{p} for the whole curve, {ALONE}"
    parts = _stretches(found)
    if not parts:
        return f"Nowhere does the curve leave what chance allows ({p}). {reach}"
    told = [_part_words(found, part, lens) for part in parts[:MOST_STRETCHES]]
    more = len(parts) - len(told)
    elsewhere = f" So it is in {count(more, 'further stretch')}." if more else ""
    return f"{'. '.join(told)}. That is more than chance allows ({p}).{elsewhere} {reach}"


def _stretches(found: SmoothArrows) -> list[list[int]]:
    """Neighbouring strong places on one side of 0, those with the largest deviation first."""
    parts: list[list[int]] = []
    for j in np.flatnonzero(found.strong).tolist():
        side = found.curve[j] > 0
        if parts and parts[-1][-1] == j - 1 and (found.curve[j - 1] > 0) == side:
            parts[-1].append(j)
        else:
            parts.append([j])
    return sorted(parts, key=lambda part: -float(np.abs(found.curve[part]).max()))


def _part_words(found: SmoothArrows, part: list[int], lens: Lens) -> str:
    places = [percent(float(found.predicted[j, 0]), 0) for j in (part[0], part[-1])]
    where = places[0] if places[0] == places[1] else " to ".join(places)
    most = float(np.abs(found.curve[part]).max())
    way = "more" if found.curve[part[0]] > 0 else "less"
    happened = lens.within.comes_true[1]
    return f"Where the model said about {where}, {happened} {way} often, by up to {points(most)}"


def hover(found: SmoothArrows, j: int, noun: str = "case") -> tuple[str, ...]:
    """One prediction of a curve in lines: how much more often it happened, and what chance allows there."""
    return (
        f"Where the model said {percent(float(found.predicted[j, 0]))}",
        f"Happened {points(float(found.curve[j]))} more often than said",
        f"If calibrated: {allowed_words(found, j)}",
        f"As sure as of about {found.cases[j]:,.0f} {plural(noun)}",
    )


def allowed_words(found: SmoothArrows, j: int) -> str:
    """Of two classes what chance allows at a place: "−1.2 to 1.2 points"."""
    low, high = (100 * float(end[j]) for end in found.chance)
    return f"{'−' if low <= -0.05 else ''}{abs(low):.1f} to {high:.1f} points"


def order(found: SmoothArrows) -> list[int]:
    """The places, of two classes rising, of more the longest arrow in units of chance first."""
    if _two(found):
        return list(range(len(found.places)))
    ratio = found.lengths / np.where(found.deviation > 0, found.deviation, 1.0)
    order: list[int] = np.argsort(-ratio, kind="stable").tolist()
    return order
