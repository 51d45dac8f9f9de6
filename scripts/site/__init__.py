"""The documentation as a site that works from disk: `make docs`."""
