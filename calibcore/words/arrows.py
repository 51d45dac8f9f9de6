"""What triangle and tetrahedron show: their arrows, which of them stand out, their corners and parts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from calibcore.diagram.density import Isoline
from calibcore.diagram.reliability import Reliability, ranks_by_evidence
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests import BinPvalues
from calibcore.wording import count, percent, plural, quoted, sentences
from calibcore.words.looking import arrow_words
from calibcore.words.phrases import NO_BARS, digits_shown, exact_percent, expected, p_words, points
from calibcore.words.texts import paragraph


def stands_out(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> Any:
    """(n_bins,) whether an arrow is drawn in full: significant after adjusting; without tests outside its
    bar; all of them where cases are weighted, as nothing is known of chance."""
    if tests is not None:
        return tests.significant(alpha)
    return diagram.outside | (not diagram.has_bars)


def strongest(diagram: Reliability, tests: BinPvalues | None = None) -> int:
    """The bin whose arrow has the strongest evidence: the least adjusted p, then the least p. Among those
    that share it, or without tests, the one that chance explains least, which a reliability diagram calls its
    clearest. Inside their bars the longest in units of what chance allows it; where nothing is known of that,
    the one that stands for most cases times its length."""
    chance = diagram.high if diagram.has_bars else 1 / diagram.counts
    sure = np.where(diagram.deviation > 1e-12, np.inf, 0.0)
    lengths = np.divide(diagram.deviation, chance, out=sure, where=chance > 0)
    keys = [-diagram.counts, -lengths, ranks_by_evidence(diagram)]
    if tests is not None:
        keys += [tests.pvalue, tests.adjusted]
    return int(np.lexsort(keys)[0])


TOGETHER = paragraph("remarks", "all places together")
"""Said where no arrow stands out and the test of all classes together finds a problem."""


def arrows_sentence(
    diagram: Reliability,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    noun: str = "case",
    many: str = "",
    rejected: bool = False,
) -> str:
    """The two of :func:`arrows_answer`, and where no arrow stands out what the test of all found.

    rejected : whether the test of all classes together finds a problem
    """
    together = TOGETHER if rejected and _weak(diagram, tests, alpha) else ""
    return sentences(*arrows_answer(diagram, tests, alpha, noun, many), together)


def arrows_answer(
    diagram: Reliability, tests: BinPvalues | None, alpha: float, noun: str, many: str = ""
) -> tuple[str, str]:
    """What arrows show, and what is said after it: the strongest arrow, in the class that moves most, and
    how many stand out. Where none does, that comes first.

    many : how many of all stand out, where the diagram is without some
    """
    first = strongest_sentence(diagram, tests, alpha, noun, incomplete=bool(many))
    many = many or how_many(diagram, tests, alpha)
    return (many, first) if _weak(diagram, tests, alpha) else (first, many)


def _weak(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> bool:
    return bool(diagram.n_bins) and not stands_out(diagram, tests, alpha).any()


def how_many(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> str:
    """How many arrows stand out."""
    n = int(stands_out(diagram, tests, alpha).sum())
    if tests is None and not diagram.has_bars:
        return f"{NO_BARS[diagram.bars]} do not say what chance allows."
    adjusted = ", adjusted for their number" if tests is not None and diagram.n_bins > 1 else ""
    every, single = count(diagram.n_bins, "arrow"), diagram.n_bins == 1
    none = "The arrow" if single else f"None of {every}"
    if tests is not None:
        if not n:
            return f"{none} {'cannot' if single else 'can'} be told from chance{adjusted}."
        return f"{n:,} of {every} {'stands' if n == 1 else 'stand'} out{adjusted}."
    are = f"{n:,} of {every} {'is' if n == 1 else 'are'}" if n else f"{none} is{' not' * single}"
    return f"{are} longer than chance allows."


def strongest_sentence(
    diagram: Reliability,
    tests: BinPvalues | None,
    alpha: float = 0.05,
    noun: str = "case",
    incomplete: bool = False,
) -> str:
    """How the class that moves most was predicted and happened in the bin of the strongest arrow, and how
    long that is; before that, that it could be chance where it does not stand out.

    incomplete : whether the diagram is without some arrows
    """
    if not diagram.n_bins:
        return ""
    b = strongest(diagram, tests)
    gap = diagram.observed[b] - diagram.mean_prediction[b]
    c = int(np.abs(gap).argmax())
    digits = digits_shown(float(abs(gap[c])))
    if not digits:
        return "Every arrow is a dot: what was predicted is what happened."
    given, seen = (percent(float(side[b, c]), digits) for side in (diagram.mean_prediction, diagram.observed))
    far = f"{points(float(abs(diagram.deviation[b])), digits)} away"
    p = "" if tests is None else f", {_adjusted_p(tests, b)}"
    arrow = "Strongest arrow" if diagram.n_bins > 1 else "The arrow"
    if not stands_out(diagram, tests, alpha)[b]:
        even = f"Even the strongest{' that is drawn' * incomplete}" if diagram.n_bins > 1 else arrow
        arrow = f"{even} could be chance"
    return (
        f"{arrow}: in its {count(int(diagram.counts[b]), noun)} '{diagram.class_names[c]}' was given {given} "
        f"on average and happened {seen} of the time ({far}{p})."
    )


def net_gap_sentence(diagram: Reliability) -> str:
    """Which class happens more, and less, than predicted over all arrows, beside what chance alone explains;
    every class that shifts by more than that."""
    shift, most = diagram.shifts, diagram.shifts_by_chance
    beyond = [] if most is None else np.flatnonzero(np.abs(shift) > most + 1e-12).tolist()
    order = dict.fromkeys([int(shift.argmax()), int(shift.argmin()), *beyond])
    parts = [c for c in order if abs(shift[c]) >= 0.0005 or c in beyond]
    if not parts:
        return "Over all arrows every class happens as often as predicted."
    digits = (digits_shown(float(np.abs(shift[parts]).min())) or 1) if beyond else 1
    words: list[str] = []
    for c in parts:
        way = "more" if shift[c] > 0 else "less"
        first = not words
        chance = f" ({'chance alone: ' * first}up to {100 * most[c]:.{digits}f})" if most is not None else ""
        words.append(
            f"'{diagram.class_names[c]}' {'happens ' * first}{points(float(abs(shift[c])), digits)} {way}"
            f"{' often than predicted' * first}{chance}"
        )
    return f"Net gap over all arrows: {', '.join(words)}."


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
    return "" if tests is None else f"arrow's {_adjusted_p(tests, b)}"


def _adjusted_p(tests: BinPvalues, b: int) -> str:
    return f"adjusted {p_words(float(tests.adjusted[b]), bool(tests.at_floor[b]))}"


def outline_sentence(diagram: Reliability, b: int, noun: str = "case") -> str:
    """What the outline around a chosen arrow's beginning says."""
    if not diagram.has_bars:
        how = NO_BARS[diagram.bars].partition(" ")[0].lower()
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


