"""The settings in the side bar, and the data that they apply to."""
