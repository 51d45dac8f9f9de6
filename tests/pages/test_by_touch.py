"""On a phone a finger scrolls the page; what it touches stays where it is."""

from pathlib import Path

import plotly.graph_objects as go
import pytest

import calibcore
from calibcore.painters.screen import canvas
from pages.ui import show

PHONE = "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36"
DESK = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


class Context:
    def __init__(self, agent: str | None) -> None:
        self.headers = {} if agent is None else {"User-Agent": agent}
        self.theme = self
        self.type = "dark"


@pytest.mark.parametrize(("agent", "touched"), [(PHONE, True), (DESK, False), (None, False)])
def test_a_figure_is_not_zoomed_by_a_finger(
    monkeypatch: pytest.MonkeyPatch, agent: str | None, touched: bool
) -> None:
    monkeypatch.setattr(show.st, "context", Context(agent))
    for chosen in (True, False):
        drawn = go.Figure(go.Scatter(x=[1], y=[2]), {"xaxis": {"range": [0, 1]}, "yaxis": {"range": [0, 1]}})
        layout = show.dressed(drawn, chosen).to_dict()["layout"]
        assert layout["font"]["color"] == "#E8EBEF"
        assert layout.get("dragmode") == ("pan" if chosen else False if touched else None)
        for axis in ("xaxis", "yaxis"):
            assert layout[axis].get("fixedrange", False) is (touched and chosen)


def test_a_key_of_several_lines_has_its_room_on_a_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else plotly draws the figure again. On a desk it has one line, for which there is room anyway."""
    names = ["if the promise holds", "95 % interval", "accept all", "accept none", "promised", "delivered"]
    below = {}
    for many, agent in ((2, PHONE), (6, PHONE), (6, DESK)):
        monkeypatch.setattr(show.st, "context", Context(agent))
        lines = [go.Scatter(x=[1, 2], y=[1, 2], name=name) for name in names[-many:]]
        drawn = go.Figure(lines, canvas.layout(380, t=34) | {"xaxis": canvas.AXIS, "yaxis": canvas.AXIS})
        drawn.update_layout(legend_y=-0.2)
        below[many, agent] = show.dressed(drawn, chosen=False).to_dict()["layout"]["margin"]["b"]
    line = 19 / 1.2
    assert below[6, DESK] == below[2, PHONE]
    assert below[6, PHONE] == pytest.approx(below[2, PHONE] + 2 * line, abs=1)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("Temperature", ["Method", "Gain, % of the loss", "Answer", "Adjusted p", "By chance"]),
        (
            "Kernel error, distribution-free",
            ["Gain, % of the loss", "Method", "Answer", "Adjusted p", "By chance"],
        ),
    ],
)
def test_a_phone_shows_what_was_found_without_scrolling(
    monkeypatch: pytest.MonkeyPatch, name: str, order: list[str]
) -> None:
    orders: list[list[str] | None] = []
    monkeypatch.setattr(
        show.st, "dataframe", lambda rows, column_order=None, **look: orders.append(column_order)
    )
    row = {"Method": name, "Answer": "Worthwhile", "By chance": "–", "Gain, % of the loss": "+6.2"}
    for agent in (PHONE, DESK):
        monkeypatch.setattr(show.st, "context", Context(agent))
        show.frame([row | {"Adjusted p": "0.005"}])
        show.frame([row], column_order=["Method"])
        show.frame([])
    assert orders == [order, ["Method"], None, None, ["Method"], None]


def test_a_phone_keeps_what_names_a_row() -> None:
    group = {"Column": "site", "Group": "North", "Cases": 453, "Verdict": "Miscalibrated"}
    assert show.answers_first([group]) == ["Column", "Group", "Verdict", "Cases"]
    window = {
        "Cases": "1 to 200",
        "Time": "1 May to 2 June",
        "Predicted": "1 %",
        "If calibrated (points)": "",
    }
    assert show.answers_first([window]) == ["Time", "If calibrated (points)", "Cases", "Predicted"]
    assert show.answers_first([group | {"Group": "N" * 40}])[:3] == ["Verdict", "Column", "Group"]


def test_answers_are_heads_that_tables_have() -> None:
    """A head that was renamed would leave its table as it is on a phone."""
    library = Path(calibcore.__file__).parent
    words = "".join(path.read_text(encoding="utf-8") for path in library.rglob("*.py"))
    for head in show.ANSWERS:
        assert f'"{head}"' in words, head


def test_a_p_value_is_not_parted_from_its_number() -> None:
    space = "\N{NO-BREAK SPACE}"
    for sign in "=<>≤":
        said = show.plain(f"adjusted p {sign} 0.67 (exact)").replace("\\", "")
        assert said == f"adjusted p{space}{sign}{space}0.67 (exact)"
    assert show.plain("step = 3") == r"step \= 3"
