"""The whole verdict on 10,000 × 10: the survey of 12 lenses and what each could have shown.

Run alone on two cores: CALIBLENS_THREADS=2 taskset -c 0,1 python -m benchmarks.verdict
"""

import numpy as np

from benchmarks.common import line, memory_line, overconfident, timed
from calibcore import Predictions, survey, verdicts
from calibcore.diagnose.warm import warm
from calibcore.lenses import TopKLens
from calibcore.survey import Survey


def whole(p: Predictions) -> Survey:
    found = survey(p)
    verdicts(p, found)
    return found


def run() -> None:
    """All of it, about a minute on two cores."""
    warm()
    p = overconfident(10_000, 10, np.random.default_rng(20190501))
    found = whole(p)
    line("survey and verdicts, 10,000 × 10, 12 lenses, B = 2,399", timed(lambda: whole(p), 1))
    seconds = timed(lambda: verdicts(p, found), 1)
    line("the verdicts alone", seconds, "the survey", timed(lambda: survey(p), 1))
    memory_line("their memory", lambda: verdicts(p, found), "the predictions", p.probs.nbytes / 1e6)
    one = survey(p, lenses=[TopKLens(1)])
    line("verdict of a lens of two classes, 10,000 cases", timed(lambda: verdicts(p, one)))


if __name__ == "__main__":
    run()
