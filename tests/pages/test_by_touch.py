"""On a phone a finger scrolls the page; what it touches stays where it is."""

import plotly.graph_objects as go
import pytest

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


def test_a_p_value_is_not_parted_from_its_number() -> None:
    space = "\N{NO-BREAK SPACE}"
    for sign in "=<>≤":
        said = show.plain(f"adjusted p {sign} 0.67 (exact)").replace("\\", "")
        assert said == f"adjusted p{space}{sign}{space}0.67 (exact)"
    assert show.plain("step = 3") == r"step \= 3"
