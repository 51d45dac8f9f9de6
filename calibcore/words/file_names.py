"""What a file is called that somebody takes along: after the data and what it holds."""

import re

from calibcore.data.outside_text import visible

LONGEST = 40
"""Letters that the name of the data takes at most."""
_ENDINGS = re.compile(
    r"\.(?:csv|tsv|txt|json|jsonl|ndjson|npz|npy|parquet|feather|arrow|xlsx|zip|gz)\b", re.I
)
_OTHERS = re.compile(r"[^\w]+|_+")


def file_name(data: str, what: str, ending: str, date: str = "") -> str:
    """ "derm.csv", "report", "pdf" -> "derm-report-2026-11-26.pdf".

    Letters and digits of every script stay, all else becomes a dash: no name is a path, hides its ending or
    has to be quoted.

    data : what the data are called; of a long name the first words
    date : of what is dated
    """
    words = [part for part in _OTHERS.split(_ENDINGS.sub("", visible(data))) if part]
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer) > LONGEST:
            break
        name = longer
    name = name or "".join(words[:1])[:LONGEST]
    return f"{'-'.join(filter(None, (name, what, date)))}.{ending}"
