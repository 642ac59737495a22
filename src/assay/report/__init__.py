"""What is shown: one shape of row for text, frames, JSON, CSV and Markdown."""
