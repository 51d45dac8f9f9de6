"""Is the model calibrated in every group of its cases, and where is it off most?"""

from calibcore.questions.groups.ask import rows_of_group, survey_groups, worst_group
from calibcore.questions.groups.columns import Column
from calibcore.questions.groups.diagrams import GroupDiagram, group_diagrams
from calibcore.questions.groups.result import Group, GroupSurvey, Worst

__all__ = [
    "Column",
    "Group",
    "GroupDiagram",
    "GroupSurvey",
    "Worst",
    "group_diagrams",
    "rows_of_group",
    "survey_groups",
    "worst_group",
]
