"""All classes ranked by their difference: how many are beyond what chance allows, and which way."""

from calibcore.sensitivity.class_screen import BY_CHANCE, ClassScreen
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.wording import count
from calibcore.words.phrases import exact_percent
from calibcore.words.verdicts import adjusted_p

MOST_LISTED = 20
_NO_CHECK = "no check"
"""In place of the p of a class that the survey does not look at."""


def screen_sentence(screen: ClassScreen) -> str:
    """How many differ by more than chance allows for the largest of all; who is not ranked."""
    ranked, few = len(screen.classes), screen.too_few
    if not ranked:
        return "No class is ranked: fewer than 5 less likely outcomes are expected of each."
    differ = screen.beyond
    who = f"{differ:,}" if differ else "None"
    verb = "differ" if differ > 1 else "differs"
    rest = "" if not few else f" {few:,} with fewer than 5 expected less likely outcomes are not ranked."
    return (
        f"{who} of {count(ranked, 'class')} {verb} from what was predicted by more than chance allows. "
        f"A calibrated model has a class beyond {screen.by_chance:.1f} in at most {exact_percent(BY_CHANCE)} "
        f"of the time.{rest}"
    )


def screen_note(screen: ClassScreen) -> str:
    """What a difference is, and that it is no p."""
    shown = min(MOST_LISTED, len(screen.classes))
    some = "" if shown == len(screen.classes) else f" Here are the first {shown:,}; the file has all."
    return (
        "Difference: how far number and sureness of the outcomes are from what was predicted, in standard "
        "deviations. It is an order, not a p. The survey checks the classes that are predicted most, and "
        f"only those have a verdict.{some}"
    )


def screen_rows(
    screen: ClassScreen, surveyed: ClassesByEvidence, exact: bool = False
) -> list[dict[str, object]]:
    """One row a class, the largest difference first, with the survey's p where it has one; ``exact`` gives
    all of them in full precision."""
    checks = {c.name: c.verdict for c in surveyed.classes}
    if exact:
        return [
            {
                "class": name,
                "difference": screen.difference[j],
                "beyond chance": bool(screen.difference[j] > screen.by_chance),
                "by number": screen.by_number[j],
                "by sureness": screen.by_sureness[j],
                "expected": screen.expected[j],
                "happened": int(screen.happened[j]),
                "adjusted p": checks[name].adjusted if name in checks else None,
            }
            for j, name in enumerate(screen.names)
        ]
    return [
        {
            "Class": name,
            "Difference": f"{screen.difference[j]:.1f}",
            "Beyond chance": "yes" if screen.difference[j] > screen.by_chance else "no",
            "Mostly": which_way(screen, j),
            "Expected": f"{screen.expected[j]:,.1f}",
            "Happened": f"{screen.happened[j]:,}",
            "Adjusted p": adjusted_p(checks[name], short=True) if name in checks else _NO_CHECK,
        }
        for j, name in enumerate(screen.names[:MOST_LISTED])
    ]


def which_way(screen: ClassScreen, j: int) -> str:
    """The larger part of a class's difference: "too sure", "too high"."""
    number, sureness = screen.by_number[j], screen.by_sureness[j]
    if abs(number) >= abs(sureness):
        return "too high" if number < 0 else "too low"
    return "too sure" if sureness < 0 else "too unsure"
