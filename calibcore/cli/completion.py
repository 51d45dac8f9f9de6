"""``caliblens completion SHELL``: what Tab completes, as a script that the shell reads once.

The script holds all words, so that no Tab starts the program, which takes more than a second.
"""

import argparse
from collections.abc import Mapping

from calibcore.flags import as_typed
from calibcore.numerics.progress import Progress
from calibcore.settings import DiagnosisSpec
from calibcore.words.repeating import PROGRAM

HELP = "a script by which Tab completes commands and flags"
PLACE = 160
EXAMPLES = ("completion bash > caliblens.bash", "completion fish > caliblens.fish")

SHELLS = ("bash", "zsh", "fish")
Commands = Mapping[str, argparse.ArgumentParser]


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    command.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def run(arguments: argparse.Namespace, _: Progress | None) -> tuple[str, int]:
    """The script of one shell."""
    from calibcore.cli.arguments import COMMANDS, commands_of, parser  # which import this

    commands = commands_of(parser(PROGRAM))
    match arguments.shell:
        case "bash":
            script = _bash(commands)
        case "zsh":
            script = _zsh(commands)
        case _:
            script = _fish(commands, {name: command.help for name, command in COMMANDS.items()})
    return script, 0


def _actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """What may be typed after a command; flags that ``--help`` does not list are not offered."""
    return [action for action in command._actions if action.help != argparse.SUPPRESS]


def _flags(command: argparse.ArgumentParser) -> str:
    return " ".join(flag for action in _actions(command) for flag in action.option_strings)


def _words(action: argparse.Action) -> str:
    """The words there are of what is typed, or some of them."""
    offers = {entry.option: entry.flag.offers for entry in as_typed(DiagnosisSpec)}
    offered = next((offers[flag] for flag in action.option_strings if flag in offers), ())
    return " ".join(map(str, action.choices or offered))


def _bash(commands: Commands) -> str:
    """A function that bash calls at every Tab; where it offers nothing bash offers files."""
    after_flags: list[str] = []
    flags: list[str] = []
    words_alone: list[str] = []
    for name, command in commands.items():
        flags.append(f'{name}) words="{_flags(command)}" ;;')
        for action in _actions(command):
            if words := _words(action):
                of_flag = "|".join(f'"{name} {flag}"' for flag in action.option_strings)
                to = after_flags if of_flag else words_alone
                to.append(f'{of_flag or name}) words="{words}" ;;')
    return "\n".join(
        (
            f"_{PROGRAM}() {{",
            '  local typed="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            '  local words="" start=""',
            # bash makes three words of --bars=exact, zsh one
            '  if [ "$before" = = ]; then before="${COMP_WORDS[COMP_CWORD-2]}"; fi',
            '  if [ "$typed" = = ]; then typed=""; fi',
            '  case "$typed" in --*=*) before="${typed%%=*}"; start="$before="; typed="${typed#*=}" ;; esac',
            '  if [ "$COMP_CWORD" = 1 ]; then',
            f'    words="{" ".join(commands)}"',
            '  else case "${COMP_WORDS[1]} $before" in',
            *(f"    {line}" for line in after_flags),
            '    *) case "$typed" in',
            '      -*) case "${COMP_WORDS[1]}" in',
            *(f"        {line}" for line in flags),
            "      esac ;;",
            '      *) case "${COMP_WORDS[1]}" in',
            *(f"        {line}" for line in words_alone),
            "      esac ;;",
            "    esac ;;",
            "  esac; fi",
            '  COMPREPLY=($(compgen -P "$start" -W "$words" -- "$typed"))',
            "}",
            f"complete -o bashdefault -o default -F _{PROGRAM} {PROGRAM}",
        )
    )


def _zsh(commands: Commands) -> str:
    """zsh can call what was written for bash."""
    loaded = "(( $+functions[compdef] )) || { autoload -U compinit && compinit }"
    return f"{loaded}\nautoload -U bashcompinit && bashcompinit\n{_bash(commands)}"


def _fish(commands: Commands, helps: Mapping[str, str]) -> str:
    """A line for each command and for each flag."""
    lines = []
    for name, command in commands.items():
        start = f"complete -c {PROGRAM}"
        lines.append(f"{start} -n __fish_use_subcommand -f -a {name} -d {_quoted(helps[name])}")
        start += f" -n '__fish_seen_subcommand_from {name}'"
        for action in _actions(command):
            words = f" -f -a {_quoted(words)}" if (words := _words(action)) else ""
            for flag in action.option_strings:
                value = "" if action.nargs == 0 else " -r"
                help = (action.help or "").partition(" (default: %(default)s)")[0]
                kind = "-l" if flag.startswith("--") else "-s"
                lines.append(f"{start} {kind} {flag.lstrip('-')}{value}{words} -d {_quoted(help)}")
            if words and not action.option_strings:
                lines.append(f"{start}{words}")
    return "\n".join(lines)


def _quoted(words: str) -> str:
    """As fish takes it."""
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
