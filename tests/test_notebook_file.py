"""The notebook in docs runs from its first cell to its last, and shows what it promises."""

import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs/notebook.ipynb"


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kernel of this Python, whatever kernels the machine has, at this checkout."""
    folder = tmp_path / "kernels/here"
    folder.mkdir(parents=True)
    command = f'["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"]'
    (folder / "kernel.json").write_text(f'{{"argv": {command}, "display_name": "x", "language": "python"}}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return "here"


@pytest.mark.slow
def test_the_notebook_runs_and_results_show_themselves(kernel: str) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)  # so that changes can be read
    NotebookClient(notebook, timeout=300, kernel_name=kernel).execute()
    shown = {
        cell.source.splitlines()[-1].strip(): output
        for cell in code
        for output in cell.outputs
        if output.output_type == "execute_result"
    }
    for name, words in (("p", "benign"), ("verdicts", "Miscalibrated"), ("diagnosis", "confidence")):
        html = shown[name].data["text/html"]
        assert html.startswith('<div class="caliblens">')
        assert words in html
        assert len(shown[name].data["text/plain"]) < 400
    assert "<svg" in shown["verdicts"].data["text/html"]
    printed = "".join(o.text for cell in code for o in cell.outputs if o.output_type == "stream")
    assert printed.startswith("✕ Miscalibrated. ")
    assert "LogisticRegression" in printed
