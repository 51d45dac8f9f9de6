"""A report as one HTML file: everything inside, nothing fetched, light and dark, on a phone and on paper."""

import json
from typing import Any

from calibcore.extras import need
from calibcore.limits import asset_path
from calibcore.report import front_page
from calibcore.report.content import Report
from calibcore.report.document import to_json
from calibcore.report.front_page import FOR_STATISTICIANS
from calibcore.words.phrases import unbroken
from calibcore.words.reporting import repeat_heading
from calibcore.words.temperature import what_it_is
from calibcore.words.verdicts import CHIP_TEXTS

THEMES = ("light", "dark")
BEHIND = f'<h2 class="behind">{FOR_STATISTICIANS}</h2>'
"""What follows the first page; text from outside is escaped and cannot be it."""


def to_html(report: Report) -> str:
    """The whole page as text, 5 MB of it plotly; the same report gives the same text.

    It needs no network and runs under a policy that allows scripts and styles of its own alone. The template
    escapes all that is put into it.

    Raises
    ------
    InputError : plotly or Jinja2 is not installed.
    """
    need("A report as HTML", "report", "plotly", "jinja2")
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from calibcore.painters.screen.embedding import CONFIG_JSON, script

    figures = {"config": json.loads(CONFIG_JSON), "drawn": _figures(report)}
    parts = {
        "document": to_json(report),
        "rows": None if report.predictions is None else json.dumps(report.predictions, ensure_ascii=False),
        "figures": json.dumps(figures, ensure_ascii=False),
    }
    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader(asset_path("report")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["unbroken"] = unbroken
    return environment.get_template("report.html").render(
        report=report,
        colours=CHIP_TEXTS,
        css=_asset("report.css"),
        behind=BEHIND,
        texts=front_page,
        temperature_note=what_it_is(),
        held={name: _in_a_script(text) for name, text in parts.items() if text is not None},
        plotly=script(),
        repeat_heading=repeat_heading(report.version),
        script=_asset("report.js"),
    )


def _figures(report: Report) -> dict[str, dict[str, Any]]:
    """Each figure of each plate in both themes, by the name of its place in the template."""
    from calibcore.painters.screen.embedding import figure_json

    return {
        f"figure-{number}-{k}": {theme: json.loads(figure_json(figure(theme), theme)) for theme in THEMES}
        for number, plate in enumerate(report.plates)
        for k, figure in enumerate(plate.figures)
    }


def _asset(name: str) -> str:
    return asset_path("report", name).read_text(encoding="utf-8")


def _in_a_script(text: str) -> str:
    """JSON between script tags: nothing in it can end the script or begin another."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
