"""The one line about each term of art, the same wherever it is explained."""

import re
from functools import cache

from calibcore.limits import asset_path


@cache
def every_term() -> dict[str, str]:
    """Term -> its one line, out of assets/texts/glossary.md ("**term**: line")."""
    text = asset_path("texts", "glossary.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\*\*(.+?)\*\*: (.+)$", text, flags=re.MULTILINE))


def glossary(term: str) -> str:
    """The one line about a term; a missing term is a mistake of ours and raises."""
    return every_term()[term]
