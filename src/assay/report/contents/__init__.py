"""What a page is made of, as plain values."""
