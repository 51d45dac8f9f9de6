"""What the corners of a triangle or tetrahedron can be: choices one click away, and groups built by hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, InputError
from calibcore.transforms.class_groups import confusable_classes, grouping_fault, proposed_groups
from calibcore.transforms.lenses import CanonicalLens, GroupsLens, Lens, TopKLens
from calibcore.words.arrows import confused_words, group_name
from calibcore.words.looking import sentence_case
from pages.ui import choices, looks, regions, settings, state
from pages.ui.reliability import stage
from pages.ui.show import glossary, option, plain
from pages.work import costs

TRIANGLE, TETRAHEDRON = ":material/change_history:", ":material/deployed_code:"
BUILDER = "corners-builder"
SET_HERE = "corners-set-here"
"""Key of the session: the lens that was set on this page."""
EVERY = {2: "both classes", 3: "all three classes", 4: "all four classes"}

LONG, ROOM = 32, 28
"""Characters from which on a chip is cut, and so many that it then has: a hand that rests on it reads all."""
TWO = "With two classes the triangle is a line, and this diagram shows all of it."
ALONE = (
    "A triangle needs the probabilities of all classes, and here only the confidence in the answer is known."
)


@dataclass(frozen=True)
class Offer:
    """A choice of corners: its button in Markdown, the lens it sets, how many corners that has, and whether
    its words are names of classes that the model confuses; ``cut`` are those words where they are long."""

    words: str
    lens: Lens
    corners: int
    confused: bool = False
    cut: str = ""


def say_where_another(spec: DiagnosisSpec, data: state.Loaded) -> None:
    """That this page looks through another lens than the one in use, and the button that brings it there."""
    used = settings.current().lens
    if used == spec.lens:
        return
    m = data.predictions.m
    corners = EVERY.get(m, spec.lens.phrase())
    with st.container(horizontal=True, vertical_alignment="center", key="another-lens"):
        st.caption(f"This page shows {plain(corners)}. Other pages look at {plain(used.phrase())}.")
        st.button(
            f"Look at {plain(corners)} everywhere",
            type="tertiary",
            key="everywhere",
            on_click=_look,
            args=(regions.parts(spec.lens)[0],),
        )


def say_everywhere(spec: DiagnosisSpec) -> None:
    """Once corners were chosen here, that the other pages look through them, too."""
    if spec.lens == settings.current().lens == st.session_state.get(SET_HERE):
        st.caption(f"All pages now look at {plain(spec.lens.phrase())}.")


def offers(data: state.Loaded) -> Iterator[Offer]:
    """What can be one click away for the classes there are, triangles first.

    One by one: of many classes it takes a while to find those that are confused.
    """
    m = data.predictions.m
    if m == 3:
        yield Offer("All three classes", CanonicalLens(), 3)
    if m > 2:
        yield Offer("First and second choice", TopKLens(2), 3)
    if m > 3:
        yield _confused(data, 2)
    if m == 4:
        yield Offer("All four classes", CanonicalLens(), 4)
    if m > 3:
        yield Offer("First three choices", TopKLens(3), 4)
    if m > 4:
        yield _confused(data, 3)


def _confused(data: state.Loaded, k: int) -> Offer:
    """The k classes that the model confuses most, each alone, and the others together."""
    classes = _most_confused(data.predictions.fingerprint, k)
    rest = tuple(name for name in data.predictions.class_names if name not in classes)
    name = "other" if "other" not in classes else "all others"
    lens = GroupsLens((*((c, (c,)) for c in classes), (name, rest)))
    words = confused_words(classes)
    cut = confused_words(classes, ROOM) if len(words) > LONG else ""
    return Offer(plain(words), lens, k + 1, confused=True, cut=plain(cut))


@st.cache_data(max_entries=16, scope="session", show_spinner=False)
def _most_confused(fingerprint: str, k: int) -> tuple[str, ...]:  # noqa: ARG001 (the key)
    return confusable_classes(state.predictions(), k)


def choose(data: state.Loaded, used: Lens | None = None) -> None:
    """Chips in one row that bring corners, and the builder of groups; that of the lens ``used`` is marked."""
    m = data.predictions.m
    if m < 4:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corners"):
        for offer in offers(data):
            shape = TRIANGLE if offer.corners == 3 else TETRAHEDRON
            st.button(
                offer.cut or offer.words,
                key=f"{'confused' if offer.confused else 'choices'}-{offer.corners}-{offer.lens.kind}",
                help=offer.words if offer.cut else None,
                icon=":material/check:" if offer.lens == used else shape,
                on_click=_look,
                args=(offer.lens,),
            )
        with st.popover("Build your own", icon=":material/edit:", key=BUILDER, on_change="rerun") as builder:
            if builder.open:
                _builder(data)


def offer(data: state.Loaded) -> None:
    """Why there is no figure, and what brings one."""
    spec = settings.current()
    m = costs.classes_through(spec.lens, data.predictions)
    st.markdown(
        f"## A triangle shows three classes, a tetrahedron four. "
        f"{plain(sentence_case(spec.lens.phrase()))} {'has' if m == 2 else 'have'} {m:,}."
    )
    st.markdown("Choose what the corners are:")
    choose(data)


def line(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """Of two classes, or of a confidence alone, the triangle is a line: its diagram, and an example."""
    stage.draw(data, spec, below=partial(_beside_line, data, spec))


def _beside_line(data: state.Loaded, spec: DiagnosisSpec) -> None:
    st.caption(ALONE if data.predictions.confidence_only else TWO)
    say_where_another(spec, data)
    with st.container(horizontal=True, vertical_alignment="center", key="a-triangle"):
        st.caption("An example with three classes:", width="content")
        st.button("Wines of three growers", icon=TRIANGLE, on_click=_wines)


def _look(lens: Lens) -> None:
    """Look through ``lens``; a region of predictions stays."""
    st.session_state[BUILDER] = False  # what was built is behind it
    settings.try_lens(regions.inside(settings.current(), lens).lens)
    st.session_state[SET_HERE] = settings.current().lens


def _wines() -> None:
    state.use("wine")
    settings.set_lens(CanonicalLens())
    settings.done_for_good()


def _builder(data: state.Loaded) -> None:
    p = data.predictions
    k = looks.drawn(
        st.segmented_control, "Corners", [3, 4], default=3, required=True, key="builder-corners", start=3
    )
    place = f"{p.fingerprint[:12]}-{k}"
    start, words = _start(data, k), choices.worded(p.class_names)
    st.caption(
        "Proposed: classes that the model confuses are together. Outcomes are not used, so tests stay valid.",
        help=glossary("confused"),
    )
    names, groups = [], []
    for j in range(k):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            members = tuple(
                looks.drawn(
                    st.multiselect,
                    f"Group {j + 1}",
                    list(words),
                    default=start[j],
                    format_func=words.__getitem__,
                    key=f"builder-{place}-{j}",
                    start=[*start[j]],
                    width="stretch",
                )
            )
            named = looks.drawn(
                st.text_input,
                f"Name of group {j + 1}",
                placeholder=option(group_name(members)) if members else "",
                key=f"builder-{place}-{j}-name",
                start="",
                width=220,
            )
        groups.append(tuple(name for name in p.class_names if name in members))
        names.append(named.strip() or (group_name(groups[j]) if members else f"Group {j + 1}"))
    fault = grouping_fault(tuple(groups), p.class_names)
    lens: Lens | None = None
    if not fault:
        try:
            lens = GroupsLens(tuple(zip(names, groups, strict=True)))
        except InputError as error:
            fault = str(error)
    if fault:
        st.markdown(f":material/error: {plain(fault)}")
    else:
        st.markdown(":material/check: Every class is in exactly one group.")
    with st.container(horizontal=True):
        st.button(
            "Show the triangle" if k == 3 else "Show the tetrahedron",
            icon=TRIANGLE if k == 3 else TETRAHEDRON,
            disabled=lens is None,
            on_click=_look,
            args=(lens,),
        )
        missing = [name for name in p.class_names if not any(name in group for group in groups)]
        st.button(
            f"Put what is missing into group {k}",
            disabled=not missing,
            on_click=_add,
            args=(f"builder-{place}-{k - 1}", missing),
        )


def _start(data: state.Loaded, k: int) -> tuple[tuple[str, ...], ...]:
    """The groups in use if there are so many, else those proposed."""
    lens, _ = regions.parts(settings.current().lens)
    if isinstance(lens, GroupsLens) and len(lens.groups) == k:
        return tuple(members for _, members in lens.groups)
    return _proposed(data.predictions.fingerprint, k)


@st.cache_data(max_entries=16, scope="session", show_spinner=False)
def _proposed(fingerprint: str, k: int) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001 (the key)
    return proposed_groups(state.predictions(), k)


def _add(key: str, names: list[str]) -> None:
    settings.put(key, [*st.session_state[key], *names])
