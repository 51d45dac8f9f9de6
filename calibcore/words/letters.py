"""What is said about names whose letters a printed file cannot show."""

from collections.abc import Mapping

from calibcore.data.outside_text import shown
from calibcore.wording import count, joined, sentences
from calibcore.words.texts import paragraph

MOST_NAMED = 5
BY_NUMBER = paragraph("remarks", "classes by number")
BOXES = paragraph("remarks", "letters as boxes")


def stand_ins_sentence(names: Mapping[str, str], boxes: bool) -> str:
    """For whoever makes a file: which name stands for which; ``names`` as they are -> as they are printed."""
    pairs = [f"“{instead}” for {shown(name)}" for name, instead in names.items()]
    words = f"Not all letters can be printed. The file has {_listed(pairs)}." if names else ""
    return sentences(words, BOXES * boxes)


def stand_ins_note(names: Mapping[str, str], boxes: bool = False) -> str:
    """The same for whoever reads the file, which cannot show the names."""
    words = ""
    if names:
        short = [f"“{instead}”" for instead in dict.fromkeys(names.values())]
        stand, them = ("stands", "it") if len(short) == 1 else ("stand", "them")
        words = (
            f"The fonts of this file lack letters of {count(len(short), 'class name')}: {_listed(short)} "
            f"{stand} for {them}, by number. The report as HTML shows {them}."
        )
    return sentences(words, BOXES * boxes)


def _listed(parts: list[str]) -> str:
    more = len(parts) - MOST_NAMED
    return joined([*parts[:MOST_NAMED], f"{more:,} more"] if more > 0 else parts)
