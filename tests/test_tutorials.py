"""What people are told to type is a command, tutorials run as they stand, every figure is in the gallery."""

import inspect
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from calibcore.__main__ import main
from calibcore.cli import figure as figure_command
from calibcore.cli.arguments import Parser, parser
from calibcore.cli.figure import FIGURES
from calibcore.painters import paper
from scripts import gallery
from scripts.site import references, sources
from tests.cases import each
from tests.documents import README, ROOT, TEXTS

PROGRAMS = (".venv/bin/python -m calibcore ", "python -m calibcore ", "caliblens ")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)
TUTORIALS = [name for name in TEXTS if name.startswith("tutorials/") and name != "tutorials/README"]
PAINTERS = {name for name in paper.__all__ if name.endswith("_print")}
PICTURE = re.compile(r"!\[[^]]*\]\(([^)]+)\)")


def typed(text: str) -> list[str]:
    """The words after the program's name, of each line in a block that begins with it."""
    lines = [line for _, block in BLOCK.findall(text.replace("\\\n", " ")) for line in block.splitlines()]
    return [
        line.strip().removeprefix(program).partition(" > ")[0]
        for line in lines
        for program in PROGRAMS
        if line.strip().startswith(program)
    ]


TYPED = sorted({words for text in TEXTS.values() for words in typed(text)})


