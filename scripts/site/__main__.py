"""The documentation as a site that works from disk.

python -m scripts.site [FOLDER]
"""

import os
import subprocess
import sys
from pathlib import Path

from scripts.reference import make
from scripts.site.sources import ROOT, gather

FOLDER = ROOT / "build/site"


def build(folder: Path, sources: Path) -> None:
    """The site in ``folder``; what is made on the way in ``sources``. A link that leads nowhere fails."""
    settings = gather(sources)
    # The builder's note on its successor is for who chooses a builder.
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    command = (
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--config-file",
        settings,
        "--site-dir",
        folder.resolve(),
    )
    subprocess.run(  # noqa: S603 - the builder
        (sys.executable, "-m", *map(str, command)), check=True, cwd=ROOT, env=quiet
    )
    make(folder / "reference/python", "reference/python.html")


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    build(out, out.parent / "site-sources")
    print(f"The documentation is in {out / 'index.html'}.")
