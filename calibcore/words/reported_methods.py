"""The methods of a report, setting by setting, in the order that TRIPOD+AI asks for."""

from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import VERDICT_TEST, verdict_test, verdict_test_name
from calibcore.diagnose import Diagnosis
from calibcore.diagram.gap_bins import number_of_bins
from calibcore.kernels import BANDWIDTH_RULES
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import DiagnosisSpec
from calibcore.wording import count, joined, plural, sentences
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import VERDICT_TEST_NAMES, cases_words, exact_percent, number_p
from calibcore.words.sizes import most_words, tolerance_words
from calibcore.words.verdicts import promise_words, tested_words

V19 = (
    "Vaicenavicius J, Widmann D, Andersson C, Lindsten F, Roll J, Schön TB. Evaluating model calibration in "
    "classification. AISTATS 2019, PMLR 89:3459–3467."
)
W19 = (
    "Widmann D, Lindsten F, Zachariah D. Calibration tests in multi-class classification: a unifying "
    "framework. NeurIPS 2019, 32:12236–12246."
)
TRIPOD = (
    "Collins GS, Moons KGM, Dhiman P, et al. TRIPOD+AI statement: updated guidance for reporting clinical "
    "prediction models that use regression or machine learning methods. BMJ 2024, 385:e078378."
)
BARS = (
    "Bröcker J, Smith LA. Increasing the reliability of reliability diagrams. "
    "Weather Forecast 2007, 22:651–661."
)
EXACT = "Besag J, Clifford P. Generalized Monte Carlo significance tests. Biometrika 1989, 76:633–642."
MMDAGG = (
    "Schrab A, Kim I, Albert M, Laurent B, Guedj B, Gretton A. MMD aggregated two-sample test. "
    "J Mach Learn Res 2023, 24(194):1–81."
)
ADJUSTMENTS = {
    "holm": (
        "by Holm's method",
        "Holm S. A simple sequentially rejective multiple test procedure. Scand J Stat 1979, 6:65–70.",
    ),
    "benjamini-hochberg": (
        "by the method of Benjamini and Hochberg, which needs tests that do not speak against each other",
        "Benjamini Y, Hochberg Y. Controlling the false discovery rate: a practical and powerful approach to "
        "multiple testing. J R Stat Soc B 1995, 57:289–300.",
    ),
}
STOPPED = "Besag J, Clifford P. Sequential Monte Carlo p-values. Biometrika 1991, 78:301–304."


def methods_parts(assessment: Assessment, model: str, noun: str = "case") -> list[tuple[str, str]]:
    """Heading and paragraph: what was assessed, in which data, how it was measured, tested and judged."""
    first = assessment.survey.diagnoses[0]
    return [
        ("What was assessed", _assessed(assessment, model, noun)),
        ("Data", _data(assessment, noun)),
        ("How miscalibration was measured", _measured(assessment, noun)),
        ("How it was tested", _tested(assessment, noun)),
        ("Verdicts", _verdict_rules(assessment)),
        (
            "Software",
            f"Caliblens {first.version}, Python. Definitions follow Vaicenavicius et al. (2019) and "
            "Widmann et al. (2019), the report TRIPOD+AI (Collins et al. 2024).",
        ),
    ]


def references(spec: DiagnosisSpec) -> list[str]:
    """What the methods rest on, and no more."""
    stopped = [STOPPED] if spec.stop_at is not None else []
    omnibus = [EXACT, MMDAGG] if VERDICT_TEST in spec.tests else []
    return [V19, W19, *omnibus, BARS, ADJUSTMENTS[spec.adjustment][1], *stopped, TRIPOD]


def _assessed(assessment: Assessment, model: str, noun: str) -> str:
    diagnoses = assessment.survey.diagnoses
    single = [d for d in diagnoses if d.spec.lens.one_class is not None]
    names = [name_of(d) for d in diagnoses if d not in single]
    if single:
        m = diagnoses[0].m
        each = "each class" if len(single) == m else f"{count(len(single), 'class')} of {m:,}, each"
        names.append(f"{each} against all others")
    tested = f" ({count(len(diagnoses), 'check')})" if len(names) < len(diagnoses) else ""
    refused = count(len(assessment.survey.refused), "other check")
    return sentences(
        f"The calibration of {model or 'the model'}: whether the classes happen as often as its "
        f"probabilities say, among {plural(noun)} that were given the same probabilities. "
        f"It was looked at through {joined(names)}{tested}.",
        f"{refused} could not be tested, as said above." if assessment.survey.refused else "",
    )


