"""A report as one HTML file: everything inside, nothing fetched, light and dark, on a phone and on paper."""

import json
from collections.abc import Mapping, Sequence
from html import escape

from calibcore.extras import need
from calibcore.limits import asset_path
from calibcore.report.content import Report, Table
from calibcore.report.document import to_json
from calibcore.report.plates import Plate
from calibcore.words import CHIP_TEXTS
from calibcore.words.reporting import repeat_heading

THEMES = ("light", "dark")
FIGURES = "<h2>Figures</h2>"
"""What follows the answer; text from outside is escaped and cannot be it."""


def to_html(report: Report) -> str:
    """The whole page as text, 5 MB of it plotly; the same report gives the same text.

    It needs no network and runs under a policy that allows scripts and styles of its own alone.

    Raises
    ------
    InputError : plotly is not installed.
    """
    need("A report as HTML", "report", "plotly")
    from calibcore.figures.embedding import CONFIG_JSON, figure_json, script

    drawn = {
        _id(i, k): {theme: json.loads(figure_json(figures[k], theme)) for theme, figures in looks.items()}
        for i, plate in enumerate(report.plates)
        for looks in [{theme: plate.drawn(theme) for theme in THEMES}]
        for k in range(len(looks["light"]))
    }
    counts = [sum(name.startswith(f"figure-{i}-") for name in drawn) for i in range(len(report.plates))]
    figures = json.dumps({"config": json.loads(CONFIG_JSON), "drawn": drawn}, ensure_ascii=False)
    verdicts, *tables = report.tables
    parts = [
        "<main>",
        f"<h1>{escape(report.title)}</h1>",
        f'<p class="quiet">{escape(report.subtitle)} · {escape(report.date_words)}</p>',
        f'<p class="chip {report.chip.colour}">{escape(report.chip_text)}</p>',
        f'<p class="answer">{escape(report.answer)}</p>',
        f"<p>{escape(report.more)}</p>" if report.more else "",
        *(f'<p class="caution">{escape(words)}</p>' for words in report.cautions),
        f'<p class="quiet">{escape(report.not_said)}</p>',
        FIGURES,
        "<noscript><p>The figures need scripts; their numbers stand in the tables.</p></noscript>",
        *(_figure(i, plate, counts[i]) for i, plate in enumerate(report.plates)),
        f"<h2>{escape(verdicts.title)}</h2>",
        _table(verdicts),
        *(f'<p class="note">{escape(line)}</p>' for line in report.refused),
        *(f"<h2>{escape(table.title)}</h2>{_table(table)}" for table in tables),
        "<h2>Methods</h2>",
        *(f"<h3>{escape(head)}</h3><p>{escape(words)}</p>" for head, words in report.methods),
        "<h3>To repeat it</h3>",
        f"<p>{escape(repeat_heading(report.version))}</p>",
        f'<pre dir="ltr" tabindex="0"><code>{escape(report.repeat.command)}</code></pre>',
        *(f'<p class="note">{escape(note)}</p>' for note in report.repeat.notes),
        "<details><summary>Every setting, as JSON</summary>"
        f"<p><code>{escape(report.settings)}</code></p></details>",
        "<h3>References</h3><ol>",
        *(f"<li>{escape(reference)}</li>" for reference in report.references),
        "</ol>",
        "<h2>Take it with you</h2><p>",
        _button("document", "report.json", "Everything as JSON"),
        "" if report.predictions is None else _button("rows", "predictions.csv", "The predictions as CSV"),
        "</p>",
        f'<footer class="quiet">Caliblens {escape(report.version)} · {escape(report.date_words)} · '
        f"fingerprint <code>{escape(report.fingerprint)}</code></footer>",
        "</main>",
        _held("document", to_json(report)),
        ""
        if report.predictions is None
        else _held("rows", json.dumps(report.predictions, ensure_ascii=False)),
        _held("figures", figures),
        f"<script>{script()}</script>",
        f"<script>{_asset('report.js')}</script>",
    ]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(report.title)}</title>",
            f"<style>{_asset('report.css')}</style></head>",
            "<body>",
            *filter(None, parts),
            "</body></html>\n",
        ]
    )


def _asset(name: str) -> str:
    return asset_path("report", name).read_text(encoding="utf-8")


def _id(plate: int, figure: int) -> str:
    return f"figure-{plate}-{figure}"


def _figure(number: int, plate: Plate, count: int) -> str:
    divs = "".join(f'<div id="{_id(number, k)}"></div>' for k in range(count))
    return (
        f"<figure><figcaption><h3>Figure {number + 1}. {escape(plate.title)}</h3>"
        f"<p>{escape(plate.says)}</p></figcaption>"
        f'<div class="drawn" role="img" aria-label="{escape(plate.says)}">{divs}</div>'
        f'<p class="reading">{escape(plate.reading)}</p>'
        "<details><summary>The numbers as a table</summary>"
        f"{_rows(plate.rows, plate.title)}</details></figure>"
    )


def _table(table: Table) -> str:
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return _rows(table.rows, table.title) + note


def _rows(rows: Sequence[Mapping[str, object]], title: str) -> str:
    """A table that scrolls by itself where it is too wide; its region can be reached by keyboard."""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in rows[0]) if rows else ""
    lines = "".join(f"<tr>{''.join(_cell(str(cell)) for cell in row.values())}</tr>" for row in rows)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    colour = CHIP_TEXTS.get(text)
    return f'<td class="{colour}">{escape(text)}</td>' if colour else f"<td>{escape(text)}</td>"


def _button(source: str, name: str, words: str) -> str:
    return f'<button type="button" data-from="{source}" data-name="{name}">{words}</button>'


def _held(name: str, text: str) -> str:
    """JSON between script tags: nothing in it can end the script or begin another."""
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'<script type="application/json" id="{name}">{safe}</script>'
