"""Configuration: what the environment may say."""

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from calibcore import limits
from calibcore.limits import (
    LIMITS,
    PREFIX,
    SIGN_IN,
    VARIABLES,
    VERSION,
    Limits,
    Server,
    SettingError,
    asset_path,
)

ROOT = Path(__file__).parents[1]

NUMBERS = [PREFIX + field.name.upper() for field in fields(Limits)]
SIGNED = {PREFIX + name.upper(): name for name in SIGN_IN} | {"CALIBLENS_BASE_URL": "https://here"}


def test_an_empty_environment_gives_the_defaults_and_at_least_one_thread():
    found = Limits.from_environment({})
    assert found.threads >= 1
    shares = {name: getattr(found, name) for name in ("threads", *limits.SHARES)}
    assert found == Limits(**shares)


@pytest.mark.parametrize(
    ("granted", "expected"),
    [
        ("2147483648", (178, 536, 357)),
        ("max", (2_000, 4_000, 2_000)),
        ("9" * 18, (2_000, 4_000, 2_000)),
        ("0", (1, 1, 1)),
        ("", (2_000, 4_000, 2_000)),
    ],
)
def test_a_small_container_unpacks_and_holds_less(
    granted: str, expected: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.os, "sysconf", lambda _name: 200_000)  # 40 GB
    (tmp_path / "memory.max").write_text(granted + "\n")
    monkeypatch.setattr(limits, "CGROUPS", (tmp_path / "none", tmp_path / "memory.max"))
    found = Limits.from_environment({})
    assert (found.max_unpacked_mb, found.uploads_mb, found.visitor_uploads_mb) == expected
    assert Limits.from_environment({"CALIBLENS_MAX_UNPACKED_MB": "700"}).max_unpacked_mb == 700


def test_every_variable_is_read():
    given = {name: str(11 + i) for i, name in enumerate(NUMBERS)}
    found = Limits.from_environment(given)
    for name, text in given.items():
        assert getattr(found, name.removeprefix(PREFIX).lower()) == int(text)


def test_all_variables_begin_with_the_prefix():
    assert len(VARIABLES) == len(set(VARIABLES))
    assert all(name.isupper() for name in VARIABLES)
    assert [name for name in VARIABLES if not name.startswith("CALIBLENS_")] == ["DATABASE_URL"]


def test_zero_threads_stand_for_the_cores_of_this_process():
    expected = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert Limits.from_environment({"CALIBLENS_THREADS": "0"}).threads == expected


def test_the_other_settings_stay_when_threads_are_counted():
    assert Limits.from_environment({"CALIBLENS_JOBS": "7"}).jobs == 7


def test_blanks_count_as_left_out():
    blank = Limits.from_environment({"CALIBLENS_JOBS": "  ", "CALIBLENS_MAX_ROWS": ""})
    assert blank == Limits.from_environment({})
    assert Limits.from_environment({"CALIBLENS_JOBS": " 3 "}).jobs == 3


@pytest.mark.parametrize("text", ["-1", "2.5", "many", "1e3", "0x10", "²", "1_000", "+4"])
def test_what_is_no_whole_number_is_refused_by_name(text: str):
    with pytest.raises(ValueError, match=r"CALIBLENS_MAX_ROWS is .*; expected a whole number from 1 up"):
        Limits.from_environment({"CALIBLENS_MAX_ROWS": text})


def test_only_threads_may_be_zero():
    for name in NUMBERS:
        if name != "CALIBLENS_THREADS":
            with pytest.raises(ValueError, match=f"{name} is '0'"):
                Limits.from_environment({name: "0"})


def test_other_variables_are_left_alone():
    assert Limits.from_environment({"THREADS": "x", "CALIBLENS": "y"}) == Limits.from_environment({})


def test_this_process_has_limits_of_at_least_one():
    assert all(getattr(LIMITS, name.removeprefix(PREFIX).lower()) >= 1 for name in NUMBERS)


