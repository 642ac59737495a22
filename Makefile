# Every target works as the first command on a fresh clone; only python3 with venv and pip is assumed.

# Hundreds of commands are started by the tests; without bytecode each would compile all of assay anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow test-spark test-browser test-oldest test-newest fuzz check format coverage oracles bench docs lock clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.ready ## Evaluate two real models on the file that ships with assay, and make a page of them
	@mkdir -p build
	@$(BIN)/assay demo --html build/demo.html

test: .venv/.ready ## Run the tests, without the slow ones
	@$(BIN)/pytest -q -n 2 -m "not slow and not spark and not browser"

test-slow: .venv/.ready ## Run the long simulations
	@$(BIN)/pytest -q -n 2 -m slow

test-spark: .venv-spark/.ready ## Check that Spark counts what the others count (needs Java)
	@command -v java >/dev/null || { echo "make test-spark needs Java 17 or newer on the path" >&2; exit 1; }
	@.venv-spark/bin/pytest -q -m spark

test-browser: .venv/.browser docs ## Check the page and the site in a real Chromium (installed when run as root)
	@scripts/chromium.sh
	@$(BIN)/pytest -q -n 2 -m browser tests/browser

# Not the oracles, whose peers have floors of their own, nor pictures and texts, which other versions lay out otherwise.
ENDS = -q -n 2 -m "not slow and not spark and not browser" tests/laws tests/golden tests/engines

test-oldest: .venv-oldest/.ready ## Run laws, golden results and engines with the oldest dependencies allowed
	@.venv-oldest/bin/pytest $(ENDS)

test-newest: ## Run the same with the newest dependencies allowed, whatever the lock says
	@$(PYTHON) -m venv .venv-newest
	@.venv-newest/bin/python scripts/allowed.py newest > .venv-newest/allowed.txt
	@.venv-newest/bin/python -m pip install -qq --disable-pip-version-check --upgrade --upgrade-strategy eager -r .venv-newest/allowed.txt
	@.venv-newest/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@.venv-newest/bin/pytest $(ENDS)

fuzz: .venv/.ready ## Try odd and broken files for ten minutes (or as MINUTES=60 SEED=7 set)
	@$(BIN)/python scripts/fuzz.py --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

check: .venv/.ready ## Lint, formatting, types, spelling and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/codespell

format: .venv/.ready ## Put the code into its standard form
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

coverage: .venv/.ready ## Simulate how often each interval contains the truth (long)
	@$(BIN)/python scripts/coverage_grid.py

oracles: .venv-oracles/.ready ## Compute the figures of other libraries that tests read anew (needs Perl)
	@command -v perl >/dev/null || { echo "make oracles needs Perl, in which gdeval is written" >&2; exit 1; }
	@.venv-oracles/bin/python -W ignore scripts/oracles.py

bench: .venv/.bench ## Time assay against its peers
	@$(BIN)/python -m benchmarks.run

docs: .venv/.ready .venv-docs/.ready ## Build the site in build/site, with its reference written from the code
	@$(BIN)/python -m scripts.reference
	@.venv-docs/bin/sphinx-build -q -W --keep-going -j auto -d build/doctrees docs build/site || \
		{ rm -rf build/doctrees; exit 1; } # or the next build would pass over the pages with warnings
	@echo "The site: build/site/index.html — open it in a browser"

# uv lives in its own environment, so that locking works even when the lock is broken.
UV_COMPILE = .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock"

lock: ## Resolve the development environment anew, to the newest versions allowed
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip install -qq --disable-pip-version-check "uv>=0.9,<1"
	@$(UV_COMPILE) --upgrade --group dev pyproject.toml -o requirements-dev.lock
	@$(UV_COMPILE) --upgrade --group bench -c requirements-dev.lock -o requirements-bench.lock
	@$(UV_COMPILE) --upgrade --group browser -c requirements-dev.lock -o requirements-browser.lock
	@$(UV_COMPILE) --upgrade --group dev --group spark pyproject.toml -c requirements-dev.lock -o requirements-spark.lock
	@$(UV_COMPILE) --upgrade --group docs -o requirements-docs.lock
	@$(UV_COMPILE) --upgrade --group oracles -o requirements-oracles.lock
	@echo "The six locks are written; the next make installs them."

clean: ## Remove the environments and everything the tools left behind
	@rm -rf .venv .venv-docs .venv-lock .venv-newest .venv-oldest .venv-oracles .venv-spark build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.ready: requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "assay needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "Installing the locked development environment into .venv (once, about a minute) ..."
	@$(PYTHON) -m venv .venv
	@$(PIP) --require-hashes -r requirements-dev.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv-spark/.ready: requirements-spark.lock pyproject.toml
	@$(PYTHON) -m venv .venv-spark
	@.venv-spark/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-spark.lock
	@.venv-spark/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv-oldest/.ready: requirements-dev.lock pyproject.toml scripts/allowed.py
	@$(PYTHON) -m venv .venv-oldest
	@.venv-oldest/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@.venv-oldest/bin/python scripts/allowed.py oldest > .venv-oldest/allowed.txt
	@.venv-oldest/bin/python -m pip install -qq --disable-pip-version-check --no-deps -r .venv-oldest/allowed.txt
	@.venv-oldest/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv-docs/.ready: requirements-docs.lock
	@echo "Installing what builds the site into .venv-docs (once) ..."
	@$(PYTHON) -m venv .venv-docs
	@.venv-docs/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

.venv-oracles/.ready: requirements-oracles.lock
	@echo "Installing the libraries that figures are compared with into .venv-oracles (once) ..."
	@$(PYTHON) -m venv .venv-oracles
	@.venv-oracles/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-oracles.lock
	@touch $@

.venv/.bench: .venv/.ready requirements-bench.lock
	@$(PIP) --require-hashes -r requirements-bench.lock
	@touch $@

.venv/.browser: .venv/.ready requirements-browser.lock
	@$(PIP) --require-hashes -r requirements-browser.lock
	@touch $@
