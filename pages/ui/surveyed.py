"""What a survey found, if it is there already."""

from calibcore.assessment.assess import Assessment
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
