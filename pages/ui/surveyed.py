"""What a survey found, if it is there already."""

from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import as_surveyed
from calibcore.assessment.verdict import Verdict
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.transforms.lenses import CanonicalLens, LabelLens, Lens
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


def verdict_on_label(data: Loaded, lens: Lens) -> Verdict | None:
    """What the survey of all labels says of the one that ``lens`` shows, if it is there; nothing is begun."""
    shows_label = as_surveyed(lens, data.predictions) == CanonicalLens()
    assessment = None if data.labels is None else study_of_labels(data.labels).finished()
    if assessment is None or not shows_label:
        return None
    verdicts = assessment.at(settings.current().tolerance).verdicts
    label = data.predictions.label_of
    return next((verdict for verdict in verdicts if verdict.lens == LabelLens(label)), None)
