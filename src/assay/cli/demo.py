"""The command `assay demo`."""

from __future__ import annotations

import shlex
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from assay.errors import OptionError

OPTIONS = {
    "breast_cancer.csv": "--gold gold --pred logistic --pred tree --positive malignant",
    "digits.csv": "--gold gold --pred logistic --pred bayes",
}


def demo(
    folder: Annotated[str | None, Parameter(help="Folder to write two files to and evaluate them from.")] = None,
    /,
    *,
    force: Annotated[
        bool, Parameter(help="Overwrite other files of the same names.", negative=(), show_default=False)
    ] = False,
) -> None:
    """Evaluate real models on a file that comes along; with a folder, write two such files there first."""
    if folder is not None:
        in_a_folder(folder_named(folder), force=force)
    elif force:
        raise OptionError("--force is for files in a folder; name the folder, as in 'assay demo examples --force'.")
    else:
        with as_file(files("assay") / "data" / "breast_cancer.csv") as path:
            run(str(path), shown=path.name)


def folder_named(name: str) -> Path:
    """The folder of this name, if it has one that can be shown."""
    if not name:
        raise OptionError("the name of the folder is empty; '.' is the folder you are in.")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise OptionError(f"{name!r} is not UTF-8 text; name another folder.") from None
    return Path(name)


def in_a_folder(folder: Path, *, force: bool) -> None:
    """Write the files, say so, and evaluate them by the commands that a reader can repeat."""
    written = write(folder, force=force)
    for name in OPTIONS:
        path = argument(folder / name)
        print(f"wrote {path}" if name in written else f"{path} is there already")
    print("Each holds the answers of four models and their probabilities: logistic, tree, forest, bayes.")
    for name in OPTIONS:
        path = argument(folder / name)
        print()
        run(path, shown=path)
    path = argument(folder / next(iter(OPTIONS)))
    options = shlex.split(OPTIONS[Path(path).name])
    print(f"Is one of them really better? Try: {shlex.join(['assay', 'compare', path, *options])}")
    scores = ["--score", "logistic=logistic_score", "--score", "tree=tree_score", "--positive", "malignant"]
    print(f"Their probabilities, at every threshold: {shlex.join(['assay', 'curve', path, *scores])}")
    digits = argument(folder / "digits.csv")
    every = shlex.join(["assay", "evaluate", digits, "--score", "logistic=logistic_p{}"])
    print(f"A probability for every class: {every}")


def write(folder: Path, *, force: bool) -> list[str]:
    """Write the files that are not there yet and return their names; before anything is written, all is checked."""
    from assay.cli.files import write_text

    wanted = {name: (files("assay") / "data" / name).read_bytes() for name in OPTIONS}
    try:
        make(folder)
        missing = [name for name, data in wanted.items() if holds(folder / name) != data]
        refuse([folder / name for name in missing if (folder / name).exists()], force=force)
    except OSError as error:
        raise OptionError(f"the folder '{folder}' cannot be used: {error.strerror}.") from None
    for name in missing:
        write_text(folder / name, wanted[name].decode("utf-8"))
    return missing


def make(folder: Path) -> None:
    """Make the folder if it is not there."""
    in_the_way = [path for path in (folder, *folder.parents) if path.exists() and not path.is_dir()]
    if in_the_way:
        raise OptionError(f"'{in_the_way[0]}' is not a folder; name a folder for the demo's files.")
    folder.mkdir(parents=True, exist_ok=True)


def refuse(others: list[Path], *, force: bool) -> None:
    """Overwrite no file of another's without being told to, and never a folder."""
    for path in others:
        if path.is_dir():
            raise OptionError(f"'{path}' is a folder, where a file of the demo would stand; name another folder.")
        if not force:
            raise OptionError(
                f"'{path}' is there already and is not the demo's file, so nothing was written. "
                "Overwrite it with --force, or name another folder."
            )


def holds(path: Path) -> bytes | None:
    """What a file holds, or nothing where it cannot be read."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def argument(path: Path) -> str:
    """A path that the command line cannot take for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def run(path: str, shown: str) -> None:
    """Print the command that evaluates a file, with the path as shown, and do what it says."""
    from assay.cli.main import app

    options = shlex.split(OPTIONS[Path(path).name])
    print(f"$ {shlex.join(['assay', 'evaluate', shown, *options])}\n")
    app(["evaluate", path, *options], exit_on_error=False, print_error=False, result_action="return_value")
