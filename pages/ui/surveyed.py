"""What a survey found, if it is there already."""

from dataclasses import dataclass

from calibcore import Diagnosis
from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import as_surveyed
from calibcore.assessment.verdict import Verdict
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.transforms.lenses import CanonicalLens, LabelLens, Lens
from calibcore.words.verdicts import tested_words
from pages.ui import settings
from pages.ui.state import Loaded
from pages.work import studies


def result(data: Loaded) -> Assessment | None:
    """The survey of the data in use and its verdicts, at the tolerance in use; nothing is begun."""
    if data.predictions.untested:
        return None
    lenses = settings.family()
    spec, many = settings.surveyed(lenses)
    assessment = studies.surveyed(data.predictions, spec, lenses, many).finished()
    return None if assessment is None else assessment.at(settings.current().tolerance)


def study_of_labels(p: MultiLabelPredictions) -> studies.Study[Assessment]:
    """The survey of all labels of each case, with the settings in use, whichever label is looked at."""
    spec, many = settings.surveyed((CanonicalLens(),))
    return studies.surveyed(p, spec, tuple(map(LabelLens, p.label_names)), many)


@dataclass(frozen=True)
class Check:
    """What a survey has of one lens, and for how many checks its p is adjusted."""

    verdict: Verdict
    diagnosis: Diagnosis
    adjusted_for: str


def check_of(data: Loaded, lens: Lens) -> Check | None:
    """What the survey has of what ``lens`` shows, if it is there; nothing is begun.

    Of one of several labels that is the survey of all labels.
    """
    surveyed_as = as_surveyed(lens, data.predictions)
    if data.labels is not None and surveyed_as == CanonicalLens():
        of_labels = study_of_labels(data.labels).finished()
        if check := _of(of_labels, LabelLens(data.predictions.label_of)):
            return check
    return _of(result(data), surveyed_as)


def _of(assessment: Assessment | None, lens: Lens) -> Check | None:
    if assessment is None:
        return None
    survey, verdicts = assessment.survey, assessment.at(settings.current().tolerance).verdicts
    adjusted_for = tested_words(len(verdicts), survey.hypotheses)
    pairs = zip(verdicts, survey.diagnoses, strict=True)
    return next((Check(v, diagnosis, adjusted_for) for v, diagnosis in pairs if v.lens == lens), None)
