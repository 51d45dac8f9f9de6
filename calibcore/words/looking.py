"""What is looked at, on what data, and what a survey of lenses says."""

from collections.abc import Sequence

import numpy as np

from calibcore.diagnose import Diagnosis
from calibcore.lenses import Lens, TopKLens
from calibcore.predictions import Predictions, listed
from calibcore.reliability import Reliability
from calibcore.spec import DiagnosisSpec
from calibcore.survey import Survey, exact_pvalue
from calibcore.words.phrases import (
    binning_words,
    count,
    error,
    error_level,
    lens_words,
    number_p,
    percent,
    plural,
    points,
    top_bins,
)


def looked_at(spec: DiagnosisSpec, m: int) -> str:
    """What the settings look at: "confidence in the top class, 15 equal-mass bins"; ``m`` classes seen."""
    return f"{lens_words(spec.lens)}, {binning_words(spec.binning, m)}"


def data_words(title: str, p: Predictions, noun: str) -> str:
    """What is loaded: "predictions.csv · 10,000 images · 10 classes"."""
    return f"{title} · {count(p.n, noun)} · {p.m:,} classes"


def borrowed_labels(title: str) -> str:
    """The note of a file that was read with the labels of another model."""
    return f"Labels: those of '{title}', row by row, as you said that the cases and their order are the same."


def other_classes(found: Sequence[str], title: str, expected: Sequence[str]) -> str:
    """Why a file cannot use the labels of the model ``title``: it speaks of other classes."""
    return (
        f"The file has the classes {listed(tuple(found), 5)}; '{title}' has {listed(tuple(expected), 5)}. "
        "Its labels fit the same classes only. Name the classes as there, or give a file of labels."
    )


def weighted_claim(induced: Predictions, noun: str = "case") -> tuple[str, str, str]:
    """As :func:`claimed_and_happened` for weighted cases, seen through a lens of two classes."""
    said = np.average(induced.probs[:, 0], weights=induced.weights)
    happened = np.average(induced.labels == 0, weights=induced.weights)
    return percent(float(said)), percent(float(happened)), f"weighted, {count(induced.n, noun)}"


def weighted_sentence(induced: Predictions, lens: Lens, noun: str = "case") -> str:
    """What the model said on average and what happened, by weight, through a lens of two classes."""
    said, happened, _ = weighted_claim(induced, noun)
    if isinstance(lens, TopKLens):
        return (
            f"By weight, the model is {said} sure of its answer on average, and right {happened} of the time."
        )
    return (
        f"By weight, the model gives '{induced.class_names[0]}' {said} on average, "
        f"and it happens {happened} of the time."
    )


def class_rows(p: Predictions, exact: bool = False) -> list[dict[str, object]]:
    """One row a class: how often it happened, its mean prediction; by weight, if cases are weighted.

    ``exact`` gives them in full precision.
    """
    weights = np.ones(p.n) if p.weights is None else p.weights
    shares = np.bincount(p.labels, weights, p.m) / weights.sum()
    means = weights @ p.probs / weights.sum()
    by = "" if p.weights is None else ", by weight"
    return [
        {
            "Class": name,
            "Happened": n if exact else f"{n:,}",
            f"Happened, share{by}": share if exact else percent(share),
            f"Predicted on average{by}": mean if exact else percent(mean),
        }
        for name, n, share, mean in zip(
            p.class_names, p.class_counts.tolist(), shares.tolist(), means.tolist(), strict=True
        )
    ]


def no_tests(noun: str) -> str:
    """Said in place of tests where cases are weighted."""
    return (
        f"These {plural(noun)} are weighted: they give estimates and diagrams, but no tests and no survey, "
        "as nothing says how weighted outcomes vary by chance. "
        f"If a row stands for several identical {plural(noun)}, read that column as counts on the Data page."
    )


def repeats_warning(n: int, noun: str, column: str | None, groups: int) -> str:
    """Said beside every p-value where cases repeat: ``groups`` different values of ``column``."""
    assumed = f"The tests assume independent {plural(noun)}; "
    if column is None:
        return f"{assumed}you said that some belong together. The p-values may be too small."
    come = f"here {count(n, noun)} come from {count(groups, 'different value')} of '{column}'"
    return f"{assumed}{come}. The p-values may be too small."


