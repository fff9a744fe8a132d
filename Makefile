# hookd: `make` prints what there is.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

help: ## print this
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

$(BIN)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

test: $(BIN)/.ready ## set up and run the tests
	$(BIN)/python -m pytest -q -n auto

check: lint types ## everything that must hold besides the tests

lint: $(BIN)/.ready ## style, formatting, import contracts, shell scripts
	$(BIN)/ruff check daemon tests
	$(BIN)/ruff format --check daemon tests
	$(BIN)/shellcheck daemon/hookd/shims/hookd-hook .ci/run

types: $(BIN)/.ready ## mypy, strict
	$(BIN)/mypy

fmt: $(BIN)/.ready ## format the code
	$(BIN)/ruff check --fix --quiet daemon tests || true
	$(BIN)/ruff format daemon tests

clean: ## remove what was made here
	rm -rf $(VENV) .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.PHONY: help test check lint types fmt clean
