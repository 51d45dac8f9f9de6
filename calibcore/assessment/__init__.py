"""Several lenses, and what they come to: survey, verdict, power."""
