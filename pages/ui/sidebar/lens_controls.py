"""The controls of the lens: what part of the predictions is looked at."""

from dataclasses import replace
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.settings import lens_from_words
from calibcore.transforms.lenses import (
    CONFIDENCE,
    LENSES,
    AtLeastLens,
    CanonicalLens,
    ClassLens,
    GroupsLens,
    Lens,
    RegionLens,
    TopKLens,
    UpToLens,
)
from calibcore.words.looking import name_among, sentence_case
from pages.ui import class_order, state
from pages.ui.regions import inside, parts
from pages.ui.show import glossary, plain
from pages.ui.sidebar import looked_through
from pages.ui.sidebar.control import Change, control

LAST_REGION = "last region"


def kind_of(lens: Lens) -> str:
    """The kind under which the side bar offers a lens; the confidence is one by itself, beside more of the
    likeliest classes."""
    return CONFIDENCE if lens == TopKLens(1) else lens.kind


def label(kind: str, p: Predictions) -> str:
    """A kind as the side bar calls it; of two classes all together have the name of their check."""
    if kind == CONFIDENCE:
        return "Confidence in the answer"
    if kind == CanonicalLens.kind and p.m == 2:
        return sentence_case(name_among(CanonicalLens(), p.class_names))
    known: str = LENSES[kind].label
    return known


def offered(p: Predictions) -> dict[str, Lens]:
    """Kind -> the plainest lens of it, for those that are offered for these predictions."""
    plainest = {kind: cls.plainest(p) for kind, cls in LENSES.items()}
    lenses = {kind: lens for kind, lens in plainest.items() if lens is not None}
    order = (CONFIDENCE, "top-k", "class", "canonical")
    lenses[CONFIDENCE] = TopKLens(1)
    return {kind: lenses[kind] for kind in (*order, *lenses) if kind in lenses and lenses[kind].fits(p)}


def remembered(strategy: Any) -> dict[str, Any]:
    """Kind -> the last lens (or binning) of that kind in this session, ``strategy`` among them."""
    known: dict[str, Any] = st.session_state.setdefault(f"last-{_sort(strategy)}", {})
    known[kind_of(strategy)] = strategy
    return known


def _sort(strategy: Any) -> str:
    return "binning" if hasattr(strategy, "assign") else "lens"


def last(kind: str) -> Lens | None:
    """The last lens of that kind that was looked through in this session."""
    known: dict[str, Lens] = st.session_state.get("last-lens", {})
    return known.get(kind)


def _still(kind: str, make: Change) -> Change:
    """``make`` while the lens is of that kind: another may be chosen in the same breath, and that holds."""
    return lambda spec, value: make(spec, value) if kind_of(parts(spec.lens)[0]) == kind else spec


def lens(spec: DiagnosisSpec, p: Predictions) -> None:
    """The kind of lens, and what that kind needs."""
    used, _ = parts(spec.lens)
    known = remembered(used)
    kinds = [kind for kind in offered(p) if looked_through.drawn_here(_of_kind(kind, known, p), p)]
    if kind_of(used) not in kinds:
        kinds.append(kind_of(used))
    control(
        st.selectbox, "Look at", "lens", kind_of(used),
        lambda spec, kind: inside(spec, _of_kind(kind, known, state.predictions())),
        options=kinds, say=lambda kind: label(kind, p), help=glossary("lens"),
    )  # fmt: skip
    match used:
        case ClassLens(class_name=name):
            control(
                st.selectbox, "Class", "lens-class", name,
                _still("class", lambda spec, name: inside(spec, ClassLens(name))),
                options=list(named := class_order.worded()), say=named.__getitem__,
            )  # fmt: skip
        case UpToLens(class_name=name):
            control(
                st.selectbox, "Up to the class", "lens-up-to", name,
                _still("up-to", lambda spec, name: inside(spec, UpToLens(name))),
                options=list(p.class_names[:-1]) if p.ordered else [name], say=str,
            )  # fmt: skip
        case AtLeastLens(class_name=name):
            control(
                st.selectbox, "From the class", "lens-at-least", name,
                _still("at-least", lambda spec, name: inside(spec, AtLeastLens(name))),
                options=list(p.class_names[1:]) if p.ordered else [name], say=str,
            )  # fmt: skip
        case TopKLens(k=k) if k > 1:
            control(
                st.number_input, "How many", "lens-top-k", k,
                _still("top-k", lambda spec, k: inside(spec, TopKLens(int(k)))),
                min_value=2, max_value=min(p.m, looked_through.most_corners(p) or p.m) - 1, step=1,
            )  # fmt: skip
        case GroupsLens():
            _groups(used)
        case _ if used.syntax and used.top != 1:
            _in_words(used)


