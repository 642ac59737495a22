"""Write the gallery: every block and chart of a page, in every state that it can be in, on one page.

The browser tests open it in light and dark, on paper and on a phone, and look for what does not fit, cannot be read or
lies on something else. To look at it yourself, with pictures if Chromium is on the path (`make test-browser` installs
what this needs):

    .venv/bin/python -m scripts.gallery [--pictures]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import assay
from assay.report.contents.blocks import Block, Caution, Group, Page, Part
from assay.report.page.render import page_html
from scripts.gallery_rankings import LONG, QUICK, RANKINGS, RIGHT_TO_LEFT

DATA = Path(assay.__file__).parent / "data"
CANCER: dict[str, Any] = {"gold": "gold", "positive": "malignant"}
SCORES = {"logistic": "logistic_score", "tree": "tree_score"}
TARGET = Path("build") / "gallery"
WIDTHS = {"desk": 1200, "phone": 400}


def answers(n: int, right: float, labels: str, seed: int) -> tuple[list[str], list[str]]:
    """Gold labels, and answers that are right this often."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(list(labels), n)
    return gold.tolist(), np.where(rng.random(n) < right, gold, rng.choice(list(labels), n)).tolist()


def systems(
    names: tuple[str, ...], rights: tuple[float, ...], labels: str = "ny", n: int = 400
) -> dict[str, list[str]]:
    """A table in which the systems of these names are right so often."""
    rng = np.random.default_rng(7)
    gold = rng.choice(list(labels), n)
    table = {"gold": gold.tolist()}
    for name, right in zip(names, rights, strict=True):
        table[name] = np.where(rng.random(n) < right, gold, rng.choice(list(labels), n)).tolist()
    return table


def _compared(names: tuple[str, ...], rights: tuple[float, ...], **more: Any) -> Page:
    labels = more.pop("labels", "ny")
    how: dict[str, Any] = {"positive": "y"} if labels == "ny" else {}
    made: Page = assay.compare_systems(
        systems(names, rights, labels), gold="gold", pred=list(names), **how, **QUICK
    ).page()
    return made


def two_scored() -> Page:
    """Two systems with scores and groups."""
    made: Page = assay.compare_systems(
        DATA / "breast_cancer.csv", pred=list(SCORES), scores=SCORES, slices="size", **CANCER, **QUICK
    ).page()
    return made


def one() -> Page:
    """One system."""
    made: Page = assay.evaluate(DATA / "breast_cancer.csv", pred=["tree"], **CANCER, **QUICK).page()
    return made


def six() -> Page:
    """Six systems, some of which cannot be told apart."""
    return _compared(tuple(f"system {i}" for i in range(1, 7)), (0.9, 0.88, 0.8, 0.79, 0.6, 0.58))


def long_names() -> Page:
    """Names longer than a phone is wide."""
    return _compared((LONG, f"{LONG}, {LONG}"), (0.9, 0.7))


def right_to_left() -> Page:
    """Names that are read from right to left."""
    return _compared(RIGHT_TO_LEFT, (0.85, 0.8))


def undefined() -> Page:
    """A system that never answers with the positive class."""
    gold, _ = answers(80, 1.0, "ny", 3)
    made: Page = assay.evaluate({"gold": gold, "never": ["n"] * 80}, gold="gold", pred="never", positive="y").page()
    return made


def alike() -> Page:
    """Two systems that answer alike, and make no error."""
    gold, _ = answers(80, 1.0, "ny", 4)
    table = {"gold": gold, "one": gold, "other": gold}
    made: Page = assay.compare_systems(table, gold="gold", pred=["one", "other"], positive="y", **QUICK).page()
    return made


def few() -> Page:
    """So few rows that intervals are as wide as the scale."""
    table = {"gold": list("yynn"), "pred": list("ynny")}
    made: Page = assay.evaluate(table, gold="gold", pred="pred", positive="y").page()
    return made


def ten_classes() -> Page:
    """Ten classes and four systems."""
    made: Page = assay.compare_systems(
        DATA / "digits.csv", gold="gold", pred=["logistic", "tree", "forest", "bayes"], **QUICK
    ).page()
    return made


def folds() -> Page:
    """Values over folds."""
    rng = np.random.default_rng(5)
    table = {"fold": list(range(10)), "old": rng.normal(0.8, 0.02, 10), "new": rng.normal(0.82, 0.02, 10)}
    made: Page = assay.compare_repeated(table, values=["old", "new"], folds="fold", **QUICK).page()
    return made


def data_sets() -> Page:
    """Values over data sets, with their critical differences."""
    rng = np.random.default_rng(6)
    names = ("first", "second", "third", "fourth")
    table: dict[str, Any] = {"set": [f"set {i}" for i in range(12)]}
    table |= {name: rng.normal(0.7 + 0.04 * i, 0.04, 12).round(4) for i, name in enumerate(names)}
    made: Page = assay.compare_repeated(table, values=list(names), datasets="set", **QUICK).page()
    return made


