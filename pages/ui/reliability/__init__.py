"""The reliability diagram, its bins and their cases."""
