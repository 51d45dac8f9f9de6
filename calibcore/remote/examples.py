"""The examples of ``--help`` as a program sends them: the same flags as fields, and small files that fit.

Nothing here is written for one command: what a line of ``--help`` names is made by its name.
"""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import PurePath

from calibcore.cli.arguments import COMMANDS
from calibcore.errors import InputError
from calibcore.remote.fields import FORMS, SUMMARY, parsed, sent_for

CASES = 40
TEXT = (".csv", ".json")
"""Endings of files that can be written down in a description."""
_LEVELS = (0.1, 0.25, 0.4, 0.6, 0.8)


@dataclass(frozen=True)
class Sending:
    """What is sent for a line of ``--help``: fields with their words, and fields with the content of a file.

    ``line`` is what is typed, ``files`` the names and contents of what it names.
    """

    line: str
    words: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, str], ...]


@cache
def sendings_of(command: str) -> tuple[Sending, ...]:
    """Those of a command that a server can be asked, the plainest first."""
    made = (_sending(command, line) for line in COMMANDS[command].examples)
    return tuple(sending for sending in made if sending is not None)


def _sending(command: str, line: str) -> Sending | None:
    """None for what no server is asked, or what names a file that is no text."""
    typed = line.partition(" > ")[0]
    arguments = parsed(command, shlex.split(typed)[1:])
    form = next(word for word, printed in FORMS.items() if printed == ("json" if arguments.json else SUMMARY))
    arguments.json = False
    try:
        words, named = sent_for(arguments)
    except InputError:
        return None
    files: list[tuple[str, str, str]] = []
    for field, path in named:
        name = PurePath(path).name
        if PurePath(name).suffix not in ("", *TEXT):
            return None
        if not PurePath(name).suffix:  # a sketch is a word
            words.append((field, path))
            continue
        for each in STANDS_FOR.get(name, (name,)):
            if each not in SAMPLES:
                raise LookupError(f"{each} of 'caliblens {line}' needs an entry in SAMPLES of {__name__}.")
            files.append((field, each, SAMPLES[each]()))
    words += [("document", form)] if form != SUMMARY else []
    return Sending(typed, tuple(words), tuple(files))


def _table(shift: float = 0.0, labels: bool = True, only: tuple[str, ...] = ()) -> str:
    """Cases of two classes with groups and dates, a line each; ``shift`` makes another model's."""
    names = ["benign", "malignant", "site", "sex", "age", "patient", "date", *(["label"] if labels else [])]
    columns = list(only) or names
    return _written([columns, *([_row(i, shift)[name] for name in columns] for i in range(CASES))])


def _row(case: int, shift: float) -> dict[str, str]:
    chance = _LEVELS[case % len(_LEVELS)]
    claimed = min(max(chance + shift * (1 if case % 2 else -1), 0.0), 1.0)
    happened = case * 37 % 100 < 100 * chance
    return {
        "benign": f"{1 - claimed:.2f}",
        "malignant": f"{claimed:.2f}",
        "site": "NS"[case % 2],
        "sex": "fm"[case // 2 % 2],
        "age": str(30 + case * 37 % 50),
        "patient": str(case + 1),
        "date": f"2025-{case // 28 + 1:02}-{case % 28 + 1:02}",
        "label": "malignant" if happened else "benign",
    }


def _written(rows: list[list[str]]) -> str:
    return "".join(",".join(row) + "\n" for row in rows)


def _models() -> str:
    rows = [
        [model, *list(_row(case, shift).values())]
        for model, shift in (("old", 0.0), ("new", 0.08))
        for case in range(CASES)
    ]
    return _written([["model", *_row(0, 0.0)], *rows])


def _findings() -> str:
    """Cases with two labels, each with a probability."""
    rows = []
    for case in range(CASES):
        row, other = _row(case, 0.0), _row(case + 1, 0.0)
        parts = [[each["malignant"], str(int(each["label"] == "malignant"))] for each in (row, other)]
        rows.append([*parts[0], *parts[1]])
    return _written([["effusion_prob", "effusion_true", "mass_prob", "mass_true"], *rows])


SAMPLES: Mapping[str, Callable[[], str]] = {
    "predictions.csv": _table,
    "pilot.csv": _table,
    "march.csv": _table,
    "new-model.csv": _table,
    "old-model.csv": partial(_table, 0.08),
    "all-models.csv": _models,
    "findings.csv": _findings,
    "a.csv": partial(_table, labels=False),
    "b.csv": partial(_table, 0.08, labels=False),
    "c.csv": partial(_table, -0.08, labels=False),
    "new.csv": partial(_table, labels=False),
    "labels.csv": partial(_table, only=("patient", "label")),
    "epoch_1.csv": partial(_table, 0.08),
    "epoch_2.csv": _table,
}
"""Name of a file in a line of ``--help`` -> what makes its content."""
STANDS_FOR: Mapping[str, tuple[str, ...]] = {
    "epoch_*.csv": ("epoch_1.csv", "epoch_2.csv"),
    "state.json": (),
}
"""A pattern -> the names that it finds. A state there is not yet: it is begun."""
