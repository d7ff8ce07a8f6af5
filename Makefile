# Every target sets itself up from a bare clone: it depends on the stamp file, which is made anew when the list of
# packages changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-done
SERVERS := .venv-servers
export HF_HUB_OFFLINE := 1
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: docs train-smoke train-mini browser study-small help setup demo test test-all test-servers check fix bench

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

browser:  ## Debian's chromium, for the page's tests; where it cannot be installed they are skipped
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get -qq update && apt-get -qq install -y chromium >/dev/null; } \
		|| echo "no chromium: the page's tests will be skipped"

test: $(STAMP) browser  ## the tests, without the slow ones
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-all: $(STAMP) browser  ## all tests
	$(BIN)/python -m pytest -n 2

test-servers: $(STAMP) $(SERVERS)/.setup-done  ## vLLM's CPU build and llama.cpp's server give the same numbers as transformers
	EVPV_SERVERS=$(SERVERS) $(BIN)/python -m pytest -s --durations=10 tests/backends/servers

# vLLM pins other versions than ours, so the servers have an environment of their own (2.6 GB).
$(SERVERS)/.setup-done: tests/backends/servers/install.py
	test -x $(SERVERS)/bin/python || $(PYTHON) -m venv $(SERVERS)
	$(SERVERS)/bin/python tests/backends/servers/install.py
	touch $@

check: $(STAMP)  ## format, lint, types, layers, purity, the tree of modules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_purity.py
	$(BIN)/python scripts/write_tree.py --check

fix: $(STAMP)  ## format, and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP)  ## the documentation site, with the demo's page in it: out/site/index.html
	test -f out/demo/run/report.html || $(BIN)/evpv demo
	$(BIN)/sphinx-build -q -W --keep-going -b html docs out/site
	cp out/demo/run/report.html out/site/demo-page.html
	@echo "open out/site/index.html"

study-small: $(STAMP)  ## every table of the paper on what runs here, resumable, with a page: studies/small/index.html
	$(BIN)/evpv study plans/small.toml

train-smoke: $(STAMP)  ## SFT, preferences, verifier as at full size but tiny: bf16, two processes, killed and gone on with
	$(BIN)/python scripts/train_smoke.py -o runs/smoke

train-mini: $(STAMP)  ## make the mini models from nothing (about an hour and a half of one core)
	$(BIN)/python scripts/train_mini.py -o runs/mini

bench: $(STAMP)  ## speed and memory, as ratios within one run
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/perception.py
	$(BIN)/python benchmarks/backends.py
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/one_pass.py
	$(BIN)/python benchmarks/engines.py
	$(BIN)/python benchmarks/service.py
	$(BIN)/python benchmarks/reward_function.py
