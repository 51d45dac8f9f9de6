"""Short lessons on toy examples."""
