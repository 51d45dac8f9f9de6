"""Cases in time: what orders them, what comes of it, how it goes on with the next file."""
