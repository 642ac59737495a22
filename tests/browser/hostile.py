"""Pages in which every name is a text that would run, fetch, steer or break a page that trusted it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from assay.cli.main import exit_code
from assay.jobs.answers.results import Report
from assay.jobs.comparison.systems import compare_systems
from assay.jobs.evaluate import evaluate
from assay.report.page.render import page_html
from tests.browser.made import Columns, answers, draws, scores, write
from tests.browser.site import Site

SCRIPT = "</script><script>document.title=1337</script>"
IMAGE = "<img src=x onerror=document.title=4242>"
PAYLOADS = {
    "script": SCRIPT,
    "image": IMAGE,
    "quotes": "\"'><svg onload=\"document.title='quoted'\" style='color:red'><b onmouseover='document.title=1'>",
    "attribute": '" autofocus onfocus="document.title=2" style="color:red" x="',
    "endings": f"]]>--></svg></title></style></textarea>{SCRIPT}{IMAGE}",
    "template": "javascript:document.title=1337//{{7*7}}${7*7}<%=7*7%>{%for x in y%}",
    "entities": "&lt;script&gt;document.title=1337&lt;/script&gt;&#60;b&#62;&quot;",
    "steering": "\u202efdp.exe\u2066 a\u2028b\u0085c\u001b[31md\u0007e\u200f",
    "long": "n" * 5_000,
    "key": "__proto__",
}
HARMLESS = "harmless"
NOTEBOOK = '<!doctype html><meta name="viewport" content="width=device-width"><title>notebook</title><body>'
COMMANDS = {
    "curve": "curve FILE --gold=GOLD --score=one=FIRST --score=two=SECOND --positive=POSITIVE",
    "tune": "tune FILE --gold=GOLD --score=one=FIRST --positive=POSITIVE --maximize f1",
    "plan": "plan --difference 0.1 --items 300 --pilot FILE --gold=GOLD --pred=one=FIRST --pred=two=SECOND "
    "--measure accuracy --resamples 99",
    "check": "check FILE --gold=GOLD --pred=FIRST",
    "advise": "advise FILE --gold=GOLD --pred=one=FIRST",
}
# What is shown of names differs little between commands, so only one is given every payload.
MOST = ("script", "image", "quotes", "endings", "template", "steering", "long")
FEWER = ("script", "image", "quotes", "steering", "long")
CASES = [
    *(("evaluate", payload) for payload in PAYLOADS),
    *((kind, payload) for kind in ("evaluate classes", "compare") for payload in MOST),
    *((kind, payload) for kind in ("notebook", *COMMANDS) for payload in FEWER),
]


def page(site: Site, kind: str, payload: str) -> Path:
    """The page of a report in which every name is the payload."""
    return site.once(f"{kind} {payload}", partial(_write, kind, PAYLOADS.get(payload, payload)))


def _write(kind: str, text: str, path: Path) -> None:
    file = _file_called(text, path.with_suffix(""))
    if kind in COMMANDS:
        _run(COMMANDS[kind], text, file, path)
    elif kind == "notebook":
        path.write_text(f"{NOTEBOOK}{_report('evaluate', text, file)._repr_html_()}", encoding="utf-8")
    else:
        made = _report(kind, text, file).page(f"assay evaluate {text} --gold {text}")
        path.write_text(page_html(made), encoding="utf-8")


def _run(command: str, text: str, file: Path, path: Path) -> None:
    """A command in which labels, columns and the file are called by this text."""
    write(file, _columns(text, scored="--score" in command))
    stands_for = {
        "FILE": str(file),
        "GOLD": f"{text} gold",
        "FIRST": f"{text} first",
        "SECOND": f"{text} second",
        "POSITIVE": text,
    }
    words = []
    for word in command.split():
        before, equals, name = word.rpartition("=")
        words.append(f"{before}{equals}{stands_for.get(name, name)}")
    assert exit_code([*words, "--html", str(path)]) == 0


def _report(kind: str, text: str, file: Path) -> Report:
    """A report in which labels, systems, slices, columns and the file are called by this text."""
    classes = kind == "evaluate classes"
    write(file, _columns(text, scored=not classes))
    systems = {f"{text} system": f"{text} first", f"{text} rival": f"{text} second"}
    asked: dict[str, Any] = {"gold": f"{text} gold", "n_resamples": 99}
    if classes:
        return evaluate(file, pred=systems, slices=f"{text} slice", **asked)
    asked |= {"scores": systems, "positive": text, "threshold": 0.5}
    if kind == "compare":
        return compare_systems(file, **asked)
    return evaluate(file, slices=f"{text} slice", costs={"fp": 1, "fn": 5}, **asked)


def _columns(text: str, scored: bool) -> Columns:
    """Two systems with scores of two classes, or with labels of three."""
    gold = draws([text, f"{text} other", *([] if scored else [f"{text} third"])], 120, seed=1)
    return {
        f"{text} gold": gold,
        f"{text} slice": draws([f"{text} here", f"{text} there"], 120, seed=2),
        f"{text} first": scores(gold, text, 0.1, seed=3) if scored else answers(gold, 0.8, seed=3),
        f"{text} second": scores(gold, text, 0.3, seed=4) if scored else answers(gold, 0.6, seed=4),
    }


def _file_called(text: str, folder: Path) -> Path:
    """A file whose path ends in the text, with a folder for every slash in it, as far as a path can be so long."""
    return folder / f"{text[:200]}.csv"
