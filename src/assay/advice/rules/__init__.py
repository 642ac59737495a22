"""The rules of advice, one file for each family that has any."""
