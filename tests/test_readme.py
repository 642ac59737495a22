from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from assay.cli.commands.demo import TABLES, shipped
from assay.cli.main import exit_code
from scripts import screenshot
from scripts.drawing_inside import TARGET, drawing
from scripts.picture import COMMANDS, FOLDER, picture
from scripts.reference import __main__ as reference

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TAKE_IT = ".venv/bin/python scripts/screenshot.py (after make test-browser, which installs what it needs)"
WRITTEN = (
    "python",
    "measures",
    "commands",
    "names.md",
    "options.md",
)  # of the reference, by `make docs`, which checks their links


def _by_hand() -> list[Path]:
    """The pages of the site that people write."""
    made = {DOCS / "reference" / name for name in WRITTEN}
    return [path for path in sorted(DOCS.rglob("*.md")) if not made & {path, *path.parents}]


# A command, on several lines if it is long, and its output.
SHOWN = r"```console\n\$ assay ((?:[^\n]*\\\n)*[^\n]*)\n(.*?)```"
# Pages whose tables have a call of another library and one of assay in each row: what starts the former, and how many.
PEERS = {
    "docs/howto/from-scikit-learn.md": (r"sk\.", 33),
    "docs/howto/from-other-tools.md": (r"(?:mlx|stats|tables|inter_rater|multitest|proportion)\.", 26),
}
PAGES = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *_by_hand())}
CONSOLE = [
    pytest.param(*found, id=f"{page}-{number}")
    for page, text in PAGES.items()
    for number, found in enumerate(re.findall(SHOWN, text, flags=re.DOTALL), 1)
]
PYTHON = {page: re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL) for page, text in PAGES.items()}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like that of a reader who typed `assay demo practice` and has nothing else."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "practice").mkdir()
    for name in TABLES:
        (folder / "practice" / name).write_bytes(shipped(name).read_bytes())
    return folder


@pytest.mark.parametrize("page", [page for page, blocks in PYTHON.items() if blocks])
def test_the_python_examples_of_a_page_give_what_it_prints(
    page: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    test = doctest.DocTestParser().get_doctest("\n".join(PYTHON[page]), {}, page, page, 0)
    assert doctest.DocTestRunner(verbose=False).run(test, clear_globs=False).failed == 0
    # What the page calls the same gives the same.
    theirs, count = PEERS.get(page, (r"$.", 0))
    rows = re.findall(rf"^\| `({theirs}.+)` \| `(.+)` \|$", PAGES[page], flags=re.MULTILINE)
    assert len(rows) == count
    different = [call for call, ours in rows if not np.allclose(eval(call, test.globs), eval(ours, test.globs))]
    assert different == []


def test_no_page_reads_a_file_that_only_the_repository_has() -> None:
    assert [
        page for page, text in PAGES.items() if re.search(r"(?<!\.\./)src/assay/data|docs/examples/\w+\.csv", text)
    ] == []


def test_the_readme_shows_python_and_commands() -> None:
    assert len(PYTHON["README.md"]) >= 3
    assert len(CONSOLE) >= 8


@pytest.mark.parametrize(("command", "printed"), CONSOLE)
def test_the_commands_of_the_pages_print_what_they_show(
    command: str, printed: str, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    assert exit_code(shlex.split(command.replace("\\\n", ""))) == 0
    shown = printed.removesuffix("...\n")
    assert capsys.readouterr().out.startswith(shown)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_pictures_of_the_terminal_are_what_assay_prints(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == picture(name)


def test_the_picture_of_the_page_was_taken_of_the_page_as_it_is() -> None:
    stale = "the page has changed since its picture was taken; take it again and look at it: " + TAKE_IT
    assert screenshot.page_of(screenshot.TARGET) == screenshot.digest(screenshot.demo_page()), stale


def test_the_drawing_of_the_inside_shows_what_assay_computes() -> None:
    assert TARGET.read_text(encoding="utf-8") == drawing()


@pytest.mark.parametrize("page", PAGES)
def test_no_line_of_a_formula_starts_like_an_item_of_a_list(page: str) -> None:
    # A minus at the start of a line would end the formula, and turn the words up to the next one into mathematics.
    text = re.sub(r"```.*?```|`[^`\n]*`", "", PAGES[page], flags=re.DOTALL)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-+*]|\d+\.)\s)", text)
    assert [part for part in parts if part.count("$") % 2] == []


def test_no_link_shows_the_name_of_a_file_of_the_source() -> None:
    every = {**PAGES, **{name: text for name, text in reference.pages().items() if not name.startswith("python/")}}
    shown = {name: re.findall(r"\[([^\]]+\.md)\]\(", text) for name, text in every.items()}
    assert {name: links for name, links in shown.items() if links} == {}


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_heading_that_a_page_links_to_exists(page: str) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", PAGES[page], flags=re.DOTALL)):
        name, _, heading = link.partition("#")
        target = ((ROOT / page).parent / name if name else ROOT / page).resolve()
        if re.match(r"https?:", link) or {DOCS / "reference" / made for made in WRITTEN} & {target, *target.parents}:
            continue
        assert target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert heading in [re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings], link
