"""The Simplex page: triangle, tetrahedron, choices of corners, groups built by hand, members."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec
from calibcore.data.examples import load_example
from calibcore.questions.without_bins import average_without_bins
from calibcore.transforms.lenses import CanonicalLens, GroupsLens, Lens, RegionLens, TopKLens
from calibcore.words import smooth
from pages.ui import settings
from pages.ui.settings import Settings
from tests.pages.harness import START, choose, displayed, opened, press, said, settled, upload

DIGITS = tuple("0123456789")
PROPOSED = (("0", "6"), ("1", "2", "3", "5", "8", "9"), ("4", "7"))


def through(lens: Lens, in_use: str = "digits-forest", start: DiagnosisSpec = START) -> AppTest:
    """The page with that lens."""
    return opened("simplex", in_use=in_use, settings=Settings(replace(start, lens=lens)))


def lens(app: AppTest) -> Lens:
    found: Lens = app.session_state["settings"].spec.lens
    return found


def group(app: AppTest, number: int, classes: Sequence[str]) -> AppTest:
    """Choose the classes of a group in the builder."""
    box = next(b for b in app.multiselect if b.label == f"Group {number}")
    return box.set_value(list(classes)).run()


def button(app: AppTest, label: str) -> bool:
    """Whether a button can be pressed."""
    return not next(b for b in app.button if b.label == label).disabled


def plain(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def test_three_classes_are_told_drawn_and_in_a_table() -> None:
    app = through(CanonicalLens(), "wine")
    text = plain(app)
    assert "2 of 8 arrows stand out, adjusted for their number." in text
    assert "Strong arrows have an exact p of 0.05 or less, adjusted for 8 arrows." in text
    assert "The corners are 'grower 1', 'grower 2' and 'grower 3'." in text
    assert "All 8 arrows are drawn." in text
    assert len(app.get("plotly_chart")) == 1
    table = displayed(app.dataframe[0])
    assert len(table) == 8
    assert (table["Stands out"] == "yes").sum() == 2


def test_three_and_four_classes_open_at_once_and_the_lens_in_use_stays() -> None:
    for example, number in (("wine", "three"), ("diabetes", "four")):
        app = settled(opened("simplex", in_use=example, settings=Settings(replace(START, lens=TopKLens(1)))))
        assert len(app.get("plotly_chart")) == 1
        assert f"This page shows all {number} classes. Other pages look at confidence" in plain(app)
        assert "Strongest arrow: in its " in plain(app)
        assert lens(app) == TopKLens(1)
        app = settled(press(app, f"Look at all {number} classes everywhere"))
        assert lens(app) == CanonicalLens()
        assert "This page shows all" not in plain(app)


@pytest.mark.slow
def test_arrows_without_bins_take_the_place_of_those_of_bins_and_give_it_back() -> None:
    app = through(CanonicalLens(), "wine", settings.START)
    found = average_without_bins(load_example("wine"))
    (switch,) = [t for t in app.toggle if t.label == "Without bins"]
    app = settled(switch.set_value(True).run())
    text = plain(app)
    assert smooth.sentence(found) in said(app)
    assert "arrows stand out, adjusted for their number." not in text
    table = displayed(app.dataframe[0])
    assert len(table) == len(found.places)
    assert (table["Stands out"] == "yes").sum() == found.strong.sum()
    (switch,) = [t for t in app.toggle if t.label == "Without bins"]
    assert switch.value
    app = settled(switch.set_value(False).run())
    assert "2 of 8 arrows stand out, adjusted for their number." in plain(app)
    assert not [t for t in through(TopKLens(3)).toggle if t.label == "Without bins"]  # a tetrahedron


def test_four_classes_are_told_drawn_and_turned() -> None:
    app = through(TopKLens(3))
    assert "The corners are '1st', '2nd', '3rd' and 'other'." in plain(app)
    before = app.get("plotly_chart")[0].proto.spec
    sides = next(group for group in app.button_group if group.label == "Look straight at the side without")
    app = sides.set_value(3).run()
    assert not app.exception
    assert app.get("plotly_chart")[0].proto.spec != before


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("First and second choice", TopKLens(2)),
        ("First three choices", TopKLens(3)),
        (
            "Most confused: '3' and '9'",
            GroupsLens((("3", ("3",)), ("9", ("9",)), ("other", tuple("01245678")))),
        ),
        (
            "Most confused: '1', '2' and '8'",
            GroupsLens((*((c, (c,)) for c in "128"), ("other", tuple("0345679")))),
        ),
    ],
)
def test_every_choice_of_corners_brings_its_figure(label: str, expected: Lens) -> None:
    app = opened("simplex")
    found = next(b for b in app.button if b.label.replace("\\", "") == label)
    app = settled(found.click().run())
    assert lens(app) == expected
    assert "Each arrow leads from" in said(app)


def test_it_is_said_at_once_that_all_pages_look_through_chosen_corners() -> None:
    app = settled(opened("simplex", settings=Settings(replace(START, lens=TopKLens(1)))))
    words = "All pages now look at "
    assert words not in plain(app)
    assert "Other pages look at confidence in the answer" in plain(app)
    for label, name in (("First three choices", "3"), ("First and second choice", "2")):
        app = settled(press(app, label))
        assert f"{words}the {name} most likely classes." in plain(app)
        assert "Other pages look at" not in plain(app)
    app = settled(press(app, "Undo"))
    assert words not in plain(app)
    assert lens(app) == TopKLens(3)


def test_a_region_stays_when_corners_are_chosen() -> None:
    app = through(RegionLens(TopKLens(1), "3", 0.3, 1.0))
    app = press(app, "First and second choice")
    assert lens(app) == RegionLens(TopKLens(2), "3", 0.3, 1.0)


def test_a_click_in_the_tetrahedron_shows_the_cases_and_what_is_no_arrow_nothing() -> None:
    app = through(TopKLens(3))

    def clicked(written: str) -> AppTest:
        found = next(t for t in app.text_input if t.label == "The arrow that was clicked")
        return found.set_value(written).run()

    for written in ("x.1", "-1.2", "99999999.3", "\u00b2.4"):
        app = clicked(written)
        assert not app.exception
        assert "Predicted on average " not in plain(app)
    app = clicked("2.5")
    assert "Predicted on average " in plain(app)


def test_four_classes_can_be_seen_as_they_are() -> None:
    app = press(opened("simplex", in_use="diabetes"), "All four classes")
    assert lens(app) == CanonicalLens()
    assert "'lowest quarter', 'second quarter', 'third quarter' and 'highest quarter'" in said(app)


def test_the_groups_proposed_hold_every_class_once_and_are_one_click_away() -> None:
    app = opened("simplex")
    assert tuple(tuple(box.value) for box in app.multiselect if box.label.startswith("Group")) == PROPOSED
    assert "Every class is in exactly one group." in said(app)
    app = settled(press(app, "Show the triangle"))
    assert lens(app) == GroupsLens(tuple((", ".join(members), members) for members in PROPOSED))


@pytest.mark.slow
def test_the_builder_says_which_class_is_missing_or_twice_and_waits() -> None:
    app = group(opened("simplex"), 1, ["0"])
    assert "'6' is in no group." in said(app)
    assert not button(app, "Show the triangle")
    app = group(app, 3, ["4", "7", "0"])
    assert "'0' is in groups 1 and 3." in said(app)
    app = group(app, 3, ["4", "7"])
    app = press(app, "Put what is missing into group 3")
    assert "Every class is in exactly one group." in said(app)
    app.text_input[0].set_value("round").run()
    app = settled(press(app, "Show the triangle"))
    assert lens(app) == GroupsLens(
        (("round", ("0",)), ("1, 2, 3, 5, 8, 9", PROPOSED[1]), ("4, 6, 7", ("4", "6", "7")))
    )


def test_two_names_alike_are_refused_in_words() -> None:
    app = opened("simplex")
    for box in app.text_input[:2]:
        box.set_value("same")
    app = app.run()
    assert "Two groups have the same name" in said(app)
    assert not button(app, "Show the triangle")


def test_four_groups() -> None:
    app = opened("simplex")
    corners = next(group for group in app.button_group if group.label == "Corners")
    app = corners.set_value(4).run()
    app = settled(press(app, "Show the tetrahedron"))
    assert len(lens(app).groups) == 4  # type: ignore[attr-defined]


def test_the_groups_in_use_are_where_the_builder_begins() -> None:
    mine = GroupsLens((("A", DIGITS[:2]), ("B", DIGITS[2:5]), ("C", DIGITS[5:])))
    app = through(mine)
    found = [tuple(box.value) for box in app.multiselect if box.label.startswith("Group")]
    assert found == [members for _, members in mine.groups]


def test_the_cases_of_an_arrow() -> None:
    app = through(CanonicalLens(), "wine")
    box = next(b for b in app.selectbox if b.label == "The wines of an arrow")
    assert box.value is None
    app = box.select_index(0).run()
    assert not app.exception
    assert "Predicted on average " in plain(app)
    assert "this arrow of 12 wines would end within" in plain(app)
    counted = int(plain(app).split(" wines. Predicted on average")[0].split()[-1])
    rows = displayed(app.dataframe[-1])
    assert len(rows) == counted
    order = list(app.dataframe[-1].proto.column_order)
    assert order[:2] == ["Row", "Happened"]  # in a narrow column the rest is out of sight
    assert sorted(order) == sorted(rows.columns)
    assert set(rows["Happened"]) <= set(load_example("wine").class_names)


@pytest.mark.slow
def test_a_threshold_above_every_bin_leaves_words_and_a_way_back() -> None:
    app = through(CanonicalLens(), "wine")
    least = next(box for box in app.number_input if box.label.startswith("Draw arrows of bins"))
    assert least.value == 5
    app = least.set_value(80).run()
    assert "No bin holds 80 wines: the fullest has 12." in plain(app)
    assert not app.get("plotly_chart")
    app = next(box for box in app.number_input if box.label.startswith("Draw arrows")).set_value(12).run()
    assert "1 of 8 arrows are drawn, those of 12 wines or more; the others stand for 77 of 89" in plain(app)
    app = settled(choose(app, "Bins", "simplex"))
    assert "triangles" in said(app)


def test_one_bin_is_one_arrow() -> None:
    app = through(CanonicalLens(), "wine")
    size = next(box for box in app.number_input if box.label == "Fewest cases in a bin")
    app = settled(size.set_value(89).run())
    assert "All predictions are in one bin, so there is one arrow." in plain(app)


@pytest.mark.slow
def test_names_of_classes_are_text_on_every_control() -> None:
    names = ["![x](http://host/p.png)", "<b>b</b>", "*c*", "other", "e,e"]
    quoted = [f'"{name}"' for name in names]
    rows = "".join(
        f"{of},{quoted[i % 5]}\n" for i in range(20) for of in ("0.3,0.3,0.2,0.1,0.1", "0.1,0.1,0.2,0.3,0.3")
    )
    text = ",".join([*quoted, "label"]) + "\n" + rows
    app = upload(opened("data"), "odd.csv", text)
    app = app.switch_page("../simplex.py").run()
    assert not app.exception
    assert not any("![x](" in b.label for b in app.button)
    app = settled(next(b for b in app.button if b.label.startswith("Confused")).click().run())
    assert not app.exception
    assert all("![x](" not in m.value for m in [*app.markdown, *app.caption, *app.subheader])
