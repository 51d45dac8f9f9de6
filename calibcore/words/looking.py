"""What is looked at, on what data, and what a check is called: one name for one thing."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from calibcore.assessment.verdict import Verdict
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.diagnose import Diagnosis
from calibcore.diagram.reliability import Reliability
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens
from calibcore.transforms.lenses.classes import event_of
from calibcore.transforms.nulls import Identity
from calibcore.wording import count, in_noun, listed, percent, plural
from calibcore.words.phrases import cases_words, classes_words, top_bins
from calibcore.words.texts import paragraph

AS_IT_IS = CanonicalLens()
"""What a diagram is made through that nobody says more about."""

NO_P_OF_LABELS = paragraph("remarks", "no p of pooled labels")
"""Why labels that are looked at together have no p."""


def looked_at(spec: DiagnosisSpec, name: str, m: int, noun: str = "case") -> str:
    """What the settings look at: "confidence in the answer, 15 equal-mass bins"; ``m`` classes are seen
    through the lens, which is called ``name``.

    Another hypothesis than calibration is named too.
    """
    tested = "" if isinstance(spec.null, Identity) else f"; tested: outcomes from {spec.null.phrase()}"
    return f"{name}, {spec.binning.phrase(m, noun)}{tested}"


def data_words(
    title: str, p: Cases, noun: str, group_of: int | None = None, labels: int | None = None
) -> str:
    """What is loaded: "predictions.csv · 10,000 images · 10 classes".

    ``labels`` says of how many labels a case these are of one. ``group_of`` says of how many
    cases these are a group: "clinic, site East · 754 of 3,000 visits · …".
    """
    cases = cases_words(p.n, noun, p.drawn_from)
    if sample_words(p.n, noun, p.drawn_from) in title:
        cases = count(p.n, noun)
    elif group_of is not None and p.drawn_from is None:
        cases = f"{p.n:,} of {count(group_of, noun)}"
    made = " · recalibrated on these cases" if p.cross_fitted else ""
    known = classes_words(p.m, p.kind) if labels is None else count(labels, "label")
    return f"{title} · {cases} · {known}{made}"


def sample_title(title: str, n: int, noun: str, drawn_from: int) -> str:
    """What a sample of a model's cases is called: "net (random 20,000 of 1,000,000 cases)"."""
    return f"{title} ({sample_words(n, noun, drawn_from)})"


def sample_words(n: int, noun: str, drawn_from: int | None) -> str:
    """ "random 20,000 of 1,000,000 cases"."""
    return cases_words(n, noun, drawn_from).removeprefix("a ")


def outside_survey(lens: Lens) -> str:
    """Said where a lens is looked at that is none of the survey's."""
    return (
        f"The survey has no check of {lens.phrase()}, so this lens has no verdict. "
        "Its own p-values, on Tests, are not adjusted. "
        "They are exploratory if you chose the lens after a look at results."
    )


def borrowed_labels(title: str) -> str:
    """The note of a file that was read with the labels of another model."""
    return f"Labels: those of '{title}', row by row, as you said that the cases and their order are the same."


def other_classes(classes: Sequence[str], title: str, expected: Sequence[str]) -> str:
    """Why a file cannot use the labels of the model ``title``: it speaks of other classes."""
    return (
        f"The file has the classes {listed(tuple(classes), 5)}; '{title}' has {listed(tuple(expected), 5)}. "
        "Its labels fit the same classes only. Name the classes as there, or give a file of labels."
    )


def weighted_claim(induced: Predictions, noun: str) -> tuple[str, str, str]:
    """For a lens of two classes: the mean prediction, how often it happened, how many; by weight."""
    predicted = np.average(induced.probs[:, 0], weights=induced.weights)
    happened = np.average(induced.labels == 0, weights=induced.weights)
    how = "" if induced.weights is None else "weighted, "
    return percent(float(predicted)), percent(float(happened)), f"{how}{count(induced.n, noun)}"


def weighted_sentence(induced: Predictions, lens: Lens, noun: str) -> str:
    """What the model said on average and what happened, by weight, through a lens of two classes."""
    claim, happened, _ = weighted_claim(induced, noun)
    return f"By weight, {lens.average_sentence(claim, induced.class_names[0])} {happened} of the time."


def no_tests(p: Predictions, noun: str) -> str:
    """Said in place of tests where cases are weighted, recalibrated, or pairs of a case and a label."""
    if p.weights is None and p.case_of is not None:
        return in_noun(NO_P_OF_LABELS, noun)
    if p.cross_fitted:
        return (
            f"These probabilities were recalibrated on these same {plural(noun)} ({p.cross_fitted}). Their "
            "outcomes helped to make them, so a test would find too little: there are estimates and "
            "diagrams, but no tests and no verdict. "
            f"Use the map on other {plural(noun)} and look at those."
        )
    return (
        f"These {plural(noun)} are weighted: they give estimates and diagrams, but no tests and no verdict, "
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


def sentence_case(words: str) -> str:
    """The first letter large, the rest as it is."""
    return words[:1].upper() + words[1:]


def arrow_words(diagram: Reliability, b: int, names: Sequence[str]) -> tuple[str, str]:
    """Where an arrow starts and where it points: "cat: 60 %, dog: 30 %, fox: 10 %", twice."""
    tuple_names = tuple(names)
    predicted, seen = diagram.mean_prediction[b].tolist(), diagram.observed[b].tolist()
    return top_bins(predicted, tuple_names), top_bins(seen, tuple_names)


# --- what a check is called -----------------------------------------------------------


class Looked(Protocol):
    """What has settings and knows classes: of its predictions, or as its lens shows them."""

    @property
    def spec(self) -> DiagnosisSpec: ...
    @property
    def class_names(self) -> Sequence[str]: ...


def name_of(result: Diagnosis | Verdict) -> str:
    """ "the class 'ill'", "confidence in the answer", "all classes together" of three or more."""
    if isinstance(result, Diagnosis):
        lens, names = result.spec.lens, result.reliability.class_names
        event = names[0] if len(names) == 2 else ""
    else:
        lens = result.lens
        event = result.frequencies[0].class_name if len(result.frequencies) == 1 else ""
    return _named(lens, event)


def name_among(lens: Lens, class_names: Sequence[str]) -> str:
    """The same of a lens, by the classes of the predictions in their order."""
    return _named(lens, class_names[event_of(class_names)] if len(class_names) == 2 else "")


def name_in(result: Looked) -> str:
    """The same of an answer that knows the classes of the predictions in their order."""
    return name_among(result.spec.lens, result.class_names)


def name_shown_in(result: Looked) -> str:
    """The same of an answer that knows the classes as its lens shows them, of two the event first."""
    return _named(result.spec.lens, result.class_names[0] if len(result.class_names) == 2 else "")


def classes_in(result: Looked) -> str:
    """How many classes an answer is about: "10 classes"; of two through the confidence, "right or wrong"."""
    m = len(result.class_names)
    return "right or wrong" if m == 2 and result.spec.lens.within.shows_confidence else f"{m:,} classes"


def of_words(result: Looked) -> str:
    """What gaps and diagrams of two classes are of: "'ill'" or the answer; of more the likeliest class."""
    lens = result.spec.lens.within
    answers = lens.answers
    if answers == "sets":
        return "the sets of classes"
    if lens.shows_confidence:
        return "the answer"
    return "the likeliest class" if len(result.class_names) != 2 or answers else f"'{result.class_names[0]}'"


def _named(lens: Lens, event: str) -> str:
    return (ClassLens(event) if lens.whole and event else lens).phrase()
