"""The reference of the Python package, of its docstrings: pages that need no network, formulas as MathML.

    python -m scripts.reference [FOLDER]

MathML is drawn by the browser itself, so nothing is fetched and no script reads the formulas.
"""

import re
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import pdoc
import pdoc.render
import pdoc.render_helpers
from jinja2 import pass_context
from latex2mathml.converter import convert

from calibcore.data.case_data import CaseData
from calibcore.data.constructors import Constructors
from calibcore.data.outcomes_at_zero import OutcomesAtZero
from calibcore.display import WithFigure

FOLDER = Path("build/reference")
PUBLIC = (
    "calibcore",
    "calibcore.charts.cumulative",
    "calibcore.data.examples",
    "calibcore.diagnose.curves",
    "calibcore.io",
    "calibcore.io.epochs",
    "calibcore.io.unlabelled",
    "calibcore.painters.paper",
    "calibcore.pipelines.markdown",
    "calibcore.pipelines.summary",
    "calibcore.questions.compare",
    "calibcore.questions.groups",
    "calibcore.questions.recalibrate",
    "calibcore.report",
    "calibcore.sensitivity.bandwidths",
    "calibcore.sensitivity.binnings",
    "calibcore.sensitivity.each_class",
    "calibcore.tracking",
)
"""What people import from, as the documents do. Other modules are read in the source."""
TEMPLATES = Path(__file__).parent / "site/pdoc"
BASES = tuple(base.__module__ for base in (CaseData, OutcomesAtZero, Constructors, WithFigure))
"""Where methods stand that public classes have from elsewhere."""

FORMULA = re.compile(r"\$\$(.+?)\$\$", flags=re.DOTALL)
_PLACE = "FORMULA{}ERE"
_TABLE = re.compile(r"^(=+ +=[ =]*\n(?:.*\n)*?=+ +=[ =]*)$", flags=re.MULTILINE)
_SECTION = re.compile(r"^([A-Z][a-z]+)\n-{3,}$", flags=re.MULTILINE)
_NAMED = re.compile(r"^(\w+(?:, \w+)*) : (.+(?:\n +.+)*)", flags=re.MULTILINE)
_EXAMPLE = re.compile(r"^>>>.*(?:\n.+)*", flags=re.MULTILINE)


def markdown_of(docstring: str) -> str:
    """A docstring with what pdoc does not read as we write it: sections, tables, lines of a name and what it
    is, examples."""
    tables = _TABLE.sub(lambda found: "\n" + indent(found[1], "    ") + "\n", docstring)
    named = _NAMED.sub(lambda found: f"\n- **{found[1]}**: {' '.join(found[2].split())}", tables)
    sections = _SECTION.sub(r"\n**\1**\n", named)
    return _EXAMPLE.sub(lambda found: f"\n```pycon\n{found[0]}\n```", sections)


@pass_context
def _to_markdown(context: Any, docstring: str) -> str:
    return str(pdoc.render_helpers.to_markdown_with_context(context, markdown_of(docstring)))


def _to_html(markdown: str) -> Any:
    """Markdown as HTML; formulas are put in afterwards, as their signs mean other things in Markdown."""
    formulas = FORMULA.findall(markdown)
    places = iter(range(len(formulas)))
    html: Any = pdoc.render_helpers.to_html(FORMULA.sub(lambda _: _PLACE.format(next(places)), markdown))
    made = type(html)(
        re.sub(
            _PLACE.format(r"(\d+)"),
            lambda found: convert(formulas[int(found[1])], display="block"),
            str(html),
        )
    )
    made.toc_html = getattr(html, "toc_html", None)
    return made


def make(folder: Path, home: str = "") -> None:
    """The pages, in ``folder``; ``home`` is the page above it that they lead back to."""
    pdoc.render.configure(
        docformat="restructuredtext", include_undocumented=False, show_source=False,
        template_directory=TEMPLATES,
    )  # fmt: skip
    pdoc.render.env.globals["home"] = home
    pdoc.render.env.filters |= {"to_html": _to_html, "to_markdown": _to_markdown}
    modules = [part for name in (*PUBLIC, *BASES) for part in (name, rf"!{re.escape(name)}\.")]
    pdoc.pdoc(*modules, output_directory=folder)


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    make(out)
    print(f"The reference is in {out / 'calibcore.html'}.")
