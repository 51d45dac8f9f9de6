"""Whole paragraphs out of assets/texts: there they are edited, without Python."""

import re
from collections.abc import Mapping
from functools import cache

from calibcore.limits import asset_path


@cache
def paragraphs(name: str) -> Mapping[str, str]:
    """Heading -> the paragraph below it, of assets/texts/<name>.md ("## heading"). No line breaks at a %."""
    text = asset_path("texts", f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"(?<=\d) (?=%)", "\N{NO-BREAK SPACE}", text)
    return dict(re.findall(r"^## (.+)\n\n?(.+)$", text, flags=re.MULTILINE))


def paragraph(name: str, heading: str, **values: object) -> str:
    """The paragraph below a heading, with ``values`` in place of what stands in braces.

    A missing paragraph or value is a mistake of ours and raises.
    """
    return paragraphs(name)[heading].format(**values)
