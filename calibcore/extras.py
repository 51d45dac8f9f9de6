"""What does not come with the core: the extra of ``pip install`` that brings it, said where it is missing.

>>> need("A table of numbers", "excel", "numpy")
>>> need("A table of unicorns", "excel", "unicorns")
Traceback (most recent call last):
...
calibcore.extras.MissingExtra: A table of unicorns needs the package unicorns, which is not installed. \
Install it: pip install "caliblens[excel]"
"""

from importlib.util import find_spec

from calibcore.errors import InputError

_FIGURES = ("plotly",)
_PRINT = ("matplotlib", "ternary")
_REPORT = ("typst", "jinja2", *_FIGURES, *_PRINT)
_EXCEL = ("openpyxl",)
_STORE = ("sqlalchemy", "alembic", "pg8000")
EXTRAS = {
    "excel": _EXCEL,
    "figures": _FIGURES,
    "print": _PRINT,
    "report": _REPORT,
    "store": _STORE,
    "cluster": ("distributed",),
    "app": ("streamlit", "authlib", "httpx", "prometheus_client", *_EXCEL, *_REPORT, *_STORE),
}
"""Extra -> the modules that it brings: those of pyproject.toml, which a test compares."""


class MissingExtra(InputError, ImportError):
    """A package that this needs is not installed; the sentence names the extra that brings it."""


def need(what: str, extra: str, *modules: str) -> None:
    """Before ``modules`` are imported, all of the extra's if none is named: they are there.

    Raises
    ------
    MissingExtra : one of them is not; ``what`` begins the sentence.
    """
    for module in modules or EXTRAS[extra]:
        if find_spec(module) is None:
            raise MissingExtra(
                f"{what} needs the package {module}, which is not installed. "
                f'Install it: pip install "caliblens[{extra}]"'
            )
