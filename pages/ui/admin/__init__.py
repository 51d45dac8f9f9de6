"""What the page Admin shows, and what can be taken back there."""
