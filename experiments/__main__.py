"""`make experiments`: simulations of two papers and of promised thresholds, beside what was published.

python -m experiments [--sets N] [--draws B] [--workers W] [--out FOLDER]
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

from experiments import drawing, promised_thresholds, published, tables, vaicenavicius2019, widmann2019
from experiments.processes import processes
from experiments.promised_thresholds import Found
from experiments.vaicenavicius2019 import Curves, Parameters
from experiments.widmann2019 import Outcome

MOST_SERIES = 1_000
"""Of V19's data sets, as in the paper."""
README_LEVEL = 0.05


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments", description="W19 §7, V19 §5.1, promises.")
    parser.add_argument("--sets", type=_at_least(2), default=2_000, help="data sets of each model")
    parser.add_argument("--draws", type=_at_least(1), default=100, help="of the bootstrap and resampling")
    parser.add_argument("--workers", type=_at_least(1), default=_cores(), help="processes")
    parser.add_argument("--out", type=Path, default=Path("build/experiments"), help="folder for the results")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)

    lines: list[str] = []
    outcomes: dict[str, Outcome] = {}
    curves: dict[Parameters, Curves] = {}
    series = min(given.sets, MOST_SERIES)
    with processes(given.workers, widmann2019.warm) as pool:
        for model in widmann2019.MODELS:
            start = time.perf_counter()
            outcomes[model] = widmann2019.run(model, given.sets, given.draws, pool)
            lines.append(_timing(model, outcomes[model], time.perf_counter() - start, given.workers))
            print(lines[-1], flush=True)
        start = time.perf_counter()
        for parameters in vaicenavicius2019.PARAMETERS:
            curves[parameters] = vaicenavicius2019.run(parameters, series, pool)
        lines.append(f"Gaussian mixture: {series:,} series, {time.perf_counter() - start:.0f} s.")
        print(lines[-1], flush=True)
        start = time.perf_counter()
        promises = promised_thresholds.run(given.sets, pool)
    lines.append(f"Promised thresholds: {len(promises)} settings, {time.perf_counter() - start:.0f} s.")
    print(lines[-1], flush=True)
    write(given.out, outcomes, curves, promises, lines)
    print(f"Tables and figures are in {given.out}; begin with results.md.")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} up")
        return int(text)

    return number


def _timing(model: str, outcome: Outcome, seconds: float, workers: int) -> str:
    return (
        f"{model}: {len(outcome.pvalues):,} data sets, {seconds:.0f} s on {workers} processes; "
        f"processor time for each {1e3 * outcome.seconds:.1f} ms for the estimates and seven tests, "
        f"{1e3 * outcome.exact_seconds:.1f} ms for two exact tests."
    )


def write(
    out: Path,
    outcomes: dict[str, Outcome],
    curves: dict[Parameters, Curves],
    promises: dict[tuple[str, int], Found],
    lines: list[str],
) -> None:
    """CSV tables, figures, and results.md, which shows them."""
    estimates, errors = tables.estimate_rows(outcomes), tables.error_rows(outcomes)
    off = tables.curve_rows(curves)
    tables.write_csv(out / "w19_estimates.csv", tables.ESTIMATES_HEADER, estimates)
    tables.write_csv(out / "w19_test_errors.csv", tables.ERRORS_HEADER, errors)
    tables.write_csv(out / "v19_curves.csv", tables.CURVES_HEADER, off)
    tables.write_csv(out / "promised_thresholds.csv", tables.PROMISES_HEADER, tables.promise_rows(promises))
    shares, broken = tables.promise_tables(promises)
    drawing.save(drawing.estimates(outcomes), out / "w19_figure1")
    drawing.save(drawing.test_errors(outcomes), out / "w19_figure2")
    drawing.save(drawing.curves(curves), out / "v19_figures")
    pairs = {parameters: vaicenavicius2019.diagrams(parameters) for parameters in curves}
    drawing.save(drawing.diagrams(pairs), out / "v19_diagrams")
    at_one_level = [row for row in errors if row[2] == README_LEVEL]
    text = "\n".join(
        [
            "# Simulations, made again\n",
            *(f"- {line}" for line in lines),
            "\n## Widmann et al. 2019, Figure 1: mean estimates\n",
            f"Published: {published.SETS:,} data sets. For the SKCE the true value is our mean of SKCE_uq.\n",
            tables.markdown(tables.ESTIMATES_HEADER, estimates),
            "![Distributions of the estimates](w19_figure1.svg)\n",
            f"## Widmann et al. 2019, Figure 2: test errors at level {README_LEVEL}\n",
            "Share rejected on M1 (type I), not rejected on M2 and M3 (type II). D_g: the bound given the "
            "predictions; E_ece, E_uq: the exact tests of ECE and SKCE_uq. Published p of C and A_uq are "
            "k/1000; ours are (1 + k)/(draws + 1), which shows at levels near 0 and 1.\n",
            tables.markdown(tables.ERRORS_HEADER, at_one_level),
            "![Test errors against the level](w19_figure2.svg)\n",
            "## Vaicenavicius et al. 2019, Tables 1 and 2: how far off, in total variation\n",
            tables.markdown(tables.BUILT_HEADER, tables.built_rows()),
            "## Vaicenavicius et al. 2019, §5.1: estimated minus expected miscalibration\n",
            tables.markdown(tables.CURVES_HEADER, off),
            "![Estimated minus expected miscalibration](v19_figures.svg)\n",
            "## Vaicenavicius et al. 2019, Figures 8, 11 and 14: one data set of 10,000 cases\n",
            "![Reliability diagrams of the three models](v19_diagrams.svg)\n",
            "## A threshold that keeps a promise: the share that may be answered\n",
            "95 % right, but for a chance of 5 %. In brackets the published share.\n",
            shares,
            "## The same: files that break the promise; that break the usual threshold\n",
            broken,
        ]
    )
    (out / "results.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
