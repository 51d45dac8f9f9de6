"""A file too large for memory in, a diagnosis out: what costs a number of operations linear in the cases.

The numbers are those of :func:`calibcore.diagnose.diagnose`, sums apart, which are added in another order:
the redraws of a test are the same draws, since a generator can jump to where a slice of a redraw begins.
"""

from calibcore.streaming.run import diagnose_slices

__all__ = ["diagnose_slices"]
