"""plan: how many cases it takes to see an error of a given size 8 times in 10; see :mod:`.enough`."""

import math
from collections.abc import Sequence
from dataclasses import replace

from calibcore import limits
from calibcore.assessment.defaults import as_surveyed, default_lenses, resamples_needed
from calibcore.assessment.enough import START, Pilot, Sketch, enough, hypotheses_of
from calibcore.assessment.impossible import is_hypothesis
from calibcore.assessment.power import check_cases
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.diagnose.parts import settings_for
from calibcore.errors import InputError
from calibcore.numerics.progress import Progress
from calibcore.numerics.streams import stream
from calibcore.questions.plan.result import Event, Plan
from calibcore.settings import MOST_RESAMPLES, DiagnosisSpec
from calibcore.transforms.lenses import Lens
from calibcore.transforms.nulls import Identity

SKETCHES = ("dirichlet", "beta")


def is_sketch(words: str) -> bool:
    """Whether words sketch a distribution, and name no file."""
    kind, sign, _ = words.partition(":")
    return bool(sign) and kind in SKETCHES


def sketched(words: str) -> Sketch:
    """``dirichlet:2,1,1`` or ``beta:2,5``: one number above 0 a class.

    Raises
    ------
    InputError : another law, or other numbers.
    """
    kind, _, rest = words.partition(":")
    expected = "expected dirichlet:A,B,… or beta:A,B, numbers above 0"
    if kind not in SKETCHES:
        raise InputError(f"There is no distribution {shown(words)}; {expected}.")
    try:
        numbers = tuple(float(part) for part in rest.split(","))
    except ValueError:
        numbers = ()
    most = 2 if kind == "beta" else limits.LIMITS.max_classes
    if not 2 <= len(numbers) <= most or not all(0 < number < math.inf for number in numbers):
        raise InputError(f"The distribution is {shown(words)}; {expected}.")
    return Sketch(numbers, words)


def about(cases: float) -> int:
    """Up to two digits: 1,823 -> 1,900."""
    step: int = 10 ** max(0, math.floor(math.log10(max(cases, 1))) - 1)
    return int(math.ceil(cases / step - 1e-9) * step)


def plan(
    pilot: Predictions | str,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    hypotheses: int | None = None,
) -> Plan:
    """How many cases to collect so that an error of ``spec.tolerance`` is seen 8 times in 10.

    Through ``spec.lens`` by the exact omnibus test, as a survey tests: at the level ``spec.alpha`` over how
    many hypotheses it has. With so many cases a survey of a calibrated model says "consistent" about 8 times
    in 10. Errors are the patterns of :mod:`calibcore.assessment.alternatives`, the hardest to see of those
    that could be as large. Cost: some seconds.

    Parameters
    ----------
    pilot : predictions that are like those to come, whose labels are not looked at; or a sketch of their
        distribution, "dirichlet:2,1,1" of all classes or "beta:2,5" of the first of two
    hypotheses : that are tested together; those of a survey if nothing is said, 1 for this lens alone

    Raises
    ------
    InputError : weighted or pooled predictions, another null hypothesis, no such distribution, or predictions
        that cannot be off by so much.

    Examples
    --------
    >>> from calibcore import DiagnosisSpec, plan
    >>> result = plan("beta:2,5", DiagnosisSpec(tolerance=0.1))
    >>> result.hypotheses, plan("beta:2,5", DiagnosisSpec(tolerance=0.1), hypotheses=1).hypotheses
    (2, 1)
    >>> result.cases_to_see < result.cases
    True
    """
    law: Pilot | Sketch
    fingerprint = None
    if isinstance(pilot, str):
        law = sketched(pilot)
    else:
        spec = settings_for("plan", pilot, spec)
        check_cases(pilot)
        fingerprint = pilot.fingerprint
        pilot = spec.independent(pilot)
        # Labels mean nothing to a plan, but redraws would keep one whose probability was rounded to 0.
        law = Pilot(replace(pilot.bare(), labels=pilot.probs.argmax(axis=1)))
    spec = spec or DiagnosisSpec()
    if not isinstance(spec.null, Identity):
        raise InputError(f"The null hypothesis is '{spec.null.kind}'; a plan is for a test of calibration.")
    if not spec.tolerance > 0:
        raise InputError("The tolerance is 0: no number of cases sees an error of any size.")
    if hypotheses is not None and hypotheses < 1:
        raise InputError(f"The number of hypotheses is {hypotheses}; expected 1 at least.")
    probed = pilot if isinstance(pilot, Predictions) else law.draw(2, stream(spec.seed, "plan-classes"))
    checks = None
    if hypotheses is None:
        spec = replace(spec, lens=as_surveyed(spec.lens, probed))
        hypotheses = hypotheses_of(probed, spec)
        checks = hypotheses - is_hypothesis(probed)
    if resamples_needed(hypotheses, spec.alpha) > MOST_RESAMPLES:
        raise InputError(
            f"The number of hypotheses is {hypotheses:,}. At the level {spec.alpha:g} no survey tests "
            "so many together: take fewer, or a larger level."
        )
    simulated = enough(law, spec, hypotheses, progress)
    return Plan(
        spec=spec,
        pilot=pilot if isinstance(pilot, str) else pilot.n,
        class_names=law.class_names,
        cases=simulated.cases,
        share=simulated.share,
        check=simulated.check,
        cases_to_see=simulated.cases_to_see,
        hypotheses=hypotheses,
        fingerprint=fingerprint,
        checks=checks,
        label_of=probed.label_of or None,
        event=_event(
            pilot if isinstance(pilot, Predictions) else law.draw(START, stream(spec.seed, "plan-event")),
            spec.lens,
        ),
    )


def _event(predictions: Predictions, lens: Lens) -> Event | None:
    """The rarer of two outcomes; None of more, and where one looks at the model's own answers."""
    induced = lens(predictions)
    if induced.m != 2 or lens.within.answers or lens.within.pairs:
        return None
    means = induced.probs.mean(axis=0)
    return Event(induced.class_names[int(means.argmin())], float(means.min()))


def plan_of_survey(
    predictions: Predictions,
    spec: DiagnosisSpec,
    lenses: Sequence[Lens] | None = None,
    progress: Progress | None = None,
) -> Plan:
    """:func:`plan` for the survey of these predictions: through the lens that stands for all, whatever
    ``spec.lens`` is.

    That is all classes together, or the first of ``lenses`` where they have none such. Of the default lenses
    it says what ``plan(predictions)`` does. Cost and errors as there.
    """
    lenses = default_lenses(predictions) if lenses is None else tuple(lenses)
    asked = replace(spec, lens=next((lens for lens in lenses if lens.whole), lenses[0]))
    hypotheses = hypotheses_of(predictions, asked, lenses)
    checks = hypotheses - is_hypothesis(spec.independent(predictions))
    return replace(plan(predictions, asked, progress, hypotheses=hypotheses), checks=checks)
