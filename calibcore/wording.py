"""Numbers and lists as every text writes them."""

import re
from collections.abc import Sequence

LONGEST_QUOTE = 60
LONGEST_LIST = 300
"""Characters after which no further name is listed."""


def percent(probability: float, decimals: int = 1) -> str:
    """0.9412 -> "94.1 %"; never rounded to 0 or 100 unless it is."""
    value = 100 * probability
    text = f"{value:.{decimals}f}"
    step = 10.0**-decimals
    if float(text) >= 100 and value < 100:
        text = f"> {100 - step:.{decimals}f}"
    elif float(text) <= 0 and value > 0:
        text = f"< {step:.{decimals}f}"
    return f"{text}\N{NO-BREAK SPACE}%"


def count(number: int, noun: str) -> str:
    """1204, "case" -> "1,204 cases"."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def joined(names: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def quoted(names: Sequence[str], last: str = "and") -> str:
    """ "'a'", "'a' and 'b'", "'a', 'b' and 'c'"."""
    return joined([f"'{name}'" for name in names], last)


def quote(text: object) -> str:
    """``text`` in quotation marks, control characters spelled out, cut to about 60 characters."""
    quoted_text = repr(str(text)[: 2 * LONGEST_QUOTE])
    cut = quoted_text[: LONGEST_QUOTE - 2]
    return quoted_text if len(quoted_text) <= LONGEST_QUOTE else f"{cut}…{quoted_text[0]}"


def listed(names: Sequence[object], most: int = 20) -> str:
    """``'a', 'b' and 3 more``: each as :func:`quote` writes it, and no more than a line or a few hold."""
    shown: list[str] = []
    for name in names[:most]:
        if sum(map(len, shown)) > LONGEST_LIST:
            break
        shown.append(quote(name))
    text, more = ", ".join(shown), len(names) - len(shown)
    return f"{text} and {more:,} more" if more else text


def sentences(*parts: str) -> str:
    """One behind the other, without those that are empty."""
    return " ".join(filter(None, parts))


def in_noun(text: str, noun: str) -> str:
    """A text about cases, said of what they are: "Similar cases" -> "Similar patients"."""

    def named(match: re.Match[str]) -> str:
        if match["article"]:
            return f"{match['article']}{'n' * (noun[:1].lower() in 'aeiou')} {noun}"
        called = plural(noun) if match["many"] else noun
        return called[:1].upper() + called[1:] if match[0][0] == "C" else called

    return re.sub(r"\b(?:(?P<article>[Aa]) case|(?P<many>[Cc]ases)|[Cc]ase)\b", named, text)


def plural(noun: str) -> str:
    """The English plural of a regular noun."""
    if noun.endswith(("s", "x", "ch", "sh")) and not noun.endswith("epoch"):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"
