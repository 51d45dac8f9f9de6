"""The report as a page: whole in itself, well formed whatever the names are.

That it is the same twice, test_report_command sees.
"""

import json
import re
from itertools import pairwise

import pytest

from calibcore.report import to_html, to_json
from tests.report.reported import HOSTILE, Page, report, squeezed

TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "figure", "figcaption",
    "div", "section", "ul", "dl", "dt", "dd",
    "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "ol", "li", "button",
    "footer", "noscript", "script",
}  # fmt: skip


@pytest.fixture(scope="module", params=[(150, 3, HOSTILE[:3]), (120, len(HOSTILE), HOSTILE), (40, 2, None)])
def parts(request: pytest.FixtureRequest) -> tuple[object, str, Page]:
    found = report(*request.param, title='A "<title>" & more', with_rows=request.param[2] is not None)
    text = to_html(found)
    return found, text, Page(text)


@pytest.mark.some(1)
def test_only_our_own_tags_and_scripts(parts: tuple) -> None:
    found, _, page = parts
    assert {tag for tag, _ in page.tags} == TAGS
    assert sum(tag == "script" for tag, _ in page.tags) == 4 + (found.predictions is not None)
    for tag, attributes in page.tags:
        assert not {"src", "href", "srcset", "action"} & set(attributes), tag
        assert not [name for name in attributes if name.startswith("on")], tag
    assert page.scripts[-1].count("Plotly.react") == 1
    assert page.scripts[-2].startswith("/**\n* plotly.js")


def test_what_it_holds_is_the_report(parts: tuple) -> None:
    found, _, page = parts
    assert json.loads(page.scripts[0]) == json.loads(to_json(found))
    text = squeezed(page.text)
    for words in (found.title, found.answer, found.more, found.not_said, found.subtitle, found.fingerprint):
        assert squeezed(words) in text
    for table in found.tables:
        for row in table.rows:
            assert squeezed("".join(row.values())) in text
    for plate in found.plates:
        assert squeezed(plate.says) in text
        assert squeezed(plate.reading) in text
    for head, words in found.methods:
        assert squeezed(head + words) in text
    for reference in found.references:
        assert squeezed(reference) in text


def test_it_asks_for_nothing(parts: tuple) -> None:
    _, text, page = parts
    ours = text.replace(page.scripts[-2], "")
    ours = re.sub(r'"bdata": "[^"]*"', "", ours)  # numbers of figures
    assert not re.findall(
        r"(?:https?:)?//[\w.]+|url\(|@import|@font-face", re.sub(r"http://127[^\s\"<]*", "", ours)
    )


def test_headings_alternative_texts_and_tables(parts: tuple) -> None:
    found, _, page = parts
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert dict(page.tags)["html"] == {"lang": "en"}
    named = [a["aria-label"] for tag, a in page.tags if tag == "div" and a.get("role") == "img"]
    assert named == [plate.says for plate in found.plates]
    assert all(a.get("scope") == "col" for tag, a in page.tags if tag == "th")


def test_every_figure_has_both_looks_and_a_place(parts: tuple) -> None:
    _, _, page = parts
    drawn = json.loads(page.scripts[-3])["drawn"]
    places = [a["id"] for tag, a in page.tags if tag == "div" and (a.get("id") or "").startswith("figure-")]
    assert places == list(drawn)
    for looks in drawn.values():
        assert set(looks) == {"light", "dark"}
        assert len(looks["light"]["data"]) == len(looks["dark"]["data"])
        assert looks["light"]["layout"]["font"] != looks["dark"]["layout"]["font"]
