"""Questions that are asked of a server: what is sent, and who sends it."""
