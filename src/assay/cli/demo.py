"""The command `assay demo`."""

from __future__ import annotations

from importlib.resources import as_file, files


def demo() -> None:
    """Evaluate two scikit-learn models on the breast-cancer data, from the file that comes with assay."""
    from assay.cli.show import show_report
    from assay.report.evaluate import evaluate

    print("$ assay evaluate breast_cancer.csv --gold gold --pred logistic --pred tree --positive malignant\n")
    with as_file(files("assay") / "data" / "breast_cancer.csv") as path:
        report = evaluate(path, gold="gold", pred=["logistic", "tree"], positive="malignant")
    show_report(report, "table")
