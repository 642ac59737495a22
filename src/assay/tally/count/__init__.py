"""Counting in the table's own engine, and the result of one scan: tallies by system, kind and group."""
