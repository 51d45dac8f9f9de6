"""Reports for tests: small data, few redraws, and what stands in a page or a PDF."""

import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pypdfium2

from calibcore import DiagnosisSpec, Predictions
from calibcore.assessment.assess import Assessment, assess
from calibcore.report import Report, report_of
from tests.quick import survey

DATE = "2026-11-21"
SPEC = DiagnosisSpec(resamples=199, alpha=0.2)
HOSTILE = (
    "<script>document.title='x'</script>", '"><img src=x onerror=alert(1)>', "</script><!--",
    '#eval("1+1")',
    "*b* _i_ $x^2$ @ref <label> `raw` // c /* c", "![x](http://127.0.0.1:9/p.png)", "=1+1", "\\u003c\\n",
    "日本語のとても長い名前",
    "\u202eعربي\u202d", "\x00\x07\nlines\r", "{{x}} %s {0}", "L" * 10_000, "é" * 3_000,
    "b c",
)  # fmt: skip


def drawn(
    n: int, m: int, seed: int = 1, names: tuple[str, ...] | None = None, off: float = 0.0
) -> Predictions:
    """n × m; calibrated, but that probability ``off`` of the first class goes to the last."""
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.full(m, 0.7), size=n)
    truth = probs.copy()
    truth[:, -1] += off * truth[:, 0]
    truth[:, 0] *= 1 - off
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    return Predictions.from_arrays(probs, labels, names)


@cache
def judged_of(
    n: int, m: int, names: tuple[str, ...] | None = None, spec: DiagnosisSpec = SPEC, off: float = 0.0
) -> tuple[Predictions, Assessment]:
    p = drawn(n, m, names=names, off=off)
    return p, assess(p, survey(p, spec))


def report(n: int, m: int, names: tuple[str, ...] | None = None, off: float = 0.0, **more: object) -> Report:
    p, found = judged_of(n, m, names, SPEC, off)
    given = {"title": "Calibration of net", "date": DATE, "noun": "patient", "model": "net"} | more
    return report_of(p, found, SPEC, **given)  # type: ignore[arg-type]


class Page(HTMLParser):
    """The tags, the attributes, the text outside scripts and styles, and what the scripts hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text, self.scripts = "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and not self._closed:
            self.scripts[-1] += data
        elif self.lasttag != "style" or self._closed:
            self.text += data

    _closed = True

    def parse_starttag(self, i: int) -> int:
        found = super().parse_starttag(i)
        self._closed = self.cdata_elem is None
        return found

    def handle_endtag(self, tag: str) -> None:
        self._closed = True
        self.text += " "


def squeezed(text: str) -> str:
    """Without what lines and cells put between words, and without hyphens: at the end of a line they go."""
    return re.sub(r"[-\s\u200b\ufffe\xad]+", "", text)


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page."""
    document = pypdfium2.PdfDocument(pdf)
    return [page.get_textpage().get_text_range() for page in document]


def blank_share(page: pypdfium2.PdfPage, side: float = 5.0) -> float:
    """The largest rectangle of a sheet in which nothing is, as a share of what may be written on: whole
    squares of ``side`` mm are counted, so that nothing is called blank that is not."""
    ink = page.render(scale=2).to_numpy()
    dot = 72 / 25.4 * 2  # dots in a millimetre
    left = (ink.shape[1] - 183 * dot) / 2
    inside = ink[round(17 * dot) : round(ink.shape[0] - 20 * dot), round(left) : round(left + 183 * dot), :3]
    rows, columns = (int(size // (side * dot)) for size in inside.shape[:2])
    edges = [np.round(np.arange(n + 1) * side * dot).astype(int) for n in (rows, columns)]
    darkest = inside.sum(axis=-1, dtype=np.uint16)[: edges[0][-1], : edges[1][-1]]
    for axis, places in enumerate(edges):
        darkest = np.minimum.reduceat(darkest, places[:-1], axis=axis)
    clear = darkest > 3 * 250
    above = np.zeros(clear.shape, int)  # how many squares upwards from here are clear
    for row, clear_in_row in enumerate(clear):
        above[row] = np.where(clear_in_row, above[row - 1] + 1 if row else 1, 0)
    largest, height = 0, above
    for width in range(1, columns + 1):  # of so many columns, how high a rectangle ends where
        largest = max(largest, width * int(height.max()))
        height = np.minimum(height[:, :-1], above[:, width:])
    return largest / (rows * columns)
