# Everything happens in a virtual environment inside the checkout; only Python 3.11+, pip and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := $(VENV)/peers/bin
# Tests start many commands: each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-fast test-all check-long coverage lint hooks docs bench clean

demo: $(VENV)/demo.ok
	$(BIN)/python examples/titanic.py

test: $(VENV)/test.ok lint
	$(BIN)/python -m pytest -m "not long"

# The quickest tests of every room, to run while writing.
test-fast: $(VENV)/test.ok
	$(BIN)/python -m pytest --fast

# Every Python that is installed, and the oldest packages; `make test-all ARGS=tests/dist` runs some of the tests.
test-all: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --group matrix
	$(BIN)/python -m nox $(if $(ARGS),-- -m "not long" $(ARGS))

# Which lines of src the tests run; fails below the share that pyproject.toml asks for. It takes a third longer than
# the tests alone, so `make test` leaves it to this, to `check-long` and to the workflow.
coverage: $(VENV)/test.ok
	$(BIN)/python -m pip install --quiet --group coverage
	$(BIN)/python -m pytest -m "not long" --cov --cov-report=term:skip-covered --cov-report=xml

# The long checks too, on the real data beside the project: absent data is a failure here, not a skip.
check-long: $(VENV)/test.ok lint
	$(BIN)/python -m pip install --quiet --group coverage
	LIKELY_LONG=1 LIKELY_DATA_REQUIRED=1 $(BIN)/python -m pytest -n0 -p no:cacheprovider --cov --cov-report=term:skip-covered
	LIKELY_DATA_REQUIRED=1 $(BIN)/python benchmarks/naive_bayes.py

lint: $(VENV)/test.ok
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# ruff, mypy and the import layers before every commit.
hooks: $(VENV)/test.ok
	$(BIN)/python -m pip install --quiet --group hooks
	$(BIN)/pre-commit install

docs: $(VENV)/docs.ok
	$(BIN)/python docs/rooms.py
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/pages.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# All benchmarks beside the last results, which they replace; `make bench ONLY=naive_bayes` runs one, and
# `make bench FULL=1` takes the sizes that the docs speak of. What runs beside us has an environment of its own:
# it wants older packages than the types are checked with.
bench: $(VENV)/peers.ok
	$(PEERS)/python benchmarks/run.py $(if $(FULL),--full) $(ONLY)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "likely needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/demo.ok: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/test.ok: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[all]" --group test --group lint
	touch $@ $(VENV)/demo.ok

$(VENV)/peers.ok: pyproject.toml | $(BIN)/python
	$(BIN)/python -m venv $(VENV)/peers
	$(PEERS)/python -m pip install --quiet --upgrade pip
	$(PEERS)/python -m pip install --quiet --editable ".[all]" --group peers
	touch $@

$(VENV)/docs.ok: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[all]" --group docs
	touch $@

clean:
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache
