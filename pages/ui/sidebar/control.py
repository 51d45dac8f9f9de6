"""One control of a setting: it shows the setting in use and changes it, or says why it is refused."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec
from pages.ui import choices, settings, state
from pages.ui.show import plain
from pages.ui.sidebar import looked_through

MOST_IN_A_BROWSER = 2**53 - 1
"""Beyond, a browser's numbers are not exact."""
Change = Callable[[DiagnosisSpec, Any], DiagnosisSpec]


def control(
    widget: Callable[..., Any],
    label: str,
    key: str,
    value: Any,
    make: Change,
    /,
    **how: Any,
) -> None:
    """One control: it shows ``value`` and, when the user changes it, makes the settings that ``make`` makes
    of them, as the page takes them, and the new value. What is refused stays in the control, with the reason
    below.

    Select boxes are given ``options`` and, as ``say``, what each is called.
    """
    if widget in (st.selectbox, st.multiselect):
        words = choices.worded(how["options"], how.pop("say"))
        key = choices.key_of(key, words)
        how |= {"options": list(words), "format_func": words.__getitem__}
        if widget is st.selectbox:
            make = _among(words, make)
    if key not in st.session_state:  # it was away, and with it what was refused
        settings.refused().pop(key, None)
    why = settings.refused().get(key)
    if why is None and st.session_state.get(key) != value:
        st.session_state[key] = value
    for bound, wider in (("min_value", min), ("max_value", max)):  # a report may hold rarer values
        if bound in how:
            how[bound] = wider(how[bound], *(value if isinstance(value, tuple) else (value,)))
    if isinstance(value, int) and abs(value) > MOST_IN_A_BROWSER:
        st.session_state.pop(key, None)
        st.caption(f"{label}: {value:,}, too large to be changed here. Reset takes the usual value.")
        return
    # The default too: a browser that missed the run in which the value was set begins with it.
    if widget is st.selectbox:
        how["index"] = how["options"].index(value)
    else:
        how["default" if widget is st.multiselect else "value"] = value
    fingerprint = state.predictions().fingerprint
    about = (key, value, _drawn_here(make), fingerprint, looked_through.here)
    widget(label, key=key, on_change=settings.changed_by, args=about, **how)
    if why is not None:
        st.error(f"{plain(why)} The page still shows the setting before.")


def _among(options: Mapping[Any, str], make: Change) -> Change:
    """What is no option, as a browser may still send it, changes nothing."""
    return lambda spec, value: make(spec, value) if value in options else spec


def _drawn_here(make: Change) -> Change:
    """Refused is what the page cannot draw."""
    return lambda spec, value: looked_through.checked(make(spec, value), spec)
