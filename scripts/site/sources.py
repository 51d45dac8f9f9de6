"""The pages of the site in one folder, as the builder reads them."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from latex2mathml.converter import convert

from scripts.reference import PUBLIC
from scripts.site import references

ROOT = Path(__file__).parents[2]
DOCS, HERE = ROOT / "docs", Path(__file__).parent
BESIDE = {
    "README.md": "index.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md",
}  # fmt: skip
"""Pages at the top of the repository -> what they are called on the site."""
MADE = {"reference/command-line.md": references.command_line, "reference/http.md": references.http}
"""Pages that are made from the code."""
PYTHON = "reference/python.md"
OTHER = "repository"
"""Where files stand that a page leads to and that are no pages."""
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_FENCE = re.compile(r"(^```.*?^```\s*?$)", flags=re.DOTALL | re.MULTILINE)
_FORMULA = re.compile(r"\$\$(.+?)\$\$", flags=re.DOTALL)
_IN_A_LINE = re.compile(r"(`[^`\n]*`)|\$(?!\s)([^$\n]+?)(?<!\s)\$")
"""A formula between two $; what stands as code is none."""


def places() -> dict[Path, str]:
    """Every page that somebody wrote -> where it stands on the site."""
    written = {path: path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))}
    return {ROOT / name: place for name, place in BESIDE.items()} | written


def of_site(text: str, path: Path, place: str, folder: Path) -> str:
    """A page as it reads on the site: links lead to its pages, formulas are MathML."""
    known = places()
    up = "../" * place.count("/")

    def led(link: re.Match[str]) -> str:
        name, _, anchor = link[2].partition("#")
        if not name or "://" in name or name.startswith("mailto:"):
            return link[0]
        target = (path.parent / name).resolve()
        there = known.get(target)
        if there is None and target.is_relative_to(DOCS):
            there = target.relative_to(DOCS).as_posix()
        elif there is None:
            there = f"{OTHER}/{target.relative_to(ROOT).as_posix()}"
            (folder / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, folder / there)
        return f"{link[1]}{up}{there}{'#' * bool(anchor)}{anchor}{link[3]}"

    pieces = _FENCE.split(text)
    pieces[::2] = [with_formulas(_LINK.sub(led, piece)) for piece in pieces[::2]]
    return "".join(pieces)


def with_formulas(text: str) -> str:
    """A text with MathML for its formulas: between two $$ on lines of their own, between two $ in a line."""
    apart = _FORMULA.sub(lambda formula: f'<div class="formula">{drawn(formula[1])}</div>', text)
    # In a span: a line that begins with <math> would be a paragraph of its own.
    return _IN_A_LINE.sub(lambda found: found[1] or f"<span>{drawn(found[2], 'inline')}</span>", apart)


def drawn(formula: str, display: str = "block") -> str:
    """The MathML of a formula, on lines of its own or ``inline``.

    Raises
    ------
    ValueError : what stands in it as it was typed, as its word is not known.
    """
    made: str = convert(formula.strip(), display=display)
    if unknown := re.search(r"\\\w+", made):
        raise ValueError(f"Of a formula a word is not known: {unknown[0]} in {formula.strip()}")
    return made


def heading_of(text: str) -> str:
    """What a page is called."""
    (title,) = re.findall(r"^# (.+)$", text, flags=re.MULTILINE)[:1]
    return str(title)


def order(settings: dict[str, Any], folder: Path) -> list[dict[str, list[str]]]:
    """The sections with their pages; all of a folder, but those that are named, for a path that ends in /."""
    named = [page for section in settings["nav"] for (pages,) in [section.values()] for page in pages]

    def pages_of(entry: str) -> Iterator[str]:
        if not entry.endswith("/"):
            yield entry
            return
        for path in sorted((folder / entry).glob("*.md")):
            page = path.relative_to(folder).as_posix()
            if page not in named:
                yield page

    return [
        {title: [page for entry in entries for page in pages_of(entry)]}
        for section in settings["nav"]
        for title, entries in section.items()
    ]


def gather(folder: Path) -> Path:
    """All of it into ``folder``, which is made anew; the file of settings for the builder."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    shutil.copytree(DOCS, pages)
    for path, place in places().items():
        text = path.read_text(encoding="utf-8")
        (pages / place).write_text(of_site(text, path, place, pages), encoding="utf-8")
    for place, made in MADE.items():
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        (pages / place).write_text(made(), encoding="utf-8")
    (pages / PYTHON).write_text(_python(), encoding="utf-8")
    (pages / "site").mkdir()
    for name in ("iframe-worker.js", "style.css"):
        shutil.copyfile(HERE / name, pages / "site" / name)
    for name in ("logo.svg", "logo.png"):
        shutil.copyfile(ROOT / "assets" / name, pages / name)
    settings = yaml.safe_load((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
    settings["nav"] = order(settings, pages)
    whole = folder / "mkdocs.yml"
    whole.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    return whole


def _python() -> str:
    modules = [name for name in PUBLIC if name.count(".") > 1]
    links = (f'- <a href="python/{name.replace(".", "/")}.html">`{name}`</a>' for name in modules)
    return _PYTHON.format(more="\n".join(links))


_PYTHON = """# Python, every name

Made from the docstrings, with examples that run and formulas.
<a href="python/calibcore.html">All public names of calibcore</a>,
<a href="python/calibcore/io.html">reading files</a>,
<a href="python/calibcore/report.html">reports</a>.
[In Python](../python.md) explains them by subject.

What else the pages here import from:

{more}
"""
