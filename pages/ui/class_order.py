"""Classes in the order in which a box offers them: of many, those with the strongest evidence first."""

from calibcore.assessment.defaults import MOST_CLASSES
from calibcore.sensitivity.each_class import classes_by_evidence
from pages.ui import settings, state, surveyed
from pages.work import studies


def remarks() -> dict[str, str]:
    """Name of each class of the data in use -> what stands behind it, in the order of the box.

    Empty where only the confidence is known. That is their own order. Where there are more than a survey
    looks at, those that it judged come first, by evidence, as soon as it is there, and then those that differ
    by more than chance allows; nothing is begun for it.
    """
    data = state.loaded()
    if data.predictions.confidence_only:
        return {}
    own = dict.fromkeys(data.predictions.class_names, "")
    if len(own) <= MOST_CLASSES:
        return own
    assessment = surveyed.result(data)
    if assessment is None or not any(verdict.lens.one_class for verdict in assessment.verdicts):
        return own
    judged = [entry.name for entry in classes_by_evidence(assessment).classes]
    screen = studies.screened(data.predictions, settings.current()).finished()
    differ = () if screen is None else screen.names[: screen.beyond]
    return (
        {name: f" (no. {i} by evidence)" for i, name in enumerate(judged, 1)}
        | {name: " (differs)" for name in differ if name not in judged}
        | {name: "" for name in own if name not in judged and name not in differ}
    )


def worded() -> dict[str, str]:
    """Name of each class -> its words in a box, in that order."""
    return {name: f"{name}{remark}" for name, remark in remarks().items()}
