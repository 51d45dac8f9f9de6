"""A training run on paper: log loss, typical gap, ECE beside chance, and p, over the epochs."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from calibcore.charts import style
from calibcore.painters.paper import marks
from calibcore.painters.paper.marks import LEFT, Entries
from calibcore.painters.paper.sheets import label_above, on_paper
from calibcore.questions.training import TrainingRun
from calibcore.questions.training.charts import (
    ACROSS,
    CHANCE,
    INTERVAL,
    ROWS,
    errors_of,
    gaps_of,
    level_words,
    losses_of,
    pvalues_of,
)

HIGH, BESIDE = 20.0, 2.0
"""Millimetres: of a panel, and more on the left, for numbers below 1."""


@on_paper
def training_print(run: TrainingRun, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.training.training_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    entries: Entries = [
        marks.chance_key(f"{CHANCE}, 9 times in 10"),
        (Patch(**marks.INTERVAL), INTERVAL),
        (marks.dot("o", style.OBSERVED, 3.4), "miscalibrated"),
    ]
    figure, panels = marks.panels(width, [HIGH] * 4, entries, LEFT + BESIDE)
    numbers = [epoch.number for epoch in run.epochs]
    for row, axes in enumerate(panels):
        label_above(axes, ROWS[row], bold=True)
        axes.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.tick_params(labelbottom=row == 3)
    panels[3].set_xlabel(ACROSS)
    _losses(panels[0], run, numbers)
    _gaps(panels[1], run, numbers)
    _errors(panels[2], run, numbers)
    _pvalues(panels[3], run, numbers)
    for axes in panels[:3]:
        axes.yaxis.set_major_locator(MaxNLocator(4))
    return figure


def _losses(axes: Axes, run: TrainingRun, numbers: list[int]) -> None:
    losses = losses_of(run)
    axes.plot(numbers, losses, color=style.PREDICTED["light"], linewidth=0.9, marker=".", markersize=3)
    best = run.least_log_loss
    axes.plot(
        [best], [losses[numbers.index(best)]], marker="o", markersize=5, color=style.PREDICTED["light"],
        label="least",
    )  # fmt: skip


def _gaps(axes: Axes, run: TrainingRun, numbers: list[int]) -> None:
    low, value, high = gaps_of(run)
    axes.fill_between(numbers, low, high, label="interval", **marks.INTERVAL)
    axes.plot(numbers, value, color=style.OBSERVED, linewidth=1.2, label="typical gap")
    axes.set_ylim(bottom=0)


def _errors(axes: Axes, run: TrainingRun, numbers: list[int]) -> None:
    low, errors, high = errors_of(run)
    axes.fill_between(numbers, low, high, label=CHANCE, **marks.CHANCE)
    axes.plot(numbers, errors, color=style.OBSERVED, linewidth=1.2, label="ECE")
    axes.set_ylim(bottom=0)


def _pvalues(axes: Axes, run: TrainingRun, numbers: list[int]) -> None:
    (values, least), alpha = pvalues_of(run), run.spec.alpha
    marks.logarithmic(axes, "y", 10**least, 1.3)
    marks.level(axes, alpha, level_words(run))
    axes.plot(numbers, values, color=style.QUIET["light"], linewidth=0.6)
    rejected = set(run.rejected)
    for number, value in zip(numbers, values, strict=True):
        axes.plot(
            [number], [value], marker="o", markersize=3.4, color=style.OBSERVED, clip_on=False,
            markerfacecolor=style.OBSERVED if number in rejected else "white", label="p",
        )  # fmt: skip
