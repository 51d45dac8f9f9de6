"""Whether the names of classes look as if they were in order, as grades are. Never taken for so: asked."""

import re
from collections.abc import Sequence

MOST_CLASSES = 20
"""Of more classes nobody is asked: they are postcodes or years, not grades."""
_LADDERS = (
    ("none", "absent", "no", "normal", "negative", "healthy", "benign", "never"),
    (
        "minimal",
        "trace",
        "trivial",
        "very low",
        "verylow",
        "rarely",
        "questionable",
        "borderline",
        "atypical",
    ),
    (
        "low",
        "mild",
        "mildly",
        "small",
        "slight",
        "slightly",
        "minor",
        "weak",
        "weakly",
        "seldom",
        "bad",
        "poor",
        "short",
        "young",
        "cold",
        "well",
    ),
    (
        "medium",
        "moderate",
        "moderately",
        "middle",
        "mid",
        "intermediate",
        "average",
        "fair",
        "sometimes",
        "neutral",
        "warm",
    ),
    (
        "high",
        "severe",
        "severely",
        "large",
        "major",
        "strong",
        "strongly",
        "often",
        "good",
        "long",
        "old",
        "hot",
        "marked",
        "poorly",  # of "well, moderately, poorly differentiated" the worst
    ),
    (
        "very high",
        "veryhigh",
        "extreme",
        "very severe",
        "critical",
        "always",
        "excellent",
        "proliferative",
        "undifferentiated",
        "anaplastic",
    ),
)
"""Words by how much they say, from the least on. No two of a step stand for two classes of one order."""
_STEP = {word: step for step, words in enumerate(_LADDERS) for word in words}
_ROMAN = {word: i for i, word in enumerate(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"], 1)}
_GRADES = {
    "", "grade", "grades", "g", "stage", "level", "score", "degree", "severity", "rank", "step", "tier",
    "risk",    "rating", "star", "stars", "isup", "gleason", "kl", "bi-rads", "birads", "pi-rads",
    "pirads", "asa", "nyha", "ecog", "mrs", "t", "n", "pt", "pn",
}  # fmt: skip
"""Words whose numbers are in order, and numbers alone; of others the number only tells classes apart."""
_NUMBERED = re.compile(r"(?P<word>\D*?)[\s_.#:-]*(?P<number>\d{1,4})")
_ROMAN_AT_END = re.compile(r"(?P<word>.*?)[\s_.#:-]*\b(?P<number>[ivx]{1,4})")


def order_to_ask(class_names: Sequence[str]) -> tuple[str, ...] | None:
    """The classes from the lowest to the highest where their names suggest it; None where they do not.

    Suggestive are whole numbers, one word with whole or Roman numbers, as in "grade 2" or "stage II", and
    words such as low, medium and high.
    """
    if not 3 <= len(class_names) <= MOST_CLASSES:
        return None
    folded = [name.strip().casefold() for name in class_names]
    for places in (_by_numbers(folded, _NUMBERED), _by_numbers(folded, _ROMAN_AT_END), _by_words(folded)):
        if places is not None and len(set(places)) == len(places):
            return tuple(name for _, name in sorted(zip(places, class_names, strict=True)))
    return None


def _by_numbers(names: Sequence[str], form: "re.Pattern[str]") -> list[int] | None:
    matches = [form.fullmatch(name) for name in names]
    known = [match for match in matches if match is not None]
    words = {match["word"] for match in known}
    if len(known) < len(names) or len(words) > 1 or not words <= _GRADES:
        return None
    return [
        _ROMAN.get(match["number"], -1) if form is _ROMAN_AT_END else int(match["number"]) for match in known
    ]


def _by_words(names: Sequence[str]) -> list[int] | None:
    """By the words, or the first ones where what follows is the same: "low risk", "medium risk", "none"."""
    plain = [re.sub(r"[\s_-]+", " ", name) for name in names]
    ends = {name.rpartition(" ")[2] for name in plain if " " in name}
    begun = [name.rpartition(" ")[0] or name for name in plain] if len(ends) == 1 else plain
    for words in (plain, begun):
        steps = [_STEP[name] for name in words if name in _STEP]
        if len(steps) == len(words):
            return steps
    return None
