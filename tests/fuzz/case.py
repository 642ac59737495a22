"""One case of the fuzz: the files, the commands that are run on them, and how both are kept in a file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOUND = Path(__file__).parent / "found"


@dataclass(frozen=True)
class Case:
    """Files by name, and commands that run one after the other in the folder that holds them."""

    files: Mapping[str, bytes]
    commands: tuple[tuple[str, ...], ...]
    stdin: str | None = None  # the file that comes on standard input
    own_process: bool = False
    why: str = ""  # what went wrong when it was found, or what it is here for
    faults: tuple[str, ...] = field(default=(), compare=False)

    def to_json(self) -> str:
        """Text for a file: bytes that are plain text stay legible."""
        held = {
            "why": self.why,
            "commands": [list(command) for command in self.commands],
            "stdin": self.stdin,
            "own_process": self.own_process,
            "files": {name: _text_of(data) for name, data in self.files.items()},
        }
        return json.dumps(held, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Case:
        """The case that was kept."""
        held: dict[str, Any] = json.loads(text)
        return cls(
            {name: _bytes_of(value) for name, value in held["files"].items()},
            tuple(tuple(command) for command in held["commands"]),
            held["stdin"],
            held["own_process"],
            held["why"],
        )

    def keep(self, folder: Path, why: str) -> Path:
        """Write the case to the folder under a name of its own."""
        kept = Case(self.files, self.commands, self.stdin, self.own_process, why)
        text = kept.to_json()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.commands[-1][0]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        path.write_text(text, encoding="utf-8")
        return path


def _text_of(data: bytes) -> dict[str, str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
    return {"text": text}


def _bytes_of(held: Mapping[str, str]) -> bytes:
    return held["text"].encode() if "text" in held else base64.b64decode(held["base64"])
