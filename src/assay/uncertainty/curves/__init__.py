"""Bands around curves, and what a threshold chosen on some rows is worth on others."""
