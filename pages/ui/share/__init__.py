"""Reports to hand on, and the settings of somebody else's."""
