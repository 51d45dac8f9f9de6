"""Groups of cases: which columns make them, what comes of them, one group as a model of its own."""
