"""Pages made from the code: the command line from its flags, HTTP from its OpenAPI."""

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from calibcore.cli.arguments import COMMANDS, commands_of, parser
from pages.api import openapi

PROGRAM = "caliblens"
_OTHER, _HEADS = "options", ("flag", "what it says")
_TITLES = {_OTHER: "other flags", "positional arguments": "what is given"}


def _cell(words: str) -> str:
    """Words that stand in a cell of a table."""
    return " ".join(words.split()).replace("|", "\\|").replace("<", "&lt;")


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads), *(map(_cell, row) for row in rows)]
    head, *rest = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([head, "| " + " | ".join("---" for _ in lines[0]) + " |", *rest])


def command_line() -> str:
    """Every command with each of its flags."""
    parts = [
        "# Every command and flag",
        "Made from the flags in the code. [On the command line](../cli.md) explains them by subject.",
        "Where the package is not installed, write `python -m calibcore` for `caliblens`.",
    ]
    for name, command in commands_of(parser()).items():
        parts += [f"## {name}", f"{openapi.sentence(COMMANDS[name].help)}"]
        parts.append("\n".join(["```", *(f"{PROGRAM} {line}" for line in COMMANDS[name].examples), "```"]))
        shown = [action for action in command._actions if is_shown(action)]
        titled = {
            id(action): str(group.title)
            for group in command._action_groups
            for action in group._group_actions
        }
        for title in dict.fromkeys(titled.get(id(action), _OTHER) for action in shown):
            rows = [_flag(action) for action in shown if titled.get(id(action), _OTHER) == title]
            parts += [f"**{openapi.sentence(_TITLES.get(title, title))[:-1]}**", _table(_HEADS, rows)]
    return "\n\n".join(parts) + "\n"


def is_shown(action: argparse.Action) -> bool:
    """Whether ``--help`` tells of it."""
    return action.help != argparse.SUPPRESS and not isinstance(
        action, (argparse._HelpAction, argparse._SubParsersAction)
    )


def _flag(action: argparse.Action) -> tuple[str, str]:
    words = ", ".join(f"`{word}`" for word in action.option_strings)
    if isinstance(action.metavar, str):
        value = action.metavar
    else:
        value = ", ".join(map(str, action.choices or ())) or ("" if action.nargs == 0 else action.dest)
    named = f"`{value}`" if value and not action.option_strings else value
    return " ".join(filter(None, (words, named))), (action.help or "").replace("%%", "%")


def http() -> str:
    """Every question that a server answers, with its fields."""
    document = openapi.document()
    parts = [
        "# Every question over HTTP",
        "Made from the OpenAPI description of the server, which it serves itself at `/api/v1/openapi.json`. "
        "[Over HTTP](../api.md) has examples.",
        document["info"]["description"],
    ]
    for path, methods in document["paths"].items():
        for method in ("post", "get", "delete"):
            if method in methods:
                parts += _operation(f"{method.upper()} {path}", methods[method])
    return "\n\n".join(parts) + "\n"


def _operation(title: str, operation: Mapping[str, Any]) -> list[str]:
    parts = [f"## {title}", openapi.sentence(operation["summary"])]
    rows = [
        (f"`{field['name']}`", "", field.get("description", "")) for field in operation.get("parameters", ())
    ]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        needed = content["schema"]["required"]
        rows += [
            (f"`{name}`" + " (needed)" * (name in needed), _value(field), field.get("description", ""))
            for name, field in content["schema"]["properties"].items()
        ]
    if rows:
        parts.append(_table(("field", "value", "what it says"), rows))
    answers = [(status, answer["description"]) for status, answer in operation["responses"].items()]
    return [*parts, _table(("status", "when"), answers)]


def _value(field: Mapping[str, Any]) -> str:
    forms = forms_of(field.get("items", field))
    words = [", ".join(f"`{word}`" for word in form.get("enum", ())) or _kind(form) for form in forms]
    return " or ".join(words) + (", several times" if "items" in field else "")


def forms_of(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a value may be: one form, or each of several."""
    return list(schema.get("anyOf", [schema]))


def _kind(form: Mapping[str, Any]) -> str:
    return "file" if "contentMediaType" in form else str(form["type"])