def cloud_sentence(cloud: Sequence[Isoline], noun: str) -> str:
    """What the shades of blue hold: "The darker blue holds 50 % of the predictions, …"."""
    half, most = (percent(line.inside, 0) for line in cloud)
    return (
        f"The darker blue holds {half} of the predictions for all {plural(noun)}, where they are densest; "
        f"both shades together {most}."
    )


# --- corners and parts ----------------------------------------------------------------


LEAST_OF_NAME = 5
"""Characters of a cut name."""
WHERE_THEY_ARE, PREDICTIONS = "Where the predictions are", "predictions"


def corners_sentence(diagram: Reliability, noun: str) -> str:
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


def arrow_label(diagram: Reliability, b: int, noun: str) -> str:
    """An arrow in a list: "52 wines · cat: 81 %, dog: 12 %, fox: 7 %"."""
    return f"{count(int(diagram.counts[b]), noun)} · {arrow_words(diagram, b, diagram.class_names)[0]}"


def group_name(members: Sequence[str], most: int = 24) -> str:
    """A name for a group that has none: its classes, as many as fit, and how many more."""
    for n_named in range(len(members), 1, -1):
        more = "" if n_named == len(members) else f" + {len(members) - n_named}"
        if len(name := ", ".join(members[:n_named]) + more) <= most:
            return name
    return members[0] if len(members) == 1 else f"{members[0]} + {len(members) - 1}"


def confused_words(classes: Sequence[str], most: int | None = None) -> str:
    """A choice of corners: the classes confused most, and the rest; in about ``most`` characters long names
    are cut in the middle, each of them, so that all can be told."""
    if most is None:
        return f"Most confused: {quoted(classes)}"
    room = max(LEAST_OF_NAME, *map(len, classes))
    while True:
        words = f"Confused: {', '.join(middle_cut(name, room) for name in classes)}"
        if len(words) <= most or room <= LEAST_OF_NAME:
            return words
        room -= 1


def middle_cut(name: str, most: int) -> str:
    """A name in so many characters, 4 or more: its beginning and its end."""
    tail = (most - 1) // 3
    return name if len(name) <= most else f"{name[: most - 1 - tail].rstrip()}…{name[-tail:]}"
