"""Other measures beside the typical gap, as tables: of one look, of several checks, and every number."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from calibcore.answers.tables import Column, Table, interval_column
from calibcore.diagnose import Diagnosis, Estimate
from calibcore.diagram.gap_sizes import Interval
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import lens_to_words
from calibcore.wording import in_noun
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.measures import (
    AS_GIVEN,
    COEFFICIENT_NAMES,
    DECOMPOSITION_NAMES,
    DIFFERS,
    ECE,
    ESTIMATE_NAMES,
    MCE,
    NET,
    OF_CONFIDENCE,
    OF_LENS,
    SCORES,
    SKCE,
    UNADJUSTED,
    estimate_number,
    level_words,
    measures_notes,
    score_name,
    score_words,
    without_unit,
)
from calibcore.words.phrases import error, expected, kernel_error, number, redrawn_p
from calibcore.words.results import null_range
from calibcore.words.sizes import gap_cell, net_digits, net_gap
from calibcore.words.tables import Row, Rows

IF_CALIBRATED = "If calibrated, 9 times in 10"
"""Head of the range that chance gives."""
LOW_AND_HIGH = ("if calibrated, low", "if calibrated, high")
"""Its ends in full precision."""


@dataclass(frozen=True)
class Measure:
    """A measure of how far off a model is.

    Attributes
    ----------
    words : as a person reads its value; empty where only the file has it
    by_chance : where it lies for a calibrated model
    key, value, low, high : the same in full precision; without a ``key`` only people read it
    """

    name: str
    words: str
    by_chance: str = ""
    differs: str = ""
    key: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None


def measures_table(diagnosis: Diagnosis) -> Table[Measure]:
    """A row a measure beside the typical gap, and how it differs from that."""
    columns: tuple[Column[Measure], ...] = (
        Column("Measure", "", lambda measure: measure.name),
        Column("", "measure", lambda measure: measure.key),
        Column("Value", "", lambda measure: measure.words),
        Column("", "value", lambda measure: measure.value),
        Column(IF_CALIBRATED, "", lambda measure: measure.by_chance),
        Column(
            "", ("if calibrated, low", "if calibrated, high"), lambda measure: (measure.low, measure.high)
        ),
        Column("How it differs", "", lambda measure: measure.differs, below=True),
    )
    distances, kernel = _distances(diagnosis), _kernel_errors(diagnosis)
    read = (*distances, *(kernel[kind] for kind in ("unbiased", "biased", "linear") if kind in kernel))
    written = (*distances, *kernel.values())
    diagram = diagnosis.reliability
    if diagram.has_bars:
        read += (
            Measure(
                "Bins outside",
                f"{diagram.outside.sum():,} of {diagram.n_bins:,}",
                f"{expected(diagram.expected_outside)} on average",
                "How many bins lie outside their bars, not how far.",
            ),
        )
    return Table("measures", "More measures", columns, read, in_full=written)


def _distances(diagnosis: Diagnosis) -> list[Measure]:
    """The net gap of two classes, the average gap and the largest."""
    errors, spec, classes = diagnosis.calibration_error, diagnosis.spec, diagnosis.frequencies
    measures = []
    if len(classes) == 1:
        words = net_gap(spec.lens, classes)
        measures.append(Measure(NET, words, "", DIFFERS[NET], "net gap", classes[0].gap.value))
    for name, key in ((ECE, "ece"), (MCE, "mce")):
        words, ends = error(errors[key], spec.distance), (errors.get(f"{key}_low"), errors.get(f"{key}_high"))
        by_chance = level_words(diagnosis, key)
        measures.append(Measure(name, words, by_chance, DIFFERS[name], key, errors[key], *ends))
    return measures


def _kernel_errors(diagnosis: Diagnosis) -> dict[str, Measure]:
    """By how it is estimated."""
    return {
        kind: Measure(
            f"{SKCE}, {kind}",
            kernel_error(value),
            null_range(diagnosis) if kind == "unbiased" else "",
            DIFFERS[SKCE] if kind == "unbiased" else "",
            f"skce {kind}",
            value,
        )
        for kind, value in diagnosis.skce.items()
    }


def scores_table(diagnosis: Diagnosis) -> Table[str]:
    """A row a score of the predictions as given, with its standard error."""
    scores, errors = diagnosis.scores, diagnosis.score_errors
    columns: tuple[Column[str], ...] = (
        Column("Score", "score", lambda key: key, partial(score_name, diagnosis.kind)),
        Column("", "value", scores.__getitem__),
        Column("Value ± standard error", "", lambda key: score_words(diagnosis, key)),
        Column("", "standard error", errors.__getitem__),
    )
    known = tuple(key for key in SCORES if key in scores)
    return Table(
        "scores",
        "Scores of the predictions as given",
        columns,
        known,
        notes=(OF_CONFIDENCE if diagnosis.kind == "confidence" else AS_GIVEN,),
    )


def estimates_table(diagnosis: Diagnosis) -> Table[Estimate]:
    """A row an estimate: its value, where 9 in 10 lie under calibration, its exact p."""

    def level(estimate: Estimate) -> tuple[float | None, ...]:
        return tuple((estimate.level or {}).get(name) for name in ("mean", "low", "high"))

    def range_words(estimate: Estimate) -> str | None:
        if estimate.level is None:
            return None
        low, high = (estimate_number(estimate.name, estimate.level[end]) for end in ("low", "high"))
        return f"{without_unit(low)} to {high}"

    def remark(estimate: Estimate) -> str:
        origin = "" if estimate.of == "lens" else "of the predictions as given"
        return "; ".join(filter(None, (origin, estimate.note)))

    def value_words(estimate: Estimate) -> str | None:
        return None if estimate.value is None else estimate_number(estimate.name, estimate.value)

    def p(value: float) -> str:
        return redrawn_p(value, diagnosis.spec.resamples, short=True)

    columns: tuple[Column[Estimate], ...] = (
        Column("Estimate", "estimate", lambda estimate: estimate.name, ESTIMATE_NAMES.__getitem__),
        Column("", "of", lambda estimate: estimate.of),
        Column("Value", "", value_words, unknown="–"),
        Column("", "value", lambda estimate: estimate.value),
        Column(IF_CALIBRATED, "", range_words, unknown="–"),
        Column("", ("if calibrated, mean", "if calibrated, low", "if calibrated, high"), level),
        Column("Exact p", "exact p", lambda estimate: estimate.pvalue, p, unknown="–"),
        Column("Remark", "", remark),
        Column("", "remark", lambda estimate: estimate.note),
    )
    return Table("estimates", "Other estimates", columns, diagnosis.estimates, notes=(UNADJUSTED,))


def recalibration_table(diagnosis: Diagnosis) -> Table[str]:
    """A row a coefficient with its 95 % interval; none for more than two classes."""
    coefficients = diagnosis.recalibration

    def value(name: str) -> float | None:
        coefficient = coefficients[name]
        return None if coefficient is None else coefficient["estimate"]

    def ends(name: str) -> tuple[float | None, float | None]:
        low, high = (None, None) if coefficients[name] is None else coefficients[name]["interval"]
        return low, high

    def remark(name: str) -> str:
        notes = "intercept_with_slope_fixed_at_1_notes" if "fixed" in name else "cox_notes"
        return " ".join(coefficients[notes])

    def in_words(value: float) -> str:
        return number(value, 3)

    columns: tuple[Column[str], ...] = (
        Column("Coefficient", "coefficient", lambda name: name, COEFFICIENT_NAMES.__getitem__),
        Column("Value", "value", value, in_words, unknown="–"),
        Column(
            "95 % interval",
            ("low", "high"),
            ends,
            lambda low, high: f"{in_words(low)} to {in_words(high)}",
            unknown="–",
        ),
        Column("Remark", "", remark),
    )
    return Table(
        "recalibration",
        "Recalibration",
        columns,
        tuple(name for name in COEFFICIENT_NAMES if name in coefficients),
    )


def parts_table(diagnosis: Diagnosis) -> Table[tuple[str, str, float]]:
    """A row a part of a score, in the order in which they add up."""
    parts = tuple(
        (name, part, value) for name, each in diagnosis.decompositions.items() for part, value in each.items()
    )
    columns: tuple[Column[tuple[str, str, float]], ...] = (
        Column("Score", "score", lambda part: part[0], DECOMPOSITION_NAMES.__getitem__),
        Column("Part", "part", lambda part: part[1], lambda name: name.replace("_", " ")),
        Column("Value", "value", lambda part: part[2], lambda value: number(value, 5)),
    )
    return Table("parts-of-scores", "Parts of the scores", columns, parts, notes=(OF_LENS,))


# --- of several checks -------------------------------------------------------------------


def checks_measured(diagnoses: Sequence[Diagnosis], noun: str = "case") -> Table[Diagnosis]:
    """A row a check: the other measures beside what chance gives them."""
    digits = net_digits([diagnosis.frequencies for diagnosis in diagnoses])
    regions = len({diagnosis.lens_n for diagnosis in diagnoses}) > 1
    unit = " (points)" if DISTANCES[diagnoses[0].spec.distance].in_points else ""

    def net(diagnosis: Diagnosis) -> Interval | None:
        return diagnosis.frequencies[0].gap if len(diagnosis.frequencies) == 1 else None

    def net_class(diagnosis: Diagnosis) -> str | None:
        return diagnosis.frequencies[0].class_name if len(diagnosis.frequencies) == 1 else None

    def net_words(diagnosis: Diagnosis) -> str:
        return net_gap(diagnosis.spec.lens, diagnosis.frequencies, digits, unit=False)

    def ece(diagnosis: Diagnosis) -> str | None:
        errors = diagnosis.calibration_error
        return without_unit(error(errors["ece"], diagnosis.spec.distance)) if errors else None

    def by_chance_words(diagnosis: Diagnosis) -> str | None:
        return without_unit(level_words(diagnosis, "ece")) if diagnosis.calibration_error else None

    columns: tuple[Column[Diagnosis], ...] = (
        Column("Check", "", lambda diagnosis: sentence_case(name_of(diagnosis))),
        Column("", "lens", lambda diagnosis: lens_to_words(diagnosis.spec.lens)),
        Column("Cases" * regions, "n", lambda diagnosis: diagnosis.lens_n, lambda cases: f"{cases:,}"),
        Column(f"{NET} (points)", "", net_words),
        interval_column("", "net gap", net, gap_cell),
        Column(
            "",
            "net gap, of",
            lambda diagnosis: None if net(diagnosis) is None else diagnosis.frequencies[0].class_name,
        ),
        Column(f"ECE{unit}", "", ece, unknown="–"),
        Column("", "ECE", lambda diagnosis: diagnosis.calibration_error["ece"]),
        Column("ECE if calibrated", "", by_chance_words, unknown="–"),
        Column(
            "",
            ("ECE if calibrated, low", "ECE if calibrated, high"),
            lambda diagnosis: tuple(diagnosis.calibration_error.get(f"ece_{end}") for end in ("low", "high")),
        ),
        Column("", "bins", lambda diagnosis: diagnosis.reliability.n_bins),
    )
    notes = tuple(in_noun(words, noun) for words in measures_notes())
    return Table("measures", "More measures", columns, tuple(diagnoses), rows_are="checks", notes=notes)


# --- every number ---------------------------------------------------------------------


def every_number(diagnosis: Diagnosis) -> Rows:
    """A row a number in full precision: scores, typical gap, calibration errors, estimates, tests with their
    statistic."""
    gap = {} if diagnosis.typical_gap is None else {"typical gap": diagnosis.typical_gap.value}
    errors = {name: diagnosis.calibration_error[name] for name in ("ece", "mce")}
    kernel = {f"skce-{kind}": value for kind, value in diagnosis.skce.items()}
    every = {**diagnosis.scores, **gap, **errors, **kernel}
    rows: Rows = [{"name": name, "value": value} for name, value in every.items()]
    rows += [{"name": e.name, "value": e.value, "p": e.pvalue, "note": e.note} for e in diagnosis.estimates]
    for test in diagnosis.tests:
        result = test.result
        row: Row = {"name": f"test {test.name}", "note": test.note}
        if result is not None:
            row |= {"value": result.statistic, "p": result.pvalue, "promise": result.promise}
        rows.append(row)
    return rows
