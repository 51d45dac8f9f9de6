"""The survey of all lenses and its verdicts."""
