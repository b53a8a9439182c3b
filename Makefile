# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help install demo ui test test-all check format bench clean

help:  ## Show what there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@echo "Installing into .venv: about 3 GB, a few minutes the first time"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[sample,dev]'
	@touch $@

install: $(READY)  ## Make .venv with everything in it

demo: $(READY)  ## Build the sample archive, ingest it, ask one question of each tier
	$(BIN)/archive-mem demo --memory demo_memory

ui: $(READY)  ## Open the demo memory in the browser
	$(BIN)/archive-mem ui --memory demo_memory

check: $(READY)  ## Lint, format, types, direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check  ## Checks and tests, under 15 minutes on two cores
	$(BIN)/pytest -m "not slow" -n 2 --dist loadfile

test-all: check  ## The slow tests too
	$(BIN)/pytest

format: $(READY)  ## Put the code in shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)  ## Measure an ingest of the sample archive
	$(BIN)/python -m bench.ingest

clean:  ## Remove what was made, but for memories
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache sample_archive/media
