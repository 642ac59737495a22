"""Write the schemas, and the tables of fields in docs/reference/json.md: python -m scripts.reference.schemas."""

from __future__ import annotations

from scripts.reference.schemas import files

if __name__ == "__main__":
    files.main()
