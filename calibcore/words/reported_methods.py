"""The methods of a report, setting by setting, in the order that TRIPOD+AI asks for."""

from functools import partial

from calibcore.assessment.assess import Assessment
from calibcore.assessment.verdict_tests import VERDICT_TEST, verdict_test, verdict_test_name
from calibcore.diagnose import Diagnosis
from calibcore.diagram.gap_bins import number_of_bins
from calibcore.kernels import BANDWIDTH_RULES
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import DiagnosisSpec
from calibcore.wording import count, joined, plural, sentences
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import VERDICT_TEST_NAMES, cases_words, exact_percent, number_p, units_words
from calibcore.words.results import ties_sentence
from calibcore.words.sizes import most_words, tolerance_words
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import promise_words, tested_words

_text = partial(paragraph, "methods")
_reference = partial(paragraph, "references")

V19 = _reference("Vaicenavicius 2019")
W19 = _reference("Widmann 2019")
TRIPOD = _reference("Collins 2024")
BARS = _reference("Bröcker 2007")
EXACT = _reference("Besag 1989")
MMDAGG = _reference("Schrab 2023")
ADJUSTMENTS = {
    "holm": ("by Holm's method", _reference("Holm 1979")),
    "benjamini-hochberg": (
        "by the method of Benjamini and Hochberg, which needs tests that do not speak against each other",
        _reference("Benjamini 1995"),
    ),
}
STOPPED = _reference("Besag 1991")


def methods_parts(assessment: Assessment, model: str, noun: str = "case") -> list[tuple[str, str]]:
    """Heading and paragraph: what was assessed, in which data, how it was measured, tested and judged."""
    first = assessment.survey.diagnoses[0]
    return [
        ("What was assessed", _assessed(assessment, model, noun)),
        ("Data", _data(assessment, noun)),
        ("How miscalibration was measured", _measured(assessment, noun)),
        ("How it was tested", _tested(assessment, noun)),
        ("Verdicts", _verdict_rules(assessment)),
        ("Software", _text("software", version=first.version)),
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
    named = {
        "model": model or "the model", "cases": plural(noun), "lenses": joined(names), "checks": tested,
    }  # fmt: skip
    of_answers = diagnoses[0].kind == "confidence"
    return sentences(
        _text("assessed of answers", **named) if of_answers else _text("assessed", **named),
        _text("refused", checks=refused) if assessment.survey.refused else "",
    )


def _data(assessment: Assessment, noun: str) -> str:
    first = assessment.survey.diagnoses[0]
    cases = cases_words(first.n, noun, first.drawn_from)
    known = "only the confidence known" if first.kind == "confidence" else f"{first.m:,} classes"
    units = first.units
    of_units = "" if units is None else units_words(units.rows, units.units, first.spec.unit)
    return sentences(
        _text("data of units", rows=of_units, classes=known)
        if of_units
        else _text("data", cases=sentence_case(cases), classes=known),
        *first.notes,
        next(filter(None, (ties_sentence(d, noun) for d in assessment.survey.diagnoses)), ""),
        _text("fingerprint", fingerprint=first.fingerprint),
    )


def _measured(assessment: Assessment, noun: str) -> str:
    spec, diagnoses = assessment.survey.diagnoses[0].spec, assessment.survey.diagnoses
    low, high = spec.interval
    bars = "exactly (Poisson-binomial) for two outcomes, from redraws for more"
    if spec.bars == "resampled":
        bars = "from redraws"
    kernel = spec.kernel
    of_many = any(len(d.reliability.class_names) > 2 for d in diagnoses)
    weighted = ", with weights of the classes as set" if kernel.class_matrix is not None else ""
    how = f"{kernel.kind} kernel on {DISTANCES[kernel.metric].phrase.removeprefix('the ')}{weighted}"
    return sentences(
        _text("typical gap", cases=plural(noun), bins=number_of_bins(diagnoses[0].lens_n)),
        _text("typical gap of three and more classes", cases=plural(noun)) if of_many else "",
        _bins(assessment, noun),
        _text(
            "other errors",
            cases=plural(noun),
            distance=DISTANCES[spec.distance].phrase,
            low=exact_percent(low),
            high=exact_percent(high),
            bars=bars,
            kernel=how,
            bandwidths=_bandwidths(diagnoses),
        ),
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
    details = [verdict_test(d).details for d in diagnoses]
    rank = max(int(detail.get("rank", 0)) for detail in details)
    stand_in = _text("low rank", rank=rank) if rank else ""
    if any(detail.get("kernels") == "partitions" for detail in details):
        stand_in = _text("partitions")
    smallest = f"{number_p(1 / (spec.resamples + 1))} before adjusting"
    if spec.adjustment == "holm":
        smallest += f", {number_p(tested / (spec.resamples + 1))} after"
    return sentences(
        _text(
            "hypothesis",
            test=sentence_case(VERDICT_TEST_NAMES[name][0]),
            redraws=spec.resamples,
            seed=spec.seed,
        ),
        _text("combined") if name == VERDICT_TEST else "",
        _text("counted", promise=promise_words(noun=noun)),
        _text("stopped", redraws=spec.stop_at) if spec.stop_at is not None else "",
        stand_in,
        _text(
            "adjusted",
            checks=tested_words(len(diagnoses), tested),
            adjustment=ADJUSTMENTS[spec.adjustment][0],
            alpha=spec.alpha,
            bins=_BINS[spec.bin_adjustment],
            smallest=smallest,
        ),
    )


_BINS = {"step-down": "step-down minimum p", "holm": "Holm's method"}


def _verdict_rules(assessment: Assessment) -> str:
    first = assessment.survey.diagnoses[0]
    spec, patterns, refuted = first.spec, "overconfidence or a shift", ""
    if verdict_test_name(first) == VERDICT_TEST:
        patterns = "overconfidence, a shift or uneven errors (too sure where sure, too unsure elsewhere)"
        refuted = _text("refuted")
    return sentences(
        _text("miscalibrated", alpha=spec.alpha, tolerance=tolerance_words(spec.tolerance)),
        refuted,
        _text("consistent", most=most_words(spec.tolerance), patterns=patterns),
    )
