"""Class names, titles and other words of a user that want to do harm where they are shown."""

from calibcore import Predictions
from tests.hostile.corpus import RNG

HOST = "evil.example"
PIECES = (
    "<script>alert(1)</script>",
    f'<img src="http://{HOST}/i.png" onerror="alert(1)">',
    f"![x](http://{HOST}/p.png)",
    f"[x](http://{HOST})",
    "[x](javascript:alert(1))",
    f"http://{HOST}/bare",
    f'<a href="http://{HOST}">x</a>',
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    ":red[x] :material/delete: :smile:",
    "$\\frac{1}{0}$",
    "**b** `c` # h | t | ~s~",
    "{0} %s %(x)s {{7*7}} ${7*7}",
    "\x1b[2J\x1b[31m\x9b31m\x1b]0;t\x07",
    "\u202egnp.exe\u202c\u2066x\u2069\u200f",
    "a\u200bb\ufeffc\U000e0041",
    "\r\n- new\n\n# line\u2028x",
    "'\"\\&amp;&#60;",
)  # fmt: skip
FORMULAS = ('=HYPERLINK("http://evil.example","x")', "+1+1", "@SUM(1)", "-2+3", "\t=1+1")
EVERYTHING = " ".join(PIECES)
LONG = "W" * 10_000
SETS: dict[str, tuple[str, str, str]] = {
    "everything": (f"={EVERYTHING}", f"+{EVERYTHING}", f"@{EVERYTHING}"),
    "formulas": (FORMULAS[0], FORMULAS[1], FORMULAS[2]),
    "long": (f"{LONG}1", f"{LONG}2", f"{LONG}3"),
    "long without end": ("א" * 10_000, "\u0301" * 10_000, "😀" * 10_000),
    "hardly there": ("\u200b", "\u202e", "\x1b"),
}
"""Three names each."""


def predictions(names: tuple[str, ...], n: int = 60) -> Predictions:
    """Overconfident predictions of classes with these names, and a column of cases called no better."""
    probs = RNG.dirichlet([0.5] * len(names), n)
    labels = RNG.integers(0, len(names), n)
    groups = {names[0][:500] + "patient": [f"{names[1][:200]}{i // 2}" for i in range(n)]}
    return Predictions.from_arrays(probs, labels, names, groups)
