"""Questions about several systems at once."""
