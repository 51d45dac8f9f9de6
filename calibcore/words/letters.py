"""What is said about names whose letters a printed file cannot show."""

from collections.abc import Mapping

from calibcore.data.checks import shown
from calibcore.wording import count, joined

MOST_NAMED = 5
BY_NUMBER = (
    "A class name with letters that DejaVu Sans lacks is printed with its number, as in “class 3”: the order "
    "is that of the file."
)
BOXES = "Letters that the fonts of the file lack are drawn as □."


def stand_ins_sentence(names: Mapping[str, str], boxes: bool) -> str:
    """For whoever makes a file: which name stands for which; ``names`` as they are -> as they are printed."""
    pairs = [f"“{instead}” for {shown(name)}" for name, instead in names.items()]
    return _joined(f"Not all letters can be printed. The file has {_listed(pairs)}." if names else "", boxes)


def stand_ins_note(names: Mapping[str, str], boxes: bool = False) -> str:
    """The same for whoever reads the file, which cannot show the names."""
    words = ""
    if names:
        short = [f"“{instead}”" for instead in dict.fromkeys(names.values())]
        them = "it" if len(short) == 1 else "them"
        words = (
            f"The fonts of this file lack letters of {count(len(short), 'class name')}: {_listed(short)} "
            f"{'stands' if them == 'it' else 'stand'} for {them}, by number. The report as HTML shows {them}."
        )
    return _joined(words, boxes)


def _listed(parts: list[str]) -> str:
    more = len(parts) - MOST_NAMED
    if more > 0:
        return f"{', '.join(parts[:MOST_NAMED])} and {more:,} more"
    return joined(parts)


def _joined(text: str, boxes: bool) -> str:
    return " ".join(filter(None, (text, BOXES if boxes else "")))
