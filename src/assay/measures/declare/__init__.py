"""How measures are declared: formula, facts, forms of the interval; and the catalogue of all measures."""