def _data(assessment: Assessment, noun: str) -> str:
    first = assessment.survey.diagnoses[0]
    cases = cases_words(first.n, noun, first.drawn_from)
    ties = next((d.ties for d in assessment.survey.diagnoses if d.ties), 0)
    return sentences(
        f"{sentence_case(cases)} with {first.m:,} classes, independent by assumption.",
        *first.notes,
        f"In {count(ties, noun)} equal probabilities were put in class order." if ties else "",
        f"SHA-256 fingerprint of predictions and labels: {first.fingerprint}.",
    )


def _measured(assessment: Assessment, noun: str) -> str:
    spec, diagnoses = assessment.survey.diagnoses[0].spec, assessment.survey.diagnoses
    low, high = spec.interval
    bars = "exactly (Poisson-binomial) for two classes, from redraws for more"
    if spec.bars == "resampled":
        bars = "from redraws"
    kernel = spec.kernel
    own = (
        " Half of its bins go by cases, half by how unsure the model is; in all "
        f"{number_of_bins(diagnoses[0].lens_n):,} or fewer along a probability."
    )
    if any(len(d.reliability.class_names) > 2 for d in diagnoses):
        own += (
            " Of three and more classes it is the largest of several such numbers. They are along each class "
            "and the confidence, linear in all probabilities, and of bins that share the likeliest class. "
            f"These are split nearest the median of such a mix of {plural(noun)} and uncertainty."
            " Errors between two of five or more classes may stay hidden."
        )
    weighted = ", with weights of the classes as set" if kernel.class_matrix is not None else ""
    how = f"{kernel.kind} kernel on {DISTANCES[kernel.metric].phrase.removeprefix('the ')}{weighted}"
    return (
        f"Typical gap: the root mean square of the gap over all {plural(noun)}, bias-reduced by pairs. "
        f"It has bins of its own and an approximate interval.{own} {_bins(assessment, noun)} "
        f"Average gap (ECE): the mean over all {plural(noun)} of {DISTANCES[spec.distance].phrase} "
        "between mean prediction and observed frequency of their bin. "
        f"Consistency bars: {exact_percent(low)} to {exact_percent(high)} of a bin's outcomes under "
        f"calibration, {bars}. "
        f"Kernel calibration error (SKCE): unbiased, {how}{_bandwidths(diagnoses)}."
    )


def _bins(assessment: Assessment, noun: str) -> str:
    """One sentence a way of binning."""
    by: dict[str, list[str]] = {}
    for d in assessment.survey.diagnoses:
        classes = min(3, len(d.reliability.class_names))
        words = f"{d.spec.binning.phrase(classes, noun)}; {d.spec.binning.edge_rule}"
        by.setdefault(words, []).append(name_of(d))
    if len(by) == 1:
        return f"Bins: {next(iter(by))}."
    return " ".join(
        f"Bins of {joined(names) if len(names) <= 2 else f'{len(names)} checks'}: {words}."
        for words, names in by.items()
    )


def _bandwidths(diagnoses: tuple[Diagnosis, ...]) -> str:
    """Of the kernels of the test, as the end of a sentence."""
    if verdict_test_name(diagnoses[0]) == VERDICT_TEST:
        widest = [float(verdict_test(d).details["widest_bandwidth"]) for d in diagnoses]
        many = any(len(d.reliability.class_names) > 2 for d in diagnoses)
        more = " Of three and more classes D is twice the largest distance from the mean prediction"
        return (
            "; bandwidths D, D/4, D/16, D/64 and D/256, D the range of the predictions "
            f"({_between(widest)}){'.' + more if many else ''}"
        )
    return f", sums in {diagnoses[0].spec.precision}. Bandwidth: {_by_rule(diagnoses)}"


def _between(values: list[float]) -> str:
    """Lowest and highest of the lenses."""
    if len(values) == 1:
        return f"{values[0]:.3g}"
    return f"{min(values):.3g} to {max(values):.3g}, check by check in the JSON"


