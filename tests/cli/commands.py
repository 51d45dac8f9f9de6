"""A command of the command line, run in this process."""

import pytest

from calibcore.__main__ import main


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Its exit code, what it prints and what it complains about."""
    code = main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err
