"""Make ``assets/examples/answers``: what surveys of the bundled examples find, as a new session asks for it.

Run ``python -m scripts.make_answers [FOLDER]`` after ``scripts/make_examples.py``, and whenever a number of a
survey changes. Nothing is compiled to show them: a new server has its verdict at once.
"""

import gzip
import json
import sys
from pathlib import Path

from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import default_lenses
from calibcore.data.examples import EXAMPLES
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.transforms.lenses import CanonicalLens
from pages.ui.settings import AT_FIRST, as_surveyed_by
from pages.work import bundled, studies
from pages.work.job import Job

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "examples" / bundled.ANSWERS


def study_of(p: Cases, *, anew: bool = False) -> studies.Study[Assessment]:
    """The survey that a new session begins on these cases; ``anew``: computed, whatever ships."""
    lenses = default_lenses(p)
    if isinstance(p, MultiLabelPredictions):
        spec, many = as_surveyed_by(AT_FIRST, (CanonicalLens(),), p.label(p.known[0]))
    else:
        spec, many = as_surveyed_by(AT_FIRST, lenses, p)
    return studies.surveyed(p, spec, lenses, many, anew=anew)


def make(folder: Path = FOLDER) -> None:
    """Write a document an example, and which was asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = {}
    for example in EXAMPLES:
        study = study_of(bundled.cases(example.key), anew=True)
        asked[bundled.digest_of(study.key)] = example.key
        document = study.work(Job()).to_json().encode()
        (folder / f"{example.key}.json.gz").write_bytes(gzip.compress(document, mtime=0))
        print(f"{example.key}: {len(document):,} bytes", flush=True)
    (folder / "index.json").write_text(json.dumps(asked, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(*map(Path, sys.argv[1:2]))
