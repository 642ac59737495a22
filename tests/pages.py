"""How tests read a page: its tags and words, and the blocks it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from assay.report.contents.blocks import Block, Group, Page

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Tags(HTMLParser):
    """What opens and does not close, which attributes there are, and the words between the tags."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.opened: list[str] = []
        self.wrong: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.tags: set[str] = set()
        self.scripts = 0
        self.words: list[str] = []
        self.inline = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        self.tags.add(tag)
        self.inline = tag == "bdi"
        self.scripts += tag == "script"

    def handle_endtag(self, tag: str) -> None:
        if not self.opened or self.opened.pop() != tag:
            self.wrong.append(tag)
        self.inline = tag == "bdi"

    def handle_data(self, data: str) -> None:
        if self.opened and self.opened[-1] in ("style", "script"):
            return
        if self.inline and self.words:  # a name within a sentence is no word of its own
            self.words[-1] += data
        else:
            self.words.append(data)
        self.inline = False

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def blocks(page: Page) -> Iterator[Block]:
    """Every block of a page, those within others too."""

    def within(block: Block) -> Iterator[Block]:
        yield block
        if isinstance(block, Group):
            for each in block.blocks:
                yield from within(each)

    for part in page.parts:
        for block in part.blocks:
            yield from within(block)
