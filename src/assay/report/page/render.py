"""A page as HTML: everything escaped, nothing fetched, and only the page's own script and style allowed."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from assay.report.contents.blocks import Page
from assay.report.names import SHORT, clean, cut_alike, middle_cut
from assay.report.tokens import OUTLINES, SHAPES, variables
from assay.result import Readable

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context
    from markupsafe import Markup

STYLES = ("base.css", "opening.css", "listing.css", "forest.css", "matrix.css", "explorer.css", "charts.css")
SCRIPTS = ("explorer.js",)


def to_html(result: Readable) -> str:
    """A result as one self-contained HTML file."""
    return page_html(result.page())


def to_fragment(result: Readable) -> str:
    """A result to show in a notebook."""
    return fragment_html(result.page())


def page_html(page: Page) -> str:
    """The whole page, as one file."""
    return _written("page.html", page, policy=policy())


def fragment_html(page: Page) -> str:
    """The page without its frame and its script, to embed in another page such as a notebook."""
    return _written("fragment.html", _without_scripts(page))


def _without_scripts(page: Page) -> Page:
    """The page without the parts that need a script, and without links to them."""
    parts = tuple(part for part in page.parts if not part.needs_script)
    gone = {part.id for part in page.parts} - {part.id for part in parts}
    cautions = tuple(replace(each, of=None) if each.of in gone else each for each in page.cautions)
    return replace(page, parts=parts, cautions=cautions)


def policy() -> str:
    """What the browser may do with the page: apply its own style, run its own script, and fetch nothing."""
    parts = (
        "default-src 'none'",
        f"style-src {_hash(_style())}",
        f"script-src {_hash(_joined(SCRIPTS))}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(parts)


def as_json(value: Any) -> str:
    """JSON to embed in a page, which no text in it can end early."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _short(context: Context, name: str, most: int = 24) -> str:
    """A name from the data that fits; those of the systems are cut where they differ from each other."""
    names = context["page"].names
    return cut_alike(names, most)[name] if name in names and len(names) > 1 else middle_cut(name, most)


def told(text: str, names: Sequence[str] = ()) -> Markup:
    """A sentence, with every name from the data isolated so that it cannot reorder the words around it."""
    from markupsafe import Markup, escape

    each = {*map(clean, names), *cut_alike(names, SHORT).values()} - {""}
    known = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(each, key=len, reverse=True))
    found = re.compile(rf"(?<=“)[^“”]+(?=”)|{known}" if known else r"(?<=“)[^“”]+(?=”)")
    text, parts, at = clean(text), [], 0
    for name in found.finditer(text):
        parts += [escape(_unbroken(text[at : name.start()])), Markup("<bdi>"), escape(name[0]), Markup("</bdi>")]
        at = name.end()
    return Markup("").join([*parts, escape(_unbroken(text[at:]))])


def _unbroken(text: str) -> str:
    """The text with each p-value and each number of rows on one line."""
    return re.sub(r"\b([pn]) ([=≤<]) (?=\d)", "\\1\u00a0\\2\u00a0", text)


def typed(text: str) -> Markup:
    """What is typed, each word of it on one line if that is long enough."""
    from markupsafe import Markup, escape

    words = (Markup('<span class="word">{}</span>').format(escape(word)) for word in clean(text).split(" "))
    return Markup(" ").join(words)


def _written(template: str, page: Page, **more: Any) -> str:
    made = _environment().get_template(template)
    return made.render(page=page, style=_style(), script=_joined(SCRIPTS), **more)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
    from markupsafe import Markup

    made = Environment(
        loader=PackageLoader("assay.report.page", "template"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "clean": clean,
        "told": told,
        "typed": typed,
        "short": pass_context(_short),
        "json": lambda value: Markup(as_json(value)),  # its signs are escaped
        "drawn": lambda drawing: Markup(drawing.inline()),  # its labels are escaped
    }
    made.globals |= {"outline": lambda i: OUTLINES[SHAPES[i % len(SHAPES)]], "shapes": len(SHAPES)}
    return made


@cache
def _style() -> str:
    """The styles without comments and blanks between rules, which every page would carry."""
    bare = re.sub(r"/\*.*?\*/", "", _joined(STYLES), flags=re.DOTALL)
    needed = re.sub(r'("[^"]*")|\s*([{};])\s*|(?<=[:,]) ', r"\1\2", bare)  # texts that are shown keep their blanks
    return f"{variables()}\n" + needed.replace(";}", "}")


@cache
def _joined(names: tuple[str, ...]) -> str:
    folder = files("assay.report.page") / "template"
    return "\n".join((folder / name).read_text(encoding="utf-8").strip() for name in names)


def _hash(text: str) -> str:
    """How a policy names the one text it allows; the template puts it between its tags with nothing around it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
