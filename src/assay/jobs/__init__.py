"""What is to be computed for a question, and its answer as data."""
