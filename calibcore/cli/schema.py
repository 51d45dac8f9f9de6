"""``caliblens schema [DOCUMENT]``: the JSON Schema of a document, or which documents there are."""

import argparse
import difflib
import json

from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.limits import asset_path
from calibcore.numerics.progress import Progress

HELP = "the JSON Schema of a document that commands write"
PLACE = 140
EXAMPLES = ("schema", "schema survey")
FOLDER = "schemas"
"""Under ``assets``: a file a document, which ``python -m scripts.schemas`` writes."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    command.add_argument(
        "document", metavar="DOCUMENT", nargs="?", help="its name, 'survey' say; none lists all there are"
    )


def run(arguments: argparse.Namespace, _: Progress | None) -> tuple[str, int]:
    """The schema of one document, as JSON; or the name of each with what it holds.

    Raises
    ------
    InputError : a document that there is not.
    """
    files = dict(sorted((path.stem, path) for path in asset_path(FOLDER).glob("*.json")))
    if arguments.document is None:
        width = max(map(len, files))
        titles = {name: json.loads(path.read_text("utf-8"))["title"] for name, path in files.items()}
        return "\n".join(f"{name:<{width}}  {title}" for name, title in titles.items()), 0
    if arguments.document not in files:
        near = difflib.get_close_matches(arguments.document, files, 1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise InputError(
            f"There is no document {shown(arguments.document)}; expected one of {', '.join(files)}.{meant}"
        )
    return json.dumps(json.loads(files[arguments.document].read_text("utf-8")), indent=2), 0
