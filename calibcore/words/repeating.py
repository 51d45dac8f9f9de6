"""The command that repeats an answer: settings, lenses and how a file was read, as a shell takes them."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, cast

from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import default_lenses, resamples_needed
from calibcore.assessment.rerun import binnings_of, lenses_of
from calibcore.data.outside_text import visible
from calibcore.data.several_labels import Cases
from calibcore.flags import as_typed, can_be_typed
from calibcore.io import LabelsReading, Origin, Reading
from calibcore.settings import DiagnosisSpec, lens_to_words
from calibcore.settings.words import binning_to_words

PROGRAM = "caliblens"
"""What `pip install` makes a program of."""
PREDICTIONS, LABELS = "PREDICTIONS", "LABELS"
"""What stands for a file that has no name."""
NAME, UNTYPED = "COLUMN", "stands for a name that cannot be typed."
"""What stands for a column that cannot be typed, and why."""
ROWS = "order"
"""What ``--time`` says for the order of the rows."""
COLUMN = "column:"
"""What stands before a column of that name."""
IN_PYTHON = "predictions that were made in Python"
"""What data are that nobody says more about."""


@dataclass(frozen=True)
class Repeat:
    """A command, word by word, and sentences on what cannot be typed and where it is run."""

    words: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command as it is typed, on one line."""
        return " ".join(map(quoted, self.words))

    def noted(self, note: str) -> "Repeat":
        """With one more sentence, unless it is empty."""
        return replace(self, notes=(*self.notes, note)) if note else self

    def with_flag(self, name: str, value: str) -> "Repeat":
        """With that value in place of the one that it has."""
        words = list(self.words)
        if name in words:
            place = words.index(name)
            del words[place : place + 2]
        return replace(self, words=(*words, *_flagged(name, value)))

    def lines(self, width: int, ascii: bool) -> str:
        """The same on lines that go on, each ``width`` letters long at most where its words allow it."""
        lines = [""]
        for word in self.words:
            typed = quoted(word, ascii)
            if lines[-1] and len(lines[-1]) + len(typed) + 3 > width:
                lines.append("")
            lines[-1] += f" {typed}" if lines[-1] else typed
        return " \\\n  ".join(lines)


def quoted(word: str, ascii: bool = False) -> str:
    """A word as a shell takes it: in quotes where need be; what cannot be seen as escapes (``$'…'``).

    With ``ascii`` all other letters are escapes too.
    """

    def plain(letter: str) -> bool:
        return visible(letter) == letter and (letter.isascii() or not ascii)

    if all(map(plain, word)):
        return shlex.quote(word)
    escaped = ""
    for letter in word:
        if plain(letter):
            escaped += f"\\{letter}" if letter in "\\'" else letter
        else:
            escaped += "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
    return f"$'{escaped}'"


