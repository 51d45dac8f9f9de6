"""What one decides about, and what deciding at a threshold is worth."""
