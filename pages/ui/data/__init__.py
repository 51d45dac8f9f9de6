"""Files on their way in, what was read of them, and the models that are loaded."""
