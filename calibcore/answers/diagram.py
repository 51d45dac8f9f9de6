"""A reliability diagram as an answer, and its bins and its arrows as tables."""

import numpy as np

from calibcore.answers.blocks import Answer, Chart, Fold
from calibcore.answers.tables import Column, Table
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests import BinPvalues
from calibcore.numerics.types import Float
from calibcore.wording import count, percent
from calibcore.words.arrows import stands_out
from calibcore.words.phrases import exact_percent, number, p_words, top_bins
from calibcore.words.results import bins_outside


def says(diagram: Reliability) -> Answer:
    """What a diagram shows by itself, whatever was tested."""
    outside = bins_outside(diagram)
    return Answer(
        (count(diagram.n_bins, "bin"), count(diagram.n_cases, "case")),
        "",
        (
            diagram_chart(diagram, "", outside, outside),
            Fold("The numbers as a table", (bins_table(diagram),)),
        ),
    )


def diagram_chart(
    diagram: Reliability, title: str, says: str, caption: str = "", noun: str = "case"
) -> Chart:
    """A diagram with its bins; what it ``says`` is up to where it stands."""
    return Chart(
        name="reliability",
        title=title,
        says=says,
        caption=caption,
        screen="reliability.reliability_figure",
        paper="reliability_print",
        inline="reliability_svg",
        of=diagram,
        noun=noun,
        table=bins_table(diagram),
        term="bin",
    )


def bins_table(diagram: Reliability, frequencies: FrequencyIntervals | None = None) -> Table[int]:
    """A row a bin; for more than two classes the fullest first, in full precision of every class.

    frequencies : exact intervals of how often it happened in each bin, where they are to be told
    """
    names, two = diagram.class_names, len(diagram.class_names) == 2
    order = range(diagram.n_bins) if two else np.argsort(-diagram.counts, kind="stable").tolist()

    def classes(what: str, means: Float) -> tuple[Column[int], Column[int]]:
        def words(b: int) -> str:
            each = means[b].tolist()
            return percent(each[0]) if two else top_bins(each, names)

        n_shown = 1 if two else len(names)
        keys = tuple(f"{what} {name}" for name in names[:n_shown])
        return (
            Column(what.capitalize(), "", words),
            Column("", keys, lambda b: tuple(means[b, :n_shown].tolist())),
        )

    def chance(b: int) -> str | None:
        if not diagram.has_bars:
            return None
        return f"{number(100 * diagram.low[b])} to {number(100 * diagram.high[b])}"

    columns: list[Column[int]] = [
        Column("Cases", "cases", lambda b: int(diagram.counts[b]), int),
        *classes("predicted", diagram.mean_prediction),
        *classes("observed", diagram.observed),
        Column(
            "Deviation (points)",
            "deviation",
            lambda b: float(diagram.deviation[b]),
            lambda deviation: number(100 * deviation),
        ),
        Column("If calibrated (points)", "", chance, unknown="–"),
    ]
    if diagram.has_bars:
        ends = ("if calibrated, low", "if calibrated, high")
        columns.append(Column("", ends, lambda b: (float(diagram.low[b]), float(diagram.high[b]))))
    outside = "outside" if diagram.has_bars else ""
    columns.append(
        Column("Outside", outside, lambda b: bool(diagram.outside[b]), lambda out: "yes" if out else "")
    )
    if frequencies is not None and not frequencies.withheld:
        low, high = frequencies.low.tolist(), frequencies.high.tolist()
        columns.append(
            Column(
                f"Interval of observed ({exact_percent(frequencies.level)})",
                ("observed, low", "observed, high"),
                lambda b: (low[b], high[b]),
                lambda low, high: f"{percent(low)} to {percent(high)}",
            )
        )
    return Table("bins", "Bins", tuple(columns), tuple(order), rows_are="bins")


def arrows_table(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> Table[int]:
    """A row an arrow, the fullest bins first, with its p-values where arrows are tested."""
    bins = bins_table(diagram)
    if tests is None:
        return bins
    strong = stands_out(diagram, tests, alpha)
    pvalue, adjusted, at_floor = tests.pvalue.tolist(), tests.adjusted.tolist(), tests.at_floor.tolist()

    def words(b: int) -> str:
        return p_words(adjusted[b], at_floor[b], alpha=alpha, short=True)

    return Table(
        "arrows",
        "Arrows",
        (
            *bins.columns,
            Column("", "p", lambda b: pvalue[b]),
            Column("", "adjusted p", lambda b: adjusted[b]),
            Column("Arrow's adjusted p", "", words),
            Column("Stands out", "", lambda b: "yes" if strong[b] else ""),
        ),
        bins.items,
        rows_are="arrows",
    )
