"""Gates as JUnit XML, which every build server reads."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from assay.jobs.gates import OPEN, PASSED, Check


def junit(checks: Sequence[Check], undecided: str) -> str:
    """A test case for each check; an undecided one is a failure, or skipped where that was asked for."""
    failed = [check for check in checks if _fails(check, undecided)]
    skipped = [check for check in checks if check.state == OPEN and undecided == "pass"]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="assay" tests="{len(checks)}" failures="{len(failed)}" errors="0" skipped="{len(skipped)}">',
    ]
    for check in checks:
        lines.append(f'  <testcase classname="assay.gates" name={_attribute(check.name)}>')
        if _fails(check, undecided):
            lines.append(f"    <failure type={_attribute(check.state)} message={_attribute(check.sentence)}/>")
        elif check.state == OPEN:
            lines.append(f"    <skipped message={_attribute(check.sentence)}/>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _fails(check: Check, undecided: str) -> bool:
    return check.state != PASSED and not (check.state == OPEN and undecided == "pass")


def _attribute(text: str) -> str:
    """Text in quotation marks; what XML cannot hold at all becomes a sign for the unknown."""
    legal = (c if c in "\t\n" or (c.isprintable() and c not in "\ufffe\uffff") else "�" for c in text)
    return quoteattr("".join(legal))
