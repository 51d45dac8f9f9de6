"""What a result says, as blocks that every interface renders: plain text, tables, and what is drawn."""
