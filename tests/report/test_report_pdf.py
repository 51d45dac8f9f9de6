"""The report as PDF: pages, tags, footers, the same numbers, and text from outside as text."""

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pypdfium2
import pypdfium2.raw as raw
import pytest

from calibcore import TopKLens, compare, decide, recalibrate
from calibcore.errors import InputError
from calibcore.questions.recalibrate.gain import with_probabilities
from calibcore.report import report_of, to_pdf
from calibcore.report.content import Report
from calibcore.report.layout import Layout
from tests.report.reported import DATE, HOSTILE, SPEC, blank_share, judged_of, pages_of, report, squeezed

HOSTILE_TITLE = '= #panic("x") *b* $y$'
CASES = [(150, 3, None), (120, len(HOSTILE), HOSTILE), (40, 2, None), (80, 30, None)]
SIZES = {"a4": (595, 842), "letter": (612, 792)}
ON_PAPER = [*((case, ()) for case in CASES), *((case, ("letter",)) for case in CASES[1::2])]
"""Few classes on American paper: test_report_front."""
ON_PAPER_IDS = [f"{case[1]}-{paper[0] if paper else 'a4'}" for case, paper in ON_PAPER]


@cache
def printed(case: tuple, *paper: str) -> tuple[Report, bytes]:
    title = {"title": HOSTILE_TITLE} if case[2] is HOSTILE else {}
    found = report(*case, **title)
    return found, to_pdf(found, *paper)


@pytest.fixture(
    params=[*CASES[:-1], pytest.param(CASES[-1], marks=pytest.mark.slow)],
    ids=lambda case: f"{case[1]}-classes",
)
def case(request: pytest.FixtureRequest) -> tuple:
    found: tuple = request.param
    return found


@pytest.mark.some(1)
@pytest.mark.parametrize(("case", "paper"), ON_PAPER, ids=ON_PAPER_IDS)
def test_two_to_five_pages_with_a_footer_each(case: tuple, paper: tuple) -> None:
    found, made = printed(case, *paper)
    pages = pages_of(made)
    assert 2 <= len(pages) <= 5
    for i, text in enumerate(pages):
        foot = f"Caliblens {found.version} · 21 November 2026 · fingerprint {found.fingerprint[:16]}"
        assert squeezed(foot) in squeezed(text)
        assert squeezed(f"page {i + 1} of {len(pages)}") in squeezed(text)
    size = pypdfium2.PdfDocument(made)[0].get_size()
    assert tuple(round(side) for side in size) == SIZES["letter" if paper else "a4"]


@pytest.mark.some(1)
@pytest.mark.parametrize(("case", "paper"), ON_PAPER, ids=ON_PAPER_IDS)
def test_no_quarter_of_a_page_is_blank(case: tuple, paper: tuple) -> None:
    _, made = printed(case, *paper)
    assert max(map(blank_share, pypdfium2.PdfDocument(made))) < 0.25


@pytest.mark.slow
@pytest.mark.slow
def test_pages_that_nobody_laid_out_would_have_blank_quarters(monkeypatch: pytest.MonkeyPatch) -> None:
    found = report(*CASES[0])
    monkeypatch.setattr("calibcore.report.paper.best", lambda *_: Layout(0, 1.0))
    assert max(map(blank_share, pypdfium2.PdfDocument(to_pdf(found)))) > 0.25


@pytest.mark.slow
def test_figures_keep_with_their_captions_and_numbers(case: tuple) -> None:
    found, made = printed(case)
    of_figure = {squeezed(plate.says): i for i, plate in enumerate(found.plates, 1)}
    for page, text in zip(pypdfium2.PdfDocument(made), pages_of(made), strict=True):
        for kind, _, words in elements(page):
            if kind == "Figure":
                number = of_figure.pop(squeezed(words))
                caption = f"Figure {number}. {found.plates[number - 1].title}"
                assert squeezed(caption) in squeezed(text)
    assert not of_figure


@pytest.mark.some(1)
def test_it_is_tagged_and_dated_and_has_words_for_its_figures(case: tuple) -> None:
    _, made = printed(case)
    document = pypdfium2.PdfDocument(made)
    assert document.is_tagged()
    assert b"<pdfuaid:part>1</pdfuaid:part>" in made
    about = document.get_metadata_dict()
    assert about["Title"] == (HOSTILE_TITLE if case[2] is HOSTILE else "Calibration of net")
    assert about["Author"] == "Caliblens"
    assert about["CreationDate"].startswith("D:20261121")
    alternatives = " ".join(words for page in document for _, _, words in elements(page))
    assert "redraw" in alternatives or "sets of outcomes" in alternatives


