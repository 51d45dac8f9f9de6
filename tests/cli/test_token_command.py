"""Tokens on the command line: printed once, listed without themselves, revoked by their names."""

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from calibcore import limits
from calibcore.store import Tokens, open_store
from tests.cli.commands import run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(limits, "SERVER", replace(limits.SERVER, data=tmp_path, database_url=""))
    return tmp_path


def opens(folder: Path, secret: str, after: int = 0) -> bool:
    store = open_store("", folder)
    found = Tokens(store).find(secret, int(time.time()) + after * 86_400)
    store.close()
    return found is not None


def test_a_token_is_printed_once_and_revoked_by_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "token", "list") == (0, "There are no tokens.\n", "")
    code, out, err = run(capsys, "token", "create", "nightly", "--days", 30)
    secret = out.removesuffix("\n")
    assert code == 0
    assert re.fullmatch(r"The token 'nightly' opens until \d{4}-\d\d-\d\d. It is shown only now.\n", err)
    assert opens(folder, secret, 29)
    assert not opens(folder, secret, 30)
    code, out, err = run(capsys, "token", "list")
    assert (code, err) == (0, "")
    assert out.startswith("'nightly', made ")
    assert secret not in out
    assert run(capsys, "token", "revoke", "nightly")[0] == 0
    assert not opens(folder, secret)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["create"], "Expected token create NAME."),
        (["list", "nightly"], "Expected token list, with no name."),
        (["revoke", "nightly"], "There is no token 'nightly'."),
        (["create", "nightly", "--days", 0], "A token for 0 days cannot be made; expected 1 to 3,650."),
        (["create", " "], "The name ' ' cannot be used; expected 1 to 60 characters."),
        (["revoke", "nightly", "--days", 3], "--days says how long a new token opens"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: list[object], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "token", *words)
    assert (code, out) == (2, "")
    assert err.startswith(says)


def test_a_store_that_cannot_be_reached_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(limits, "SERVER", replace(limits.SERVER, data=tmp_path / "file"))
    code, _, err = run(capsys, "token", "list")
    assert code == 2
    assert err.count("\n") == 1
