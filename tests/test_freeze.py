"""What the command line and the app say is recorded, and a sentence that changed is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from calibcore.cli.arguments import COMMANDS
from pages.server import page_list
from scripts.freeze import main, named, page_text, record_line, surface, text_of
from scripts.freeze_data import MODELS, made, tasks
from tests.pages.harness import begun, displayed, fresh_work

LINE = "plan nothing.csv"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in MODELS:
        (folder / f"{name}.csv").write_text(made(name), encoding="utf-8")
    return folder


@pytest.fixture
def _ended() -> Iterator[None]:
    with fresh_work(False):
        yield


@pytest.mark.slow
def test_a_command_that_says_the_same_is_equal_and_another_sentence_is_found(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    assert main(["record", str(old), "--jobs", "1", "--only", f"cli wrong {LINE}"]) == 0  # as people record
    record_line(data, new / "cli" / "wrong" / named(LINE), LINE)  # and in this process
    record_line(data, new / "cli" / "two" / "groups", "groups two.csv --by nowhere --json")
    (file,) = (old / "cli").rglob("*.txt")
    same = new / file.relative_to(old)
    assert "-- exit 2" in file.read_text(encoding="utf-8")
    assert main(["compare", str(old / "cli"), str(same.parents[1])]) == 1
    assert capsys.readouterr().out == f"only in {same.parents[1]}: two/groups.txt\n1 of 2 files differ\n"
    assert main(["compare", str(file.parent), str(same.parent)]) == 0
    assert capsys.readouterr().out == "0 of 1 files differ\n"
    same.write_text(
        same.read_text(encoding="utf-8").replace("nothing.csv", "something.csv"), encoding="utf-8"
    )
    assert main(["compare", str(file.parent), str(same.parent)]) == 1
    printed = capsys.readouterr().out
    assert f"differs: {file.name}\n" in printed
    assert "-$ plan nothing.csv\n+$ plan something.csv\n" in printed
    with pytest.raises(SystemExit, match="no record in"):
        main(["compare", str(old), str(tmp_path / "nowhere")])
    with pytest.raises(SystemExit):
        main(["record", str(old)])
    assert "is not empty" in capsys.readouterr().err


def test_every_command_is_typed_and_one_more_has_to_be(data: Path) -> None:
    commands, pages, examples, _ = surface()
    assert commands == list(COMMANDS)
    assert pages == [page.name for page in page_list.pages()]
    for name in (*examples, "run"):
        (data / f"{name}.csv").write_text("a,b,label\n", encoding="utf-8")
    found = tasks(commands, [*MODELS, *examples], data)
    assert {words.split()[0] for kind, _, words in found if kind == "cli" and words} >= set(commands)
    assert {name for kind, name, _ in found if kind == "pages"} == {*MODELS, *examples}
    assert len({(name, named(words)) for _, name, words in found}) == len(found)
    with pytest.raises(SystemExit, match="Nothing is recorded of the command 'weigh'"):
        tasks([*commands, "weigh"], [*MODELS], data)


@pytest.mark.usefixtures("_ended")
def test_a_page_is_its_words_tables_and_charts() -> None:
    app = begun().switch_page("../data.py").run()
    said = page_text(app, displayed)
    assert app.title[0].value in said
    assert "SIDE BAR" in said
    assert "held" not in said.replace("held-out", "")


def test_files_become_texts_whose_lines_are_compared() -> None:
    assert text_of("a.json", b'{"b": [1,\n2], "a": 1}') == '{\n "a": 1,\n "b": [1, 2]\n}'
    page = b'<p>x</p><script type="application/json">{"y": 0.12345678}</script><script>alert()</script>'
    told = text_of("a.html", page)
    assert '<p>x</p>\n<script type="application/json">\n{\n "y": 0.123457\n}\n</script>\n<script>' in told
    assert "alert" not in told
