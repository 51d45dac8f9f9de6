"""Sentences and table rows about one result."""

import numpy as np

from calibcore.diagnose import Diagnosis
from calibcore.diagram.binning import Binning
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.gap_sizes import share_of
from calibcore.diagram.reliability import LABELS_BARS, Reliability, p_of_bins
from calibcore.transforms.lenses import Lens
from calibcore.transforms.nulls import Identity
from calibcore.wording import count, percent, plural, sentences
from calibcore.words.looking import NO_P_OF_LABELS, name_of, sentence_case
from calibcore.words.phrases import (
    NO_BARS,
    answers_off,
    error,
    exact_percent,
    expected,
    kernel_errors,
    p_words,
    result_of,
    seen_noun,
)
from calibcore.words.testing import rows_doubt
from calibcore.words.texts import paragraph

SPACE = "\N{NO-BREAK SPACE}"


def claim_and_outcome(diagram: Reliability, lens: Lens, noun: str = "case") -> str:
    """What the model said on average and what happened with its exact interval, for a two-class lens; else
    the bins outside."""
    if len(diagram.class_names) > 2 or diagram.bars == "none" or not diagram.n_bins:
        return bins_outside(diagram)
    n = int(diagram.counts.sum())
    claim = percent(float(diagram.counts @ diagram.mean_prediction[:, 0]) / n)
    hits = round(float(diagram.counts @ diagram.observed[:, 0]))
    share = f"{percent(hits / n)} of the time ({hits:,} of {count(n, seen_noun(lens, noun))}"
    if frequency_intervals(diagram, lens).withheld:  # as of pairs, which are not independent
        share += ")"
    else:
        observed = share_of(hits, n)
        share += f", 95{SPACE}% interval {percent(observed.low)} to {percent(observed.high)})"
    where = f"Where {lens.region}, " if lens.region else ""
    average = lens.within.average_sentence(claim, diagram.class_names[0])
    return sentence_case(f"{where}{average} {share}.")


def bins_heading(diagram: Reliability, binning: Binning, noun: str = "case") -> str:
    """How many bins hold cases, and how they were made."""
    words = binning.phrase(len(diagram.class_names), noun)
    if not words[0].isdigit() or "per class" in words:
        return f"{count(diagram.n_bins, 'bin')}: {words.removeprefix('bins ')}"
    filled = f"{diagram.n_bins:,} "
    return words if words.startswith(filled) else f"{words}, {filled}with {plural(noun)}"


def bins_outside(diagram: Reliability) -> str:
    """How many bins lie outside their consistency bars, how many chance alone puts there, and what the
    clearest of them says for itself; empty where no bin is handed on."""
    if not diagram.n_bins:
        return ""
    if not diagram.has_bars:
        return f"{count(diagram.n_bins, 'bin')}. {NO_BARS[diagram.bars]} have no consistency bars."
    outside = int(diagram.outside.sum())
    verb = "lies" if outside == 1 else "lie"
    where = "outside what chance allows" if len(diagram.class_names) == 2 else "above what chance allows"
    judged = ", judged alone" if outside == 1 else ", each judged alone"
    alone = judged if outside and diagram.n_bins > 1 else ""
    return sentences(
        f"{outside:,} of {count(diagram.n_bins, 'bin')} {verb} {where}{alone}. "
        f"Were the model calibrated, we would expect {expected(diagram.expected_outside)}.",
        _clearest_for_itself(diagram) if outside else "",
    )


def no_p_sentence(diagram: Reliability) -> str:
    """Why labels that are looked at together have no p; empty for anything else."""
    return NO_P_OF_LABELS if diagram.bars == LABELS_BARS else ""


def _clearest_for_itself(diagram: Reliability, alpha: float = 0.05) -> str:
    """Whether the clearest bin stands out, with its p for looking at all; empty where that is not known.

    A bar is for one bin alone: crosses outside would say the opposite of a check of all cases.
    """
    p = p_of_bins(diagram)
    if p is None or (p > alpha and len(diagram.class_names) > 2):  # of more classes the bound is wide
        return ""
    single = diagram.n_bins == 1
    if p > alpha:  # a bound above the level says no more
        return f"{'It does not stand' if single else 'None of them stands'} out by itself."
    how = f"{p_words(p, bound=True)}" + (f", adjusted for {diagram.n_bins:,} bins" * (not single))
    return f"{'It' if single else 'The clearest'} stands out by itself ({how})."


def narrow_bandwidth(diagnosis: Diagnosis) -> str:
    """Said where a narrow bandwidth leaves the kernel test little to see and it found nothing; else empty."""
    result = result_of(diagnosis, "exact-skce")
    if result is None or result.pvalue <= diagnosis.spec.alpha or not diagnosis.bandwidth.narrow:
        return ""
    return (
        "Most predictions are nearly alike, so the kernel test compares little else "
        f"(bandwidth {diagnosis.bandwidth.value:.2g}) and may miss errors in the rest. "
        "The mean distance as bandwidth looks wider."
    )


def impossible_outcomes(diagnosis: Diagnosis, noun: str = "case") -> str:
    """Said where something happened that was given probability 0; else empty."""
    if not diagnosis.impossible_outcomes:
        return ""
    if diagnosis.kind == "confidence":
        off = answers_off(diagnosis.impossible_outcomes)
        return f"{off}. That alone refutes calibration, unless the confidence was rounded."
    return (
        f"In {count(diagnosis.impossible_outcomes, noun)} something happened that was given probability 0. "
        "That alone refutes calibration, unless the probabilities were rounded."
    )


