"""The reference: every public name with an example that runs, formulas drawn, nothing fetched."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import calibcore
from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.transforms.lenses import LENSES
from scripts.reference import BASES, FORMULA, PUBLIC, make, markdown_of
from tests.cases import each
from tests.documents import TEXTS

NAMES = [name for name in calibcore.__all__ if name != "__version__"]
BUILT = ("from_logits", "from_frame", "from_estimator", "from_predictions", "from_eval_prediction")
ROOT = Path(__file__).parents[1]
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "calibcore").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
@pytest.mark.some(5)
def test_examples_do_what_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0  # what was expected and what came is printed above


@each("name", NAMES)
def test_every_public_name_has_an_example_of_its_own(name: str) -> None:
    """The examples themselves run above."""
    example = getattr(calibcore, name).__doc__.partition(">>> ")[2]
    assert "from calibcore import " in example
    assert re.search(rf"\b{name}\b", example, flags=re.IGNORECASE)


@pytest.mark.parametrize("name", BUILT)
def test_every_way_to_make_predictions_has_an_example(name: str) -> None:
    assert f"Predictions.{name}(" in getattr(calibcore.Predictions, name).__doc__


@pytest.mark.parametrize("kind", [*LENSES.values(), *BINNINGS.values(), *KERNELS.values()])
def test_every_lens_binning_and_kernel_is_public(kind: type) -> None:
    assert getattr(calibcore, kind.__name__) is kind


def test_public_names_are_in_order_and_there() -> None:
    assert len(set(calibcore.__all__)) == len(calibcore.__all__)
    assert all(hasattr(calibcore, name) for name in calibcore.__all__)


@pytest.mark.slow
def test_the_pages_hold_all_names_and_formulas_and_fetch_nothing(tmp_path: Path) -> None:
    make(tmp_path)
    page = (tmp_path / "calibcore.html").read_text(encoding="utf-8")
    for name in NAMES:
        assert f'id="{name}"' in page, name
    (constructors,) = [
        text for path in tmp_path.rglob("*.html") if 'id="Constructors"' in (text := path.read_text("utf-8"))
    ]
    assert all(f'id="Constructors.{name}"' in constructors for name in BUILT)
    formulas = [found for name in NAMES for found in FORMULA.findall(getattr(calibcore, name).__doc__)]
    assert len(formulas) >= 12
    assert page.count("<math") >= len(formulas)
    for path in [*tmp_path.rglob("*.html")]:
        text = path.read_text(encoding="utf-8")
        assert "$$" not in text
        assert "FORMULA" not in text
        assert not re.search(r"(?:src=|url\(|@import|<link[^>]+href=)[\"' ]*(?:https?:)?//", text), path
    assert len({*tmp_path.rglob("*.html")}) == len({*PUBLIC, *BASES}) + 1


def test_what_the_documents_import_from_has_a_page() -> None:
    told = "\n".join(
        text for name, text in TEXTS.items() if not name.startswith(("decisions/", "contributing"))
    )
    imported = set(re.findall(r"^\s*from (calibcore[\w.]*) import", told, flags=re.MULTILINE))
    named = {
        module
        for module, name in re.findall(r"`(calibcore(?:\.\w+)+)\.(\w+)\b", told)
        if hasattr(import_module(module), name)
    }
    assert (imported | named) - {"calibcore.painters"} <= {*PUBLIC}


def test_what_is_written_in_docstrings_becomes_lists_sections_tables_and_code() -> None:
    text = "What.\n\na, b : one\n    more\n\nRaises\n------\nError : bad\n\n>>> 1\n1\n\n== ==\nx  y\n== =="
    made = markdown_of(text)
    assert "- **a, b**: one more\n" in made
    assert "\n**Raises**\n" in made
    assert "- **Error**: bad" in made
    assert "```pycon\n>>> 1\n1\n```" in made
    assert "    == ==\n    x  y\n    == ==" in made
