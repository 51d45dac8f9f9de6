"""The command that repeats a result: settings, lenses and how a file was read, as a shell takes them."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from calibcore.assessment.assess import Assessment
from calibcore.assessment.rerun import binnings_of, lenses_of
from calibcore.assessment.survey import default_lenses, resamples_needed
from calibcore.data.checks import visible
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning
from calibcore.io import Reading, ReadOptions
from calibcore.io.option_words import names_in_words, rows_in_words
from calibcore.io.options import FIELDS
from calibcore.questions.compare import Comparison
from calibcore.questions.decide import Decisions, default_thresholds
from calibcore.questions.recalibrate import MAPS, Recalibration
from calibcore.questions.recalibrate.run import FOLDS
from calibcore.spec import DiagnosisSpec, lens_to_words
from calibcore.spec.words import binning_to_words, null_to_words

PROGRAM = "caliblens"
"""What `pip install` makes a program of."""
PREDICTIONS, LABELS = "PREDICTIONS", "LABELS"
"""What stands for a file that has no name."""
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


def can_be_typed(word: str) -> bool:
    """Whether a shell takes it: no zero byte, no half of a character."""
    try:
        return b"\0" not in word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False


def flagged(name: str, value: str) -> list[str]:
    """A flag and its value, in one word where the value could be taken for a flag."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _number(value: float) -> str:
    return repr(float(value)) if isinstance(value, float) else str(value)


def _class_weights(spec: DiagnosisSpec) -> str:
    matrix = spec.kernel.class_matrix
    if matrix is None:
        return "none"
    if isinstance(matrix[0], tuple):
        return json.dumps(matrix)
    return ",".join(map(_number, matrix))


SETTINGS: dict[str, Callable[[DiagnosisSpec], str]] = {
    "--lens": lambda spec: lens_to_words(spec.lens),
    "--binning": lambda spec: binning_to_words(spec.binning),
    "--distance": lambda spec: spec.distance,
    "--kernel": lambda spec: spec.kernel.kind,
    "--metric": lambda spec: spec.kernel.metric,
    "--bandwidth": lambda spec: str(spec.kernel.bandwidth),
    "--class-weights": _class_weights,
    "--tests": lambda spec: ",".join(spec.tests) or "none",
    "--estimates": lambda spec: ",".join(spec.estimates) or "none",
    "--resamples": lambda spec: str(spec.resamples),
    "--seed": lambda spec: str(spec.seed),
    "--bars": lambda spec: spec.bars,
    "--interval": lambda spec: ",".join(map(_number, spec.interval)),
    "--alpha": lambda spec: _number(spec.alpha),
    "--tolerance": lambda spec: _number(spec.tolerance),
    "--null": lambda spec: null_to_words(spec.null),
    "--stop-at": lambda spec: str(spec.stop_at),
    "--bootstrap": lambda spec: str(spec.bootstrap),
    "--block-size": lambda spec: str(spec.block_size),
    "--locations": lambda spec: str(spec.locations),
    "--precision": lambda spec: spec.precision,
    "--adjustment": lambda spec: spec.adjustment,
    "--bin-adjustment": lambda spec: spec.bin_adjustment,
    "--unit": lambda spec: spec.unit or "",
}
"""Flag -> its value; ``--shuffle`` has none."""
ALWAYS_NAMED = (
    "--lens", "--binning", "--distance", "--kernel", "--metric", "--bandwidth", "--tests", "--resamples",
    "--seed", "--bars", "--interval",
)  # fmt: skip
"""Flags of a diagnosis that are named even where they are the default."""


COMPARED = ("--lens", "--binning", "--resamples", "--seed")
DECIDED = ("--lens", "--resamples", "--seed")
"""The same of a comparison."""


def setting_flags(spec: DiagnosisSpec, names: Sequence[str] = ()) -> list[str]:
    """Flags for all settings that are not the default, and for those of ``names``."""
    start = DiagnosisSpec()
    flags = []
    for flag, value in SETTINGS.items():
        if flag in names or value(spec) != value(start):
            flags += flagged(flag, value(spec))
    return [*flags, *(["--shuffle"] if spec.shuffle else [])]


def _names(names: Sequence[str]) -> str:
    """Names as ``--class-names`` takes them."""
    return names_in_words(names, all(map(can_be_typed, names)))


def reading_flag(field: str) -> str:
    """The flag of a field of :class:`.ReadOptions`."""
    return f"--{field.replace('_', '-')}"


