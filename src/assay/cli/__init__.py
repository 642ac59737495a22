"""The command line: thin doors over the same functions."""
