"""What files are called: after the data and what they hold, and never a path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibcore.words.file_names import LONGEST, file_name


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("derm.csv", "derm-report-2026-11-26.pdf"),
        ("Handwritten digits, random forest", "Handwritten-digits-random-forest-report-2026-11-26.pdf"),
        ("two.csv, site B", "two-site-B-report-2026-11-26.pdf"),
        ("net_v2.1_final.parquet", "net-v2-1-final-report-2026-11-26.pdf"),
        ("Zürich, 東京", "Zürich-東京-report-2026-11-26.pdf"),
        ("../../etc/passwd", "etc-passwd-report-2026-11-26.pdf"),
        ("", "report-2026-11-26.pdf"),
        ("\u202eexe.nped", "exe-nped-report-2026-11-26.pdf"),
        ("x" * 90, f"{'x' * LONGEST}-report-2026-11-26.pdf"),
        ("word " * 20, f"{'-'.join(['word'] * 8)}-report-2026-11-26.pdf"),
    ],
)
def test_names(data: str, expected: str) -> None:
    assert file_name(data, "report", "pdf", "2026-11-26") == expected


@given(st.text())
def test_no_name_is_a_path_or_hides_its_ending(data: str) -> None:
    name = file_name(data, "figure", "png")
    assert name.endswith("figure.png")
    assert name.count(".") == 1
    assert name.replace("-", "").replace(".", "").isalnum() or not name.isascii()
    assert not set(name) & set('/\\:*?"<>| \n\0')
    assert len(name) <= LONGEST + len("-figure.png")
