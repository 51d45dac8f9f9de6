"""Rows of results beside what was published, as CSV and Markdown."""

import csv
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

import numpy as np

from calibcore import ECE, CanonicalLens, ClassLens, TopKLens
from calibcore.data.examples import load_example
from calibcore.diagram.binning import UniformBinning
from calibcore.transforms.lenses import Lens
from experiments import promised_thresholds, published, vaicenavicius2019, widmann2019
from experiments.promised_thresholds import Found
from experiments.vaicenavicius2019 import Curves, Parameters
from experiments.widmann2019 import Outcome

Row = Sequence[str | float | None]
ESTIMATES_HEADER = ("model", "estimate", "true value", "mean", "s.e.", "published mean", "z")
ERRORS_HEADER = ("model", "test", "level", "test error", "s.e.", "published", "z")
BUILT_HEADER = ("model", "through", "off, as printed", "off, found")
CURVES_HEADER = (
    "β0", "β1", "bins", "n", "expected", "limit", "mean of estimate − expected", "s.e.", "5 %", "95 %",
)  # fmt: skip
PROMISES_HEADER = (
    "world", "n", "files", "best share", "plain order", "plain order, published", "promised", "s.e.",
    "promised, published", "broken", "usual threshold broken",
)  # fmt: skip


def estimate_rows(outcomes: Mapping[str, Outcome]) -> list[Row]:
    """W19 Figure 1. z: our mean against theirs, both with our spread and each with its number of sets."""
    rows: list[Row] = []
    for model, outcome in outcomes.items():
        unbiased = outcome.estimates[:, widmann2019.ESTIMATES.index("SKCE_uq")].mean()
        for name, values in zip(widmann2019.ESTIMATES, outcome.estimates.T, strict=True):
            true = published.TRUE_ECE[model] if name == "ECE" else unbiased
            theirs = published.MEAN_ESTIMATES[name][model]
            spread, sets = values.std(ddof=1), len(values)
            z = (values.mean() - theirs) / (spread * sqrt(1 / sets + 1 / published.SETS))
            rows.append((model, name, true, values.mean(), spread / sqrt(sets), theirs, z))
    return rows


def error_rows(outcomes: Mapping[str, Outcome]) -> list[Row]:
    """W19 Figure 2 at some levels; the tests that are not in the paper without a published value."""
    rows: list[Row] = []
    levels = np.array(published.LEVELS)
    for model, outcome in outcomes.items():
        sets = len(outcome.pvalues)
        for test in (*widmann2019.TESTS, *widmann2019.EXACT_TESTS):
            ours = widmann2019.test_errors(outcome, model, test, levels)
            theirs = published.TEST_ERRORS.get(test, {}).get(model, (None,) * len(levels))
            for level, error, other in zip(published.LEVELS, ours, theirs, strict=True):
                z = None if other is None else _z_of_shares(float(error), sets, other)
                rows.append((model, test, level, error, sqrt(error * (1 - error) / sets), other, z))
    return rows


def _z_of_shares(ours: float, sets: int, theirs: float) -> float:
    """Two shares, one of ``sets`` and one of the published 10⁴, with their pooled variance."""
    pooled = (ours * sets + theirs * published.SETS) / (sets + published.SETS)
    variance = pooled * (1 - pooled) * (1 / sets + 1 / published.SETS)
    return (ours - theirs) / sqrt(variance) if variance > 0 else 0.0


def built_rows() -> list[Row]:
    """V19 Tables 1 and 2: how far off each lens is, by what is printed and of the bundled cases."""
    rows: list[Row] = []
    for name, key in (("Table 1", "v19-table-1"), ("Table 2", "v19-table-2")):
        printed, cases = published.TABLES[name], load_example(key)
        wholes = [0.5 * sum(abs(q - p) for p, q in zip(*row, strict=True)) for row in printed]
        looks: list[tuple[str, Lens, float]] = [
            ("all probabilities", CanonicalLens(), sum(wholes) / len(wholes)),
            ("confidence", TopKLens(1), _off([(max(g), q[g.index(max(g))]) for g, q in printed])),
        ]
        looks += [
            (f"class {label}", ClassLens(label), _off([(g[k], q[k]) for g, q in printed]))
            for k, label in enumerate(cases.class_names)
        ]
        rows += [(name, words, off, ECE(UniformBinning(10))(lens(cases))) for words, lens, off in looks]
    return rows


