# `make` prints this list. Everything runs in .venv, which `make setup` creates; nothing else is touched.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
# The versions the tests last passed with. `make setup CONSTRAINTS=` takes the newest ones instead.
CONSTRAINTS ?= .ci/constraints.txt
JOBS ?= 2
OUT ?= out/demo-$(shell date +%Y%m%d-%H%M%S)
PYTEST_ARGS ?=
# One BLAS thread a process: the suite is parallel already, and small matrices only lose by threads.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# The suite starts many processes: without compiled files each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup test slow long lint format types doctest docs site wheel demo bench check clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(STAMP) ## .venv with the package (editable) and everything the checks need

$(STAMP): pyproject.toml setup.py $(wildcard $(CONSTRAINTS))
	@bash .ci/venv $(VENV)
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' \
		$(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
	@touch $@

test: $(STAMP) ## the fast tests
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow" $(PYTEST_ARGS)

slow: $(STAMP) ## the slow tests
	$(BIN)/python -m pytest -n $(JOBS) -m "slow and not long" $(PYTEST_ARGS)

long: $(STAMP) ## the longest tests, from a clean tree; writes tests/long_results.json
	JOBS=$(JOBS) $(BIN)/python -m tests.longs

lint: $(STAMP) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP) ## rewrite the code as `make lint` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP) ## mypy --strict on the package, the plugins and the worked ones of the documentation
	$(BIN)/mypy
	$(BIN)/mypy docs/worked/*.py

doctest: $(STAMP) ## the examples in the docstrings
	$(BIN)/python -m pytest -n $(JOBS) --doctest-modules dpframe .ci/names/dpframe_plugins

docs: $(STAMP) ## links and code blocks of the documentation
	$(BIN)/python .ci/check_docs.py

site: $(STAMP) ## the documentation site, warnings as errors; docs/_build/html/index.html
	$(BIN)/python .ci/build_site.py

wheel: $(STAMP) ## build source distribution and wheel, look for every file, run the first job from the wheel
	$(BIN)/python .ci/check_wheel.py

demo: $(STAMP) ## a tour in a minute; writes into OUT (out/demo-<time>)
	$(BIN)/python -m dpframe.cli.demo --out "$(OUT)"

bench: $(STAMP) ## the benchmarks; writes into bench/results
	$(BIN)/python bench/run.py

check: ## everything, as .ci/run does
	.ci/run

clean: ## remove what the tools left behind, .venv not included
	rm -rf build dist docs/_build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
