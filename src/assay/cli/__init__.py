"""The command line: a thin layer over the same functions."""
