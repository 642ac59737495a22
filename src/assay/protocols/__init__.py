"""What divides data or runs models."""
