"""What nobody may read of predictions of which only the confidence in the answer is known."""

import re

_AMISS = re.compile(
    r"(?i)['\"‘“](right|wrong|hit|miss)['\"’”]"  # as names of classes
    r"|\b(2|two|both) classes\b|\bthe event\b|\b(class|classes|predicted|P\() ?(right|wrong|hit|miss)\b"
    r"|Traceback|in the top class|\bclass(es)? and checks?\b|\bother classes\b|(has|have) the class\b"
    r"|the classes happen"
)


def amiss(text: str) -> list[str]:
    """Each place that speaks of two classes, or of an event, with what stands around it."""
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    return [plain[max(0, m.start() - 60) : m.end() + 40] for m in _AMISS.finditer(plain)]