def preferences() -> Page:
    """Judgments of pairs of systems."""
    rng = np.random.default_rng(8)
    table: dict[str, list[Any]] = {name: [] for name in ("item", "a", "b", "winner")}
    strength = {"large": 2.0, "small": 1.0, "tiny": 0.5}
    for i in range(300):
        a, b = rng.permutation(list(strength))[:2]
        won = rng.random() < strength[a] / (strength[a] + strength[b])
        for name, value in zip(table, (i // 3, str(a), str(b), str(a if won else b)), strict=True):
            table[name].append(value)
    made: Page = assay.prefer(table, item="item", a="a", b="b", winner="winner").page()
    return made


def clusters() -> Page:
    """A clustering."""
    gold, pred = answers(120, 0.7, "abc", 9)
    made: Page = assay.evaluate(assay.Contingency.from_labels(gold, pred)).page()
    return made


def raters() -> Page:
    """Raters of the same units."""
    rows = [list(pair) for pair in zip(*answers(60, 0.8, "abc", 10), strict=True)]
    made: Page = assay.evaluate(assay.Rated.from_ratings(rows)).page()
    return made


def curve(kind: str, **costs: Any) -> Callable[[], Page]:
    """Curves of one kind."""

    def made() -> Page:
        page: Page = assay.curves(DATA / "breast_cancer.csv", scores=SCORES, kind=kind, **costs, **CANCER).page()
        return page

    return made


def tuned() -> Page:
    """A threshold chosen by costs."""
    made: Page = assay.tune(DATA / "breast_cancer.csv", score="logistic_score", cost_fp=1, cost_fn=20, **CANCER).page()
    return made


def planned() -> Page:
    """How many items to label."""
    made: Page = assay.plan(difference=0.03, disagreement=0.1).page()
    return made


def advised() -> Page:
    """What to report."""
    made: Page = assay.advise(DATA / "breast_cancer.csv", **CANCER).page()
    return made


STATES: dict[str, Callable[[], Page]] = {
    "two systems with scores and groups": two_scored,
    "one system": one,
    "six systems": six,
    "long names": long_names,
    "names from right to left": right_to_left,
    "an undefined value": undefined,
    "nothing differs": alike,
    "four rows": few,
    "ten classes": ten_classes,
    "folds": folds,
    "data sets": data_sets,
    "preferences": preferences,
    "a clustering": clusters,
    "raters": raters,
    **RANKINGS,
    "a ROC curve": curve("roc"),
    "a precision–recall curve": curve("pr"),
    "calibration": curve("calibration"),
    "costs by threshold": curve("cost", cost_fp=1, cost_fn=20),
    "costs at every ratio": curve("envelope"),
    "a chosen threshold": tuned,
    "a plan": planned,
    "advice": advised,
}


def gallery() -> Page:
    """All states on one page: what each opens with, then its parts."""
    return Page(
        title="Every block in every state",
        subtitle=f"{len(STATES)} states",
        verdict=("Nothing here may overlap, be cut off, or be hard to read.",),
        cautions=(Caution("A caution.", "It has a number, such as 12.", "s0-measures"),) * 5,
        parts=tuple(part for i, (state, make) in enumerate(STATES.items()) for part in _parts(i, state, make())),
        standing="What holds for every page.",
        facts="1 test · seed 0",
        names=(LONG, *RIGHT_TO_LEFT, *SCORES),
    )


def _parts(i: int, state: str, page: Page) -> Iterator[Part]:
    lead = (page.heading, page.subtitle, *page.rest, page.facts)
    yield Part(f"s{i}", f"{state}: opening", state, (page.hero,), tuple(text for text in lead if text))
    for part in page.parts:
        if not part.needs_script:  # other pages show it; it can be on a page but once
            yield replace(part, id=f"s{i}-{part.id}", title=f"{state}: {part.title}", nav=part.nav)


def shown(page: Page) -> set[type[Block]]:
    """The kinds of blocks that a page has."""
    found: set[type[Block]] = set()

    def look(block: Block) -> None:
        found.add(type(block))
        for inner in block.blocks if isinstance(block, Group) else ():
            look(inner)

    for block in (*page.opening, *(block for part in page.parts for block in part.blocks)):
        look(block)
    return found


def pictures(page: Path) -> None:
    """Pictures of the page on a desk and a phone, light and dark, and on paper."""
    from scripts.screenshot import browser

    with browser() as opened:
        for theme in ("light", "dark"):
            for name, width in WIDTHS.items():
                view = opened.new_page(viewport={"width": width, "height": 1000}, color_scheme=theme)
                view.goto(page.as_uri())
                view.screenshot(path=page.with_name(f"{name}-{theme}.png"), full_page=True)
                view.close()
        view = opened.new_page()
        view.goto(page.as_uri())
        view.pdf(path=page.with_name("paper.pdf"), format="A4")


def main() -> None:
    """Write the page, and its pictures if they were asked for."""
    TARGET.mkdir(parents=True, exist_ok=True)
    path = (TARGET / "index.html").resolve()
    path.write_text(page_html(gallery()), encoding="utf-8")
    if "--pictures" in sys.argv[1:]:
        pictures(path)
    print(f"wrote {TARGET / 'index.html'}{' and its pictures' if '--pictures' in sys.argv[1:] else ''}")


if __name__ == "__main__":
    main()
