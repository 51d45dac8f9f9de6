"""How results look in a notebook: the verdict, the figure and the table."""

from calibcore.notebook.views import VIEWS

__all__ = ["VIEWS"]
