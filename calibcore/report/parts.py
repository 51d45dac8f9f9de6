"""What a report may hold beside the survey, where its author wants it: a part each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibcore.report.plates import Plate
from calibcore.words.repeating import Repeat


@dataclass(frozen=True, eq=False)
class Part:
    """A question that was asked beside the survey, and what came of it.

    Attributes
    ----------
    name : its key in the report's document, "comparison" say
    document : what was found, with names as they are shown; nothing of single cases unless rows are wanted
    plate : its figure
    tables : name, title, rows, and what stands below
    methods : heading and paragraph
    heading : what stands above the command
    repeat : the command that gives the same again
    """

    name: str
    document: Mapping[str, Any]
    plate: Plate
    tables: tuple[tuple[str, str, list[dict[str, str]], str], ...]
    methods: tuple[str, str]
    heading: str
    repeat: Repeat
