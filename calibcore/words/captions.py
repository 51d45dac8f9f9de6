"""How to read the figures of a report: each caption explains what is drawn, and nothing else."""

from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.histogram import histogram
from calibcore.wording import in_noun
from calibcore.words.arrows import arrows_judged, net_gap_sentence, stands_out
from calibcore.words.phrases import PROMISES, pvalue
from calibcore.words.testing import redrawn_words, stopped


def diagram_caption(diagram: Reliability, beyond: bool, noun: str = "case") -> str:
    """Of crosses and bars; ``beyond``: whether some crosses lie beyond the scale."""
    two = len(diagram.class_names) == 2
    size = (
        "observed minus predicted. Above 0 it happened more often than the model said, below 0 less often"
        if two
        else "the distance between what was predicted and what happened"
    )
    parts = [f"Each cross is a bin of cases with similar predictions: {size}."]
    if diagram.has_bars:
        parts.append("Grey bars: where crosses lie by chance if the model is calibrated.")
    if diagram.has_bars and diagram.outside.any():
        parts.append(f"Strong crosses lie {'outside' if two else 'above'}.")
    parts.append("Blue: how the predictions are spread." if two else "The fullest bins come first.")
    if diagram.n_bins > 1:
        parts.append("Larger crosses hold more cases.")
    if beyond:
        parts.append("Triangles at the edge are bins of few cases beyond the scale.")
    return in_noun(" ".join(parts), noun)


def arrows_caption(
    diagram: Reliability, drawn: Reliability, tests: BinPvalues | None, alpha: float, noun: str = "case"
) -> str:
    """Of arrows between corners.

    drawn : without bins of one case, which ``tests`` are of
    """
    how = in_noun(
        "Each corner stands for one class. An arrow starts at the mean prediction of a bin of cases, a dot, "
        "and ends at how often each class happened. The wider, the more of the cases it stands for.",
        noun,
    )
    strong = stands_out(drawn, tests, alpha)
    judged = f" {arrows_judged(diagram, tests, alpha)}"
    if drawn.n_bins and not strong.any():
        of = f", adjusted for {diagram.n_bins:,} arrows" if diagram.n_bins > 1 else ""
        judged = f" An arrow would stand out with an exact p of {alpha:g} or less{of}." * (tests is not None)
    elif not strong.all():
        judged += " The others could be chance."
    return f"{net_gap_sentence(diagram)} {how}{judged}"


def redraws_caption(
    diagnosis: Diagnosis, test: NamedTest, far: bool, adjusted_for: str = "", noun: str = "case"
) -> str:
    """Of the redraws of a test, whose p is not adjusted yet.

    far : whether the axis is broken before what was observed
    adjusted_for : for what p is adjusted where the verdict stands, as :func:`~.verdicts.tested_words`
    """
    result = test.result
    if result is None or result.null_distribution is None:
        return ""
    broken = " Slashes break the axis, as the observed value lies far beyond." if far else ""
    before = f", before adjusting for {adjusted_for}" if adjusted_for else ""
    if not histogram(result).beyond.any():
        share = "no redraw lies beyond the line, and the observed value is counted as one"
    elif stopped(result):
        share = "the hatched share, where the test stopped"
    else:
        share = "the hatched share, the observed value counted with it"
    redrawn = in_noun(redrawn_words(diagnosis, result), noun)
    promise = in_noun(PROMISES[result.promise], noun)
    return (
        f"Grey bars count redraws. {redrawn}. The line is the observed value.{broken} "
        f"{pvalue(result)}{before}: {share}. It is {promise}."
    )
