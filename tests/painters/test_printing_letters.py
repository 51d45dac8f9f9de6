"""Names that the font of printed figures cannot write: never a silent box."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibcore import Predictions
from calibcore.__main__ import main
from calibcore.diagram.reliability import reliability
from calibcore.painters.paper import legible, saved, simplex_print, stand_ins, standing_in
from calibcore.painters.paper.letters import BOX
from calibcore.report import to_pdf
from calibcore.words.letters import BOXES, stand_ins_note, stand_ins_sentence
from pages.ui import saving
from tests.report.reported import pages_of, report, squeezed

NAMES = ("cat", "猫", "café 犬", "हिन्दी", "🐱", "猫犬")
"""The last but one is in the font, and so are most Arabic and Hebrew letters."""
INSTEAD = {"猫": "class 2", "café 犬": "café (class 3)", "हिन्दी": "class 4", "猫犬": "class 6"}


def test_what_stands_for_names() -> None:
    assert stand_ins(NAMES) == INSTEAD
    assert stand_ins(("a", "עברית", "عربي", "Ωµ½")) == {}
    assert stand_ins(("class 2", "猫")) == {"猫": "class 2*"}
    assert stand_ins(("猫 -", "犬\n")) == {"猫 -": "class 1", "犬\n": "class 2"}


def test_names_are_replaced_within_sentences_the_longest_first() -> None:
    with standing_in(INSTEAD) as missed:
        assert (
            legible("猫犬 more often than 猫, café 犬.") == "class 6 more often than class 2, café (class 3)."
        )
        assert missed.names == {name: INSTEAD[name] for name in ("猫", "café 犬", "猫犬")}
        assert not missed.boxes
        assert legible("cat") == "cat"
        assert legible("模型 of cats") == f"{BOX}{BOX} of cats"
        assert missed.boxes
    assert legible("猫") == BOX


def test_letters_up_to_the_end_of_latin_are_always_there() -> None:
    """Those for which the app does not say that a name may be printed as its number."""
    letters = "".join(map(chr, range(0xA1, ord(saving.ALWAYS_THERE) + 1)))
    assert BOX not in legible(letters)


@pytest.mark.parametrize(
    ("names", "boxes", "said", "noted"),
    [
        ({}, False, "", ""),
        ({}, True, BOXES, BOXES),
        (
            {"猫": "class 2"},
            False,
            "Not all letters can be printed. The file has “class 2” for '猫'.",
            "The fonts of this file lack letters of 1 class name: “class 2” stands for it, by number. "
            "The report as HTML shows it.",
        ),
        (
            {"猫": "class 2", "犬": "class 3"},
            True,
            "Not all letters can be printed. The file has “class 2” for '猫' and “class 3” for '犬'. "
            + BOXES,
            "The fonts of this file lack letters of 2 class names: “class 2” and “class 3” stand for them, "
            f"by number. The report as HTML shows them. {BOXES}",
        ),
    ],
)
def test_sentences(names: dict[str, str], boxes: bool, said: str, noted: str) -> None:
    assert stand_ins_sentence(names, boxes) == said
    assert stand_ins_note(names, boxes) == noted


def test_of_many_names_five_are_said() -> None:
    many = {f"猫{i}": f"class {i}" for i in range(1, 9)}
    assert stand_ins_note(many).count("“") == 5
    assert "“class 5” and 3 more stand for them" in stand_ins_note(many)
    # A name and its shortened form are one.
    assert "of 1 class name" in stand_ins_note({"猫" * 90: "class 1", "猫" * 59 + "…": "class 1"})


def names_in(pdf: bytes) -> str:
    return "".join(pages_of(pdf))


def three(names: tuple[str, ...]) -> Predictions:
    probs = np.random.default_rng(0).dirichlet(np.ones(3), 60)
    return Predictions.from_arrays(probs, np.arange(60) % 3, names)


@pytest.mark.slow
def test_a_figure_has_the_numbers() -> None:
    from calibcore.diagram.binning import UniformBinning

    binning = UniformBinning(2)
    found = reliability(three(("cat", "猫", "犬")), binning, n_resamples=9)
    made = saving.file_of(
        lambda width: simplex_print(found, "case", binning, width=width), 89, "pdf", ("cat", "猫", "犬")
    )
    text = names_in(made)
    assert BOX not in text
    assert all(name in text for name in ("cat", "class 2", "class 3"))
    assert BOX in names_in(saved(simplex_print(found, "case", binning, width=89), "pdf"))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path, p = tmp_path / "p.csv", three(("cat", "猫", "犬"))
    rows = [
        f"{a},{b},{c},{p.class_names[y]}" for (a, b, c), y in zip(p.probs.tolist(), p.labels, strict=True)
    ]
    path.write_text("\n".join(["cat,猫,犬,label", *rows]), encoding="utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], table: Path, *flags: str) -> str:
    out = ["--out", str(table.with_suffix(".pdf"))]
    assert main(["figure", str(table), "--resamples", "19", "--binning", "uniform:2", *out, *flags]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
def test_the_command_says_which_is_which(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = said(capsys, table)
    assert "Not all letters can be printed. The file has “class " in words
    assert "“class 2” for '猫'" in words
    assert "“class 3” for '犬'" in words
    assert BOX not in names_in(table.with_suffix(".pdf").read_bytes())
    assert BOXES in said(capsys, table, "--lens", "class:cat", "--noun", "猫狗")
    assert "letters" not in said(capsys, table, "--lens", "class:cat")


@pytest.mark.slow
def test_a_report_prints_numbers_and_says_so() -> None:
    text = squeezed(names_in(to_pdf(report(120, 3, ("cat", "猫" * 40, "café 犬")))))
    assert BOX not in text
    assert squeezed("The fonts of this file lack letters of 2 class names: ") in text
    assert squeezed(" stand for them, by number. The report as HTML shows them.") in text
    assert text.count(squeezed("café (class 3)")) > 3
    assert text.count(squeezed("class 2")) > 3
    plain = squeezed(names_in(to_pdf(report(120, 3, ("a", "b", "c")))))
    assert BOX not in plain
    assert squeezed("The fonts of this file") not in plain


@pytest.mark.slow
@pytest.mark.parametrize("strange", [{"title": "Model 模型"}, {"noun": "患者"}])
def test_other_letters_are_boxes_and_that_is_said(strange: dict[str, str]) -> None:
    made = to_pdf(report(120, 3, ("a", "b", "c"), **strange))
    assert BOX in names_in(made)
    assert squeezed(BOXES) in squeezed(names_in(made))
    title = pypdfium2.PdfDocument(made).get_metadata_dict()["Title"]
    assert title == strange.get("title", "Calibration of net")  # nobody draws it
