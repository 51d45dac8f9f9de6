"""Questions asked with fewer redraws and label sets than people get, where a test is not about their number.

What is shown, said and written comes the same way from few as from many. How exact the numbers are is the
concern of tests that ask with :data:`calibcore.assessment.effort.USUAL`, as everybody does.
"""

from functools import partial

import calibcore
from calibcore.assessment.effort import Effort

FEW = Effort(below=2, label_sets=50, first_look=16)
survey = partial(calibcore.survey, effort=FEW)
compare = partial(calibcore.compare, effort=FEW)
survey_groups = partial(calibcore.survey_groups, effort=FEW)
