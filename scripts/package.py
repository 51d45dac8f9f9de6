"""Wheel and sdist, built, checked, and installed in fresh environments: `make package`.

The core and the app, each at the newest packages that there are and at the oldest that pyproject.toml allows;
in every environment the program, a diagnosis, a part of the tests, and what is said of a missing extra.
Ends at the first thing that fails.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from tests.browser.acts import settle
from tests.browser.conftest import QUIET, find_chromium

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "requirements-package.txt"
PROBES = ("pytest", "hypothesis")
OLDEST = "3.11"
NEWEST = ("python3.14", "python3.13", "python3.12", sys.executable)
CORE_TESTS = (
    "estimators/test_ece",
    "estimators/test_skce",
    "assessment/test_survey",
    "data/test_predictions",
    "io/test_io_roles",
    "io/test_io_two_readings",
    "streaming/test_streaming",
)
APP_TESTS = (*CORE_TESTS, "io/test_io", "io/test_io_workbooks", "painters/test_figures", "store/test_store")
ENVIRONMENTS = {
    "core-newest": ("", CORE_TESTS),
    "core-oldest": ("", CORE_TESTS),
    "app-newest": ("app,cluster", APP_TESTS),
    "app-oldest": ("app,cluster", APP_TESTS),
}
"""Name -> extras, and the tests that run there."""
MISSING = {
    "excel": "diagnose table.xlsx",
    "print": "figure wine.npz --out wine.pdf",
    "report": "report wine.npz --out wine.html",
    "cluster": "diagnose wine.npz --cluster tcp://127.0.0.1:1",
    "app": "app",
}
"""Extra -> what asks for it."""
WAIT = 120.0
"""Seconds until the dashboard has to answer."""


class Environment:
    """A fresh virtual environment, and a folder of somebody's beside it."""

    def __init__(self, folder: Path, name: str, python: str) -> None:
        self.name, self.home, self.python = name, folder / f"{name}-home", folder / name / "bin" / "python"
        run(python, "-m", "venv", folder / name)
        self.home.mkdir()
        shutil.copy(ROOT / "assets" / "examples" / "wine.npz", self.home)
        shutil.copytree(ROOT / "tests", self.home / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        (self.home / "pytest.ini").write_text(
            "[pytest]\nmarkers =\n  slow\n  some\n  hostile\n"
            "addopts = --import-mode=importlib -m 'not slow and not hostile'\n"
        )
        with zipfile.ZipFile(self.home / "table.xlsx", "w") as book:  # as far as it is looked at
            book.writestr("xl/workbook.xml", "")

    def install(self, *what: object) -> None:
        """By pip."""
        run(self.python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *what)

    def size(self) -> float:
        """Megabytes (2^20 bytes) of what is installed, pip itself left out."""
        (packages,) = self.python.parents[1].glob("lib/python*/site-packages")
        own = [path for path in packages.iterdir() if path.name.split("-")[0] not in ("pip", "setuptools")]
        files = [file for path in own for file in ([path] if path.is_file() else path.rglob("*"))]
        return sum(file.lstat().st_blocks * 512 for file in files if file.is_file()) / 2**20

    def caliblens(self, words: str) -> subprocess.CompletedProcess[str]:
        """What the program answers, in somebody's folder."""
        return subprocess.run(  # noqa: S603 (ours)
            [self.python.with_name("caliblens"), *words.split()],
            cwd=self.home, env=clean(CALIBLENS_DATA=str(self.home / "data")), capture_output=True, text=True,
        )  # fmt: skip

    def expect(self, words: str, *said: str, code: int = 0) -> None:
        """The program answers with all of this; a refusal is one line on stderr."""
        done = self.caliblens(words)
        text = done.stderr if code else done.stdout
        fine = done.returncode == code and all(part in text for part in said)
        if not fine or (code and (text.count("\n") != 1 or done.stdout)):
            sys.exit(f"{self.name}: caliblens {words} -> {done.returncode}\n{done.stdout}\n{done.stderr}")

    def test(self, names: Sequence[str]) -> None:
        """A part of the tests, on what is installed."""
        self.install(*PROBES)
        files = [f"tests/{name}.py" for name in names]
        run(self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, cwd=self.home)

    def dashboard(self) -> None:
        """It starts, answers, and ends when it is told to."""
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            port = probe.getsockname()[1]
        words = ("app", "wine.npz", "--no-browser", "--port", str(port))
        log = self.home / "log.txt"
        with log.open("w") as output:
            server = subprocess.Popen(  # noqa: S603 (ours)
                [self.python.with_name("caliblens"), *words],
                cwd=self.home, env=clean(CALIBLENS_DATA="data"), stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
            end, answer = time.monotonic() + WAIT, b""
            try:
                while answer != b"ok" and time.monotonic() < end and server.poll() is None:
                    time.sleep(0.5)
                    with suppress(OSError):
                        answer = got(port, "/_stcore/health")
                version = json.loads(got(port, "/version")) if answer == b"ok" else {}
                wrong = visited(f"http://localhost:{port}", "wine.npz") if version else "no answer"
            finally:
                server.terminate()
            code = server.wait(WAIT)
        text = log.read_text()
        if wrong or code or version.get("name") != "caliblens" or " ERROR " in text or "Traceback" in text:
            sys.exit(f"{self.name}: {wrong}\nThe dashboard is {version} and ended with {code}:\n{text}")


def visited(address: str, name: str) -> str:
    """What a browser misses or complains about: the verdict on that file, then every page."""
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        page = browser.new_page()
        page.set_default_timeout(WAIT * 1000)
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.get_by_text(f"{name} · ").first.wait_for()
        page.locator(".st-key-verdict").get_by_text("Miscalibrated").first.wait_for()
        for link in page.get_by_test_id("stTopNavLink").all_inner_texts():
            page.get_by_role("link", name=link, exact=True).click()
            at_rest(page)
            if page.get_by_text("Something went wrong").count():
                complaints.append(f"The page {link} failed.")
        browser.close()
    return "\n".join(complaints)


def at_rest(page: Page) -> None:
    """Wait as long as for an answer: in a fresh environment a page compiles what it computes with."""
    end = time.monotonic() + WAIT
    while True:
        try:
            return settle(page)
        except AssertionError:
            if time.monotonic() > end:
                raise


def got(port: int, path: str) -> bytes:
    """What the dashboard answers."""
    with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=5) as answer:
        body: bytes = answer.read()
        return body


def clean(**more: str) -> dict[str, str]:
    """The environment without what would lead to this checkout."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")} | more


def run(*command: object, cwd: Path = ROOT) -> str:
    """Run; returns what was printed, or ends with it."""
    done = subprocess.run(  # noqa: S603 (ours)
        [str(word) for word in command], cwd=cwd, env=clean(), text=True, stdout=subprocess.PIPE
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def newest() -> str:
    """The newest Python that starts."""
    for name in NEWEST:
        with suppress(OSError):
            if subprocess.run([name, "-V"], capture_output=True).returncode == 0:  # noqa: S603 (ours)
                return name
    return sys.executable


def main() -> None:
    """Build, check, install, try."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--out", type=Path, default=ROOT / "dist", help="where both are put (dist)")
    arguments.add_argument("--oldest", default=f"python{OLDEST}", help="the oldest Python")
    arguments.add_argument("--newest", default=newest(), help="the newest Python")
    arguments.add_argument("--only", action="append", choices=ENVIRONMENTS, help="not all environments")
    asked = arguments.parse_args()
    with TemporaryDirectory() as made:
        folder = Path(made)
        run(sys.executable, "-m", "venv", folder / "tools")
        tools = folder / "tools" / "bin"
        run(tools / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check", "-r", TOOLS)
        shutil.rmtree(asked.out, ignore_errors=True)
        run(tools / "python", "-m", "build", "--outdir", asked.out)
        (wheel,), (sdist,) = asked.out.glob("*.whl"), asked.out.glob("*.tar.gz")
        run(tools / "twine", "check", "--strict", wheel, sdist)
        print(f"{wheel.name} and {sdist.name} are built and pass twine check.", flush=True)
        for name in asked.only or ENVIRONMENTS:
            extras, tests = ENVIRONMENTS[name]
            begun, old = time.monotonic(), name.endswith("oldest")
            environment = Environment(folder, name, asked.oldest if old else asked.newest)
            limits = ("-c", lowest(tools, folder / f"{name}.txt", extras)) if old else ()
            built = wheel if old == bool(extras) else sdist
            environment.install(*limits, f"{built}[{extras}]" if extras else built)
            size = environment.size()
            try_out(environment, bool(extras))
            environment.test(tests)
            version, seconds = run(environment.python, "-V").strip(), time.monotonic() - begun
            print(
                f"{name} ({version}, {built.name}): {size:,.0f} MB, all well after {seconds:.0f} s.",
                flush=True,
            )


def lowest(tools: Path, to: Path, extras: str) -> Path:
    """A file of the oldest packages that pyproject.toml allows; what these need in turn is the newest."""
    chosen = [word for extra in filter(None, extras.split(",")) for word in ("--extra", extra)]
    run(
        tools / "uv", "pip", "compile", "--quiet", "--resolution", "lowest-direct", "--only-binary", ":all:",
        "--python-version", OLDEST, *chosen, "--output-file", to, "pyproject.toml",
    )  # fmt: skip
    return to


def try_out(environment: Environment, whole: bool) -> None:
    """The program as people use it."""
    environment.expect("--version", "caliblens ")
    environment.expect("--help", "examples:", "  caliblens survey predictions.csv")
    environment.expect("diagnose wine.npz --lens confidence", "89 cases, 3 classes")
    environment.expect("survey wine.npz --json", '"adjusted_p_value"')
    if not whole:
        for extra, words in MISSING.items():
            environment.expect(words, f'Install it: pip install "caliblens[{extra}]"', code=2)
        return
    for words in (
        "figure wine.npz --out f.pdf",
        "report wine.npz --out r.html",
        "report wine.npz --out r.pdf",
    ):
        environment.expect(words)
    environment.dashboard()


if __name__ == "__main__":
    main()
