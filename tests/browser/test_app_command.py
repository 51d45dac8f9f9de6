"""`caliblens app FILE`, as a person starts it in a folder of their own, and `calibcore.show` in Python."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from calibcore import Predictions, show
from tests.browser.acts import LONG, settle
from tests.browser.conftest import PATIENCE, ROOT, SPARING, _wait_until_healthy, free_port


@pytest.mark.slow
def test_the_verdict_on_the_file_for_this_machine_alone(browser: Browser, tmp_path: Path) -> None:
    p = np.random.default_rng(3).uniform(0.5, 1, 400).round(3)
    labels = np.where(np.arange(400) % 2, "ill", "well")  # however sure the model is, a coin decides
    rows = [f"{x:.3f},{1 - x:.3f},{label}" for x, label in zip(p, labels, strict=True)]
    (tmp_path / "overconfident.csv").write_text("\n".join(["ill,well,label", *rows]) + "\n")
    port, log = free_port(), tmp_path / "log.txt"
    words = ("app", "overconfident.csv", "--no-browser", "--port", str(port))
    command = [sys.executable, "-m", "calibcore", *words]
    settings = {"PYTHONPATH": str(ROOT), "CALIBLENS_DATA": "data"} | SPARING
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | settings,
            start_new_session=True,
        )
    try:
        address = f"http://localhost:{port}"
        _wait_until_healthy(address, process, log)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        for arrive in (lambda: page.goto(address), page.reload):  # after which nothing is loaded twice
            arrive()
            line = page.get_by_text("overconfident.csv · 400 cases · 2 classes").first
            line.wait_for(timeout=LONG)
            page.locator(".st-key-tiles").get_by_text("Miscalibrated").first.wait_for(timeout=LONG)
            settle(page)
            page.get_by_role("combobox", name="Predictions", exact=True).click()
            assert page.get_by_role("option", name="overconfident.csv").count() == 1
            page.keyboard.press("Escape")
        context.close()
        with socket.socket() as other:  # an address of this machine that only a server for all would have
            assert other.connect_ex(("127.0.0.2", port)) != 0
    finally:
        os.killpg(process.pid, signal.SIGINT)  # Ctrl+C
        assert process.wait(timeout=30) == 0
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.1", port)) != 0
    assert log.read_text() == f"Caliblens is at {address}, for this machine alone. Ctrl+C ends it.\n"
    assert (tmp_path / "data").is_dir()


@pytest.mark.slow
def test_predictions_in_memory_are_shown(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALIBLENS_DATA", str(tmp_path))
    p = np.random.default_rng(3).uniform(0.5, 0.99, 400).round(3)
    predictions = Predictions.from_arrays(p, np.arange(400) % 2, ["well", "ill"])  # a coin decides
    with show({"overconfident": predictions}, open_browser=False) as app:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        for _ in range(2):  # every tab begins with them
            page.goto(app.url)
            page.get_by_text("overconfident · 400 cases · 2 classes").first.wait_for(timeout=LONG)
            page.locator(".st-key-tiles").get_by_text("Miscalibrated").first.wait_for(timeout=LONG)
            settle(page)
        context.close()
        host, port = app.url.removeprefix("http://").split(":")
        with socket.socket() as other:  # an address of this machine that only a server for all would have
            assert other.connect_ex(("127.0.0.2", int(port))) != 0
    with socket.socket() as other:
        assert other.connect_ex((host, int(port))) != 0