def _flagged(name: str, value: str) -> list[str]:
    """A flag and its value, in one word where the value could be taken for a flag."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


DECIDED = ("--lens", "--resamples", "--seed")
PLANNED = (*DECIDED, "--tolerance")
COMPARED = (*DECIDED, "--binning")
DIAGNOSED = (
    *COMPARED,
    "--distance",
    "--kernel",
    "--metric",
    "--bandwidth",
    "--tests",
    "--bars",
    "--interval",
)
"""Flags that are named even where they are the default: of decisions, of a plan, of a comparison and of a
diagnosis."""


def in_flags(settings: Any, named: Collection[str] = ()) -> tuple[list[str], list[str]]:
    """Flags for what is not the default and for those of ``named``, and sentences on what cannot be typed.

    settings : :class:`.DiagnosisSpec`, :class:`.ReadOptions`, or what else has a flag a field
    """
    start = type(settings)()
    words: list[str] = []
    notes: list[str] = []
    for entry in as_typed(cast(Any, type(settings))):
        value = entry.value(settings)
        if value == entry.value(start) and entry.option not in named:
            continue
        if entry.switch:
            words.append(entry.option if value else entry.option.replace("--", "--no-", 1))
        elif can_be_typed(typed := entry.flag.words(value)):
            words += _flagged(entry.option, typed)
        else:
            instead = entry.field.upper()
            words += [entry.option, instead]
            notes.append(f"{instead} {UNTYPED}")
    return words, notes


class Command:
    """A command as it is put together: its words so far, and sentences on what they cannot say."""

    def __init__(self, name: str, origin: Origin | None = None) -> None:
        self.words, self.notes = [PROGRAM, name], list[str]()
        if isinstance(origin, Reading | LabelsReading):
            self.file(origin.name, PREDICTIONS)
            if self.words[-1] != PREDICTIONS:
                self.notes.append(
                    "Run it in the folder of the file, under the name that it had when it was read."
                )
            self.read(origin)
        elif origin is not None:
            self.stand_in(PREDICTIONS, f"stands for a file of these data: {origin}.")

    def flag(self, name: str, value: str) -> None:
        """A flag and its value."""
        self.words += _flagged(name, value)

    def column(self, flag: str, name: str) -> None:
        """A flag and the name of a column."""
        if can_be_typed(name):
            self.flag(flag, name)
        else:
            self.words.append(flag)
            self.stand_in(NAME, UNTYPED)

    def stand_in(self, instead: str, why: str) -> None:
        """A word for what cannot be typed, and a sentence on it."""
        self.words.append(instead)
        self.notes.append(f"{instead} {why}")

    def file(self, name: str, instead: str) -> None:
        """A file as it is typed."""
        if name and can_be_typed(name):
            self.words.append(f"./{name}" if name.startswith("-") else name)
        else:
            self.stand_in(instead, "stands for a file whose name is not known here or cannot be typed.")

    def read(self, reading: Reading | LabelsReading) -> None:
        """The file of labels, and how both were read."""
        if reading.labels_name is not None:
            self.words.append("--labels")
            self.file(reading.labels_name, LABELS)
        words, notes = in_flags(reading.options)
        self.words += words
        self.notes += notes

    def repeat(self, spec: DiagnosisSpec, named: Collection[str] = ()) -> Repeat:
        """The command with its settings: those that are not the default, and those of ``named``."""
        words, notes = in_flags(spec, named)
        self.words += words
        self.notes += notes
        return Repeat(tuple(self.words), tuple(dict.fromkeys(self.notes)))


def as_asked(spec: DiagnosisSpec, checks: int = 0) -> DiagnosisSpec:
    """The settings as they were asked for, where there are no tests and estimates to choose.

    checks : for how many of them redraws were made, at least as many as they take
    """
    start = DiagnosisSpec()
    usual = max(start.resamples, resamples_needed(checks, spec.alpha)) if checks else 0
    resamples = start.resamples if spec.resamples == usual else spec.resamples
    return replace(spec, tests=start.tests, estimates=start.estimates, resamples=resamples)


def diagnosis_command(spec: DiagnosisSpec, origin: Reading | str = IN_PYTHON) -> Repeat:
    """The command that gives a diagnosis with these settings."""
    return Command("diagnose", origin).repeat(spec, DIAGNOSED)


def survey_command(assessment: Assessment, predictions: Cases, origin: Origin) -> Repeat:
    """The command that gives the p-values and verdicts of a survey again."""
    command, start = Command("survey", origin), DiagnosisSpec()
    lenses, usual = lenses_of(assessment.survey), default_lenses(predictions)
    if len(lenses) != len(usual) or set(lenses) != set(usual):
        for lens in lenses:
            command.flag("--lens", lens_to_words(lens))
    two, many = binnings_of(assessment.survey.diagnoses)
    spec = as_asked(assessment.survey.diagnoses[0].spec, len(lenses))
    repeat = command.repeat(replace(spec, lens=start.lens, binning=two or many or start.binning))
    # The bins that go without saying are those of two classes; a survey has others of more.
    if many is None or (many in (two or many,) and many != start.binning):
        return repeat
    return replace(repeat, words=(*repeat.words, *_flagged("--binning-of-many", binning_to_words(many))))
