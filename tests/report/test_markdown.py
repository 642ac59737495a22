"""The report as Markdown: the page's verdict, cautions and rows, and nothing from the data that becomes markup."""

from __future__ import annotations

import re
from typing import Any

import pytest

import assay
from assay.jobs.answers.results import Report
from assay.report.findings.cautions import cautions
from assay.report.findings.head import verdict
from assay.report.text.markup import MOST, markdown, shortened

HOSTILE = "</details></summary><script>document.title=1337</script>|`x`*"
GROUPED = {
    "gold": ["ill", "well", "well", "ill"] * 40,
    "p": [0.9, 0.2, 0.6, 0.4] * 40,
    "site": ["Lyon", "Leeds"] * 60 + ["Lagos"] * 40,
}


def sliced() -> Report:
    return assay.evaluate(GROUPED, gold="gold", scores={"net": "p"}, positive="ill", slices=["site"], n_resamples=199)


def plain(text: str) -> str:
    """The text without what Markdown escapes."""
    text = re.sub(r"\\([\\|`*_\[\]#])", r"\1", text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@pytest.mark.parametrize("made", [sliced, lambda: assay.evaluate(assay.Confusion.from_counts(tp=8, fp=9, fn=5, tn=70))])
def test_the_verdict_comes_first_and_the_cautions_right_after_it(made: Any) -> None:
    report = made()
    text = plain(report.to_markdown())
    said = [*verdict(report), "Before you rely on this", *(f"**{c.title}** {c.text}" for c in cautions(report))]
    places = [text.index(sentence) for sentence in said]
    assert places == sorted(places)
    assert places[-1] < text.index("| measure |")


def test_every_row_of_values_groups_and_tests_over_groups_is_there() -> None:
    report, lines = sliced(), sliced().to_markdown().splitlines()
    tables = "\n".join(line for line in lines if line.startswith("|"))
    values = [row for row in report.rows if row.quantity == "value" and row.slice is None]
    assert len(re.findall(r"^\| .* \| .* \| .* (?:–|to) .* \|", tables.split("| errors")[0], re.M)) == len(values)
    gaps = [row for row in report.rows if row.quantity == "gap"]
    held = [line for line in lines if line.startswith("| site |")]
    assert len(held) == len(gaps) == 5
    for row, line in zip(gaps, held, strict=True):
        assert f"{row.value:.3f}" in line
        assert row.p_adjusted is not None
        assert row.p is not None
        sign = "≤ " if row.p <= 1 / 200 else ""  # none of 199 shuffles was as far off
        assert line.endswith(f"| {sign}{row.p_adjusted:.2g} |") or row.p_adjusted >= 0.9995
    groups = [row for row in report.rows if row.quantity == "value" and row.slice is not None]
    assert len(re.findall(r"^\| .* · (Lagos|Leeds|Lyon) \|", tables, re.M)) == len(groups)


def test_every_difference_is_there_with_its_class_and_whether_it_was_tested() -> None:
    report = assay.compare_systems(
        "src/assay/data/breast_cancer.csv", gold="gold", pred=["logistic", "tree"], positive="malignant"
    )
    lines = [line for line in report.to_markdown().splitlines() if line.startswith("| logistic − tree |")]
    rows = [row for row in report.rows if row.quantity == "difference"]
    assert len(lines) == len(rows)
    assert lines[0].startswith("| logistic − tree | F1 “malignant” | +0.048 | +0.019 to +0.077 | 0.00092 | better |")
    assert all(line.endswith("|  | not tested |") for line in lines[1:])


def test_notes_and_signatures_are_folded_away_and_every_fold_is_closed() -> None:
    text = sliced().to_markdown()
    assert re.findall(r"<summary>(.*?)</summary>", text) == [
        "Notes",
        "Measures worth reporting first",
        "Method",
        "Signatures",
    ]
    assert text.count("<details>") == text.count("</details>") == 4
    for signature in {row.signature for row in sliced().rows}:
        assert text.index("<summary>Signatures") < text.index(f"`{signature}`")


def test_hostile_names_close_no_fold_and_open_no_tag() -> None:
    data = {"gold": [HOSTILE, "b"] * 20, "pred": [HOSTILE, HOSTILE, "b", "b"] * 10, "s": [HOSTILE, "t"] * 20}
    report = assay.evaluate(data, gold="gold", pred={HOSTILE: "pred"}, slices=["s"], positive=HOSTILE, n_resamples=99)
    text = markdown(report, f"assay evaluate '{HOSTILE}' '```'")
    outside = text.partition("To reproduce this:")[0]
    assert set(re.findall(r"</?\w+>", outside)) == {"<details>", "</details>", "<summary>", "</summary>"}
    assert outside.count("<details>") == outside.count("</details>")
    fence = text.rstrip().rpartition("\n")[2]
    assert set(fence) == {"`"}
    assert text.count(fence) == 2


def test_the_command_is_shown_only_where_there_is_one() -> None:
    assert "To reproduce" not in markdown(sliced())
    assert "assay evaluate preds.csv" in markdown(sliced(), "assay evaluate preds.csv")


def test_a_summary_that_is_cut_within_a_fold_does_not_fold_away_that_it_was_cut() -> None:
    text = "**x**\n\n<details>\n<summary>Notes</summary>\n\n" + "- a note\n" * 150_000 + "\n</details>\n"
    cut = shortened(text)
    assert len(cut.encode()) <= MOST + 200 < 1 << 20
    assert cut.index("</details>") < cut.index("more lines were left out")
    assert cut.count("</details>") == 1


def test_a_threshold_chosen_on_the_rows_that_judge_it_is_said_to_flatter_and_one_from_elsewhere_is_not() -> None:
    data = {"gold": list("1010") * 30, "p": [i % 97 / 97 for i in range(120)]}
    check = {"gold": list("1100") * 30, "p": [i % 89 / 89 for i in range(120)]}
    options: dict[str, Any] = {"score": "p", "maximize": "f1", "n_resamples": 99}
    flattered = "**The threshold was chosen on these rows.**"
    assert flattered in assay.tune(data, **options).to_markdown()
    assert flattered not in assay.tune(data, check=check, **options).to_markdown()
