"""The parts of a page under their headings, each made from a report."""
