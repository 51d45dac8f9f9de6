"""A check for people's own tests: these probabilities are calibrated, or the test fails."""

from typing import Literal, get_args

from calibcore.assessment.survey import survey
from calibcore.assessment.verdict import Verdicts, judge
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import default_binning
from calibcore.errors import InputError
from calibcore.questions.plan.words import FUNCTION, how_many_sentence
from calibcore.settings import DiagnosisSpec
from calibcore.wording import sentences
from calibcore.words.leading import whole_parts
from calibcore.words.verdicts import as_a_whole, chip_text

CannotTell = Literal["fail", "pass"]


def assert_calibrated(
    predictions: Predictions,
    alpha: float = 0.05,
    tolerance: float = 0.05,
    *,
    cannot_tell: CannotTell = "fail",
    seed: int = 0,
) -> Verdicts:
    """Fail unless a survey of the predictions comes to a good end. Cost: a survey and its verdicts.

    It passes where the verdict on all classes together is

    - "consistent with calibration": no lens rejects, an error of ``tolerance`` would have been seen, and the
      typical gap's limit is at most √2 times that (one-sided 90 %, of four and more classes the upper end of
      its interval);
    - "miscalibrated, but small": a lens rejects, and the typical gap is surely below ``tolerance``. Not where
      an outcome happened that was given probability 0.

    It fails where it is "miscalibrated", and where it is "cannot tell": too few cases show nothing, and that
    is not to pass for an answer. ``cannot_tell="pass"`` lets it pass. The same cases and seed give the same
    verdict; of calibrated models at most ``alpha`` are called miscalibrated.

    Parameters
    ----------
    predictions : cases that the model was not fitted on
    alpha : level of the tests of all lenses together
    tolerance : the error that would matter, as a probability: 0.05 are 5 points
    cannot_tell : what to do where the cases are too few to say, "fail" or "pass"
    seed : of the redraws

    Raises
    ------
    AssertionError : with the verdict in words.
    InputError : weighted predictions; settings that cannot be.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, assert_calibrated
    >>> p = Predictions.from_arrays(np.tile([0.9, 0.1], (200, 1)), np.tile([0, 1], 100), ["well", "ill"])
    >>> assert_calibrated(p)
    Traceback (most recent call last):
        ...
    AssertionError: ...
    """
    if cannot_tell not in get_args(CannotTell):
        raise InputError(f"cannot_tell is {cannot_tell!r}; expected 'fail' or 'pass'.")
    spec = DiagnosisSpec(alpha=alpha, tolerance=tolerance, seed=seed)
    many = default_binning(max(3, predictions.m), predictions.n)
    surveyed = survey(predictions, spec, binning_of_many=many)
    result = judge(predictions, surveyed)
    overall = as_a_whole(result)
    small = overall.answer == "miscalibrated" and overall.small and not any(v.refuted for v in result)
    if overall.answer == "consistent" or small or (overall.answer == "cannot-tell" and cannot_tell == "pass"):
        return result
    few = ""
    if overall.answer == "cannot-tell":
        cases = how_many_sentence(overall, None, says=FUNCTION)
        few = f"{cases} With a larger tolerance this may pass, and with cannot_tell='pass' it does."
    raise AssertionError(sentences(f"{chip_text(overall)}.", *whole_parts(surveyed.diagnoses, result), few))
