"""Sentences in which assay may refuse a file that Python reads, each with the reason why that is right."""

from __future__ import annotations

import re

REFUSALS = {
    r"has a blank before a quoted value": "readers differ on what belongs to the value then",
    r"mixes line endings": "a lone return may end a row, or belong to a value that lost its quotes",
    r"matches .* and .*, which have different formats": "nobody means CSV and JSON Lines by one pattern",
    r"is not UTF-8 text": "Python reads it only because the oracle lets it",
    r"there are no groups to slice by": "the file can be read, but what was asked for is not in it",
    r"has columns but no rows": "a system that answers nothing at all was more likely forgotten",
    r"has no predictions at all; there is nothing to compare": "a column without an answer was more likely forgotten",
    r"what a wrong answer is depends on the classes": "of two classes the other one is wrong, of more none of them",
    r"has half a surrogate pair": "it stands for no character, and no text file can hold it",
    r"all weights in column .* are 0, so there is nothing left": "rows that count for nothing cannot be judged",
    r"have no label in common, so every prediction would be wrong": "labels were more likely written in another way",
    r"as text these are different labels": "1 and 1.0 were more likely meant as one label",
    r"has a line break inside the name of a column": "a first line is then no header to most programs",
}


def legitimate(said: str) -> bool:
    """Whether this is one of the sentences."""
    return any(re.search(pattern, said) for pattern in REFUSALS)
