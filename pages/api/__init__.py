"""What programs ask over HTTP: the questions of the command line, with the limits of the pages."""
