"""What is loaded when: start-up is part of speed, and modules are counted rather than time."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy", "duckdb", "narwhals", "sklearn", "polars", "pandas", "pyarrow", "numpy", "jinja2", "vl_convert")


def loaded_after(code: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after running this."""
    probe = f"import sys\n{code}\nprint('LOADED', *[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_import_assay_loads_nothing_heavy() -> None:
    assert loaded_after("import assay") == set()


def test_help_loads_nothing_heavy() -> None:
    assert loaded_after("from assay.cli.main import exit_code\nassert exit_code(['--help']) == 0") == set()


@pytest.mark.parametrize("command", ["evaluate", "prefer", "rank", "tune", "check", "advise", "measures", "demo"])
def test_help_of_a_command_loads_nothing_heavy(command: str) -> None:
    assert (
        loaded_after(f"from assay.cli.main import exit_code\nassert exit_code([{command!r}, '--help']) == 0") == set()
    )


def test_a_measure_on_arrays_needs_numpy_alone() -> None:
    assert loaded_after("import assay\nassay.f1([0, 1], [1, 1])") == {"numpy"}


def test_four_counts_are_evaluated_without_an_engine() -> None:
    code = "from assay.cli.main import exit_code\nexit_code('evaluate --tp 8 --fp 3 --fn 2 --tn 7'.split())"
    assert not loaded_after(code) & {"duckdb", "narwhals", "sklearn", "polars"}


def test_a_csv_file_is_evaluated_without_a_foreign_frame() -> None:
    code = "from assay.cli.main import exit_code\nexit_code(['demo'])"
    assert not loaded_after(code) & {"sklearn", "polars", "pandas", "pyarrow"}


def test_statistics_that_need_only_special_functions_do_not_load_scipy_stats() -> None:
    code = "import assay\nassay.estimate('accuracy', assay.Confusion.from_counts(tp=8, fp=0, fn=0, tn=7))"
    probe = f"{code}\nimport sys\nassert 'scipy.stats' not in sys.modules"
    subprocess.run([sys.executable, "-c", probe], check=True)


def test_looking_for_rows_that_belong_together_loads_no_foreign_frame() -> None:
    write = "open(path, 'w').write('gold,pred,patient\\n' + 'a,a,p\\nb,a,q\\n' * 50)"
    code = (
        f"import pathlib, tempfile\npath = str(pathlib.Path(tempfile.mkdtemp()) / 'x.csv')\n{write}\n"
        "from assay.cli.main import exit_code\nexit_code(['evaluate', path])"
    )
    assert not loaded_after(code) & {"sklearn", "polars", "pandas", "pyarrow"}
