"""What a measure is declared with: its formula, its facts, the forms of its interval, and the catalogue of all."""
