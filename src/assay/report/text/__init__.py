"""Results as text: terminal, Markdown, LaTeX, JUnit."""
