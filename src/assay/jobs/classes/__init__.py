"""What is computed class by class."""
