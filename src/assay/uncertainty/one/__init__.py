"""One system: a measure with its interval."""
