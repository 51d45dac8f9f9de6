"""What the command line and the app say and write, as texts, so that two checkouts can be compared.

    python -m scripts.freeze record FOLDER [--checkout OTHER] [--jobs 2] [--only WORDS]
    python -m scripts.freeze compare OLD NEW

One script records any checkout, so old code and new are recorded alike. It types the lines of
``freeze_data.txt``. Of a checkout it needs what :func:`surface` names, and ``tests/pages/harness.py``.
JSON and CSV are whole, charts have six digits, PNG is a hash. Pages are opened, and clicked as CLICKS says.
"""

import argparse
import base64
import difflib
import hashlib
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import chdir, redirect_stderr, redirect_stdout
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2

HOME = Path(__file__).resolve().parents[1]
SAME = (
    "CALIBLENS_THREADS=1 CALIBLENS_JOBS=1 OPENBLAS_NUM_THREADS=1 PYTHONHASHSEED=0 PYTHONSAFEPATH=1 TZ=UTC "
    "LC_ALL=C.UTF-8 COLUMNS=100 NO_COLOR=1 SOURCE_DATE_EPOCH=1767312000"
)
"""The environment of every record, without other variables of the app and of Streamlit."""
WIDE = ("two", "three", "clinic")
"""With these all pages are seen through every lens that they offer, and after every click of these."""
CLICKS = {
    "Columns that make groups": "site", "What orders the cases": "The order of the rows",
    "Where is it worst?": "", "Make them": "",
}  # fmt: skip
"""Label of a control -> what is chosen there; nothing of a button."""
READ = (".csv", ".json", ".py", ".txt")
"""Endings of what a page offers to download, and that is read. Its figures are those of the commands."""
NOBODY_READS = re.compile(
    r"(^|[._])(id|ids|key|url|hash|tag|type|wrap|color|direction|weight|rerun|config|container)(\.|$)"
)
"""Fields of Streamlit's messages, and what is layout: where something stands, not what it says."""
Task = tuple[str, str, str]
"""("pages", data, "" or "uploaded") or ("cli", data, what is typed)."""


def surface() -> tuple[list[str], list[str], dict[str, Callable[[], str]], Callable[[list[str]], int]]:
    """Commands, pages and examples (name -> its CSV) that are registered, and what runs a command. Where a
    checkout has them elsewhere, this looks in both places."""
    from calibcore.__main__ import main as run
    from calibcore.cli.arguments import COMMANDS
    from calibcore.data.examples import EXAMPLES, example_csv
    from pages.server import page_list

    examples = {example.key: partial(example_csv, example.key) for example in EXAMPLES}
    return list(COMMANDS), [page.name for page in page_list.pages()], examples, run


def named(words: str) -> str:
    """The name of a file for what is typed."""
    short = re.sub(r"[^\w.+-]+", "-", words).strip("-") or "nothing"
    return short if len(short) < 100 else f"{short[:90]}-{hashed(words)[:6]}"


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def text_of(name: str, content: bytes) -> str:
    """What a file holds, in lines that can be compared."""
    match Path(name).suffix:
        case ".json":
            return told(json.loads(content))
        case ".html":
            page = re.sub(r"<script([^>]*)>(.*?)</script>", _script, content.decode(), flags=re.DOTALL)
            page = re.sub(r"base64,([\w+/=]{200,})", lambda found: hashed(found[1]), page)
            return page.replace("><", ">\n<")
        case ".pdf":
            paper = pypdfium2.PdfDocument(content)
            pages = [f"{page.get_size()}\n{page.get_textpage().get_text_bounded()}" for page in paper]
            return "\n".join([str(paper.get_metadata_dict()), *pages])
        case ".png":
            return hashlib.sha256(content).hexdigest()
    return content.decode().replace("><", ">\n<")


def _script(found: re.Match[str]) -> str:
    """What a report holds as JSON, and other scripts by their hash."""
    try:
        return f"<script{found[1]}>\n{told(plain(json.loads(found[2])))}\n</script>"
    except ValueError:
        return f"<script{found[1]}>{hashed(found[2])}</script>"


