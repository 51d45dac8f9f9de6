"""The diagrams of groups, to be drawn side by side on shared scales."""

from dataclasses import dataclass, replace

from calibcore.assessment.headline import by_evidence
from calibcore.data.predictions import Predictions
from calibcore.data.times import DayOrder
from calibcore.diagnose.parts import reliability_for
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.progress import Progress, silent
from calibcore.questions.groups.ask import rows_of_group
from calibcore.questions.groups.result import Group, GroupSurvey
from calibcore.transforms.lenses import TopKLens

MOST_DRAWN = 10


@dataclass(frozen=True, eq=False)
class GroupDiagram:
    """A group that was tested, and its diagram of two classes."""

    group: Group
    diagram: Reliability


def group_diagrams(
    predictions: Predictions,
    survey: GroupSurvey,
    progress: Progress = silent,
    *,
    dates: DayOrder | None = None,
) -> tuple[GroupDiagram, ...]:
    """The diagram of each group that was tested, as :func:`.reliability_for` makes it of its cases alone.

    Through a lens of three and more classes it is that of the confidence. Of many groups those
    :data:`MOST_DRAWN` with the strongest evidence, in their order. Cost: as the diagram of all cases, a
    column.
    """
    judged = [(by_evidence(group.verdict), group) for group in survey.tested if group.verdict is not None]
    strongest = [group for _, group in sorted(judged, key=lambda pair: pair[0])[:MOST_DRAWN]]
    chosen = [group for group in survey.tested if group in strongest]
    spec = replace(survey.spec.for_classes(2), unit=None)
    made = []
    for i, group in enumerate(chosen):
        rows = rows_of_group(predictions, group.column, group.value, survey.spec, dates=dates)
        of_group = survey.spec.independent(predictions.with_rows(rows))
        if len(survey.class_names) == 2:
            diagram = reliability_for(of_group, spec)
        else:
            diagram = reliability_for(spec.lens(of_group), replace(spec, lens=TopKLens(1)))
        made.append(GroupDiagram(group, diagram))
        progress((i + 1) / len(chosen), f"group {i + 1} of {len(chosen)}")
    return tuple(made)
