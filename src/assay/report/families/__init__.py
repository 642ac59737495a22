"""What a family shows beyond its measures; a family without a file here is still shown."""
