"""The check whose figure carries the answer: its name, and in a sentence why it is this one."""

from calibcore.assessment.headline import Headline
from calibcore.diagnose import Diagnosis
from calibcore.diagram.reliability import Place, Reliability, clearest
from calibcore.transforms.lenses import Lens
from calibcore.wording import percent
from calibcore.words.diagram import hits_in_bin
from calibcore.words.lens_names import name_of
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import seen_noun
from calibcore.words.results import bins_outside, claim_and_outcome
from calibcore.words.sizes import size_sentence
from calibcore.words.verdicts import refuted_sentence

NO_PROBLEM = "No check found a problem."


def heading(headline: Headline) -> str:
    """ "Strongest evidence: 'malignant'", "Main check: confidence in the top class"."""
    name = name_of(headline.diagnosis).removeprefix("the class ")
    return f"{'Strongest evidence' if headline.found else 'Main check'}: {name}"


def reason(headline: Headline, noun: str = "case", shown: Reliability | None = None) -> str:
    """Why it is this check, in the numbers of its figure: "Where the model gives 'malignant' 35.2 % on
    average, it happens 22.1 % of the time (45 of 204 cases). If calibrated, 29.0 % to 41.2 %.".

    shown : what the figure draws of the diagram, if not all of it
    """
    diagnosis, verdict = headline.diagnosis, headline.verdict
    if not headline.found:
        return f"{NO_PROBLEM} {_claim(diagnosis, noun)}"
    if verdict.refuted is not None:
        return refuted_sentence(verdict.refuted)
    diagram, lens = shown or diagnosis.reliability, diagnosis.spec.lens
    place = clearest(diagram)
    return _claim(diagnosis, noun) if place is None else _of_bin(diagram, lens, place, seen_noun(lens, noun))


def by_chance(headline: Headline) -> str:
    """Where no check found a problem and still crosses lie outside: how many do so by chance; else empty."""
    diagram = headline.diagnosis.reliability
    if headline.found or not diagram.has_bars or not diagram.outside.any():
        return ""
    return bins_outside(diagram)


def reason_by_arrows(headline: Headline, arrows: str, noun: str = "case") -> str:
    """The same where the figure is of arrows: what its strongest arrow says, ``arrows``, is the reason; where
    no check found a problem, or outcomes were called impossible, that comes first."""
    if headline.found and headline.verdict.refuted is None:
        return arrows
    return f"{reason(headline, noun)} {arrows}"


def _claim(diagnosis: Diagnosis, noun: str) -> str:
    """What the model says on average and what happens; of more classes how far off it is."""
    if len(diagnosis.reliability.class_names) == 2 or diagnosis.typical_gap is None:
        return claim_and_outcome(diagnosis.reliability, diagnosis.spec.lens, noun)
    return size_sentence(diagnosis.spec.lens, diagnosis.typical_gap, diagnosis.frequencies)


def _of_bin(diagram: Reliability, lens: Lens, place: Place, noun: str) -> str:
    two, (b, c) = len(diagram.class_names) == 2, place
    where, lens = lens.region, lens.within
    said = lens.where_sentence(percent(float(diagram.mean_prediction[b, c])), diagram.class_names[c])
    said = f"where {where} and {said}" if where else f"where {said}"
    sentence = sentence_case(said if two else f"among similar predictions, {said}")
    return hits_in_bin(diagram, place, sentence, noun)
