# Every target sets itself up from a bare clone: it depends on the stamp file, which is made anew when the list of
# packages changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-done
export HF_HUB_OFFLINE := 1
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check fix bench

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 14

setup: $(STAMP)  ## make .venv with evpv, all extras and the developers' tools

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade -c constraints.txt pip
	$(BIN)/python -m pip install --quiet -c constraints.txt torch
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[all]' --group dev
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-deps torchvision
	$(BIN)/python scripts/install_torchvision_shim.py
	touch $@

demo: $(STAMP)  ## the main job on bundled problems: prints a ranking, writes a page
	$(BIN)/evpv demo

test: $(STAMP)  ## the tests, without the slow ones
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-all: $(STAMP)  ## all tests
	$(BIN)/python -m pytest -n 2

check: $(STAMP)  ## format, lint, types, layers, purity
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_purity.py

fix: $(STAMP)  ## format, and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)  ## speed and memory, as ratios within one run
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/perception.py
