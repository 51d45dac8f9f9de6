"""Cases in bins, and what a reliability diagram shows of them."""
