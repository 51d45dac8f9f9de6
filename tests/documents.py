"""The documents: what people read in the repository, and what each entry of a registry has to have there.

Each ``lacks_…`` gives one sentence that says what is missing and where; empty: nothing is.
"""

import argparse
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from calibcore.answers.question import Question
from calibcore.cli.arguments import commands_of, parser

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(path: Path) -> str:
    """What a document is called in tests: "README", "cli", "statistics/power", "decisions/README"."""
    return path.relative_to(ROOT).with_suffix("").as_posix().removeprefix("docs/")


TEXTS = {name_of(path): path.read_text(encoding="utf-8") for path in PAGES}
"""Name -> what it says."""
SHARED = ("Flags for reading the file", "Flags for settings")
"""Headings of docs/cli.md under which stands what several commands take."""
FREE = {"--help"}
"""Flags that every program has."""


def texts_in(folder: str) -> str:
    """All pages of a folder of docs."""
    return "\n".join(text for name, text in TEXTS.items() if name.startswith(f"{folder}/"))


def section(text: str, heading: str) -> str:
    """What stands under a heading of the second level; empty where there is none."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def commands() -> dict[str, argparse.ArgumentParser]:
    """Every command with its flags."""
    return commands_of(parser())


def flags_of(command: argparse.ArgumentParser) -> set[str]:
    """Its flags in full, "--no-shuffle" among them."""
    return {word for word in command._option_string_actions if word.startswith("--")} - FREE


def sections_of(command: str, text: str) -> str:
    """The sections of docs/cli.md that are of a command: their first sentence names it as it is typed."""
    first = re.compile(rf"[^.]*`(?:python -m calibcore |caliblens )?{re.escape(command)}[ `]")
    return "\n".join(
        part for part in re.split(r"^## .*\n", text, flags=re.MULTILINE)[1:] if first.match(part)
    )


def lacks_command(name: str, flags: Iterable[str], text: str) -> str:
    """What docs/cli.md, as ``text``, has to say of a command."""
    if not re.search(rf"^\| `{re.escape(name)}` \| .+ \|$", text, flags=re.MULTILINE):
        return f"The command {name!r} has no row in the table of commands in docs/cli.md: | `{name}` | … |"
    said = "\n".join([sections_of(name, text), *(section(text, heading) for heading in SHARED)])
    missing = sorted(flag for flag in flags if not re.search(rf"`{flag}[ `=]", said))
    if not missing:
        return ""
    return (
        f"docs/cli.md says nothing of {', '.join(missing)} of the command {name!r}. A section whose first "
        f"sentence has `{name}` is of that command; what several take stands under {SHARED[1]!r}."
    )


def lacks_question(question: Question[Any], texts: Mapping[str, str]) -> str:
    """What the documents have to say of a question: how it is found, and how it is asked."""
    word = question.command
    if f"statistics/{word}" not in texts:
        return f"The question {word!r} has no page: write docs/statistics/{word}.md, how its answer is found."
    row = re.compile(rf"^\| \[.+\]\({word}\.md\) \| `{word}` \|$", re.MULTILINE)
    if not row.search(section(texts["statistics/README"], "Questions")):
        return f"docs/statistics/README.md lacks under Questions: | […]({word}.md) | `{word}` |"
    if not sections_of(word, texts["cli"]):
        return f"docs/cli.md has no section on the question {word!r}: its first sentence has `{word}`."
    return ""


COMMON = {"schema", "document", "spec", "data", "notes"}
"""Keys of every document."""


def lacks_keys(command: str, document: Mapping[str, Any], text: str) -> str:
    """What docs/cli.md, as ``text``, has to say of the JSON of a command: its keys, and those of each entry
    of its lists."""
    entries = [value[0] for value in document.values() if isinstance(value, list) and value]
    keys = {*document, *(key for entry in entries if isinstance(entry, dict) for key in entry)} - COMMON
    said = sections_of(command, text)
    missing = sorted(key for key in keys if f"`{key}`" not in said)
    return f"docs/cli.md does not say what {', '.join(missing)} hold in the JSON of {command!r}." * bool(
        missing
    )


def lacks_kind(sort: str, kind: str, page: str, texts: Mapping[str, str]) -> str:
    """A kind of strategy has its formula on a page, as code: `kind`, or `kind:` with its settings."""
    if re.search(rf"`{re.escape(kind)}(?::[^`]*)?`", texts[page]):
        return ""
    return f"docs/{page}.md does not say what the {sort} `{kind}` is."


def lacks_setting(name: str, text: str) -> str:
    """A setting has its flag in the table of docs/cli.md, as ``text``."""
    flag = f"--{name.replace('_', '-')}"
    if f"`{flag}`" in section(text, SHARED[1]):
        return ""
    return f"docs/cli.md says nothing under {SHARED[1]!r} of the setting {name!r}: `{flag}`."


def lacks_page(title: str, text: str) -> str:
    """A page of the app has its lines in docs/app.md, as ``text``."""
    if f"\n- **{title}** " in "\n" + section(text, "The pages"):
        return ""
    return f"docs/app.md does not say under 'The pages' what the page {title!r} is for: - **{title}** …"
