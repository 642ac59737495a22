"""Protocols: splitting data and running models."""
