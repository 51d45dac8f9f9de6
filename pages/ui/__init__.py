"""What the pages show, and what they have in common."""
