"""What the arrows of triangle and tetrahedron show, which of them stand out, and what chance allows one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from calibcore.diagram.density import Isoline
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests import BinPvalues
from calibcore.wording import count, percent, plural
from calibcore.words.phrases import NO_BARS, digits_shown, exact_percent, expected, p_words, points
from calibcore.words.results import reliability_rows


def stands_out(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> Any:
    """(n_bins,) whether an arrow is drawn in full: significant after adjusting; without tests outside its
    bar; all of them where cases are weighted, as nothing is known of chance."""
    if tests is not None:
        return tests.significant(alpha)
    return diagram.outside | (not diagram.has_bars)


def arrows_sentence(diagram: Reliability, tests: BinPvalues | None = None, alpha: float = 0.05) -> str:
    """What the arrows show: the class that happens more, and less, than predicted; how many stand out."""
    shift = diagram.shifts
    more, less = int(shift.argmax()), int(shift.argmin())
    n = int(stands_out(diagram, tests, alpha).sum())
    arrows, one = f"{n:,} of {count(diagram.n_bins, 'arrow')}", 1 in (n, diagram.n_bins)
    if tests is not None:
        longer = f"{arrows} {'stands' if one else 'stand'} out, adjusted for their number"
    elif not diagram.has_bars:
        longer = f"{NO_BARS[diagram.bars]} cases do not say what chance allows"
    else:
        longer = f"{arrows} {'is' if one else 'are'} longer than chance allows"
    most = diagram.shifts_by_chance
    beyond = [] if most is None else np.flatnonzero(np.abs(shift) > most + 1e-12).tolist()
    if shift[more] < 0.0005 and not beyond:
        return f"Over all arrows every class happens as often as predicted. {longer}."
    parts = [more, less, *(c for c in beyond if c not in (more, less))]
    digits = (digits_shown(float(np.abs(shift[parts]).min())) or 1) if beyond else 1
    chance = "" if most is None else f" (chance alone: up to {_limits(most[[more, less]], digits)})"
    also = "".join(
        f", '{diagram.class_names[c]}' {points(float(abs(shift[c])), digits)} "
        f"{'more' if shift[c] > 0 else 'less'} (up to {_limits(most[[c]], digits)})"
        for c in parts[2:]
        if most is not None
    )
    return (
        f"Net gap over all arrows: '{diagram.class_names[more]}' happens "
        f"{points(float(shift[more]), digits)} more often than predicted, "
        f"'{diagram.class_names[less]}' {points(float(-shift[less]), digits)} less{chance}{also}. "
        f"{longer}."
    )


def _limits(most: Any, digits: int) -> str:
    return " and ".join(f"{100 * limit:.{digits}f}" for limit in most)


def arrows_judged(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> str:
    """Which arrows are drawn in full, and how many chance alone would make so; empty for weighted cases."""
    if not diagram.has_bars:
        return ""
    if tests is None:
        return (
            "Strong arrows are longer than chance allows for their own bin, not adjusted for their number. "
            f"Were the model calibrated, we would expect {expected(diagram.expected_outside)} of them."
        )
    if diagram.n_bins == 1:
        return f"The arrow is strong if its exact p is {alpha:g} or less."
    return (
        f"Strong arrows have an exact p of {alpha:g} or less, adjusted for {diagram.n_bins:,} arrows. "
        f"Were the model calibrated, any would be strong at most {exact_percent(alpha)} of the time."
    )


def too_many_arrows(diagram: Reliability) -> str:
    """Why no arrow has a p-value of its own, where chance is known at all."""
    return (
        f"So many bins ({diagram.n_bins:,}) cannot be told from chance one by one. "
        "Fewer, larger bins bring a p-value for each."
    )


def arrow_p(tests: BinPvalues | None, b: int) -> str:
    """The arrow's own p, adjusted for looking at all arrows: "arrow's adjusted p = 0.012"; else empty."""
    if tests is None:
        return ""
    return f"arrow's adjusted {p_words(float(tests.adjusted[b]), bool(tests.at_floor[b]))}"


def outline_sentence(diagram: Reliability, b: int, noun: str = "case") -> str:
    """What the outline around a chosen arrow's beginning says."""
    if not diagram.has_bars:
        how = NO_BARS[diagram.bars].lower()
        return f"These {plural(noun)} are {how}: nothing says where the arrow would end by chance alone."
    n, radius = int(diagram.counts[b]), float(diagram.high[b])
    if radius <= 0:
        return "The model is sure here: were it calibrated, the arrow would be a dot."
    where = "outside" if diagram.outside[b] else "inside"
    return (
        f"Were the model calibrated, this arrow of {count(n, noun)} would end within {points(radius)} of its "
        f"beginning, the grey outline, at least {exact_percent(diagram.interval[1])} of the time. "
        f"It ends {where}."
    )


def lines_sentence(lines: Sequence[Isoline], noun: str = "case") -> str:
    """What the lines around the densest predictions hold: "Inside the thicker lines lie 50 % of …"."""
    names = ("thicker", "thinner")
    parts = [
        f"{percent(line.inside, 0)} {'lie ' if i == 0 else ''}inside the {name} blue lines"
        for i, (line, name) in enumerate(zip(lines, names, strict=True))
    ]
    return f"Of the predictions for all {plural(noun)}, {' and '.join(parts)}, where they are densest."


def arrow_rows(
    diagram: Reliability, tests: BinPvalues | None, alpha: float, exact: bool = False
) -> list[dict[str, object]]:
    """One row an arrow, the fullest bins first, with its p-values; ``exact`` in full precision."""
    rows = reliability_rows(diagram, exact)
    if tests is None:
        return rows
    order = np.argsort(-diagram.counts, kind="stable").tolist()
    strong, least = stands_out(diagram, tests, alpha), tests.at_floor
    for row, b in zip(rows, order, strict=True):
        if exact:
            row |= {"p": float(tests.pvalue[b]), "adjusted p": float(tests.adjusted[b])}
        else:
            row |= {
                "Arrow's adjusted p": p_words(
                    float(tests.adjusted[b]), bool(least[b]), alpha=alpha, short=True
                ),
                "Stands out": "yes" if strong[b] else "",
            }
    return rows
