"""Two systems: the difference with its interval, and the test."""