@each("words", TYPED)
def test_every_command_in_the_documents_is_one(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its flags exist and take what they are given; it is not run."""

    def fail(_: Parser, message: str) -> None:
        raise AssertionError(f"{words}: {message}")

    monkeypatch.setattr(Parser, "error", fail)
    parser().parse_args(shlex.split(re.sub(r"[…\[\]]", "", words)))


def test_commands_are_found_in_many_pages_and_a_wrong_one_is_told() -> None:
    assert len(TYPED) > 40
    assert {"cli", "gallery", "README", *TUTORIALS} <= {name for name, text in TEXTS.items() if typed(text)}
    with pytest.raises((SystemExit, Exception)):
        parser().parse_args(["survey", "wine.csv", "--no-such-flag"])


@pytest.mark.slow
@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_does_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    held: dict[str, Any] = {}
    printed, shown = "", 0
    for kind, block in BLOCK.findall(TEXTS[name]):
        if kind == "text":
            for line in block.splitlines():
                assert line in printed.splitlines(), (
                    f"{name} shows {line!r}, which is not printed:\n{printed}"
                )
            shown += 1
        elif kind == "python":
            exec(block, held)
        else:
            capsys.readouterr()
            for line in block.splitlines():
                given = shlex.split(line.removeprefix(PROGRAMS[1]))
                assert main(given) == ("--fail-if" in given), line  # each is shown where it fails
            printed = capsys.readouterr().out.replace("\xa0", " ")  # a number stays with its sign
    assert shown


@pytest.mark.slow
def test_every_line_of_the_gallery_draws_and_no_figure_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = set()

    def watched(name: str) -> Any:
        draw = getattr(paper, name)

        def painter(*given: Any, **options: Any) -> Any:
            drawn.add(name)
            return draw(*given, **options)

        return painter

    for name in PAINTERS:
        monkeypatch.setattr(paper, name, watched(name))
    gallery.draw(tmp_path, lambda _: None)
    assert drawn == PAINTERS
    assert {path.name for path in tmp_path.glob("*.png")} == {
        path.name for path in gallery.FOLDER.glob("*.png")
    }


def test_the_gallery_names_every_figure() -> None:
    """The figures of the command line by their words, the others by what draws them."""
    text = TEXTS["gallery"]
    assert set(re.findall(r"--figure (\S+)", text)) == set(FIGURES)
    by_command = set(re.findall(r'on_paper\("(\w+)"', inspect.getsource(figure_command)))
    assert set(re.findall(r"paper\.(\w+_print)\(", text)) == PAINTERS - by_command


def test_every_picture_is_shown_and_is_small() -> None:
    shown = {
        (path.parent / target).resolve()
        for path in (README, *(ROOT / "docs").rglob("*.md"))
        for target in PICTURE.findall(path.read_text(encoding="utf-8"))
    }
    pictures = {*(ROOT / "docs/gallery").glob("*"), *(ROOT / "docs/pictures").glob("*")}
    assert pictures
    assert pictures <= shown
    assert max(path.stat().st_size for path in pictures) < 250_000
    assert sum(path.stat().st_size for path in pictures) < 4_000_000


def test_the_site_has_every_page_once() -> None:
    settings = (ROOT / "scripts/site/mkdocs.yml").read_text(encoding="utf-8")
    nav = settings.partition("\nnav:\n")[2]
    named = re.findall(r"[\w./-]+(?:\.md|/)(?=[],])", nav)
    assert len(set(named)) == len(named)
    places = {*sources.places().values(), *sources.MADE, sources.PYTHON}
    folders = {entry for entry in named if entry.endswith("/")}
    missing = {page for page in places if page not in named and f"{page.rpartition('/')[0]}/" not in folders}
    assert not missing, f"nav of scripts/site/mkdocs.yml lacks {', '.join(sorted(missing))}"
    assert {entry for entry in named if entry not in folders} <= places


def test_links_of_a_page_lead_to_its_places_on_the_site_and_formulas_are_drawn(tmp_path: Path) -> None:
    text = "[a](docs/cli.md#json) [b](CITATION.cff) [c](https://example.org/x.md)\n\n$$p^2$$\n\n```\n$$[x](docs/y.md)\n```\n"
    text += "\n$q_3$ is drawn, `$HOME` and `$a` are not, nor is $ 1 or $\n"
    made = sources.of_site(text, README, "index.md", tmp_path)
    assert "[a](cli.md#json) [b](repository/CITATION.cff) [c](https://example.org/x.md)" in made
    assert (tmp_path / "repository/CITATION.cff").is_file()
    assert "<msup>" in made
    assert "\n<span><math" in made
    assert "</math></span> is drawn, `$HOME` and `$a` are not, nor is $ 1 or $\n" in made
    assert "$$[x](docs/y.md)" in made
    deep = sources.of_site(
        "[a](../../README.md)", ROOT / "docs/statistics/power.md", "statistics/power.md", tmp_path
    )
    assert deep == "[a](../index.md)"


@each("name", TEXTS)
def test_a_page_reads_as_it_was_written(name: str) -> None:
    """Nothing of a formula is left as it was typed, no text goes on in a table, and no list in a text."""
    text = re.sub(r"^```.*?^```", "", TEXTS[name], flags=re.DOTALL | re.MULTILINE)
    assert "$" not in re.sub(r"`[^`\n]*`", "", sources.with_formulas(text))
    assert joined(text) == [], f"{name}: an empty line has to stand before these"


LIST = re.compile(r"- |\d+\. ")


def joined(text: str) -> list[str]:
    """Lines that a reader of Markdown takes for more of the table or the text above them."""
    found, listed = [], False
    for above, line in pairwise(["", *text.splitlines()]):
        listed = bool(LIST.match(above)) or (listed and above.startswith("  "))
        starts = LIST.match(line) and above.strip() and not above.startswith("#") and not listed
        if starts or (above.startswith("|") and line[:1] not in "|"):
            found.append(line)
    return found


def test_a_list_or_text_without_an_empty_line_before_it_is_told() -> None:
    assert joined("# A\n- b\n  c\n- d\n\n| e |\n| f |\n\n1. g\n2. h\n   i\n3. j\n") == []
    assert joined("a\n- b\n\n| c |\nd\n\n- e\nf\n- g\nh\n1. i\n") == ["- b", "d", "- g", "1. i"]


def test_a_formula_that_is_not_known_is_told() -> None:
    with pytest.raises(ValueError, match=r"not known: \\arg in \\arg x"):
        sources.drawn(r"\arg x")


def test_references_name_every_flag_and_field() -> None:
    lines, http = references.command_line(), references.http()
    for name, command in references.commands_of(parser()).items():
        part = lines.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        shown = [action for action in command._actions if references.is_shown(action)]
        flags = {word for action in shown for word in action.option_strings}
        assert {flag for flag in flags if f"`{flag}`" not in part} == set(), name
    document = references.openapi.document()
    for path, methods in document["paths"].items():
        assert all(f"## {method.upper()} {path}\n" in http for method in methods if method != "parameters")


@pytest.mark.slow
def test_the_site_works_from_disk_and_asks_for_nothing(tmp_path: Path) -> None:
    """Search, light and dark, in a browser without a network."""
    pytest.importorskip("mkdocs")
    from playwright.sync_api import sync_playwright

    from scripts.site.__main__ import build
    from tests.browser.conftest import QUIET, find_chromium

    site = tmp_path / "site"
    build(site, tmp_path / "sources")
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        context = browser.new_context(offline=True, color_scheme="dark")
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: asked.append(request.url))
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        for name in (
            "index",
            "gallery",
            "tutorials/clinician",
            "statistics/typical-gap",
            "reference/python/calibcore",
        ):
            page.goto((site / f"{name}.html").as_uri())
            page.locator("h1, .pdoc").first.wait_for()
        page.goto((site / "index.html").as_uri())
        assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
        broken = page.evaluate(
            "[...document.images].filter(e => e.complete && !e.naturalWidth).map(e => e.src)"
        )
        assert broken == []
        page.locator(".md-search__input").click()
        page.locator(".md-search__input").press_sequentially("bandwidth")
        page.locator(".md-search-result__item a").first.wait_for()
        assert not errors
        browser.close()
    assert asked
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