def told(value: Any) -> str:
    """JSON with sorted keys, lists of numbers in few lines."""
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
    flat = re.compile(r"\[\s+([^\[\]{}\"]*?)\s+\]")
    return flat.sub(lambda found: textwrap.fill(f"[{' '.join(found[1].split())}]", 110), text)


def plain(value: Any) -> Any:
    """A chart's JSON without its template, arrays as lists, numbers with six digits."""
    if isinstance(value, dict) and "bdata" in value:
        flat = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        shape = [int(side) for side in str(value.get("shape", len(flat))).split(",")]
        return plain(flat.reshape(shape).tolist())
    if isinstance(value, dict):
        return {key: plain(inside) for key, inside in value.items() if key != "template"}
    if isinstance(value, list):
        return [plain(inside) for inside in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def fields(message: Any, path: str = "") -> Iterator[str]:
    """What a browser is told of an element, field by field."""
    for field, value in message.ListFields():
        here = f"{path}.{field.name}".removeprefix(".")
        for one in list(value) if field.is_repeated else [value]:
            if NOBODY_READS.search(here) or isinstance(one, bytes):
                continue
            if hasattr(one, "ListFields"):
                yield from fields(one, here)
            else:
                yield f"  {here}: {told(plain(json.loads(one))) if here == 'spec' else one}"


def page_text(app: Any, displayed: Callable[[Any], Any]) -> str:
    """All elements of a page that say something from the top, then those of its side bar."""

    def lines(node: Any) -> Iterator[str]:
        for child in getattr(node, "children", {}).values():
            if child.type == "dataframe":
                yield f"dataframe\n{displayed(child).to_csv(index=False)}{child.proto.columns}"
            elif child.type == "table":
                yield f"table\n{child.value.to_csv()}"
            elif getattr(child, "proto", None) is not None and (said := [*fields(child.proto)]):
                yield "\n".join([child.type, *said])
            yield from lines(child)

    return "\n".join(itertools.chain(lines(app.main), ["SIDE BAR"], lines(app.sidebar)))


def write(path: Path, text: str, place: str = "") -> None:
    """Write a text without what differs from run to run: places and today's date."""
    for folder, name in ((place, "PLACE"), (sys.path[0], "CHECKOUT")):
        text = text.replace(folder, name) if folder else text
    for day in (datetime.now(UTC) + timedelta(days=d) for d in (-1, 0, 1)):
        text = text.replace(f"{day:%Y-%m-%d}", "TODAY").replace(f"{day.day} {day:%B %Y}", "TODAY")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", encoding="utf-8")


def run(words: str, number: int) -> str:
    """A command as it is typed: its exit code and what it prints; JSON goes into a file."""
    out, err, code, typed = io.StringIO(), io.StringIO(), "0", shlex.split(words)
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            code = str(surface()[-1](typed))
        except SystemExit as ended:
            code = str(ended.code)
        except Exception as error:  # a fault, and recorded as one
            code = f"raised {type(error).__name__}: {error}"
    printed, quiet = out.getvalue(), (DeprecationWarning, PendingDeprecationWarning, ResourceWarning)
    if "--json" in typed and printed.startswith("{"):
        Path(f"printed-{number}.json").write_text(printed, encoding="utf-8")
        printed = "JSON"
    noticed = {f"{w.category.__name__}: {w.message}" for w in warned if not issubclass(w.category, quiet)}
    said = (f"$ {words}", f"-- exit {code}", printed, "-- stderr", err.getvalue(), *sorted(noticed))
    return "\n".join(said)


def record_line(data: Path, to: Path, line: str) -> None:
    """One line of the command line, in a folder of its own, and the files that it writes there."""
    with tempfile.TemporaryDirectory() as place, chdir(place):
        for path in data.iterdir():
            Path(path.name).symlink_to(path)
        said = [run(words.strip(), number) for number, words in enumerate(line.split("&&"), start=1)]
        write(to.with_name(f"{to.name}.txt"), "\n".join(said), place)
        for new in sorted(path for path in Path().iterdir() if not path.is_symlink()):
            write(to.with_name(f"{to.name}.{new}.txt"), text_of(new.name, new.read_bytes()), place)


def record_pages(name: str, text: str, to: Path, pages: Sequence[str]) -> None:
    """Every page of a session that has an example in use, or the file of that ``text``."""
    from streamlit.testing.v1 import AppTest

    from tests.pages import harness

    saved: dict[str, tuple[str, str]] = {}
    main_module = sys.modules["__main__"]  # Streamlit puts a page in its place
    offered, begin = harness.st.download_button, AppTest.from_file

    def noted(label: str, data: Any, file_name: str = "", *rest: Any, **more: Any) -> Any:
        if file_name.endswith(READ):
            content = data() if callable(data) else data
            raw = content.encode() if isinstance(content, str) else content
            saved[more.get("key", label)] = file_name, text_of(file_name, raw)
        return offered(label, data, file_name, *rest, **more)

    def settled(act: Callable[..., Any], *given: Any) -> Any:
        app = act(*given)
        for _ in range(20):
            try:
                return harness.settled(app)
            except TimeoutError:  # the machine has much to do
                continue
        raise TimeoutError(f"The work for {name} is not done after 20 minutes.")

    def look(what: str, act: Callable[..., Any], *given: Any) -> None:
        """Record what is shown when a further run changes nothing."""
        shown = [""]
        try:
            app = settled(act, *given)
            for _ in range(9):
                saved.clear()
                shown.append(page_text(settled(harness.drawn_unfolded, app), harness.displayed))
                if shown[-1] == shown[-2]:
                    break
            assert shown[-1] == shown[-2], "is another page after every run"
        except AssertionError as error:  # an exception on the page: a fault, and recorded as one
            shown.append(f"raised {error}")
        write(to / f"{what}.txt", shown[-1])
        for number, (file, content) in enumerate(saved.values(), start=1):
            write(to / f"{what}.{number:02}.{named(file)}.txt", content)

    def choose(number: int) -> Any:
        return lens_box(app).select_index(number).run()

    def click(control: Any, value: str) -> Any:
        return (control.select(value) if value else control.click()).run()

    harness.st.download_button = noted
    AppTest.from_file = lambda *given, **more: begin(*given, **(more | {"default_timeout": 900}))
    try:
        with harness.fresh_work(False):
            app = settled(harness.begun().switch_page("../data.py").run)
            if text:
                app = settled(harness.upload, app, f"{name}.csv", text)
            else:
                app.session_state["in-use"] = name
            for page in pages:
                look(page, lambda: app.switch_page(f"../{page}.py").run())  # noqa: B023 (called at once)
                box = lens_box(app) if name in WIDE else None
                if box is not None:
                    usual = box.index
                    for number, lens in enumerate(box.options):
                        if number != usual:
                            look(f"{page} {named(lens)}", choose, number)
                    choose(usual)
                for label, value in CLICKS.items() if name in WIDE else ():
                    for control in (*app.multiselect, *app.selectbox, *app.button):
                        if control.label == label:
                            look(f"{page} {named(label)}", click, control, value)
            app.switch_page("../learn.py").run()
            links = {link.proto.query_string for link in app.get("page_link")} if name == "wine" else set()
            for link in sorted(links - {""}):
                key, _, app.query_params[key] = link.partition("=")
                look(f"learn {named(link)}", app.run)
    finally:
        sys.modules["__main__"] = main_module
        harness.st.download_button, AppTest.from_file = offered, begin


def lens_box(app: Any) -> Any:
    """The control of the lens, where the page has it."""
    return next((box for box in app.selectbox if box.label == "Look at"), None)


def record_one(task: Task, data: Path, folder: Path, pages: Sequence[str]) -> tuple[str, float]:
    """What was recorded, and seconds of CPU."""
    before = time.process_time()
    kind, name, line = task
    if kind == "cli":
        record_line(data, folder / kind / name / named(line), line)
    else:
        text = (data / f"{name}.csv").read_text("utf-8") if line == "uploaded" else ""
        record_pages(name, text, folder / kind / name, pages)
    return " ".join(task), time.process_time() - before


def record(folder: Path, jobs: int, only: str) -> None:
    """Record the checkout that is first on the path."""
    from scripts.freeze_data import tasks, write_data

    commands, pages, examples, _ = surface()
    with tempfile.TemporaryDirectory() as place:
        data = Path(place)
        names = write_data(data, examples)
        for path in data.glob("*.csv"):
            write(folder / "data" / f"{path.name}.txt", path.read_text("utf-8"))
        work = [task for task in tasks(commands, names, data) if only in " ".join(task)]
        if not work:
            raise SystemExit(
                f"Nothing has {only!r} in it; expected words as 'cli wine survey' or 'pages two'."
            )
        if len({(kind, name, named(line)) for kind, name, line in work}) < len(work):
            raise SystemExit("A line stands twice in scripts/freeze_data.txt.")
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            coming = [pool.submit(record_one, task, data, folder, pages) for task in work]
            took = sorted((future.result() for future in as_completed(coming)), key=lambda one: -one[1])
    files = list(folder.rglob("*.txt"))
    for what, seconds in took[:12]:
        print(f"{seconds:7.1f} s of CPU: {what:.150}")
    for path in files:
        if re.search("^(-- exit )?raised ", path.read_text("utf-8"), re.MULTILINE):
            print(f"an exception: {path}")
    size, minutes = sum(path.stat().st_size for path in files) / 1e6, sum(seconds for _, seconds in took) / 60
    print(f"{len(took)} tasks, {len(files)} files, {size:.1f} MB, {minutes:.1f} minutes of CPU")


def compare(old: Path, new: Path, most: int = 400, of_one: int = 40) -> int:
    """Print what differs, at most so many lines; 1 where anything does."""
    found = [{str(path.relative_to(of)): path for path in of.rglob("*.txt")} for of in (old, new)]
    for of, files in zip((old, new), found, strict=True):
        if not files:
            raise SystemExit(f"There is no record in {str(of)!r}.")
    names, differing = sorted({*found[0], *found[1]}), 0
    for name in names:
        texts = [files[name].read_text("utf-8") if name in files else None for files in found]
        if texts[0] == texts[1]:
            continue
        differing += 1
        if None in texts:
            print(f"only in {old if texts[1] is None else new}: {name}")
            continue
        pieces = [re.findall("(?m)^$|.{1,160}", str(text)) for text in texts]
        lines = difflib.unified_diff(*pieces, "old", "new", n=1, lineterm="")
        shown = list(itertools.islice(lines, min(most, of_one)))
        print(f"differs: {name}", *shown, sep="\n")
        most -= len(shown)
    print(f"{differing} of {len(names)} files differ")
    return int(differing > 0)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    which = parser.add_subparsers(dest="which", required=True)
    recording, comparing = which.add_parser("record"), which.add_parser("compare")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--checkout", type=Path, default=HOME, help="another one")
    recording.add_argument("--jobs", type=int, default=2, help="processes (2)")
    recording.add_argument("--only", default="", help='a part: "cli wine survey", "pages two"')
    recording.add_argument("--begun", action="store_true", help=argparse.SUPPRESS)
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    asked = parser.parse_args(argv)
    if asked.which == "compare":
        return compare(asked.old, asked.new)
    if asked.begun:
        record(asked.folder, asked.jobs, asked.only)
        return 0
    if any(asked.folder.glob("*")):
        parser.error(f"the folder {str(asked.folder)!r} is not empty")
    of_app = ("CALIBLENS_", "STREAMLIT_", "DATABASE_")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(of_app)}
    ours |= dict(pair.split("=") for pair in SAME.split())
    ours["PYTHONPATH"] = os.pathsep.join(map(str, (asked.checkout.resolve(), HOME)))  # of HOME scripts alone
    words = [str(Path(__file__).resolve()), "record", str(asked.folder.resolve()), "--begun"]
    words += ["--jobs", str(asked.jobs), "--only", asked.only]
    return subprocess.run([sys.executable, *words], cwd=asked.checkout, env=ours).returncode  # noqa: S603 (ours)


if __name__ == "__main__":
    sys.exit(main())
