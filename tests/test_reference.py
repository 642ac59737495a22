"""The reference covers everything that users can name."""

from __future__ import annotations


import pytest

import assay
from assay.cli.main import COMMANDS
from assay.measures.declare.catalogue import catalogue
from scripts.reference import __main__ as reference
from scripts.reference import commands, measures, python


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference.pages()


def test_every_public_name_has_a_page(pages: dict[str, str]) -> None:
    assert {f"python/{name}.md" for name in python.public_names()} == {
        name for name in pages if name.startswith("python/") and name != "python/index.md"
    }
    assert {f"measures/{name}.md" for name in catalogue()} <= set(pages)


def test_every_command_has_a_page_with_its_own_help(pages: dict[str, str]) -> None:
    assert set(commands.READ_ON) == set(COMMANDS)
    for name in COMMANDS:
        assert f"Usage: assay {name}" in pages[f"commands/{name}.md"]


def test_every_page_says_what_the_thing_is(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        body = text.split("\n# ", 1)[1].split("\n", 1)[1]
        assert any(line and not line.startswith(("#", "|", "`", "$", ":")) for line in body.splitlines()), name


def test_every_measure_has_a_formula_in_latex_and_no_other_has() -> None:
    assert set(measures.formulas()) == set(catalogue())


def test_the_list_of_names_by_purpose_names_each_once() -> None:
    named = [name for names in python.PURPOSES.values() for name in names]
    assert len(named) == len(set(named))
    assert all(hasattr(assay, name) for name in named)
