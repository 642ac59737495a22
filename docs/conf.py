"""How the site is built: `make docs` writes it to build/site."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "assay"
author = "the assay developers"
copyright = "the assay developers"  # noqa: A001 - the name that Sphinx reads
release = re.search(r'^version = "(.*)"', (HERE.parent / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]
version = release

extensions = ["myst_parser", "mathml", "names"]
myst_enable_extensions = ["dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext"]
nitpicky = True
language = "en"

html_theme = "furo"
html_title = f"assay {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("roots.js", "titles.js", "quotes.js")]
html_show_search_summary = False  # from the file system a page cannot fetch the pages it found
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_math_renderer = "mathml"
templates_path = []
highlight_language = "text"
pygments_style = "default"  # tango is paler than WCAG allows
pygments_dark_style = "native"
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {
        "color-brand-primary": "#171b20",
        "color-brand-content": "#1d5fb0",
        "color-brand-visited": "#1d5fb0",
        "font-stack": 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
        "font-stack--monospace": 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    },
    "dark_css_variables": {
        "color-brand-primary": "#e8edf2",
        "color-brand-content": "#6cb0ff",
        "color-brand-visited": "#6cb0ff",
    },
}
