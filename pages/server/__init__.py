"""What runs beside the pages: who may come in, what they may send, links to reports, upkeep, the log."""
