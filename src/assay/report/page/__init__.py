"""The page people open: one file with everything in it, from the rows that every other format shows."""
