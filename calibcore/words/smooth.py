"""What is shown without bins, in words: arrows, or of two classes a curve."""

import numpy as np

from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, percent, plural
from calibcore.words.looking import AS_IT_IS
from calibcore.words.phrases import ALONE, exact_percent, p_words, points, points_shown, top_bins
from calibcore.words.texts import paragraph

NARROWER = paragraph("remarks", "narrow errors")
WIDE = 0.1
"""From such a reach on that is said. Only a bandwidth that somebody typed has it."""
MOST_STRETCHES = 2
"""Stretches of a curve that are told one by one."""


def _two(arrows: SmoothArrows) -> bool:
    return len(arrows.class_names) == 2


def method(arrows: SmoothArrows) -> str:
    """What an arrow is, how far it averages (total variation distance), and when it is strong; of two classes
    what the curve is, and how often a calibrated model's curve lies in its band."""
    if _two(arrows):
        return (
            "What happened less what was predicted, both averaged over similar predictions. The grey band "
            f"holds the whole curve of a calibrated model {exact_percent(1 - arrows.alpha)} of the time, "
            "exactly."
        )
    return (
        "An arrow leads from what was predicted to what happened, both averaged over predictions "
        f"{points(arrows.reach)} away on average. It is strong where it is longer than redrawn outcomes "
        "allow at all places at once. That holds exactly."
    )


def sentence(arrows: SmoothArrows, lens: Lens = AS_IT_IS) -> str:
    """At how many places outcomes lie further away than chance allows, and where most; of two classes where
    the curve leaves what chance allows, by how much at most, and how far it averages. ``lens`` is what it was
    made through."""
    p = p_words(arrows.pvalue, arrows.at_floor, alpha=arrows.alpha)
    return _curve_sentence(arrows, p, lens) if _two(arrows) else _arrows_sentence(arrows, p)


def _arrows_sentence(arrows: SmoothArrows, p: str) -> str:
    strong, places = int(arrows.strong.sum()), len(arrows.places)
    if not strong:
        return (
            f"At none of {count(places, 'place')} do outcomes lie further from the predictions than chance "
            f"allows ({p} for all at once)."
        )
    worst = int(np.argmax(np.where(arrows.strong, arrows.lengths, -1)))
    place = arrows.predicted[worst]
    likeliest, given = arrows.class_names[int(place.argmax())], percent(float(place.max()), 0)
    return (
        f"At {strong:,} of {count(places, 'place')} outcomes lie further from the predictions than chance "
        f"allows ({p} for all at once). Most where '{likeliest}' was given {given}: "
        f"{most_words(arrows, worst, ' happens')} more often."
    )


def most_words(arrows: SmoothArrows, j: int, happens: str = "", sign: int = 1) -> str:
    """The class that happens more often at a place, or less, and by how much: "'cat' happens 3.1 points"."""
    arrow = sign * arrows.arrows[j]
    size = float(arrow.max())
    return f"'{arrows.class_names[int(arrow.argmax())]}'{happens} {points_shown(size)}"


def place_lines(arrows: SmoothArrows, j: int) -> tuple[str, ...]:
    """One place in lines: what is predicted around it, what happens more and less, and what chance allows."""
    chance = "longer than chance allows" if arrows.strong[j] else "within what chance allows"
    return (
        f"Around {top_bins(arrows.predicted[j].tolist(), arrows.class_names)}",
        f"{most_words(arrows, j, ' happens')} more often",
        f"{most_words(arrows, j, ' happens', -1)} less often",
        f"About {arrows.cases[j]:,.0f} cases, {chance}",
    )


def _curve_sentence(arrows: SmoothArrows, p: str, lens: Lens) -> str:
    reach = f"The curve averages over predictions {points(arrows.reach)} away on average."
    p = f"{p} for the whole curve, {ALONE}"
    parts = _stretches(arrows)
    if not parts:
        return f"Nowhere does the curve leave what chance allows ({p}). {reach}"
    stretches = [_part_words(arrows, part, lens) for part in parts[:MOST_STRETCHES]]
    more = len(parts) - len(stretches)
    elsewhere = f" So it is in {count(more, 'further stretch')}." if more else ""
    return f"{'. '.join(stretches)}. That is more than chance allows ({p}).{elsewhere} {reach}"


def _stretches(arrows: SmoothArrows) -> list[list[int]]:
    """Neighbouring strong places on one side of 0, those with the largest deviation first."""
    parts: list[list[int]] = []
    for j in np.flatnonzero(arrows.strong).tolist():
        side = arrows.curve[j] > 0
        if parts and parts[-1][-1] == j - 1 and (arrows.curve[j - 1] > 0) == side:
            parts[-1].append(j)
        else:
            parts.append([j])
    return sorted(parts, key=lambda part: -float(np.abs(arrows.curve[part]).max()))


def _part_words(arrows: SmoothArrows, part: list[int], lens: Lens) -> str:
    places = [percent(float(arrows.predicted[j, 0]), 0) for j in (part[0], part[-1])]
    where = places[0] if places[0] == places[1] else " to ".join(places)
    most = float(np.abs(arrows.curve[part]).max())
    way = "more" if arrows.curve[part[0]] > 0 else "less"
    happened = lens.within.comes_true[1]
    return f"Where the model said about {where}, {happened} {way} often, by up to {points_shown(most)}"


def hover(arrows: SmoothArrows, j: int, noun: str = "case") -> tuple[str, ...]:
    """One prediction of a curve in lines: how much more often it happened, and what chance allows there."""
    return (
        f"Where the model said {percent(float(arrows.predicted[j, 0]))}",
        f"Happened {points(float(arrows.curve[j]))} more often than said",
        f"If calibrated: {allowed_words(arrows, j)}",
        f"As sure as of about {arrows.cases[j]:,.0f} {plural(noun)}",
    )


def allowed_words(arrows: SmoothArrows, j: int) -> str:
    """Of two classes what chance allows at a place: "−1.2 to 1.2 points"."""
    low, high = (100 * float(end[j]) for end in arrows.chance)
    return f"{'−' if low <= -0.05 else ''}{abs(low):.1f} to {high:.1f} points"


def order(arrows: SmoothArrows) -> list[int]:
    """The places, of two classes rising, of more the longest arrow in units of chance first."""
    if _two(arrows):
        return list(range(len(arrows.places)))
    ratio = arrows.lengths / np.where(arrows.deviation > 0, arrows.deviation, 1.0)
    longest_first: list[int] = np.argsort(-ratio, kind="stable").tolist()
    return longest_first