def _of_kind(kind: str, known: dict[str, Any], p: Predictions) -> Lens:
    """The last lens of that kind if it fits ``p`` and the page that is open, else its plainest."""
    last: Lens | None = known.get(kind)
    fits = last is not None and last.fits(p) and looked_through.drawn_here(last, p)
    return last if fits and last is not None else offered(p)[kind]


def _in_words(lens: Lens) -> None:
    """What a lens of another kind needs, as the command line writes it."""
    control(
        st.text_input, lens.syntax[1:].capitalize(), f"lens-{lens.kind}", lens.to_words().partition(":")[2],
        _still(lens.kind, lambda spec, text: inside(spec, lens_from_words(f"{lens.kind}:{text}"))),
    )  # fmt: skip


def _groups(lens: GroupsLens) -> None:
    """The groups as text, one a line; names that cannot be told apart in text are only shown."""
    words = ";".join(f"{name}={','.join(members)}" for name, members in lens.groups)
    try:
        typed = lens_from_words(f"groups:{words}") == lens
    except ValueError:
        typed = False
    if not typed or "\n" in words:
        for name, members in lens.groups:
            st.caption(f"{plain(name)}: {plain(', '.join(members))}")
        return

    def read(spec: DiagnosisSpec, text: str) -> DiagnosisSpec:
        lines = ";".join(line for line in text.splitlines() if line.strip())
        return inside(spec, lens_from_words(f"groups:{lines}"))

    control(
        st.text_area, "Groups, one a line", "lens-groups",
        "\n".join(f"{name} = {', '.join(members)}" for name, members in lens.groups), _still("groups", read),
        help="Name = classes, separated by commas. Every class in exactly one group.",
    )  # fmt: skip


def region(spec: DiagnosisSpec, p: Predictions) -> None:
    """Whether only cases with some predictions are looked at, and which."""
    lens, used = parts(spec.lens)
    known = remembered(lens)
    if used is not None:
        known[LAST_REGION] = used

    def switched(spec: DiagnosisSpec, on: bool) -> DiagnosisSpec:
        lens, _ = parts(spec.lens)
        now = state.predictions()
        last: RegionLens | None = known.get(LAST_REGION)
        if last is None or not replace(last, lens=lens).fits(now):
            last = RegionLens(lens, CONFIDENCE if now.confidence_only else now.class_names[0], 0.2, 1.0)
        return replace(spec, lens=replace(last, lens=lens) if on else lens)

    def moved(**to: Any) -> Change:
        def make(spec: DiagnosisSpec, value: Any) -> DiagnosisSpec:
            if not isinstance(spec.lens, RegionLens):  # switched off in the same breath
                return spec
            return replace(spec, lens=replace(spec.lens, **{name: pick(value) for name, pick in to.items()}))

        return make

    control(
        st.toggle, "Only a region of predictions", "region", used is not None, switched,
        help=glossary("region"),
    )  # fmt: skip
    if used is None:
        return
    if not p.confidence_only:
        control(
            st.selectbox, "Where the model's probability of", "region-class", used.class_name,
            moved(class_name=str), options=list(named := class_order.worded()), say=named.__getitem__,
        )  # fmt: skip
    words = "Where the confidence lies within" if p.confidence_only else "lies within"
    control(
        st.slider, words, "region-range", (used.low, used.high),
        moved(low=lambda pair: pair[0], high=lambda pair: pair[1]),
        min_value=0.0, max_value=1.0, step=0.05, format="percent",
    )  # fmt: skip
