"""The figures: results in, matplotlib figure out; computed are test errors at 101 levels and true curves."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from calibcore.diagram.reliability import Reliability
from experiments import published, vaicenavicius2019, widmann2019
from experiments.vaicenavicius2019 import Curves, Parameters
from experiments.widmann2019 import Outcome

OURS, THEIRS, CHANCE = "#0072B2", "#D55E00", "#8A94A0"
TEXT = "#5F6873"
STYLE: Any = {
    "svg.hashsalt": "experiments",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": CHANCE,
    "axes.linewidth": 0.5,
    "axes.grid": True,
    "grid.color": CHANCE,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "axes.labelcolor": TEXT,
    "text.color": TEXT,
}


def save(figure: Figure, path: Path) -> None:
    """SVG and PNG; the same bytes for the same results."""
    with mpl.rc_context(STYLE):
        figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
        figure.savefig(path.with_suffix(".png"), dpi=160, metadata={"Software": None})


def _panels(
    rows: int, columns: int, height: float, sharey: Literal["none", "row"] = "none"
) -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(7.5, height * rows + 0.5), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, sharey=sharey)


def estimates(outcomes: Mapping[str, Outcome]) -> Figure:
    """W19 Figure 1: distributions of the estimates, with mean, published mean and true value."""
    with mpl.rc_context(STYLE):
        figure, axes = _panels(len(widmann2019.ESTIMATES), len(outcomes), 1.3)
        for j, (model, outcome) in enumerate(outcomes.items()):
            axes[0, j].set_title(model, color=TEXT)
            unbiased = float(outcome.estimates[:, widmann2019.ESTIMATES.index("SKCE_uq")].mean())
            for i, name in enumerate(widmann2019.ESTIMATES):
                true = published.TRUE_ECE[model] if name == "ECE" else unbiased
                theirs = published.MEAN_ESTIMATES[name][model]
                _distribution(axes[i, j], outcome.estimates[:, i], true, theirs)
        for i, name in enumerate(widmann2019.ESTIMATES):
            axes[i, 0].set_ylabel(name)
        _lines_named(axes[0, 0])
        figure.supxlabel("Estimate", fontsize=8)
    return figure


def _distribution(axes: Axes, values: np.ndarray, true: float, theirs: float) -> None:
    axes.hist(values, bins=40, color=OURS, alpha=0.35)
    axes.axvline(float(values.mean()), color=OURS, linewidth=1.2)
    axes.plot([theirs], [0], marker="^", color=THEIRS, markersize=5, clip_on=False, zorder=3)
    axes.axvline(true, color=CHANCE, linewidth=1.2, linestyle=(0, (4, 2)))
    axes.set_yticks([])
    axes.ticklabel_format(axis="x", style="sci", scilimits=(-2, 2))


def _lines_named(axes: Axes) -> None:
    for row, (words, colour) in enumerate(
        [("— mean", OURS), ("▲ published mean", THEIRS), ("- - true value", CHANCE)]
    ):
        axes.annotate(
            words, (0.08, 0.9 - 0.16 * row), xycoords="axes fraction", color=colour, fontsize=7, va="top"
        )


def test_errors(outcomes: Mapping[str, Outcome]) -> Figure:
    """W19 Figure 2: type I error on M1, type II on the others, against the significance level."""
    tests = (*widmann2019.TESTS, *widmann2019.EXACT_TESTS)
    levels = np.linspace(0, 1, 101)
    with mpl.rc_context(STYLE):
        figure, axes = _panels(len(tests), len(outcomes), 0.95)
        for j, (model, outcome) in enumerate(outcomes.items()):
            axes[0, j].set_title(f"{model}, type {'I' if model == 'M1' else 'II'} error", color=TEXT)
            for i, test in enumerate(tests):
                panel = axes[i, j]
                if model == "M1":
                    panel.plot([0, 1], [0, 1], color=CHANCE, linewidth=0.8, linestyle=(0, (4, 2)))
                panel.plot(
                    levels, widmann2019.test_errors(outcome, model, test, levels), color=OURS, linewidth=1.2
                )
                if test in published.TEST_ERRORS:
                    theirs = published.TEST_ERRORS[test][model]
                    panel.plot(published.LEVELS, theirs, ".", color=THEIRS, markersize=5)
                panel.set(xlim=(0, 1), ylim=(-0.05, 1.05), xticks=[0, 0.5, 1], yticks=[0, 1])
                panel.tick_params(labelbottom=i == len(tests) - 1, labelleft=j == 0)
        for i, test in enumerate(tests):
            axes[i, 0].set_ylabel(test)
        axes[0, 1].annotate("— ours", (0.05, 0.8), color=OURS, fontsize=7)
        axes[0, 1].annotate("● published", (0.05, 0.5), color=THEIRS, fontsize=7)
        figure.supxlabel("Significance level", fontsize=8)
    return figure


def curves(found: Mapping[Parameters, Curves]) -> Figure:
    """V19 Figures 6 to 13: 5th percentile, mean and 95th of estimated minus expected miscalibration."""
    names = list(vaicenavicius2019.BINNINGS)
    with mpl.rc_context(STYLE):
        figure, axes = _panels(len(found), len(names), 1.7, "row")
        for i, ((beta0, beta1), curve) in enumerate(found.items()):
            axes[i, 0].set_ylabel(f"β = ({beta0:g}, {beta1:g})\nexpected {curve.expected:.3f}")
            for j, name in enumerate(names):
                _curve(axes[i, j], curve.sizes, curve.estimates[:, :, j] - curve.expected)
                if np.isfinite(curve.limits[j]):
                    axes[i, j].axhline(curve.limits[j] - curve.expected, color=THEIRS, linewidth=0.8)
                axes[0, j].set_title(name, color=TEXT)
        panel = axes[0, 0]
        panel.annotate("mean", (0.5, 0.85), xycoords="axes fraction", color=OURS, fontsize=7)
        panel.annotate("5 % to 95 %", (0.5, 0.72), xycoords="axes fraction", color=CHANCE, fontsize=7)
        panel.annotate("with endless data", (0.5, 0.59), xycoords="axes fraction", color=THEIRS, fontsize=7)
        figure.supxlabel("Cases", fontsize=8)
        figure.supylabel("Estimated − expected miscalibration", fontsize=8)
    return figure


def diagrams(found: Mapping[Parameters, Sequence[Reliability]]) -> Figure:
    """V19 Figures 8, 11 and 14: deviations with consistency bars, true ones, and where predictions are."""
    names = list(vaicenavicius2019.DIAGRAM_BINNINGS)
    with mpl.rc_context(STYLE):
        figure, axes = _panels(len(found), len(names), 1.9, "row")
        for i, (parameters, pair) in enumerate(found.items()):
            beta0, beta1 = parameters
            axes[i, 0].set_ylabel(f"β = ({beta0:g}, {beta1:g})")
            for j, diagram in enumerate(pair):
                _diagram(axes[i, j], parameters, diagram)
                axes[0, j].set_title(names[j], color=TEXT)
        panel, bars = axes[1, 0], "bars: 5 % to 95 % by chance"
        for row, (words, colour) in enumerate(
            [("× deviation in a bin", OURS), ("— true deviation", THEIRS), (bars, CHANCE)]
        ):
            panel.annotate(words, (0.03, 0.9 - 0.1 * row), xycoords="axes fraction", color=colour, fontsize=7)
        figure.supxlabel("Predicted probability of class −1; grey below: its distribution", fontsize=8)
        figure.supylabel("Observed frequency − mean prediction", fontsize=8)
    return figure


def _diagram(axes: Axes, parameters: Parameters, diagram: Reliability) -> None:
    at, (low, high) = diagram.mean_prediction[:, 0], (diagram.low, diagram.high)
    axes.axhline(0, color=CHANCE, linewidth=0.5)
    axes.vlines(at, low, high, color=CHANCE, linewidth=3, alpha=0.6)
    axes.plot(at, diagram.deviation, "x", color=OURS, markersize=4)
    constant = parameters[1] == 0
    where = at if constant else np.linspace(0.002, 0.998, 499)
    true, mark = vaicenavicius2019.true_deviation(parameters, where), "_" if constant else ""
    axes.plot(where, true, color=THEIRS, linewidth=1, zorder=1, marker=mark)
    low_end, high_end = axes.get_ylim()
    share = diagram.histogram / diagram.histogram.max() * 0.2 * (high_end - low_end)
    edges = np.linspace(0, 1, len(share) + 1)
    axes.bar(edges[:-1], share, 1 / len(share), low_end, align="edge", color=CHANCE, alpha=0.35, linewidth=0)
    axes.set(xlim=(0, 1), ylim=(low_end, high_end))


def _curve(axes: Axes, sizes: tuple[int, ...], off: np.ndarray) -> None:
    low, high = np.quantile(off, [0.05, 0.95], axis=0)
    axes.fill_between(sizes, low, high, color=CHANCE, alpha=0.35, linewidth=0)
    axes.plot(sizes, off.mean(axis=0), color=OURS, linewidth=1.2, marker=".")
    axes.set_xscale("log")
