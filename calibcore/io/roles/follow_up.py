"""A follow-up time beside an event: of cases that were not followed to the end nobody knows what happened."""

from itertools import pairwise

import numpy as np

from calibcore.column_names.lexicon import UNITS, words_of
from calibcore.column_names.name_words import is_answer, names_an_event, tokens
from calibcore.io.roles.label_places import Place
from calibcore.io.roles.look import Look
from calibcore.io.tables import capitalised

_TIMES = words_of("""
    time times t days day months month mths years year yrs weeks week hours duration zeit tage monate
    jahre temps jours mois tiempo dias meses tijd dagen maanden stop tstop stoptime
""")
"""All words of a name that may be a follow-up time."""
_FOLLOW_UPS = words_of("""
    futime fu followup fup survtime survivaltime tte ttd ttr timetoevent eventtime dtime rtime ttime
    ftime lifetime ostime pfstime dfstime overlebenszeit nachbeobachtung suivi seguimiento
""")
"""One of these is enough."""
_PAIRS = frozenset(
    [
        ("follow", "up"), ("time", "to"), ("days", "to"), ("months", "to"), ("years", "to"),
        ("event", "time"), ("observation", "time"), ("time", "at"), ("exit", "time"), ("stop", "time"),
        ("censoring", "time"),
    ]
)  # fmt: skip
_SURVIVALS = words_of("survival surv os pfs dfs rfs efs")
"""Beside a word of the times."""
_EVENTS = words_of("""
    event events status censored censor cens censoring uncensored delta fustat died dead death deaths
    deceased mortality relapse relapsed recur recurrence progression failure failed vital ereignis
    zensiert evenement evento estado vitalstatus osstatus osevent
""")
_UNTIL = words_of("in of until till at followed observed survived censored last contact bis suivies")
"""Beside these, a word of the times."""
_LEAST = 3
"""Different values of a time."""


def time_beside(look: Look, place: Place) -> str:
    """The column of a follow-up time beside an event, as a sentence begins; "" where there is none."""
    if place.onehot or not look.table.named:
        return ""
    event = is_event(look.names[place.columns[0]])
    rest = [j for j in range(len(look.names)) if j not in place.columns]
    times = [j for j in rest if _is_time(look.names[j], event) and _holds_times(look, j)]
    return capitalised(look.table.where(times[0])) if times else ""


def is_event(name: str) -> bool:
    """Whether a name is that of an event, and of none within a time, as "died_30d" is."""
    words = [token.text for token in tokens(name)]
    within = any(a.isdecimal() and b in UNITS for a, b in pairwise(words))
    happens = names_an_event(name) and not is_answer(name)  # "true" is no event
    return not within and (happens or bool(_EVENTS & set(words)) or words == ["e"])


def _is_time(name: str, beside_event: bool) -> bool:
    """Whether a name is that of a follow-up time; "days" alone is one beside an event."""
    words = [token.text for token in tokens(name)]
    known = {*words, *map("".join, pairwise(words))}
    if (
        known & _FOLLOW_UPS
        or (known & _SURVIVALS and known & _TIMES)
        or not _PAIRS.isdisjoint(pairwise(words))
    ):
        return True
    # "t_event", "years_followed", "days_observed"
    listed = _TIMES | _EVENTS | _UNTIL
    return beside_event and bool(_TIMES & set(words)) and set(words) <= listed


def _holds_times(look: Look, j: int) -> bool:
    """Whether a column holds different numbers, none of them negative, and not all from 0 to 1."""
    values = look.sample[:, j][np.isfinite(look.sample[:, j])]
    return bool(
        look.numeric[j]
        and len(np.unique(values)) >= min(_LEAST, len(values))
        and values.min(initial=0) >= 0
        and values.max(initial=0) > 1
        and not look.counts_rows(j)
    )


def doubt(time: str) -> str:
    """Why a person is asked whether the event is what happened."""
    return (
        f"{time} seems to be a follow-up time: of a case without an event that was not followed to the end "
        "(censored), nobody knows what happened. Expected what had happened by one time, of every case."
    )


COUNTED = "Cases without an event count as 'did not happen'"
"""What a button says that reads the event all the same."""


def note(time: str) -> str:
    """The sentence where it is read so."""
    return f"{time} seems to be a follow-up time. {COUNTED}, censored ones too."
