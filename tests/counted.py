"""Work counted in calls of functions and in characters that patterns look at, never in seconds.

A busy machine changes nothing of it, so a bound needs no room for one.
"""

import cProfile
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

_ASKS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")


@dataclass
class Work:
    """calls : of functions, those of Python and compiled ones; longest : by pattern, "module.NAME", the most
    characters that it was asked about at once."""

    calls: int = 0
    longest: dict[str, int] = field(default_factory=dict)


class _Counting:
    """A pattern that notes what it is asked about."""

    def __init__(self, pattern: re.Pattern[Any], name: str, longest: dict[str, int]) -> None:
        self._pattern, self._name, self._longest = pattern, name, longest

    def __getattr__(self, name: str) -> Any:
        own = getattr(self._pattern, name)
        if name not in _ASKS:
            return own

        def asked(*given: Any, **named: Any) -> Any:
            text = given[1] if name in ("sub", "subn") else given[0]
            self._longest[self._name] = max(self._longest.get(self._name, 0), len(text))
            return own(*given, **named)

        return asked


@contextmanager
def counted(package: str = "calibcore") -> Iterator[Work]:
    """What is done within. The patterns are those that modules of ``package`` hold by a name."""
    work, profile = Work(), cProfile.Profile()
    with pytest.MonkeyPatch.context() as patch:
        for module_name, module in list(sys.modules.items()):
            if module_name.startswith(package):
                for name, value in list(vars(module).items()):
                    if isinstance(value, re.Pattern):
                        counting = _Counting(value, f"{module_name}.{name}", work.longest)
                        patch.setattr(module, name, counting)
        profile.enable()
        try:
            yield work
        finally:
            profile.disable()
            work.calls = sum(entry.callcount for entry in profile.getstats())
