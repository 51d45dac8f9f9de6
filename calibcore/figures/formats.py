"""What a printed figure can be. Nothing is imported here, so that it costs nothing to offer it."""

WIDTHS = (89, 183)
"""Millimetres: one and two columns of a journal, as Nature has them."""
FORMATS = ("pdf", "svg", "png")
