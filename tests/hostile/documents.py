"""Hostile documents: what is read back from JSON, and backups of the store."""

import base64
import gzip
import json
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.survey import Survey, survey
from calibcore.diagnose import Diagnosis
from calibcore.errors import InputError
from calibcore.kernels import GaussianKernel
from calibcore.store import Share, Store, StoreError, open_store
from calibcore.store.backup import FORMAT, restore
from calibcore.transforms.lenses import GroupsLens, RegionLens, TopKLens
from calibcore.transforms.nulls import Mixture
from tests.hostile.corpus import LABELS, PROBS
from tests.hostile.invariants import bounded, one_sentence, result_or_sentence

SMALL = DiagnosisSpec(resamples=19, tests=("exact",), estimates=("ici",))

RICH = DiagnosisSpec(
    lens=RegionLens(GroupsLens({"A": ["a", "b"], "B": ["c"]}), "a", 0.1, 0.9),
    kernel=GaussianKernel(0.5, class_matrix=((2.0, -1.0), (-1.0, 2.0))),
    null=Mixture(0.25, "A"),
    stop_at=10,
)
"""Settings in which every shape of a value stands."""

READ: dict[str, Callable[[str], Any]] = {
    "settings": DiagnosisSpec.from_json,
    "diagnosis": Diagnosis.from_json,
    "survey": Survey.from_json,
    "judged": Assessment.from_json,
}


@cache
def documents() -> dict[str, str]:
    """A valid text of each kind."""
    p = Predictions.from_arrays(PROBS, LABELS, ("a", "b", "c"))
    found = survey(p, SMALL, [TopKLens(1)])
    return {
        "settings": RICH.to_json(),
        "diagnosis": diagnose(p, SMALL).to_json(),
        "survey": found.to_json(),
        "judged": assess(p, found).to_json(),
    }


def read_document(kind: str, text: str) -> bool:
    """Read a document; whether it could be, and then it can be written and read again."""
    found = result_or_sentence(lambda: READ[kind](text))
    if found is None:
        return False
    again = result_or_sentence(lambda: found.to_json(), ())
    assert again is not None
    if kind == "settings":
        assert DiagnosisSpec.from_json(again) == found
    return True


SHARE = Share("Wine", 0, 10**8, "f" * 64, "{}", "<!DOCTYPE html><title>Wine</title>")
ROW = {
    "token_hash": base64.b64encode(b"t" * 32).decode(),
    "key_hash": base64.b64encode(b"k" * 32).decode(),
    "title": "Wine",
    "created": 0,
    "expires": 10**8,
    "fingerprint": "f" * 64,
    "document": "{}",
    "page": base64.b64encode(zlib.compress(SHARE.page.encode())).decode(),
}


def backup_of(*rows: object) -> bytes:
    """A backup with these rows, as bytes."""
    lines = [json.dumps({"caliblens-shares": FORMAT}), *map(json.dumps, rows)]
    return gzip.compress("\n".join(lines).encode(), mtime=0)


@cache
def _store() -> tuple[Store, Path]:
    folder = Path(mkdtemp(prefix="hostile-"))
    store = open_store("", folder)
    store.save(SHARE)
    return store, folder / "backup"


def restore_one(data: bytes) -> int:
    """Restore a backup of these bytes; how many reports are new. Each can be shown then, and none is lost."""
    store, path = _store()
    path.write_bytes(data)
    with bounded():
        try:
            new = restore(store, path).reports
        except (InputError, StoreError) as error:
            one_sentence(str(error).replace(repr(str(path)), "'file'"))
            new = 0
    rows = list(store.rows())
    assert len(rows) >= 1 + new
    for row in rows:
        zlib.decompress(row["page"]).decode()
        assert isinstance(row["title"], str)
    return new
