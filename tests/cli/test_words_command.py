"""The command that repeats a result: a shell takes it, and it means the same settings and reading."""

import subprocess
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore import DiagnosisSpec
from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.cli.requests import request_from
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import BINNINGS
from calibcore.io import Reading, ReadOptions
from calibcore.words.repeating import Repeat, diagnosis_command, in_flags, quoted
from tests.settings.test_spec import KERNEL_EXAMPLES, NULL_EXAMPLES
from tests.settings.test_spec_words import ANY_LENS, NAMES

P = Predictions.from_arrays(np.full((4, 2), 0.5), [0, 1, 0, 1])
ODD = [
    "", "plain.csv", "two words.csv", "it's", '"quoted"', "$(touch x)", "`touch x`", "a;b|c>d&e", "-x.csv",
    "--help", "line\nbreak", "tab\there", "\\back\\", "\u202eturned", "\u200bno width", "日本語", "é", "*",
    "~", "#", "!", "'\n'", "\udcff",
]  # fmt: skip


def by_shell(command: str) -> list[str]:
    """The words that bash makes of a command, in which nothing is carried out."""
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, timeout=30, check=True
    )
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


def test_a_shell_takes_every_word_as_it_is() -> None:
    words = tuple(ODD)
    repeat = Repeat(words, ())
    assert by_shell(repeat.command) == list(words)
    assert by_shell(repeat.lines(60, ascii=True)) == list(words)
    assert repeat.lines(60, ascii=True).isascii()
    for word in words:
        assert "\n" not in quoted(word)


@pytest.mark.slow
@given(
    ANY_LENS,
    st.sampled_from(sorted(BINNINGS)),
    st.sampled_from(KERNEL_EXAMPLES),
    st.sampled_from(NULL_EXAMPLES),
    st.fixed_dictionaries(
        {},
        optional={
            "shuffle": st.booleans(),
            "seed": st.integers(0, 2**70),
            "tests": st.sampled_from([(), ("exact",), ("asymptotic", "exact")]),
            "estimates": st.sampled_from([(), ("mmce",)]),
            "resamples": st.integers(1, 10**6),
            "interval": st.tuples(st.floats(0.001, 0.4), st.floats(0.5, 0.999)),
            "alpha": st.floats(1e-9, 0.999),
            "tolerance": st.floats(1e-9, 0.999),
            "stop_at": st.none() | st.integers(1, 99),
            "bootstrap": st.sampled_from([0, 99]),
            "block_size": st.integers(2, 99),
            "locations": st.integers(1, 99),
            "precision": st.sampled_from(["float32", "float64"]),
            "bars": st.sampled_from(["exact", "resampled"]),
            "distance": st.sampled_from(["euclidean", "cityblock"]),
            "adjustment": st.sampled_from(["holm", "benjamini-hochberg"]),
            "bin_adjustment": st.sampled_from(["holm", "step-down"]),
        },
    ),
)
@settings(max_examples=150)
def test_the_command_gives_the_settings(
    lens: Any, binning: str, kernel: Any, null: Any, more: dict[str, Any]
) -> None:
    spec = DiagnosisSpec(lens=lens, binning=BINNINGS[binning](), kernel=kernel, null=null, **more)
    words = diagnosis_command(spec).words
    assert words[:2] == ("caliblens", "diagnose")
    assert request_from(parser().parse_args(words[1:])).spec == spec


@given(
    st.builds(
        ReadOptions,
        label_column=st.none() | NAMES,
        values=st.sampled_from(["auto", "logits", "percent"]),
        label_says=st.sampled_from([None, "outcome", "right", "wrong"]),
        label_base=st.sampled_from([None, 0, 1]),
        header=st.sampled_from([None, True, False]),
        delimiter=st.sampled_from([None, "\t", ";", " ", "-"]),
        class_names=st.none() | st.lists(NAMES, min_size=1, max_size=3).map(tuple),
        renormalise=st.booleans(),
        transpose=st.booleans(),
        count_column=st.none() | NAMES,
        weight_column=st.none() | NAMES,
        leave_out_rows=st.frozensets(st.integers(1, 60)).map(lambda rows: tuple(sorted(rows))),
        swap_files=st.sampled_from([None, True, False]),
        sample=st.none() | st.integers(2, 10**6),
        columns_are=st.sampled_from([None, ("b", "a, c"), ('["', " x")]),
    )
)
@settings(max_examples=150)
def test_the_command_reads_a_file_as_it_was_read(options: ReadOptions) -> None:
    words, notes = in_flags(options)
    typed = [getattr(options, name) or "" for name in ("label_column", "count_column", "weight_column")]
    if any("\0" in name for name in typed):
        assert "stands for a name that cannot be typed." in notes[0]
        return
    assert notes == []
    assert options_from(parser().parse_args(["diagnose", "x.csv", *words])) == options
    assert all("\0" not in word for word in words)


def reading(name: str = "a.csv", labels: str | None = None, **options: Any) -> Reading:
    return Reading(P, (), "", "", "", (), (), name, labels, ReadOptions(**options))


def test_files_are_named_and_what_cannot_be_typed_is_said() -> None:
    def told(origin: Reading | str) -> tuple[str, tuple[str, ...]]:
        found = diagnosis_command(DiagnosisSpec(), origin)
        return found.command.partition(" diagnose ")[2].partition(" --lens ")[0], found.notes

    where = "Run it in the folder of the file, under the name that it had when it was read."
    assert told(reading("a b.csv", label_column="y")) == ("'a b.csv' --label-column y", (where,))
    assert told(reading("-a.csv", "l.csv")) == ("./-a.csv --labels l.csv", (where,))
    assert told(reading(label_column="-y", header=False)) == ("a.csv --label-column=-y --header no", (where,))
    nameless = "stands for a file whose name is not known here or cannot be typed."
    assert told(reading("a.csv", "")) == ("a.csv --labels LABELS", (where, f"LABELS {nameless}"))
    assert told(reading("")) == ("PREDICTIONS", (f"PREDICTIONS {nameless}",))
    assert told(reading("a\0b")) == ("PREDICTIONS", (f"PREDICTIONS {nameless}",))
    assert told(reading(count_column="\0"))[1][1] == ("COUNT_COLUMN stands for a name that cannot be typed.")
    assert told("the bundled example 'Wine'") == (
        "PREDICTIONS",
        ("PREDICTIONS stands for a file of these data: the bundled example 'Wine'.",),
    )
    assert "made in Python" in diagnosis_command(DiagnosisSpec()).notes[0]


def test_settings_that_are_the_default_are_left_out_of_a_survey_and_rarer_ones_named() -> None:
    spec = DiagnosisSpec(kernel=replace(KERNEL_EXAMPLES[0], class_matrix=(1.0, 0.5)), shuffle=True)
    command = diagnosis_command(spec).command
    assert "--class-weights 1.0,0.5" in command
    assert command.endswith(" --shuffle")
    matrix = replace(KERNEL_EXAMPLES[0], class_matrix=((2.0, -1.0), (-1.0, 2.0)))
    assert (
        "--class-weights '[[2.0, -1.0], [-1.0, 2.0]]'"
        in diagnosis_command(DiagnosisSpec(kernel=matrix)).command
    )
