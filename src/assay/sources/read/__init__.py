"""Files of every format as tables: which there are, what they hold, and how they are read."""
