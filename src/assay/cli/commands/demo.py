"""The command `assay demo`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.cells import cell_len

from assay.cli.files import claim, write_bytes, write_text
from assay.cli.show import page_width, working
from assay.cli.streams import tell
from assay.errors import OptionError
from assay.report.text.wrapping import wrapped

FILES = ("breast_cancer.csv", "digits.csv")
FIRST, SECOND = FILES
TWO = "--gold gold --pred logistic --pred tree --positive malignant"
# What is run on each file: first which model is better, then how good they are.
COMMANDS = (
    (FIRST, "compare", TWO),
    (FIRST, "evaluate", TWO),
    (SECOND, "evaluate", "--gold gold --pred logistic --pred bayes"),
)
PROMPT, BREAK, INDENT = "$ ", " \\", "    "
PAGE = "report.html"  # in a folder
EXAMPLES = "examples"  # the folder to suggest when none was named
# The other files, which the documentation uses; scripts/make_docs_examples.py and docs/howto/example-files.md say how
# they were made.
MORE = (
    *("arena.csv", "c45.csv", "cancer_dev.csv", "cancer_test.csv", "counts.csv", "folds.csv", "images.qrels"),
    *("judged.csv", "pca.run", "pixels.run", "queries.csv", "scans.csv", "screened.csv"),
)
TABLES = (*FILES, *MORE)
COMPARED = (
    "--gold gold --pred logistic --pred tree --score logistic=logistic_score --score tree=tree_score "
    "--positive malignant --slice size"
)


def demo(
    folder: Annotated[str | None, Parameter(help="Folder to write the example files and a page to.")] = None,
    /,
    *,
    html: Annotated[
        str | None,
        Parameter(help="Write a page that compares two of the models to this file (default in a folder: report.html)."),
    ] = None,
    force: Annotated[
        bool, Parameter(help="Overwrite existing files of the same names.", negative=(), show_default=False)
    ] = False,
) -> None:
    """Compare real models on an included file; given a folder, write all example files and a page there first."""
    if html is not None:
        path_named(html, "file")
    if folder is not None:
        in_a_folder(path_named(folder, "folder"), html, force=force)
    elif force:
        raise OptionError("--force applies to files in a folder; name the folder, as in 'assay demo examples --force'.")
    else:
        as_it_comes(html)


def path_named(name: str, what: str) -> Path:
    """The file or folder of this name; an error if the name is empty or cannot be shown."""
    if not name:
        hint = "'.' is the current folder" if what == "folder" else "name a file, as in --html demo.html"
        raise OptionError(f"the name of the {what} is empty; {hint}.")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise OptionError(f"{name!r} is not UTF-8 text; name another {what}.") from None
    return Path(name)


def shipped(name: str) -> Traversable:
    """An example file that comes with assay."""
    folder = files("assay") / "data"
    return (folder if name in FILES else folder / "examples") / name


# ---------------------------------------------------------------------- a page
@dataclass(frozen=True)
class Shown:
    """A page that compares two models, the data file that a reader has, and where the page is written."""

    file: str
    html: str
    at_hand: bool = True

    @property
    def command(self) -> str:
        """The command that reproduces the page, preceded by the one that writes the files if there are none yet."""
        return self._written(self.file, self.html)

    @property
    def words(self) -> list[str]:
        """The comparison that makes the page, word by word."""
        return ["assay", "compare", self.file, *shlex.split(COMPARED), "--html", self.html]

    def _written(self, file: str, html: str) -> str:
        compare = shlex.join(replace(self, file=file, html=html).words)
        return compare if self.at_hand else f"assay demo {EXAMPLES} && {compare}"

    def made(self) -> str:
        """The page as HTML."""
        from assay.jobs.comparison.systems import compare_systems
        from assay.report.page.render import page_html

        scores = {"logistic": "logistic_score", "tree": "tree_score"}
        columns: dict[str, Any] = {"gold": "gold", "pred": list(scores), "scores": scores, "slices": "size"}
        with as_file(shipped(FIRST)) as path, working("comparing two models"):
            report = compare_systems(str(path), positive="malignant", **columns)
            file = Path(self.file).name if self.at_hand else self.file
            return page_html(report.page(self._written(file, Path(self.html).name)))

    def tell(self) -> None:
        """Print how the page was made, and then where it is."""
        tell(shown_command("With scores and groups, as a page: ", self.words))
        tell(f"The page: {self.html} — open it in a browser\n")


def shown_command(before: str, words: Sequence[str]) -> str:
    """A command to copy, after some words: on their line, or below them on lines that a shell reads as one."""
    line, width = shlex.join(words), page_width()
    if cell_len(f"{before}{line}") <= width:
        return f"{before}{line}\n"
    first = PROMPT if before == PROMPT else ""
    lines = [""]
    for part in parts_of(words):
        room = width - len(BREAK) - cell_len(first if len(lines) == 1 else INDENT)
        if lines[-1] and cell_len(f"{lines[-1]} {part}") > room:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{part}"
    return f"{first or f'{before.rstrip()}{chr(10)}'}{f'{BREAK}{chr(10)}{INDENT}'.join(lines)}\n"


def parts_of(words: Sequence[str]) -> list[str]:
    """The words of a command as a shell reads them, each option with its value."""
    out: list[str] = []
    for word in words:
        if out and out[-1].startswith("--") and " " not in out[-1] and not word.startswith("--"):
            out[-1] += f" {shlex.quote(word)}"
        else:
            out.append(shlex.quote(word))
    return out


def as_it_comes(html: str | None) -> None:
    """Compare and evaluate on the first file where it is, and write the page if one was asked for."""
    with as_file(shipped(FIRST)) as path:
        page = None if html is None else Shown(f"{EXAMPLES}/{FIRST}", html, at_hand=False)
        if page is not None:
            claim([str(path)], {"--html": page.html})
            write_text(page.html, page.made())
        told = f"These commands work after 'assay demo {EXAMPLES}', which writes the files to the folder {EXAMPLES}."
        tell("\n".join([*wrapped(told, page_width()), ""]))
        for name, verb, options in COMMANDS:
            if name == FIRST:
                tell("\n")
                run(verb, str(path), f"{EXAMPLES}/{FIRST}", options)
    if page is not None:
        tell("\n")
        page.tell()


# ---------------------------------------------------------------------- files in a folder
def in_a_folder(folder: Path, html: str | None, *, force: bool) -> None:
    """Write the files, report that, and evaluate them with commands that a reader can repeat."""
    make(folder)
    wanted = {name: shipped(name).read_bytes() for name in TABLES}
    missing = lacking(folder, wanted, force=force)
    page = Shown(argument(folder / FIRST), html or argument(folder / PAGE))
    if html is None:
        wanted[PAGE] = page.made().encode("utf-8")
        missing += lacking(folder, {PAGE: wanted[PAGE]}, force=force)
    elif any(Path(html).resolve() == (folder / name).resolve() for name in TABLES):
        raise OptionError(
            f"'{html}' is a data file of the demo; write the page to another file, so that nothing is lost."
        )
    else:
        write_text(html, page.made())
    for name in missing:
        write_bytes(folder / name, wanted[name])
    for name in wanted:
        path = argument(folder / name)
        tell(f"wrote {path}\n" if name in missing else f"{path} already exists\n")
    tell(f"{' and '.join(FILES)} contain the predictions and probabilities of four models: logistic, tree, forest, ")
    tell("bayes. The other tables are those of the examples in the documentation.\n")
    for name, verb, options in COMMANDS:
        path = argument(folder / name)
        tell("\n")
        run(verb, path, path, options)
    scores = ["--score", "logistic=logistic_score", "--score", "tree=tree_score", "--positive", "malignant"]
    curve = ["assay", "curve", argument(folder / FIRST), *scores]
    tell(shown_command("Their probabilities, at every threshold: ", curve))
    every = ["assay", "evaluate", argument(folder / SECOND), "--score", "logistic=logistic_p{}"]
    tell(shown_command("A probability for every class: ", every))
    page.tell()


def make(folder: Path) -> None:
    """Create the folder if it does not exist."""
    try:
        in_the_way = [path for path in (folder, *folder.parents) if path.exists() and not path.is_dir()]
        if in_the_way:
            raise OptionError(f"'{in_the_way[0]}' is not a folder; name a folder for the demo's files.")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"the folder '{folder}' cannot be used: {error.strerror}.") from None


def lacking(folder: Path, wanted: Mapping[str, bytes], *, force: bool) -> list[str]:
    """The names of the files that are missing or differ, if they may be written."""
    try:
        missing = [name for name, data in wanted.items() if holds(folder / name) != data]
        refuse([folder / name for name in missing if (folder / name).exists()], force=force)
    except OSError as error:
        raise OptionError(f"the folder '{folder}' cannot be used: {error.strerror}.") from None
    return missing


def refuse(others: list[Path], *, force: bool) -> None:
    """Refuse to overwrite other files unless forced, and folders always."""
    for path in others:
        if path.is_dir():
            raise OptionError(f"'{path}' is a folder, but the demo needs a file of that name; name another folder.")
        if not force:
            raise OptionError(
                f"'{path}' already exists and is not the demo's file, so nothing was written. "
                "Overwrite it with --force, or name another folder."
            )


def holds(path: Path) -> bytes | None:
    """The contents of a file, or None if it cannot be read."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def argument(path: Path) -> str:
    """A path that the command line cannot mistake for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def run(verb: str, path: str, shown: str, options: str) -> None:
    """Print a command, with the path as shown, and run it."""
    from assay.cli.main import app

    tell(f"{shown_command(PROMPT, ['assay', verb, shown, *shlex.split(options)])}\n")
    app([verb, path, *shlex.split(options)], exit_on_error=False, print_error=False, result_action="return_value")
