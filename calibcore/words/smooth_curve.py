"""What a curve without bins shows, two classes, in words and rows."""

import numpy as np

from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.wording import count, percent, plural
from calibcore.words.phrases import ALONE, p_words, points

METHOD = (
    "At each prediction: what happened less what was predicted, averaged over similar predictions. The grey "
    "band holds the whole curve of a calibrated model {share} of the time, exactly."
)
NARROWER = "So wide an average hides narrow errors: a smaller bandwidth, in the side bar, shows them."
WIDE = 0.1
"""From such a reach on that is said."""
MOST_STRETCHES = 2
"""Stretches that are told one by one."""


def method(found: SmoothArrows) -> str:
    """What the curve is, and how often a calibrated model's curve lies in its band."""
    return METHOD.format(share=percent(1 - found.alpha, 0))


def sentence(found: SmoothArrows) -> str:
    """Where the curve leaves what chance allows, by how much at most, and how far it averages."""
    reach = f"The curve averages over predictions {points(found.reach)} away on average."
    p = f"{p_words(found.pvalue, found.at_floor, alpha=found.alpha)} for the whole curve, {ALONE}"
    parts = _stretches(found)
    if not parts:
        return f"Nowhere does the curve leave what chance allows ({p}). {reach}"
    told = [_part_words(found, part) for part in parts[:MOST_STRETCHES]]
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


def _part_words(found: SmoothArrows, part: list[int]) -> str:
    places = [percent(float(found.places[j, 0]), 0) for j in (part[0], part[-1])]
    where = places[0] if places[0] == places[1] else " to ".join(places)
    most = float(np.abs(found.curve[part]).max())
    way = "more" if found.curve[part[0]] > 0 else "less"
    return f"Where the model said about {where}, it happened {way} often, by up to {points(most)}"


def hover(found: SmoothArrows, j: int, noun: str = "case") -> str:
    """One prediction in lines: how much more often it happened, and what chance allows there."""
    allowed = 100 * float(found.band[j])
    return "<br>".join(
        (
            f"Where the model said {percent(float(found.places[j, 0]))}",
            f"Happened {points(float(found.curve[j]))} more often than said",
            f"If calibrated: −{allowed:.1f} to {allowed:.1f} points",
            f"As sure as of about {found.cases[j]:,.0f} {plural(noun)}",
        )
    )


def rows(found: SmoothArrows, exact: bool = False) -> list[dict[str, object]]:
    """One row a place, rising; in full precision if ``exact``."""
    row = _exact_row if exact else _row
    return [row(found, j) for j in range(len(found.places))]


def _row(found: SmoothArrows, j: int) -> dict[str, object]:
    allowed = 100 * float(found.band[j])
    return {
        "Predicted": percent(float(found.places[j, 0])),
        "Happened more often": points(float(found.curve[j])),
        "If calibrated": f"−{allowed:.1f} to {allowed:.1f} points",
        "Outside": "yes" if found.strong[j] else "",
    }


def _exact_row(found: SmoothArrows, j: int) -> dict[str, object]:
    return {
        "predicted": float(found.places[j, 0]),
        "happened less predicted": float(found.curve[j]),
        "allowed by chance": float(found.band[j]),
        "cases": float(found.cases[j]),
        "share": float(found.shares[j]),
        "outside": bool(found.strong[j]),
    }