def test_assets_are_found():
    assert asset_path("examples", "index.json").is_file()
    assert VERSION.count(".") == 2


def test_reports_are_not_kept_longer_than_allowed():
    with pytest.raises(ValueError, match="CALIBLENS_SHARE_DAYS is 40"):
        Limits.from_environment({"CALIBLENS_SHARE_DAYS": "40", "CALIBLENS_MAX_SHARE_DAYS": "30"})


def test_a_server_without_settings_keeps_reports_where_it_can_write(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("os.access", lambda *_: True)
    assert Server.from_environment({}) == Server()
    monkeypatch.setattr("os.access", lambda *_: False)
    assert Server.from_environment({"XDG_DATA_HOME": "/mine"}).data == Path("/mine/caliblens")
    assert Server.from_environment({}).data == Path.home() / ".local/share/caliblens"
    assert Server.from_environment({"CALIBLENS_DATA": " /there "}).data == Path("/there")


def test_every_setting_of_the_server_is_read():
    given = SIGNED | {
        "CALIBLENS_DATA": "/there",
        "DATABASE_URL": "postgresql://a/b",
        "CALIBLENS_BASE_URL": "https://here/",
        "CALIBLENS_PUBLIC_SHARING": "Yes",
        "CALIBLENS_PROXIES": "2",
        "CALIBLENS_LOG": "text",
        "CALIBLENS_CLUSTER": "tls://there:8786",
        "CALIBLENS_METRICS": "yes",
        "CALIBLENS_API": "no",
        "CALIBLENS_ADMIN_CLAIM": "groups=it",
        "CALIBLENS_TOKEN": "caliblens_1",
    }
    assert Server.from_environment(given) == Server(
        Path("/there"),
        "postgresql://a/b",
        "https://here",
        True,
        2,
        *SIGN_IN,
        "text",
        "tls://there:8786",
        True,
        False,
        "groups=it",
        "caliblens_1",
    )
    assert Server.from_environment(given).signs_in
    assert not Server().signs_in
    assert Server.from_environment({}).api


def test_a_claim_of_admins_needs_a_value_and_a_sign_in():
    assert (
        Server.from_environment({**SIGNED, "CALIBLENS_ADMIN_CLAIM": "groups=it"}).admin_claim == "groups=it"
    )
    for claim in ("groups", "groups=", "=it"):
        with pytest.raises(ValueError, match="expected NAME=VALUE"):
            Server.from_environment({**SIGNED, "CALIBLENS_ADMIN_CLAIM": claim})
    with pytest.raises(ValueError, match="CALIBLENS_ADMIN_CLAIM needs sign-in"):
        Server.from_environment({"CALIBLENS_ADMIN_CLAIM": "groups=it"})


@pytest.mark.parametrize("name", SIGNED)
def test_half_a_sign_in_is_refused(name: str):
    with pytest.raises(ValueError, match="Sign-in needs all of"):
        Server.from_environment({key: value for key, value in SIGNED.items() if key != name})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBLIC_SHARING", "true"),
        ("PROXIES", "-1"),
        ("LOG", "xml"),
        ("BASE_URL", "here"),
        ("CLUSTER", "there:8786"),
    ],
)
def test_what_is_no_setting_of_the_server_is_refused_by_name(name: str, value: str):
    with pytest.raises(ValueError, match=f"CALIBLENS_{name} is "):
        Server.from_environment({f"CALIBLENS_{name}": value})


WRONG = {
    "CALIBLENS_JOBS": ("none", "CALIBLENS_JOBS is 'none'; expected a whole number from 1 up.\n"),
    "CALIBLENS_LOG": ("xml", "CALIBLENS_LOG is 'xml'; expected json or text.\n"),
}


