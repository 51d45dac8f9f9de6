"""What a browser prints of a page: the answer and its figures, whole, dark on white in both themes."""

import pypdfium2
import pytest

from calibcore.data.examples import EXAMPLES
from tests.browser.acts import arrive, choose, go, settle
from tests.browser.conftest import Watched

FOUR = next(example.title for example in EXAMPLES if example.key == "diabetes")
WHITE = (250, 250, 250)
GONE = ("Save", "More settings", "Predictions", "Undo", "Observed against predicted", "How to read this")


@pytest.mark.slow
def test_a_page_prints_without_its_controls_dark_on_white_and_no_figure_is_cut(watched: Watched) -> None:
    page = watched.page
    page.emulate_media(color_scheme="dark")
    arrive(page, watched.address, "Reliability")
    before = page.locator("h1").evaluate("e => getComputedStyle(e).color")
    paper = pypdfium2.PdfDocument(page.pdf(format="A4"))
    text = paper[0].get_textpage()
    words = text.get_text_range()
    assert "Where do the probabilities hold?" in words
    letters = "".join(words.split())  # of words in a figure each letter has its place, some with a gap
    assert "Probabilitythemodelgave" in letters
    assert "ifcalibrated" in letters  # the key of the figure
    assert not [word for word in GONE if word in words]
    places = text.search("100 %")
    assert places is not None
    begin, length = places.get_next() or (0, 0)
    assert length
    assert text.get_charbox(begin + length - 1)[2] < paper[0].get_width() - 25  # inside the margin
    image = paper[0].render(scale=1).to_pil().convert("RGB")
    assert image.getpixel((4, 4)) >= WHITE
    assert image.getpixel((image.width // 2, image.height - 4)) >= WHITE
    assert image.convert("L").getextrema()[0] < 60
    paper.close()
    assert page.locator("h1").evaluate("e => getComputedStyle(e).color") == before

    # What is drawn in three dimensions is there too, and gone from the page again.
    choose(page, "Predictions", FOUR)
    go(page, "Simplex")
    settle(page)
    paper = pypdfium2.PdfDocument(page.pdf(format="A4"))
    pictures = [each.get_bounds() for sheet in paper for each in sheet.get_objects(filter=[3])]
    assert max(right - left for left, _, right, _ in pictures) > 250
    paper.close()
    assert page.locator(".on-paper").count() == 0
