"""How to make a file: a sample to download, and lines that write one in scikit-learn, PyTorch and R."""

import re

import streamlit as st

from calibcore.data.examples import example_csv
from pages.ui import show

SAMPLE = "wine"
"""The example that the sample file holds: small, and with names for its classes."""


@st.cache_resource
def sample() -> str:
    """The sample file."""
    return example_csv(SAMPLE)


def snippets() -> dict[str, str]:
    """Language -> its lines, out of assets/texts/export.md ("### language", then a block of code)."""
    parts = re.split(r"^### (.+)$", show.text("export"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))


def draw() -> None:
    """Folded: the shape of a file, the sample, the lines to copy."""
    with st.expander("How to make such a file", key="fold-export", icon=":material/code:"):
        st.markdown("A column per class with its probability, a column with what happened, a row per case:")
        st.code("\n".join(sample().splitlines()[:4]), language=None)
        st.download_button(
            "Download a sample file",
            sample(),
            "sample-predictions.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.markdown("From your own model, in a few lines:")
        for tab, lines in zip(st.tabs(list(snippets())), snippets().values(), strict=True):
            tab.markdown(lines)