def _off(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean distance of what was said and what happens where that was said; pairs of both, alike often."""
    happens: dict[float, list[float]] = {}
    for said, happened in pairs:
        happens.setdefault(said, []).append(happened)
    return sum(abs(sum(each) - len(each) * said) for said, each in happens.items()) / len(pairs)


def curve_rows(curves: Mapping[Parameters, Curves]) -> list[Row]:
    """V19 Figures 6, 7, 9, 10, 12 and 13."""
    rows: list[Row] = []
    for parameters, found in curves.items():
        for j, bins in enumerate(vaicenavicius2019.BINNINGS):
            for i, n in enumerate(found.sizes):
                off = found.estimates[:, i, j] - found.expected
                low, high = np.quantile(off, [0.05, 0.95])
                error = off.std(ddof=1) / sqrt(len(off))
                limit = found.limits[j] if np.isfinite(found.limits[j]) else None
                rows.append((*parameters, bins, n, found.expected, limit, off.mean(), error, low, high))
    return rows


def promise_rows(found: Mapping[tuple[str, int], Found]) -> list[Row]:
    """A row a world and number of cases."""
    rows: list[Row] = []
    for (world, n), of in found.items():
        theirs = published.PROMISED_SHARE.get(n, {}).get(world, (None, None))
        broken, usual = of.broken / of.files, of.naive / of.files
        shares = of.best, of.plain, theirs[0], of.guided, of.error, theirs[1]
        rows.append((world, n, of.files, *shares, broken, usual))
    return rows


def promise_tables(found: Mapping[tuple[str, int], Found]) -> tuple[str, str]:
    """As docs/statistics/decide.md has them, a row a world and a column a number of cases.

    The share that is promised, in brackets the published one; and how often the promise is broken, then the
    usual threshold.
    """

    def shares(of: Found, theirs: tuple[float, float] | None) -> str:
        beside = "" if theirs is None else f" ({_share(theirs[1])})"
        return f"{_share(of.guided)}{beside}"

    def broken(of: Found, _: object) -> str:
        return f"{_share(of.broken / of.files, 3)}; {_share(of.naive / of.files)}"

    sizes = sorted({n for _, n in found})
    made = []
    for cell in (shares, broken):
        best = cell is shares
        lines = [
            ["world", *(["best"] if best else []), *(f"{n:,} cases" for n in sizes)],
            ["---"] * (1 + best + len(sizes)),
        ]
        for world in promised_thresholds.WORLDS:
            begins = [world, _share(found[world, sizes[0]].best)] if best else [world]
            cells = (cell(found[world, n], published.PROMISED_SHARE.get(n, {}).get(world)) for n in sizes)
            lines.append([*begins, *cells])
        made.append("".join(f"| {' | '.join(line)} |\n" for line in lines))
    return made[0], made[1]


def _share(value: float, digits: int = 2) -> str:
    """0.0375 -> ".04"."""
    return f"{value:.{digits}f}".removeprefix("0")


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Row]) -> None:
    """Full precision; nothing where there is no value."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [header, *([_plain(value) for value in row] for row in rows)]
        )


def _plain(value: str | float | None) -> str:
    return "" if value is None else f"{value:.17g}" if isinstance(value, float) else str(value)


def markdown(header: Sequence[str], rows: Sequence[Row]) -> str:
    """Four significant digits; z with one decimal."""
    lines = [header, ["---"] * len(header)]
    lines += [[_short(v, name == "z") for v, name in zip(row, header, strict=True)] for row in rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def _short(value: str | float | None, is_z: bool) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    form = "d" if isinstance(value, int) else ".1f" if is_z else ".4g"
    return format(value, form).replace("-", "−")
