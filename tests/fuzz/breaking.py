"""Ways to break the bytes of a file."""

from __future__ import annotations

import gzip
import json
from random import Random

NEEDLES = (
    b'"',
    b'""',
    b"\n",
    b"\r",
    b"\r\n",
    b",",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\x1b[2J",
    b" ",
    b"\t",
    b"{",
    b"]",
    b"nan",
    b"1e999",
)
NEEDLES_JSON = (
    b"null",
    b"-1",
    b"1e999",
    b"[]",
    b"{}",
    b'"x"',
    b"99999999999999999999",
    b"NaN",
    b"0.5",
    b"true",
    b'"\\ud800"',
)


def broken(rng: Random, data: bytes) -> bytes:
    """The same bytes with one or a few things wrong."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(BREAKS)(rng, data)
    return data


def _insert(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(NEEDLES) + data[at:]


def _delete(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.choice((1, 1, 2, 20)) :]


def _flip(rng: Random, data: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _doubled(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    end = min(len(data), at + rng.choice((3, 30, 300)))
    return data[:end] + data[at:end] + data[end:]


def _recoded(rng: Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(("latin-1", "utf-16", "utf-16-le", "cp1252")), "replace")


def _other_ends(rng: Random, data: bytes) -> bytes:
    old, new = rng.choice(
        ((b"\n", b"\r\n"), (b"\r\n", b"\n"), (b"\n", b"\r"), (b"\n", b"\n\n"), (b",", b", "), (b'"', b"'"))
    )
    return data.replace(old, new, rng.choice((1, 3, -1)))


def _ragged(rng: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = rng.choice(
        (lines[at] + b",", lines[at] + b",x", lines[at].rpartition(b",")[0], b"", b"  ", lines[at] * 2)
    )
    return b"\n".join(lines)


def _long(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice((b"x", b'"', b",", b"\xc3\xa9")) * rng.choice((1000, 70_000)) + data[at:]


def _repacked(rng: Random, data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _json_value(rng: Random, data: bytes) -> bytes:
    """Another value in the place of one that stands behind a colon, a comma or a bracket."""
    places = [at for at, sign in enumerate(data) if sign in b":,["]
    if not places:
        return data
    at = rng.choice(places) + 1
    end = at
    while end < len(data) and data[end] not in b",]}":
        end += 1
    return data[:at] + rng.choice(NEEDLES_JSON) + data[end:]


BREAKS = (
    _insert,
    _insert,
    _delete,
    _flip,
    _flip,
    _cut,
    _doubled,
    _recoded,
    _other_ends,
    _ragged,
    _long,
    _repacked,
    _json_value,
    _json_value,
)


def json_broken(rng: Random, data: bytes) -> bytes:
    """Another value somewhere in the tree, so that the text is still JSON."""
    try:
        tree = json.loads(data)
    except ValueError:
        return data
    values: tuple[object, ...] = (
        None,
        -1,
        0,
        1,
        2**53 + 1,
        2**64,
        1e308,
        0.5,
        "",
        "a",
        "x" * 500,
        [],
        {},
        [[]],
        True,
        "\ud800",
        "\x1b[2J",
        [1, 2],
        {"a": 1},
    )
    for _ in range(rng.choice((1, 1, 2))):
        node = tree
        while isinstance(node, dict | list) and node:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            key = rng.choice(keys)
            child = node[key]
            if not isinstance(child, dict | list) or not child or rng.random() < 0.15:
                action = rng.random()
                if action < 0.7:
                    node[key] = rng.choice(values)
                elif action < 0.85:
                    del node[key]
                elif isinstance(node, list):
                    node.append(child)
                else:
                    node[rng.choice(("extra", "", "labels", "counts"))] = child
                break
            node = child
    return json.dumps(tree).encode()
