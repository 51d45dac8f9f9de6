"""Sentences and table rows about one result."""

from calibcore.binning import Binning
from calibcore.diagnose import Diagnosis
from calibcore.lenses import Lens, TopKLens
from calibcore.reliability import Reliability
from calibcore.words.phrases import (
    PROMISES,
    TEST_NAMES,
    binning_words,
    count,
    error,
    kernel_error,
    lens_words,
    percent,
    pvalue,
    pvalue_remark,
    top_bins,
)


def claim_and_outcome(found: Reliability, lens: Lens, noun: str = "case") -> str:
    """What the model said on average and what happened, for a two-class lens; else the bins outside."""
    n = int(found.counts.sum())
    if len(found.class_names) > 2:
        return bins_outside(found)
    said = float(found.counts @ found.mean_prediction[:, 0]) / n
    hits = round(float(found.counts @ found.observed[:, 0]))
    if isinstance(lens, TopKLens):
        return (
            f"The model is {percent(said)} sure of its answer on average, "
            f"and right {percent(hits / n)} of the time ({hits:,} of {count(n, noun)})."
        )
    return (
        f"The model gives {found.class_names[0]} {percent(said)} on average, "
        f"and it happens {percent(hits / n)} of the time ({hits:,} of {count(n, noun)})."
    )


def bins_heading(found: Reliability, binning: Binning) -> str:
    """How many bins hold cases, and how they were made."""
    words = binning_words(binning, len(found.class_names))
    if not words[0].isdigit() or "per class" in words:
        return f"{count(found.n_bins, 'bin')}: {words.removeprefix('bins ')}"
    return words if words.startswith(f"{found.n_bins:,} ") else f"{words}, {found.n_bins:,} with cases"


def bins_outside(found: Reliability) -> str:
    """How many bins lie outside their consistency bars, and how many chance alone puts there."""
    outside = int(found.outside.sum())
    verb = "lies" if outside == 1 else "lie"
    return (
        f"{outside:,} of {count(found.n_bins, 'bin')} {verb} outside what chance allows; "
        f"were the model calibrated, we would expect about {found.expected_outside:.1f}."
    )


def kernel_test_sentence(diagnosis: Diagnosis) -> str:
    """The exact kernel test in a sentence; empty when it was not run."""
    test = diagnosis.test("exact-skce")
    if test is None or test.result is None:
        return ""
    result = test.result
    at_least = round(result.pvalue * (result.n_resamples + 1)) - 1
    redraws = f"{result.n_resamples:,} redraws from a calibrated model"
    if at_least == 0:
        return f"None of {redraws} looked as miscalibrated as these predictions."
    return f"{at_least:,} of {redraws} looked as miscalibrated as these predictions, or more."


def ece_sentence(diagnosis: Diagnosis) -> str:
    """The ECE beside its level under calibration: alone it has no scale."""
    found, distance = diagnosis.calibration_error, diagnosis.spec.distance
    low = max(0.0, found["ece_mean"] - 2 * found["ece_sd"])
    high = found["ece_mean"] + 2 * found["ece_sd"]
    return (
        f"Average gap (ECE) {error(found['ece'], distance)}. A calibrated model would show "
        f"{error(found['ece_mean'], distance)} here by chance alone "
        f"(usually {error(low, distance).partition(' ')[0]} to {error(high, distance)})."
    )


def null_range(diagnosis: Diagnosis) -> str:
    """Where 90 % of the unbiased SKCE lie under calibration, from the exact test's redraws; or "–"."""
    test = diagnosis.test("exact-skce")
    if test is None or test.result is None or test.result.null_distribution is None:
        return "–"
    null = sorted(test.result.null_distribution)
    low, high = (null[min(len(null) - 1, int(level * len(null)))] for level in (0.05, 0.95))
    return f"{kernel_error(low)} to {kernel_error(high)}"


def rows_of_tests(diagnosis: Diagnosis) -> list[dict[str, str]]:
    """One row a test: name, statistic, p-value, promise."""
    rows = []
    for test in diagnosis.tests:
        result = test.result
        row = {"Test": TEST_NAMES[test.name], "Statistic": "–", "p-value": "–", "Promise": "–"}
        row["Remark"] = test.note
        if result is not None:
            distance, value = diagnosis.spec.distance, result.statistic
            row |= {
                "Statistic": error(value, distance) if test.estimator == "ece" else kernel_error(value),
                "p-value": pvalue(result),
                "Promise": PROMISES[result.promise],
                "Remark": pvalue_remark(result),
            }
        rows.append(row)
    return rows


def reliability_rows(found: Reliability) -> list[dict[str, str | int]]:
    """One row a bin, the numbers as a person reads them; for more than two classes the fullest first."""
    rows: list[dict[str, str | int]] = []
    two = len(found.class_names) == 2
    for b in range(found.n_bins) if two else sorted(range(found.n_bins), key=lambda b: -found.counts[b]):
        mean, seen = found.mean_prediction[b].tolist(), found.observed[b].tolist()
        rows.append(
            {
                "Cases": int(found.counts[b]),
                "Predicted": percent(mean[0]) if two else top_bins(mean, found.class_names),
                "Observed": percent(seen[0]) if two else top_bins(seen, found.class_names),
                "Deviation (points)": f"{100 * found.deviation[b]:.1f}",
                "If calibrated (points)": f"{100 * found.low[b]:.1f} to {100 * found.high[b]:.1f}",
                "Outside": "yes" if found.outside[b] else "",
            }
        )
    return rows


def methods(diagnosis: Diagnosis) -> list[str]:
    """What was done, setting by setting."""
    spec, found = diagnosis.spec, diagnosis.bandwidth
    low, high = spec.interval
    bars = "exactly (Poisson-binomial)" if diagnosis.reliability.bars == "exact" else "from redraws"
    source = {
        "all": "over all pairs",
        "sampled": "over 1,000,000 seeded pairs",
        "none": "as given",
    }[found.pairs]
    if found.only_positive:
        source += ", the positive distances only, as half the predictions coincide"
    lines = [
        f"Lens: {lens_words(spec.lens)}; {count(diagnosis.lens_n, 'case')}.",
        f"Bins: {bins_heading(diagnosis.reliability, spec.binning)}; "
        f"distance: {spec.distance.replace('-', ' ')}.",
        f"Consistency bars: {percent(low, 1)} to {percent(high, 1)}, {bars}.",
        f"Kernel: {spec.kernel.kind} on {spec.kernel.metric.replace('-', ' ')} distance, "
        f"bandwidth {found.value:.6g} ({found.rule.replace('-', ' ')}, {source}).",
        f"Redraws: {spec.resamples:,}; seed {spec.seed}.",
        f"Caliblens {diagnosis.version}; fingerprint {diagnosis.fingerprint}.",
    ]
    lines += diagnosis.notes
    if diagnosis.ties:
        lines.append(f"In {count(diagnosis.ties, 'case')} equal probabilities were put in class order.")
    if diagnosis.impossible_outcomes:
        happened = count(diagnosis.impossible_outcomes, "case")
        lines.append(
            f"In {happened} something happened that was given probability 0. That alone speaks against "
            "calibration, unless the probabilities were rounded."
        )
    return lines
