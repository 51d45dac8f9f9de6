"""The command that repeats what is on a page."""

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore import DiagnosisSpec
from calibcore.arguments import parser, spec_from
from calibcore.lenses import CanonicalLens, ClassLens, GroupsLens, RegionLens, TopKLens
from calibcore.spec import BINNINGS
from calibcore.words import command_line

ODD = ["a,b", "c;d", "e=f", " g", "'h'", "i:0.1:0.9", "plain", "two words"]


@given(
    st.sampled_from(ODD),
    st.sampled_from(ODD),
    st.sampled_from(sorted(BINNINGS)),
    st.booleans(),
    st.sampled_from(["class", "groups", "region", "canonical", "top-k"]),
)
@settings(max_examples=150)
def test_the_command_gives_the_settings_or_names_the_saved_diagnosis(
    one: str, other: str, binning: str, shuffle: bool, kind: str
) -> None:
    lenses = {
        "class": ClassLens(one),
        "groups": GroupsLens((("A", (one,)), ("B", (other,)))),
        "region": RegionLens(TopKLens(2), one, 0.25, 0.75),
        "canonical": CanonicalLens(),
        "top-k": TopKLens(3),
    }
    spec = DiagnosisSpec(lens=lenses[kind], binning=BINNINGS[binning](), shuffle=shuffle, seed=3)
    words = shlex.split(command_line(spec))
    assert words[:4] == ["python", "-m", "calibcore", "diagnose"]
    if "--spec" in words:
        assert kind in ("groups", "region", "class")
    else:
        assert spec_from(parser().parse_args(words[3:])) == spec
