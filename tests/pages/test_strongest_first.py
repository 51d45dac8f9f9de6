"""The app names the check with the strongest evidence wherever it names some: Overview."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.pages.harness import opened, said, settled, upload
from tests.words.test_strongest_first import NAMES, planted


@pytest.mark.slow
def test_the_class_that_is_off_most_is_named_though_it_is_the_last() -> None:
    p, out = planted(), io.StringIO()
    table = pd.DataFrame(p.probs.round(6), columns=list(NAMES))
    table["label"] = np.array(NAMES)[p.labels]
    table.to_csv(out, index=False)
    app = settled(
        upload(opened("data", in_use="wine"), text=out.getvalue()).switch_page("../overview.py").run()
    )
    assert "## 'melanoma' too low" in said(app).replace("\\", "")
