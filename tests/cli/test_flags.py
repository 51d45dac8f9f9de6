"""A field says its flag: commands take it, read it off words, and are repeated with it."""

import argparse
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from calibcore import DiagnosisSpec
from calibcore.bounds import Within
from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from, reading_flags, setting_flags
from calibcore.cli.requests import given, overridden, request_from
from calibcore.errors import InputError
from calibcore.flags import as_listed, as_typed, entries, names_from_list, typed
from calibcore.io import ReadOptions
from calibcore.kernels import KERNELS, Kernel
from calibcore.words.repeating import DIAGNOSED, in_flags

SETTINGS = (DiagnosisSpec, ReadOptions, Kernel, *KERNELS.values())


@dataclass(frozen=True)
class WiderSpec(DiagnosisSpec):
    """All settings and one of each form more."""

    depth: Annotated[int, Within(0, 9)] = typed(3, "how deep", metavar="N")
    width: float | None = typed(None, "how wide", group="rare")
    shape: str = typed("round", "what it looks like", choices=("round", "square"))
    marks: tuple[str, ...] = typed((), "some names, or none", read=names_from_list)
    strict: bool = typed(False, "whether nothing is let through", after="binning")
    sorting: bool | None = typed(None, "whether rows stand in order")


@dataclass(frozen=True)
class WiderOptions(ReadOptions):
    """All that is said of a file and one of each form more."""

    skip: int | None = typed(None, "lines that are not read", metavar="N", listed_after="label_column")
    comment: str | None = typed(None, "what a comment begins with")
    padded: bool | None = typed(None, "whether cells are padded")


def parsed(*words: str) -> argparse.Namespace:
    """Words of a command that has the wider settings and options."""
    command = argparse.ArgumentParser()
    reading_flags(command, options=WiderOptions)
    setting_flags(command, WiderSpec)
    return command.parse_args(["x.csv", *words])


MORE: dict[str, Any] = {
    "depth": 7,
    "width": 0.25,
    "shape": "square",
    "marks": ("a", "-b"),
    "strict": True,
    "sorting": False,
}


@pytest.mark.parametrize("name", MORE)
def test_a_further_setting_is_a_field_and_no_more(name: str) -> None:
    spec = WiderSpec(**{name: MORE[name]})
    words, notes = in_flags(spec)
    assert notes == []
    assert words[0].partition("=")[0] == f"--{name}"
    arguments = parsed(*words)
    assert overridden(arguments, WiderSpec()) == spec


def test_a_flag_goes_before_what_settings_said() -> None:
    arguments = parsed("--no-strict", "--marks=none", "--sorting=yes")
    spec = overridden(arguments, WiderSpec(**MORE))
    assert (spec.strict, spec.marks, spec.sorting, spec.depth) == (False, (), True, 7)


def test_a_further_setting_stands_in_help_and_in_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("--help")
    shown = capsys.readouterr().out
    usual, rare = shown.partition("settings that most people leave alone:")[::2]
    assert "--depth N" in usual
    assert "how deep" in usual
    assert "--shape {round,square}" in usual
    assert "--sorting {yes,no}" in usual
    assert usual.index("--strict") < usual.index("--distance")
    assert "how wide" in rare
    words, _ = in_flags(WiderSpec(**MORE), DIAGNOSED)
    assert words.index("--binning") + 2 == words.index("--strict")
    for bad, sentence in (
        ("--depth=deep", "invalid int value"),
        ("--shape=oval", "invalid choice"),
    ):
        with pytest.raises(SystemExit):
            parsed(bad)
        assert sentence in capsys.readouterr().err
    with pytest.raises(InputError, match="depth"):
        overridden(parsed("--depth=10"), WiderSpec())


@pytest.mark.parametrize("options", [{"skip": 2}, {"comment": "-#"}, {"padded": True}, {"padded": False}])
def test_a_further_option_of_reading_is_a_field_and_no_more(options: dict[str, Any]) -> None:
    wider = WiderOptions(**options)
    words, notes = in_flags(wider)
    assert (len(words) > 0, notes) == (True, [])
    arguments = parsed(*words)
    assert WiderOptions(**given(arguments, WiderOptions)) == wider
    listed = [entry.field for entry in as_listed(WiderOptions)]
    assert listed.index("label_column") + 1 == listed.index("skip")


def test_what_cannot_be_typed_is_said_of_every_flag() -> None:
    for settings, flag in ((DiagnosisSpec(unit="a\0"), "--unit"), (ReadOptions(join="a\0"), "--join")):
        words, notes = in_flags(settings)
        assert words == [flag, flag.strip("-").upper()]
        assert notes == [f"{words[1]} stands for a name that cannot be typed."]


def test_a_value_of_two_dashes_is_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    words, _ = in_flags(DiagnosisSpec(unit="--"))
    more, _ = in_flags(ReadOptions(label_column="--", class_names=("--",)))
    arguments = parser().parse_args(["diagnose", "x.csv", *words, *more])
    assert request_from(arguments).spec.unit == "--"
    assert options_from(arguments) == ReadOptions(label_column="--", class_names=("--",))
    for word, sentence in (("--lens=--", "There is no lens '--'"), ("--binning=--", "There is no binning")):
        with pytest.raises(InputError, match=sentence):
            request_from(parser().parse_args(["diagnose", "x.csv", word]))
    for word, sentence in (
        ("--seed=--", "--seed is '--'; expected"),
        ("--bars=--", "invalid choice"),
    ):
        with pytest.raises(SystemExit):
            parser().parse_args(["diagnose", "x.csv", word])
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("cls", SETTINGS)
def test_every_field_has_its_flag(cls: type) -> None:
    flags = [entry.option for entry in as_typed(cls)]
    assert len(set(flags)) == len(flags)
    if cls in (DiagnosisSpec, ReadOptions):
        assert sorted(map(id, as_typed(cls))) == sorted(map(id, as_listed(cls)))
        arguments = vars(parser().parse_args(["diagnose", "x.csv"]))
        assert {entry.dest for entry in as_typed(cls)} <= set(arguments)


def test_a_field_without_a_flag_is_named() -> None:
    @dataclass(frozen=True)
    class Forgotten(ReadOptions):
        """One that says nothing."""

        skip: int = 0

    with pytest.raises(TypeError, match=r"Forgotten\.skip has no flag; say it by calibcore\.flags\.typed"):
        entries(Forgotten)