def elements(page: pypdfium2.PdfPage) -> Iterator[tuple[str, str, str]]:
    """What every tag is, what it stands in, and its words for a figure."""

    def text(get: Callable[..., int], element: object) -> str:
        size = get(element, None, 0)
        held = ctypes.create_string_buffer(size)
        get(element, held, size)
        return held.raw[:size].decode("utf-16-le").rstrip("\0")

    def below(element: object, parent: str) -> Iterator[tuple[str, str, str]]:
        kind = text(raw.FPDF_StructElement_GetType, element)
        yield kind, parent, text(raw.FPDF_StructElement_GetAltText, element)
        for k in range(raw.FPDF_StructElement_CountChildren(element)):
            child = raw.FPDF_StructElement_GetChildAtIndex(element, k)
            if child:
                yield from below(child, kind)

    tree = raw.FPDF_StructTree_GetForPage(page)
    for i in range(raw.FPDF_StructTree_CountChildren(tree)):
        yield from below(raw.FPDF_StructTree_GetChildAtIndex(tree, i), "")


def test_no_table_of_ten_classes_is_torn() -> None:
    """What goes on behind a page has no heading there: each table stands right below one of its own."""
    found = of_ten_classes()
    tables = 0
    for number, page in enumerate(pypdfium2.PdfDocument(to_pdf(found)), 1):
        headed = False
        for kind, _, _ in elements(page):
            assert kind != "Table" or headed, f"a table goes on at the top of page {number}"
            tables += kind == "Table"
            headed = kind == "H2" or (headed and kind != "Table")
    assert tables >= sum(bool(table.rows) for table in found.tables)


def of_ten_classes() -> Report:
    """A report with all that its command takes: many tables, and figures that wait for a place."""
    p, judged = judged_of(300, 10, off=0.4)
    spec = replace(SPEC, lens=TopKLens(1))
    models = {"net": p, "other": with_probabilities(p, p.probs**2 / (p.probs**2).sum(axis=1, keepdims=True))}
    answers = [decide(p, spec), recalibrate(p, ["temperature"], spec), compare(models, spec)]
    return report_of(p, judged, SPEC, title="Ten classes", date=DATE, model="net", answers=answers)


@pytest.mark.slow
def test_what_pdf_ua_asks_of_a_document(case: tuple) -> None:
    """Language, a title that viewers show, every letter's font inside and its meaning known."""
    _, made = printed(case)
    assert b"/Lang(en)" in made
    assert b"/DisplayDocTitle true" in made
    assert re.search(rb"/MarkInfo ?<<[^>]*/Marked true", made)
    fonts = made.count(b"/Subtype/Type0")
    assert fonts >= 2
    assert made.count(b"/FontFile") == made.count(b"/ToUnicode") == fonts
    for page in pypdfium2.PdfDocument(made):
        for shown in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
            assert raw.FPDFFont_GetIsEmbedded(raw.FPDFTextObj_GetFont(shown)) == 1


@pytest.mark.some(1)
def test_what_pdf_ua_asks_of_the_tags(case: tuple) -> None:
    found, made = printed(case)
    tags = [tag for page in pypdfium2.PdfDocument(made) for tag in elements(page)]
    kinds = [kind for kind, _, _ in tags]
    assert kinds.count("H1") == 1
    assert "H2" in kinds
    figures = {words for kind, _, words in tags if kind == "Figure"}
    assert {squeezed(words) for words in figures} == {squeezed(plate.says) for plate in found.plates}
    heads = sum(len(table.rows[0]) for table in found.tables)
    text = "".join(pages_of(made))
    numbers = [f"The numbers of figure {i + 1}" in text for i in range(len(found.plates))]
    heads += sum(len(plate.rows[0]) for plate in found.plates[: sum(numbers)])
    assert made.count(b"/Scope/Column") == heads
    assert kinds.count("TH") >= heads  # those of a table that goes on stand on the next page too
    assert {parent for kind, parent, _ in tags if kind in ("TH", "TD")} == {"TR"}
    # Text stands in paragraphs, headings, lists and tables.
    assert not any(kind == "Span" and parent == "Document" for kind, parent, _ in tags)


@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=["3", "2"])
def test_every_number_of_the_report_is_in_it(case: tuple) -> None:
    found, made = printed(case)
    text = squeezed("".join(pages_of(made)))
    for words in (found.title, found.subtitle, found.answer, found.more, found.not_said, found.settings):
        assert squeezed(words) in text
    for table in found.tables:
        for row in table.rows:
            for cell in row.values():
                assert squeezed(cell) in text, cell
    for head, words in found.methods:
        for word in (head, *words.split()):  # a sentence may go on in another column
            assert squeezed(word) in text, word
    assert found.fingerprint in text


def test_hostile_names_are_drawn_as_they_are() -> None:
    text = squeezed("".join(pages_of(printed(CASES[1])[1])))
    for words in ('=#panic("x")*b*$y$', '#eval("1+1")', "*b*_i_$x^2$@ref<label>`raw`//c/*c", "</script><!--"):
        assert squeezed(words) in text, words
    assert "class9" in text  # of Japanese letters, which no font here has
    assert "□" not in text
    assert squeezed("The fonts of this file lack letters of 1 class name: “class 9” stands for it") in text
    assert "日" not in text
    assert "L" * 59 in text
    assert "L" * 100 not in text


def test_another_paper_is_refused() -> None:
    with pytest.raises(InputError, match="There is no paper 'a3'; expected one of a4, letter"):
        to_pdf(report(40, 2), "a3")
