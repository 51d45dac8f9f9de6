"""Long work: in the background, in a queue, on a cluster, and how long it may take."""
