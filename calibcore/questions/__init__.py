"""Questions of one or several Predictions: each a pure function whose result is frozen and JSON-able."""
