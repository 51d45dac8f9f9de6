"""What Tab completes, as the shells themselves say it."""

import argparse
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from calibcore.cli.arguments import commands_of, parser
from calibcore.cli.completion import SHELLS
from tests.cli.commands import run

COMMANDS = commands_of(parser())
OPTION = re.compile(r"^complete -c caliblens -n '[^']*' -([ls]) (\S+)")
"""A line of fish that offers a flag."""
OFFERS = ("--lens", "--binning", "--null", "--bandwidth")
"""Flags of which some words are offered."""
OFFERED = """
offered() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _caliblens
  echo "${COMPREPLY[*]}"
}
"""


def script_of(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    code, script, err = run(capsys, "completion", shell)
    assert (code, err) == (0, "")
    return script


def by_bash(script: str, typed: Sequence[Sequence[str]]) -> list[list[str]]:
    """What bash offers for the last of the words, of each line that is typed."""
    lines = [script, OFFERED, *(f"offered caliblens {shlex.join(words)}" for words in typed)]
    done = subprocess.run(
        ["bash", "--norc"], input="\n".join(lines), capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return [line.split() for line in done.stdout.splitlines()]


def flags_of(command: argparse.ArgumentParser) -> list[str]:
    listed = [action for action in command._actions if action.help != argparse.SUPPRESS]
    return [flag for action in listed for flag in action.option_strings]


@pytest.mark.slow
def test_bash_offers_commands_then_their_flags_then_the_words_of_these(
    capsys: pytest.CaptureFixture[str],
) -> None:
    expected: dict[tuple[str, ...], list[str]] = {("",): list(COMMANDS), ("sur",): ["survey"], ("x",): []}
    for name, command in COMMANDS.items():
        expected[name, "-"] = expected[name, "x.csv", "-"] = flags_of(command)
        for action in command._actions:
            words = list(map(str, action.choices or ()))
            if action.option_strings and action.nargs != 0 and action.option_strings[0] not in OFFERS:
                expected |= {(name, flag, ""): words for flag in action.option_strings}
            elif not action.option_strings:
                expected.setdefault((name, ""), words)
    expected |= {
        ("survey", "--bars", "re"): ["resampled"],
        ("survey", "x.csv", "--bars", "=", "re"): ["resampled"],
        ("survey", "x.csv", "--bars", "="): ["exact", "resampled"],
        ("survey", "--bars=re"): ["--bars=resampled"],
        ("survey", "--lens", "c"): ["canonical", "confidence"],
        ("plan", "--binning", "eq"): ["equal-mass", "equally-uncertain"],
        ("plan", "--null", ""): ["identity"],
        ("plan", "--bandwidth", "med"): ["median", "median-with-diagonal"],
        ("survey", "--labels", "y.csv", "--bin-a"): ["--bin-adjustment"],
        ("monitor", "--fail-if", ""): ["alarm"],
        ("survey", "--fail-if", ""): ["miscalibrated"],
        ("stream", "x.parquet", "--clus"): [],  # which it refuses
    }
    offered = by_bash(script_of("bash", capsys), list(expected))
    assert dict(zip(expected, offered, strict=True)) == expected
    assert {"--lens", "--unit", "--no-shuffle"} <= set(expected["survey", "-"])


def test_zsh_has_the_same_function(capsys: pytest.CaptureFixture[str]) -> None:
    start, end = script_of("zsh", capsys), script_of("bash", capsys)
    assert start.endswith(end)
    assert "bashcompinit\n" in start


def test_fish_has_a_line_a_word(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = script_of("fish", capsys)
    lines = script.splitlines()
    for name, command in COMMANDS.items():
        assert len([line for line in lines if f" -f -a {name} -d '" in line]) == 1
        of_command = [line for line in lines if f"'__fish_seen_subcommand_from {name}'" in line]
        found = [
            f"-{'-' * (kind == 'l')}{word}" for line in of_command for kind, word in OPTION.findall(line)
        ]
        assert found == flags_of(command)
    assert all(re.fullmatch(r"complete( [^' ]+| '(?:[^'\\]|\\.)*')+", line) for line in lines)
    if shutil.which("fish"):
        (tmp_path / "script.fish").write_text(script)
        asked = "source script.fish; complete -C 'caliblens survey --bars '; complete -C 'caliblens surv'"
        done = subprocess.run(
            ["fish", "--no-config", "-c", asked], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        offered = [line.partition("\t")[0] for line in done.stdout.splitlines()]
        assert (offered, done.stderr) == (["exact", "resampled", "survey"], "")


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "completion", "tcsh")
    err = capsys.readouterr().err
    assert all(shell in err for shell in SHELLS)
    assert err.count("\n") == 1
