"""Whole answers as a person reads them on a terminal."""

from calibcore.diagnose import Diagnosis
from calibcore.spec import DiagnosisSpec
from calibcore.survey import Survey
from calibcore.words.estimates import (
    UNADJUSTED,
    level_words,
    rows_of_decompositions,
    rows_of_estimates,
    rows_of_recalibration,
)
from calibcore.words.phrases import (
    PROMISES,
    count,
    error,
    expected,
    kernel_error,
    lens_words,
    number_p,
)
from calibcore.words.results import (
    bins_heading,
    claim_and_outcome,
    methods,
    narrow_bandwidth,
    null_range,
    rows_of_tests,
    score_words,
)
from calibcore.words.testing import kernel_test_sentence


def _table(rows: list[dict[str, str]], right: tuple[str, ...] = ()) -> list[str]:
    """Aligned lines with a head."""
    heads = list(rows[0])
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}

    def line(cells: dict[str, str]) -> str:
        parts = [cells[h].rjust(widths[h]) if h in right else cells[h].ljust(widths[h]) for h in heads]
        return "  " + "  ".join(parts).rstrip()

    return [line({head: head for head in heads}), *map(line, rows)]


def _section(rows: list[dict[str, str]], *after: str) -> list[str]:
    return [*_table(rows), *(f"  {line}" for line in after), ""] if rows else []


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """A diagnosis as a person reads it on a terminal."""
    spec, diagram, distance = diagnosis.spec, diagnosis.reliability, diagnosis.spec.distance
    found, skce = diagnosis.calibration_error, diagnosis.skce
    lines = [
        f"{count(diagnosis.n, 'case')}, {diagnosis.m} classes; {lens_words(spec.lens)}, "
        f"{bins_heading(diagram, spec.binning)}",
        "",
        claim_and_outcome(diagram, spec.lens),
        kernel_test_sentence(diagnosis),
        "",
        *_table(
            [
                {"Estimate": name, "Value": value, "If calibrated, 9 times in 10": chance}
                for name, value, chance in (
                    (
                        "Calibration error (ECE)",
                        error(found["ece"], distance),
                        level_words(diagnosis, "ece"),
                    ),
                    (
                        "Largest bin error (MCE)",
                        error(found["mce"], distance),
                        level_words(diagnosis, "mce"),
                    ),
                    (
                        "Bins outside",
                        "–" if diagram.bars == "none" else f"{diagram.outside.sum():,} of {diagram.n_bins:,}",
                        "–" if diagram.bars == "none" else f"{expected(diagram.expected_outside)} on average",
                    ),
                    ("Kernel error (SKCE), unbiased", kernel_error(skce["unbiased"]), null_range(diagnosis)),
                    ("Kernel error (SKCE), biased", kernel_error(skce["biased"]), ""),
                    *(
                        (f"Kernel error (SKCE), {name}", kernel_error(skce[name]), "")
                        for name in ("linear",)
                        if name in skce
                    ),
                    ("Accuracy ± standard error", score_words(diagnosis, "accuracy"), ""),
                    ("Brier score ± standard error", score_words(diagnosis, "brier"), ""),
                    ("Log loss ± standard error", score_words(diagnosis, "log_loss"), ""),
                    ("Spherical score ± standard error", score_words(diagnosis, "spherical"), ""),
                )
            ]
        ),
        "",
        *_section(rows_of_estimates(diagnosis), UNADJUSTED),
        *_section(rows_of_recalibration(diagnosis)),
        *_section(rows_of_decompositions(diagnosis)),
        *(_table(rows_of_tests(diagnosis)) if diagnosis.tests else ["No tests were asked for."]),
        "",
        *(f"- {line}" for line in methods(diagnosis)),
    ]
    return "\n".join(lines)


ADJUSTMENT_WORDS = {
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini–Hochberg, which needs tests that do not speak against each other "
    "(positive dependence)",
}


def _redraws(spec: DiagnosisSpec) -> str:
    if spec.stop_at is None:
        return f"{spec.resamples:,} redraws"
    return f"up to {spec.resamples:,} redraws, fewer where {spec.stop_at:,} were as extreme before"


def _smallest(found: Survey) -> float:
    """The smallest adjusted p there can be."""
    spec = found.diagnoses[0].spec
    lenses = len(found.diagnoses) if spec.adjustment == "holm" else 1
    return lenses / (spec.resamples + 1)


def survey_text(found: Survey) -> str:
    """A survey as a person reads it on a terminal."""
    first = found.diagnoses[0]
    rows = []
    for diagnosis, adjusted in zip(found.diagnoses, found.adjusted, strict=True):
        level, test = diagnosis.calibration_error, diagnosis.test("exact-skce")
        distance = diagnosis.spec.distance
        rows.append(
            {
                "Lens": lens_words(diagnosis.spec.lens),
                "ECE": error(level["ece"], distance),
                "If calibrated, 9 times in 10": level_words(diagnosis, "ece"),
                "p": number_p(test.result.pvalue) if test is not None and test.result is not None else "–",
                "p adjusted": number_p(adjusted),
            }
        )
    return "\n".join(
        [
            f"{count(first.n, 'case')}, {first.m} classes, {count(len(rows), 'lens')}",
            "",
            *_table(rows, right=("p", "p adjusted")),
            *(f"  {lens}: not tested. {reason}" for lens, reason in found.refused),
            "",
            f"- p: exact Monte Carlo test of the unbiased kernel calibration error, {PROMISES['exact']}; "
            f"{_redraws(first.spec)}, seed {first.spec.seed}.",
            f"- p adjusted: {ADJUSTMENT_WORDS[first.spec.adjustment]}, for having looked through all these "
            f"lenses; the smallest possible is {number_p(_smallest(found))}.",
            *(
                f"- {lens_words(diagnosis.spec.lens)}: {said}"
                for diagnosis in found.diagnoses
                if (said := narrow_bandwidth(diagnosis))
            ),
            *(f"- {note}" for note in first.notes),
            f"- Caliblens {first.version}; fingerprint {first.fingerprint}.",
        ]
    )
