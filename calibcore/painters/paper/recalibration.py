"""Recalibration on paper: the gains of all methods, before and after, the log loss over temperatures."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator

from calibcore.charts import style
from calibcore.charts.reliability import bar_name, widths
from calibcore.painters.paper import marks
from calibcore.painters.paper.marks import PAIR, Entries
from calibcore.painters.paper.sheets import FILL, QUIET, SMALL, TEXT, label_above, on_paper
from calibcore.questions.recalibrate import Look, Recalibration, TemperatureCurve
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.questions.recalibrate.charts import (
    BEFORE,
    BY_CHANCE,
    LOG_LOSS,
    NO_CHANGE,
    TEMPERATURE,
    Gain,
    gain_range,
    gains_of,
    line_notes,
    not_refuted_between,
    temperature_ticks,
)

BAND: dict[str, Any] = {"color": style.PRINT_FILL, "linewidth": 5}
MARK = {"worthwhile": ("o", TEXT), "not-worthwhile": ("o", "white"), "cannot-tell": ("s", "white")}
"""The answer on a method: a shape, and what fills it."""


@on_paper
def gains_print(recalibration: Recalibration, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.recalibration.gains_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    gains = gains_of(recalibration)
    figure, axes = marks.named_rows(width, [gain.method.map.label for gain in gains], _entries(gains))
    axes.set_xlim(gain_range(gains))
    axes.set_xlabel(recalibrating.SHARES)
    axes.axvline(0, color=style.CHANCE, linewidth=0.7)
    for place, gain in enumerate(gains):
        if gain.by_chance is not None:
            axes.plot(gain.by_chance, [place] * 2, solid_capstyle="butt", label="chance", **BAND)
        axes.plot(gain.ends, [place] * 2, color=TEXT, linewidth=0.9, label="interval")
        marker, fill = MARK[gain.method.answer]
        axes.plot(
            [gain.value], [place], marker=marker, markersize=4.5, color=TEXT, markerfacecolor=fill,
            markeredgecolor=TEXT, clip_on=False, zorder=3, label="gain",
        )  # fmt: skip
    return figure


def _entries(gains: Sequence[Gain]) -> Entries:
    entries: Entries = []
    if any(gain.by_chance is not None for gain in gains):
        entries.append((Line2D([], [], **BAND), BY_CHANCE))
    answers = {gain.method.answer for gain in gains}
    entries += [
        (marks.dot(*MARK[answer], size=4, color=TEXT), words.lower())
        for answer, words in recalibrating.ANSWERS.items()
        if answer in answers
    ]
    return entries


@on_paper
def before_after_print(look: Look, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.recalibration.before_after_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    names = (BEFORE, recalibrating.AFTER)
    entries: Entries = [(marks.dot(*look), name) for look, name in zip(PAIR, names, strict=True)]
    if look.before.has_bars:
        entries.append(marks.chance_key(bar_name(look.before)))
    figure, (axes,) = marks.panels(width, (45.0 if width < 100 else 65.0,), entries)
    x = look.before.mean_prediction[:, 0]
    if look.before.has_bars:
        axes.bar(
            x, 100 * (look.before.high - look.before.low), widths(x), 100 * look.before.low,
            label="if calibrated", **marks.CHANCE,
        )  # fmt: skip
    for which, diagram in enumerate((look.before, look.after)):
        marker, fill = PAIR[which]
        axes.plot(
            diagram.mean_prediction[:, 0], 100 * diagram.deviation, linestyle=":", linewidth=0.6,
            marker=marker, markersize=3.6, color=style.OBSERVED, markerfacecolor=fill, zorder=3,
            label="observed",
        )  # fmt: skip
    marks.deviation_axes(axes)
    return figure


@on_paper
def temperature_print(recalibration: Recalibration, curve: TemperatureCurve, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.recalibration.temperature_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    of_set = recalibration.temperature
    high = 35.0 if width < 100 else 50.0
    figure, (axes,) = marks.panels(width, (high,), [])
    ends = float(curve.temperatures[0]), float(curve.temperatures[-1])
    if not of_set.empty:
        axes.axvspan(*not_refuted_between(recalibration, curve), color=FILL, label="chance")
    axes.axvline(1.0, color=style.CHANCE, linewidth=0.7, linestyle="--", label=NO_CHANGE)
    axes.axvline(of_set.estimate, color=style.OBSERVED, linewidth=0.9, label="least")
    axes.plot(curve.temperatures, curve.log_loss, color=style.PREDICTED["light"], linewidth=0.9)
    axes.set_xscale("log")
    axes.set_xlim(*ends)
    axes.set_xticks(temperature_ticks(*ends), [f"{tick:g}" for tick in temperature_ticks(*ends)])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.set_xlabel(TEMPERATURE)
    label_above(axes, LOG_LOSS)
    colours = QUIET, style.OBSERVED_TEXT["light"]
    for note, colour, above in zip(line_notes(recalibration, curve), colours, (True, False), strict=True):
        side, ha = (3, "left") if note.right else (-3, "right")
        axes.annotate(
            note.words, (note.temperature, 1), (side, 3 if above else -2), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha=ha, va="bottom" if above else "top", color=colour, fontsize=SMALL,
        )  # fmt: skip
    return figure
