"""Models of the same cases: which are compared, how one adds some, what comes of it, pair by pair."""
