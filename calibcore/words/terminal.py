"""Whole answers as a person reads them on a terminal."""

from collections.abc import Mapping, Sequence

from calibcore.checks import visible
from calibcore.diagnose import Diagnosis
from calibcore.judged import Judged
from calibcore.spec import DiagnosisSpec
from calibcore.survey import Survey
from calibcore.verdict import Verdict
from calibcore.words.estimates import (
    UNADJUSTED,
    level_words,
    rows_of_decompositions,
    rows_of_estimates,
    rows_of_recalibration,
)
from calibcore.words.frequencies import rows_of_frequencies
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import (
    PROMISES,
    cases_words,
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
    null_range,
    rows_of_tests,
    score_words,
)
from calibcore.words.sizes import tolerance_words
from calibcore.words.testing import kernel_test_sentence
from calibcore.words.verdict_rows import lens_row
from calibcore.words.verdicts import (
    as_a_whole,
    chip_text,
    not_said,
    whole_parts,
    wider_sentence,
)

LONGEST = 80
"""Characters of a cell."""


def _cell(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _table(rows: Sequence[Mapping[str, str]], right: tuple[str, ...] = ()) -> list[str]:
    """Aligned lines with a head."""
    heads = list(rows[0])
    rows = [{head: _cell(row[head]) for head in heads} for row in rows]
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}

    def line(cells: Mapping[str, str]) -> str:
        parts = [cells[h].rjust(widths[h]) if h in right else cells[h].ljust(widths[h]) for h in heads]
        return "  " + "  ".join(parts).rstrip()

    return [line({head: head for head in heads}), *map(line, rows)]


def _section(rows: list[dict[str, str]], *after: str) -> list[str]:
    return [*_table(rows), *(f"  {line}" for line in after), ""] if rows else []


def _cases(of: Diagnosis) -> str:
    return sentence_case(cases_words(of.n, "case", of.drawn_from))


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """A diagnosis as a person reads it on a terminal."""
    spec, diagram, distance = diagnosis.spec, diagnosis.reliability, diagnosis.spec.distance
    found, skce = diagnosis.calibration_error, diagnosis.skce
    lines = [
        f"{_cases(diagnosis)}, {diagnosis.m} classes; {lens_words(spec.lens)}, "
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
                    *(
                        (f"Kernel error (SKCE), {name}", kernel_error(skce[name]), chance)
                        for name, chance in (
                            ("unbiased", null_range(diagnosis)),
                            ("biased", ""),
                            ("linear", ""),
                        )
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
    return "\n".join(map(visible, lines))


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


def survey_text(found: Judged) -> str:
    """A survey and its verdicts as a person reads them on a terminal."""
    survey, verdicts = found.survey, found.verdicts
    first = survey.diagnoses[0]
    rows = [_judged_row(*pair) for pair in zip(survey.diagnoses, verdicts, strict=True)]
    lines = [
        f"{_cases(first)}, {first.m} classes, {count(len(rows), 'lens')}",
        "",
        chip_text(as_a_whole(verdicts)),
        *filter(None, whole_parts(verdicts)),
        "",
        *_table(rows, right=("Adjusted p",)),
        *(f"  {lens}: not tested. {reason}" for lens, reason in survey.refused),
        "",
        not_said(),
        "",
        *_table(rows_of_frequencies(found.frequencies)),
        "",
        f"- Verdict: miscalibrated where adjusted p is {first.spec.alpha:g} or less; consistent where it "
        f"is more and an error of {tolerance_words(first.spec.tolerance)} would have been seen.",
        "- On average: what was said less what happened. Typical gap: in a typical bin, less what chance "
        "adds, with an approximate 95\N{NO-BREAK SPACE}% interval, in points.",
        "- Smallest detectable: overconfidence or a shift that would have been seen 8 times in 10.",
        f"- Adjusted p: exact Monte Carlo test of the unbiased kernel calibration error, "
        f"{PROMISES['exact']}; {_redraws(first.spec)}, seed {first.spec.seed}; "
        f"{ADJUSTMENT_WORDS[first.spec.adjustment]}, for having looked through all these lenses; "
        f"the smallest possible is {number_p(_smallest(survey))}.",
        *(f"- {sentence_case(lens_words(v.lens))}: {said}" for v in verdicts if (said := wider_sentence(v))),
        *(f"- {note}" for note in first.notes),
        f"- Caliblens {first.version}; fingerprint {first.fingerprint}.",
    ]
    return "\n".join(map(visible, lines))


def _judged_row(diagnosis: Diagnosis, verdict: Verdict) -> dict[str, str]:
    row = lens_row(diagnosis, verdict)
    names = ("On average", "Typical gap", "Adjusted p", "Smallest detectable")
    return {"Lens": str(row["Lens"]), "Verdict": chip_text(verdict)} | {
        name: str(row[name]) for name in names
    }