def _reading_value(value: object) -> str:
    """What an option says, as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return _names(value) if all(isinstance(part, str) for part in value) else rows_in_words(value)
    return "tab" if value == "\t" else str(value)


def reading_flags(options: ReadOptions) -> tuple[list[str], list[str]]:
    """Flags for all options that are not the default, and sentences on those that cannot be typed."""
    start = ReadOptions()
    words: list[str] = []
    notes: list[str] = []
    for field in FIELDS:
        flag, value = reading_flag(field), _reading_value(getattr(options, field))
        if getattr(options, field) == getattr(start, field):
            continue
        if field == "renormalise":  # a flag without a value
            words.append(flag)
        elif can_be_typed(value):
            words += flagged(flag, value)
        else:
            words += [flag, field.upper()]
            notes.append(f"{field.upper()} stands for a name that cannot be typed.")
    return words, notes


def _file(name: str, instead: str) -> tuple[str, list[str]]:
    """A file as it is typed, and sentences on it."""
    if name and can_be_typed(name):
        return f"./{name}" if name.startswith("-") else name, []
    return instead, [f"{instead} stands for a file whose name is not known here or cannot be typed."]


def named_data(origin: Reading | str) -> tuple[list[str], list[str]]:
    """How the data are named and read on the command line, and sentences on it."""
    if not isinstance(origin, Reading):
        return [PREDICTIONS], [f"{PREDICTIONS} stands for a file of these data: {origin}."]
    file, notes = _file(origin.name, PREDICTIONS)
    words = [file]
    if origin.labels_name is not None:
        labels, more = _file(origin.labels_name, LABELS)
        words += ["--labels", labels]
        notes += more
    flags, more = reading_flags(origin.options)
    if file != PREDICTIONS:
        notes = ["Run it in the folder of the file, under the name that it had when it was read.", *notes]
    return [*words, *flags], [*notes, *more]


def diagnosis_command(spec: DiagnosisSpec, origin: Reading | str = IN_PYTHON) -> Repeat:
    """The command that gives a diagnosis with these settings."""
    words, notes = named_data(origin)
    return Repeat((PROGRAM, "diagnose", *words, *setting_flags(spec, ALWAYS_NAMED)), tuple(notes))


def survey_command(
    assessment: Assessment, predictions: Predictions, origin: Reading | str = IN_PYTHON
) -> Repeat:
    """The command that gives the p-values and verdicts of a survey again."""
    words, notes = named_data(origin)
    lenses, usual = lenses_of(assessment.survey), default_lenses(predictions)
    if len(lenses) != len(usual) or set(lenses) != set(usual):
        for lens in lenses:
            words += flagged("--lens", lens_to_words(lens))
    words += setting_flags(_surveyed(assessment))
    two, many = binnings_of(assessment.survey.diagnoses)
    if many is not None and two is not None and many != two:
        words += flagged("--binning-of-many", binning_to_words(many))
    return Repeat((PROGRAM, "survey", *words), tuple(notes))


def comparison_command(comparison: Comparison, origins: Mapping[str, Reading | str]) -> Repeat:
    """The command that gives a comparison again; ``origins`` says by name how each file was read."""
    files: list[str] = []
    notes: list[str] = []
    given = [origins.get(model.name, IN_PYTHON) for model in comparison.models]
    readings = [origin for origin in given if isinstance(origin, Reading)]
    for number, (model, origin) in enumerate(zip(comparison.models, given, strict=True), start=1):
        instead = f"MODEL{number}"
        if isinstance(origin, Reading):
            file, more = _file(origin.name, instead)
            notes += more
        else:
            file = instead
            notes.append(
                f"{instead} stands for a file of the predictions of {visible(model.name)}: {origin}."
            )
        files.append(file)
    flags: list[str] = []
    if readings:
        first = readings[0]
        if first.labels_name is not None:
            labels, more = _file(first.labels_name, LABELS)
            flags += ["--labels", labels]
            notes += more
        read, more = reading_flags(first.options)
        flags += read
        notes = ["Run it in the folder of the files, under the names that they had.", *notes, *more]
        if any((r.options, r.labels_name) != (first.options, first.labels_name) for r in readings):
            notes.append(
                "The files were read with settings of their own; the command has those of the first."
            )
    if comparison.joined_by is not None and can_be_typed(comparison.joined_by):
        flags += flagged("--id", comparison.joined_by)
    start = DiagnosisSpec()
    settings = replace(comparison.spec, tests=start.tests, estimates=start.estimates)
    return Repeat((PROGRAM, "compare", *files, *flags, *setting_flags(settings, COMPARED)), tuple(notes))


def recalibration_command(found: Recalibration, origin: Reading | str = IN_PYTHON) -> Repeat:
    """The command that says the same of recalibration again."""
    words, notes = named_data(origin)
    start = DiagnosisSpec()
    settings = replace(found.spec, tests=start.tests, estimates=start.estimates)
    methods = {method.kind for method in found.methods} | set(found.refused)
    if methods != set(MAPS):
        for kind in (kind for kind in MAPS if kind in methods):
            words += flagged("--method", kind)
    if found.folds != FOLDS:
        words += flagged("--folds", str(found.folds))
    if found.split is not None and found.split.by is not None and can_be_typed(found.split.by):
        words += flagged("--split-by", found.split.by)
    return Repeat((PROGRAM, "recalibrate", *words, *setting_flags(settings, COMPARED)), tuple(notes))


def decisions_command(found: Decisions, origin: Reading | str = IN_PYTHON) -> Repeat:
    """The command that says the same of decisions again."""
    words, notes = named_data(origin)
    start, grid = DiagnosisSpec(), found.grid
    usual = max(start.resamples, resamples_needed(1, found.spec.alpha))
    settings = replace(
        found.spec,
        tests=start.tests,
        estimates=start.estimates,
        resamples=start.resamples if found.spec.resamples == usual else found.spec.resamples,
    )
    if grid != default_thresholds(found.spec.lens):
        words += flagged("--thresholds", ",".join(f"{t:.12g}" for t in grid))
    return Repeat((PROGRAM, "decide", *words, *setting_flags(settings, DECIDED)), tuple(notes))


def _surveyed(assessment: Assessment) -> DiagnosisSpec:
    """The settings of a survey as far as they have to be said."""
    diagnoses, start = assessment.survey.diagnoses, DiagnosisSpec()
    spec = diagnoses[0].spec
    usual = max(start.resamples, resamples_needed(len(lenses_of(assessment.survey)), spec.alpha))
    two, many = binnings_of(diagnoses)
    binning: Binning = two or many or start.binning
    return replace(
        spec,
        lens=start.lens,
        binning=binning,
        tests=start.tests,
        estimates=start.estimates,
        resamples=start.resamples if spec.resamples == usual else spec.resamples,
    )
