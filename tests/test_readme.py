from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from assay.cli.main import exit_code
from scripts.picture import COMMANDS, FOLDER, picture

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ assay (.*?)\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_examples_of_the_readme_give_what_it_prints() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 4
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize(("command", "printed"), CONSOLE)
def test_the_commands_of_the_readme_print_what_it_shows(
    command: str, printed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert exit_code(shlex.split(command)) == 0
    shown = printed.removesuffix("...\n")
    assert capsys.readouterr().out.startswith(shown)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_pictures_of_the_readme_are_what_assay_prints(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == picture(name)


def test_every_file_the_readme_links_to_exists() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
