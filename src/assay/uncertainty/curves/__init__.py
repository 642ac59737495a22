"""Bands around curves, and what a threshold that was chosen on some rows is worth on others."""
