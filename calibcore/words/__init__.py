"""A result in, the sentences about it out: the same for page, command line and alt text.

Whole numbers are separated by thousands, errors are in percentage points, a
p-value is never written as 0 and never stands without its promise.
"""