def ran(*arguments: str, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


STARTS = """
import contextlib, io, json, os, sys

def started(program):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(program, {})
            code = "it went on"
        except SystemExit as end:
            code = end.code
    return code, out.getvalue(), err.getvalue()

answers = []
for name, value, program in json.loads(sys.argv[1]):
    os.environ[name] = value
    answers.append(started(program))
    del os.environ[name]
print(json.dumps(answers))
"""
"""Programs one after the other in one process, each with one setting that makes no sense."""
PROGRAMS = {
    "app-of-numbers": ("CALIBLENS_JOBS", "import app"),
    "app-of-words": ("CALIBLENS_LOG", "import app"),
    "store": ("CALIBLENS_LOG", "from calibcore.store.__main__ import main; main(['backup', 'none'])"),
    "caliblens": ("CALIBLENS_LOG", "from calibcore.__main__ import main; main(['--version'])"),
}


@pytest.mark.parametrize("setting", limits.SECRETS)
def test_a_secret_may_stand_in_a_file(setting: str, tmp_path: Path) -> None:
    name = "DATABASE_URL" if setting == "database_url" else PREFIX + setting.upper()
    file = tmp_path / "secret"
    file.write_text("postgresql://ann:s3cret@host/name\n")
    others = {key: value for key, value in SIGNED.items() if key != name} if setting in SIGN_IN else {}
    server = Server.from_environment({**others, f"{name}_FILE": f" {file} "})
    assert getattr(server, setting) == "postgresql://ann:s3cret@host/name"
    for content, words in (
        ("", "expected a file of one word"), ("a\nb", "expected a file of one word"),
        ("a" * (limits.MOST_SECRET + 1), "expected a file of one word"), (b"\xff", "holds no text"),
    ):  # fmt: skip
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(SettingError, match=f"^{name}_FILE names .*{words}"):
            Server.from_environment({f"{name}_FILE": str(file)})
    with pytest.raises(SettingError, match="cannot be read: no such file"):
        Server.from_environment({f"{name}_FILE": str(tmp_path / "none")})
    with pytest.raises(SettingError, match="both given"):
        Server.from_environment({name: "a", f"{name}_FILE": str(file)})


@pytest.mark.slow
def test_a_setting_that_makes_no_sense_stops_a_program_with_one_sentence() -> None:
    asked = [(name, WRONG[name][0], program) for name, program in PROGRAMS.values()]
    code, out, err = ran("-c", STARTS, json.dumps(asked))
    assert (code, err) == (0, "")
    answers = dict(zip(PROGRAMS, map(tuple, json.loads(out)), strict=True))
    assert answers == {what: (2, "", WRONG[name][1]) for what, (name, _) in PROGRAMS.items()}


@pytest.mark.slow
def test_a_library_is_imported_whatever_is_set_and_raises_where_a_setting_is_needed() -> None:
    script = (
        "import os\n"
        "import calibcore, calibcore.io, calibcore.report, calibcore.store\n"
        "from calibcore.limits import SettingError\n"
        "p = calibcore.Predictions.from_arrays([[0.5, 0.5]] * 9, [0, 1, 1] * 3)\n"
        "def read():\n    calibcore.io.read(b'a,b,label\\n1,0,a\\n0,1,b\\n')\n"
        "try:\n    read()\nexcept SettingError as error:\n    print(error)\n"
        "del os.environ['CALIBLENS_MAX_ROWS']\n"  # of the others neither of these needs one
        "read()\n"
        "calibcore.diagnose(p, calibcore.DiagnosisSpec(resamples=9))"
    )
    wrong = {"CALIBLENS_LOG": "xml", "CALIBLENS_PROXIES": "-1", "CALIBLENS_MAX_ROWS": "many"}
    said = "CALIBLENS_MAX_ROWS is 'many'; expected a whole number from 1 up.\n"
    assert ran("-c", script, **wrong) == (0, said, "")
    with pytest.raises(SettingError):
        Limits.from_environment({"CALIBLENS_THREADS": "many"})
    with pytest.raises(AttributeError, match="NOTHING"):
        limits.NOTHING  # noqa: B018