def ties_sentence(diagnosis: Diagnosis, noun: str = "case") -> str:
    """Said where likeliest classes are tied, so that the order of the columns says which is the answer."""
    if not diagnosis.ties:
        return ""
    if diagnosis.spec.lens.within.answers != "answers":
        return f"In {count(diagnosis.ties, noun)} equal probabilities were put in class order."
    return paragraph(
        "remarks", "tied answers", ties=f"{diagnosis.ties:,}", cases=count(diagnosis.lens_n, noun)
    )


def null_range(diagnosis: Diagnosis) -> str:
    """Where 90 % of the unbiased SKCE lie under calibration, from the exact test's redraws; or "–".

    Redraws under another null, or stopped early, do not say it.
    """
    result = result_of(diagnosis, "exact-skce")
    if result is None or result.null_distribution is None:
        return "–"
    if not isinstance(diagnosis.spec.null, Identity) or result.n_resamples < diagnosis.spec.resamples:
        return "–"
    low, high = np.quantile(result.null_distribution, (0.05, 0.95), method="inverted_cdf")
    return kernel_errors(low, high)


def doubts(diagnosis: Diagnosis, noun: str = "case") -> tuple[str, ...]:
    """What has to be known before any of its numbers is believed."""
    of_rows, of_bandwidth = rows_doubt(diagnosis), narrow_bandwidth(diagnosis)
    return tuple(filter(None, (impossible_outcomes(diagnosis, noun), of_rows, of_bandwidth)))


def methods(diagnosis: Diagnosis) -> list[str]:
    """What was done, setting by setting."""
    spec, bandwidth = diagnosis.spec, diagnosis.bandwidth
    low, high = spec.interval
    bars = {
        "exact": "exact (Poisson-binomial)",
        "resampled": "from redraws",
        "none": "none, as the cases are weighted",
        "cross-fitted": "none, as the probabilities were recalibrated on these cases",
        "labels": "none, as the labels of one case depend on each other",
    }[diagnosis.reliability.bars]
    source = {
        "all": "over all pairs",
        "sampled": "over 1,000,000 seeded pairs",
        "none": "as given",
        "same": "of no effect: all predictions are the same",
    }[bandwidth.pairs]
    if bandwidth.only_positive:
        source += ", the positive distances only, as half the pairs coincide"
    lines = [
        f"Lens: {name_of(diagnosis)}; {count(diagnosis.lens_n, seen_noun(spec.lens, 'case'))}.",
        f"Bins: {bins_heading(diagnosis.reliability, spec.binning)}; "
        f"distance: {spec.distance.replace('-', ' ')}.",
        f"Consistency bars: {exact_percent(low)} to {exact_percent(high)}, {bars}.",
        f"Kernel: {spec.kernel.kind} on {spec.kernel.metric.replace('-', ' ')} distance, "
        f"bandwidth {bandwidth.value:.6g} ({bandwidth.rule.replace('-', ' ')}, {source}).",
        f"Redraws: {spec.resamples:,}; seed {spec.seed}.",
        *_more_methods(diagnosis),
        f"Caliblens {diagnosis.version}; fingerprint {diagnosis.fingerprint}.",
    ]
    lines += diagnosis.notes
    if of_ties := ties_sentence(diagnosis):
        lines.append(of_ties)
    if diagnosis.impossible_outcomes:
        lines.append(
            "The log loss counts a probability of 0 as the smallest number there is, 744.4 nats a case."
        )
    return lines


def _more_methods(diagnosis: Diagnosis) -> list[str]:
    """Settings that most people leave alone, where they are not."""
    spec, lines = diagnosis.spec, []
    if spec.kernel.class_matrix is not None:
        lines.append("Kernel: its matrix part weights the classes, as the settings say.")
    if spec.precision != "float64":
        lines.append(f"Kernel sums in {spec.precision}.")
    if spec.stop_at is not None:
        lines.append(f"Exact tests stop at {spec.stop_at:,} redraws as extreme (Besag & Clifford 1991).")
    if not isinstance(spec.null, Identity):
        lines.append(
            f"Hypothesis of the exact tests: outcomes follow {spec.null.phrase()}; "
            "everything else is about calibration. Large distances from the predictions count against it; "
            "a p near 1 contradicts it too: outcomes then lie closer to the predictions than it claims."
        )
    result = result_of(diagnosis, "exact-skce")
    details = {} if result is None else result.details
    if "rank" in details:
        lines.append(
            f"Exact kernel test: kernel of rank {details['rank']}, which leaves out "
            f"{percent(float(details['trace_left']), 2)} of its trace; the level stays exact."
        )
    if sentence := interval_sentence(diagnosis):
        lines.append(sentence)
    return lines


def interval_sentence(diagnosis: Diagnosis) -> str:
    """The bootstrap interval of the ECE with what it promises; empty where none was asked for."""
    interval = diagnosis.ece_interval
    if interval is None:
        return ""
    distance = diagnosis.spec.distance
    return (
        f"Bootstrap interval of the ECE: {error(interval['low'], distance).partition(' ')[0]} to "
        f"{error(interval['high'], distance)} ({exact_percent(interval['level'])}; {interval['label']})."
    )