def _by_rule(diagnoses: tuple[Diagnosis, ...]) -> str:
    """The one bandwidth of the kernel test, on which verdicts of earlier versions rest."""
    bandwidth = diagnoses[0].bandwidth
    if bandwidth.rule == "number":
        return f"{bandwidth.value:.6g}, as set"
    rule = BANDWIDTH_RULES[bandwidth.rule].phrase
    seeded, sampled = "over 1,000,000 seeded pairs", sum(d.bandwidth.pairs == "sampled" for d in diagnoses)
    pairs = seeded if sampled == len(diagnoses) else "over all pairs"
    if 0 < sampled < len(diagnoses):
        pairs += f", but in {count(sampled, 'check')} {seeded}"
    between = _between([d.bandwidth.value for d in diagnoses])
    positive = "; of positive distances only where half the pairs coincide"
    restriction = positive if any(d.bandwidth.only_positive for d in diagnoses) else ""
    return f"{rule} {pairs} ({between}{restriction})"


def _tested(assessment: Assessment, noun: str) -> str:
    diagnoses, tested = assessment.survey.diagnoses, assessment.survey.hypotheses
    spec, name = diagnoses[0].spec, verdict_test_name(diagnoses[0])
    stop = ""
    if spec.stop_at is not None:
        stop = f" A test stopped at {spec.stop_at:,} redraws as large (Besag and Clifford 1991)."
    details = [verdict_test(d).details for d in diagnoses]
    rank = max(int(detail.get("rank", 0)) for detail in details)
    low_rank = f" Kernels of rank {rank} stood for the full ones, which keeps the level." if rank else ""
    if any(detail.get("kernels") == "partitions" for detail in details):
        low_rank = (
            " Of many cases with three and more classes a mean over random partitions stands for the kernel. "
            "Predictions alone make them, which keeps the level."
        )
    smallest = f"{number_p(1 / (spec.resamples + 1))} before adjusting"
    if spec.adjustment == "holm":
        smallest += f", {number_p(tested / (spec.resamples + 1))} after"
    counted = tested_words(len(diagnoses), tested)
    return (
        f"Hypothesis: calibration in each check. {sentence_case(VERDICT_TEST_NAMES[name][0])}"
        f": outcomes were redrawn {spec.resamples:,} times from the model's own predictions, "
        f"seed {spec.seed}. {_combined(name)}"
        "p counts redraws at least as large as observed, the observed one included "
        f"({promise_words(noun=noun)}).{stop}{low_rank} "
        f"p-values were adjusted for {counted} {ADJUSTMENTS[spec.adjustment][0]} (level α = {spec.alpha:g}). "
        f"Single bins and arrows: exact p, adjusted by {_BINS[spec.bin_adjustment]}. "
        f"Smallest p possible: {smallest}. "
        "Assumed: no label was used for training, recalibration or choice of checks, bins and bandwidth."
    )


def _combined(name: str) -> str:
    """What the omnibus test combines."""
    if name != VERDICT_TEST:
        return ""
    return (
        "It combines kernel errors at five bandwidths, a temperature, the class mix and, with three and more "
        "classes, two kernel errors of the confidence. What lies farthest out among its redraws counts, in "
        "each redraw too. So p is exact (Besag and Clifford 1989; MMDAgg, Schrab et al. 2023, adjusts levels "
        "by further redraws). "
    )


_BINS = {"step-down": "step-down minimum p", "holm": "Holm's method"}


def _verdict_rules(assessment: Assessment) -> str:
    first = assessment.survey.diagnoses[0]
    spec, patterns, refuted = first.spec, "overconfidence or a shift", ""
    if verdict_test_name(first) == VERDICT_TEST:
        patterns = "overconfidence, a shift or uneven errors (too sure where sure, too unsure elsewhere)"
        refuted = (
            "An outcome that was given probability 0 refutes calibration, p = 0. Of rounded probabilities "
            "only what rounding does not explain counts (a Poisson bound, adjusted with the others). "
        )
    return (
        f"Miscalibrated: adjusted p is {spec.alpha:g} or less. Small: also, the typical gap's upper limit "
        f"lies below the tolerance of {tolerance_words(spec.tolerance)}. {refuted}"
        "Consistent with calibration: p is larger, and errors of the tolerance's size would have been seen "
        f"8 times in 10. Also, the typical gap's limit is at most {most_words(spec.tolerance)}: the "
        "one-sided 90\N{NO-BREAK SPACE}% limit, of four and more classes the upper end of its interval. "
        f"What would have been seen was simulated with the same test for {patterns}. "
        "Otherwise we cannot tell. "
        "All classes together count as miscalibrated if any check does."
    )
