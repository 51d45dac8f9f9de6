"""Every class by itself: the verdicts of a survey on its classes, and all classes ranked."""

from calibcore.sensitivity.class_screen import BY_CHANCE, ClassScreen
from calibcore.sensitivity.each_class import ClassesByEvidence, ClassEvidence
from calibcore.wording import count, listed
from calibcore.words.phrases import exact_percent
from calibcore.words.sizes import gap_cell
from calibcore.words.verdicts import adjusted_p, panel_titles, panels_alt, promise_words, tested_words


def classes_sentence(classes: ClassesByEvidence) -> str:
    """For which class the evidence is strongest, and how many differ by more than chance allows."""
    first, total = classes.classes[0], len(classes.classes)
    differ = sum(differs(c) for c in classes.classes)
    size = gap_cell(first.verdict.typical_gap)
    strongest = (
        f"The evidence is strongest for '{first.name}': typical gap {size}, adjusted "
        f"{adjusted_p(first.verdict)}."
    )
    if not differ:
        return f"None of {count(total, classes.noun)} is off by more than chance allows. {strongest}"
    verb = "is" if differ == 1 else "are"
    every = count(total, classes.noun)
    where = f"All {every}" if differ == total > 1 else f"{differ:,} of {every}"
    return f"{strongest} {where} {verb} off by more than chance allows."


def differs(c: ClassEvidence) -> bool:
    """Whether the survey calls the class miscalibrated."""
    return c.verdict.answer == "miscalibrated"


def classes_note(classes: ClassesByEvidence, noun: str = "case") -> str:
    """Whose p these are, and which classes are not among those drawn."""
    total, adjustment = len(classes.classes), classes.classes[0].verdict.adjustment
    sentence = (
        f"Across: the probability the model gave the {classes.noun}. "
        "Up: observed minus predicted, in points. "
        f"p is that of the survey, adjusted for its {tested_words(classes.lenses, classes.hypotheses)}: "
        f"{promise_words(adjustment, noun)}."
    )
    if not classes.left_out:
        return sentence
    all_classes = total + len(classes.left_out)
    without = f"without {listed(classes.left_out, 5)}"
    return f"{sentence} The survey has {total:,} of {count(all_classes, 'class')}, {without}."


def class_titles(classes: ClassesByEvidence) -> list[tuple[str, str, str, str]]:
    """:func:`.panel_titles` of the classes."""
    verdicts = [c.verdict for c in classes.classes]
    return panel_titles(verdicts, [adjusted_p(verdict, short=True) for verdict in verdicts])


def classes_alt(classes: ClassesByEvidence, first: int, number: int) -> str:
    """What so many panels from the ``first`` on show, class by class."""
    return panels_alt([c.name for c in classes.classes], class_titles(classes), first, number)


# --- all classes ranked ---------------------------------------------------------------


MOST_LISTED = 20
NO_CHECK = "no check"
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
    listed = "" if shown == len(screen.classes) else f" Here are the first {shown:,}; the file has all."
    return (
        "Difference: how far number and sureness of the outcomes are from what was predicted, in standard "
        "deviations. It is an order, not a p. The survey checks the classes that are predicted most, and "
        f"only those have a verdict.{listed}"
    )


def which_way(screen: ClassScreen, j: int) -> str:
    """The larger part of a class's difference: "too sure", "too high"."""
    number, sureness = screen.by_number[j], screen.by_sureness[j]
    if abs(number) >= abs(sureness):
        return "too high" if number < 0 else "too low"
    return "too sure" if sureness < 0 else "too unsure"
