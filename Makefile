# stagefault needs Python 3.11 or newer, make and git. Everything else is
# installed into .venv, once: as long as the dependencies in pyproject.toml stay
# the same, no command below uses the network.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo setup test robustness lint format mutants wheel-test clean

ifndef PYTHON
PYTHON := $(shell python3.11 -c 'import sys; print(sys.executable)' 2>/dev/null || command -v python3)
endif

BIN := .venv/bin
PIP := -m pip --quiet --disable-pip-version-check --no-input

# A change of the dependencies gives new names, so the old stamps count no more.
DEPENDENCIES := $(shell sed '/^\[tool\./,$$d' pyproject.toml | git hash-object --stdin)
PIP_READY := .venv/.pip
RUN_READY := .venv/.run-$(DEPENDENCIES)
DEV_READY := .venv/.dev-$(DEPENDENCIES)
WHEEL_READY := .venv-wheel/.run-$(DEPENDENCIES)

# $(call new-venv,FOLDER). Dependency groups need pip 25.1.
define new-venv
@"$(PYTHON)" -c 'import sys; sys.exit("stagefault needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" if sys.version_info < (3, 11) else 0)'
"$(PYTHON)" -m venv $(1)
$(1)/bin/python $(PIP) install --upgrade 'pip>=25.1'
endef

help:
	@echo 'make demo        judge sample_traces and write a report'
	@echo 'make test        lint, types and tests: what a change must pass'
	@echo 'make robustness  the long forms of the tests of damage'
	@echo 'make lint        ruff and mypy only'
	@echo 'make format      let ruff rewrite the code'
	@echo 'make mutants     change one thing at a time in rules and metrics: a test must notice'
	@echo 'make wheel-test  build the wheel and run it from another folder'
	@echo 'make setup       install what the commands above need'
	@echo 'make clean       remove what they installed and built'

demo: $(RUN_READY)
	$(BIN)/stagefault replay sample_traces --judge local

setup: $(DEV_READY)

test: lint
	$(BIN)/pytest -n 2 $(PYTEST_ARGS)

robustness: $(DEV_READY)
	$(BIN)/python -m tests.robustness accidents --jobs 2
	$(BIN)/python -m tests.robustness bad-record --seeds 5
	$(BIN)/python -m tests.robustness bombs

lint: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEV_READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# An hour on one core. MUTANTS names files or folders, all of them by default.
mutants: $(DEV_READY)
	nice $(BIN)/python -m bench.mutants $(MUTANTS)

# The tests run on the checkout; only this sees what a user installs.
wheel-test: $(DEV_READY)
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation --outdir dist . >/dev/null
	$(MAKE) --no-print-directory $(WHEEL_READY)
	.venv-wheel/bin/python $(PIP) install --no-index --no-deps --force-reinstall dist/*.whl
	stagefault="$$PWD/.venv-wheel/bin/stagefault" samples="$$PWD/sample_traces" \
	&& folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && cd "$$folder" \
	&& "$$stagefault" --version \
	&& "$$stagefault" explain mapping latent >/dev/null \
	&& "$$stagefault" replay "$$samples" --judge local --store store \
	&& test -s store/runs/*/report.html

clean:
	rm -rf .venv .venv-wheel build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(PIP_READY):
	$(call new-venv,.venv)
	@touch $@

$(RUN_READY): | $(PIP_READY)
	$(BIN)/python $(PIP) install --editable .
	@rm -f .venv/.run-*
	@touch $@

$(DEV_READY): | $(PIP_READY)
	$(BIN)/python $(PIP) install --editable . --group dev
	@rm -f .venv/.run-* .venv/.dev-*
	@touch $(RUN_READY) $@

$(WHEEL_READY):
	rm -rf .venv-wheel
	$(call new-venv,.venv-wheel)
	.venv-wheel/bin/python $(PIP) install dist/*.whl
	@touch $@