def claimed_and_happened(found: Reliability, noun: str = "case") -> tuple[str, str, str]:
    """For a two-class lens: the mean prediction, how often it happened, "1,047 of 1,079 images"."""
    n = int(found.counts.sum())
    hits = round(float(found.counts @ found.observed[:, 0]))
    said = percent(float(found.counts @ found.mean_prediction[:, 0]) / n)
    return said, percent(hits / n), f"{hits:,} of {count(n, noun)}"


def survey_row(diagnosis: Diagnosis, adjusted: float | None) -> dict[str, object]:
    """One lens of a survey as a person reads it; ``adjusted`` is None until all lenses are done."""
    found, distance = diagnosis.calibration_error, diagnosis.spec.distance
    return {
        "Lens": sentence_case(lens_words(diagnosis.spec.lens)),
        "Average gap (ECE)": error(found["ece"], distance),
        "If calibrated": error_level(found["ece_low"], found["ece_high"], distance),
        "Exact p": number_p(exact_pvalue(diagnosis)),
        "Adjusted p": "…" if adjusted is None else number_p(adjusted),
        "Deviations": deviations(diagnosis.reliability),
    }


def deviations(found: Reliability, most: int = 40) -> list[float]:
    """The bins' deviations in points: two classes from low to high predictions, more by falling cases."""
    if len(found.class_names) == 2:
        return [round(100 * float(d), 3) for d in found.deviation]
    order = sorted(range(found.n_bins), key=lambda b: -found.counts[b])[:most]
    return [round(100 * float(found.deviation[b]), 3) for b in order]


def sentence_case(words: str) -> str:
    """The first letter large, the rest as it is."""
    return words[:1].upper() + words[1:]


def survey_answer(found: Survey, alpha: float) -> str:
    """What a survey says at the level ``alpha``, in two sentences."""
    rejected = [d for d, p in zip(found.diagnoses, found.adjusted, strict=True) if p <= alpha]
    total = count(len(found.diagnoses), "lens")
    if not rejected:
        return (
            f"Through none of {total} do the probabilities differ from what happened "
            "by more than chance allows. "
            "That is no proof: smaller errors could hide in so many cases."
        )
    where = "all" if len(rejected) == len(found.diagnoses) else f"{len(rejected)} of"
    return (
        f"Through {where} {total} the probabilities differ from what happened by more than chance allows, "
        f"after adjusting for having looked {len(found.diagnoses)} times."
    )


def worst_class(found: Survey, lenses: Sequence[Lens]) -> tuple[Lens, str] | None:
    """Of ``lenses`` the one whose gap stands out most beside what chance allows, and a sentence about it."""
    among = [d for d in found.diagnoses if d.spec.lens in lenses]
    if not among:
        return None
    worst = max(among, key=lambda d: d.calibration_error["ece"] - d.calibration_error["ece_mean"])
    error_found, distance = worst.calibration_error, worst.spec.distance
    level = error_level(error_found["ece_low"], error_found["ece_high"], distance)
    return worst.spec.lens, (
        f"Of the single classes, {lens_words(worst.spec.lens).removeprefix('the class ')} is furthest off: "
        f"{error(error_found['ece'], distance)} on average, {level} if calibrated."
    )


def arrow_words(found: Reliability, b: int, names: Sequence[str]) -> tuple[str, str]:
    """Where an arrow starts and where it points: "cat: 60 %, dog: 30 %, fox: 10 %", twice."""
    tuple_names = tuple(names)
    said, seen = found.mean_prediction[b].tolist(), found.observed[b].tolist()
    return top_bins(said, tuple_names), top_bins(seen, tuple_names)


def arrows_sentence(found: Reliability) -> str:
    """What the arrows of the triangle show: the class that happens more, and less, than predicted."""
    share = found.counts / found.n_cases
    shift = share @ (found.observed - found.mean_prediction)
    more, less = int(shift.argmax()), int(shift.argmin())
    outside = int(found.outside.sum())
    verb = "is" if outside == 1 else "are"
    longer = f"{outside:,} of {count(found.n_bins, 'arrow')} {verb} longer than chance allows"
    if found.bars == "none":
        longer = "weighted cases do not say what chance allows"
    if shift[more] < 0.0005:
        return f"On average every class happens as often as predicted; {longer}."
    return (
        f"'{found.class_names[more]}' happens {points(float(shift[more]))} more often than predicted, "
        f"'{found.class_names[less]}' {points(float(-shift[less]))} less; {longer}."
    )
