# Every target sets itself up: a virtual environment in .venv, made anew when pyproject.toml or constraints.txt changes.
# Needs make and Python 3.11 to 3.14, no more. Another Python than `python3`: make PYTHON=python3.13 test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --no-input install -c constraints.txt

# Tests start hundreds of processes: none has to compile what another has compiled.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help generate check test test-environments lint docs playground bench interop mutants clean wheels

help:
	@echo "make generate   write generated/ from schema.json, and the examples' package"
	@echo "make check      say which files of the two are not what schema.json makes"
	@echo "make test       the tests"
	@echo "make test-environments   what installs or takes long: wheels, vendored packages, other SDKs, whole sites, pages"
	@echo "make lint       ruff, import-linter, mypy, pyright"
	@echo "make docs       the documentation site, in site/ (RELEASES=\"v1=FILE v2=FILE\": with earlier releases)"
	@echo "make playground   a page that validates and compares in the browser, in site/playground/"
	@echo "make bench      measure beside others, and write the report (ROWS=\"decode pipe\": a part, QUICK=1: a fast look, FRESH=1: newest peers)"
	@echo "make interop    probe agents from npm and PyPI, and write docs/interop.md"
	@echo "make mutants    how many planted faults the tests catch (PACKAGES=\"model check\": a part, SAMPLE=20: fewer of each, 0: all)"
	@echo "make wheels     the wheels and sdists of the tool, the package, its runtime and networking, in dist/"
	@echo "make clean      remove what the others made, but for generated/"

# The annotations of the protocol's first version are those of schema.json.
generate: $(READY)
	@$(BIN)/python -m scripts.versions
	@$(BIN)/python -m codegen annotate schema.json --overlay >$(VENV)/v1.json
	@cmp -s $(VENV)/v1.json codegen/annotations/v1.json || cp $(VENV)/v1.json codegen/annotations/v1.json
	@$(BIN)/python -m codegen
	@cmp -s generated/names.lock.json names.lock.json || { cp generated/names.lock.json . && $(BIN)/python -m codegen; }
	@$(BIN)/python -m codegen vendor examples/acp
	@$(BIN)/python -m scripts.prebuilt
	@$(BIN)/python -m scripts.api_page
	@$(BIN)/python -m scripts.parts_table
	@$(BIN)/python -m scripts.architecture_page

check: $(READY)
	@$(BIN)/python -m codegen --check
	@$(BIN)/python -m codegen vendor examples/acp --check

# Workers start with neighbours and steal from each other at the end, so that what a module sets up is set up once.
test: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not environment"

# The wheel and vendored packages in environments of their own, other SDKs, whole sites and the programs of pages.
test-environments: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m environment

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/mypy
	@if command -v node >/dev/null; then \
		echo "$(BIN)/pyright"; $(BIN)/pyright; \
	else \
		echo "pyright was not run: it needs Node.js, and there is no \`node\` on the PATH"; \
	fi

docs: $(READY)
	@$(BIN)/python -m codegen docs $(RELEASES:%=--release %)

# Gets Pyodide from npm, and wheels from PyPI. The page needs a web server, for instance `python -m http.server`.
playground: $(READY)
	@$(BIN)/python -m scripts.playground site/playground

# Peers get environments of their own in .venv-bench. A full run takes some ten minutes and wants a quiet machine.
bench: $(READY)
	@$(BIN)/python -m benchmarks $(ROWS) $(if $(QUICK),--quick) $(if $(FRESH),--fresh)

# Installs the agents that docs/interop/peers.toml names and probes them, some ten minutes (PEERS="opencode": a part).
interop: $(READY)
	$(BIN)/python -m acp_tools.probe.interop $(PEERS)

mutants: $(READY)
	$(BIN)/python -m scripts.mutants $(PACKAGES) $(if $(SAMPLE),--sample $(SAMPLE))

# All distributions, of this commit: the tool, the package for those who do not vendor it, its runtime, and networking.
wheels: check
	@for each in . $(wildcard wheels/*/); do (cd $$each && $(CURDIR)/$(BIN)/python -m hatchling build -d $(CURDIR)/dist) || exit 1; done
	@ls dist

clean:
	rm -rf $(VENV) .venv-bench build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; (3, 11) <= sys.version_info < (3, 15) or sys.exit("Python 3.11 to 3.14 is needed, $(PYTHON) is " + sys.version.split()[0] + "; name another one: make PYTHON=python3.13 ...")'
	@echo "setting up $(VENV), which takes about a minute ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) hatchling
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"], sep="\n")' >$(VENV)/dev.txt
	@$(PIP) --no-build-isolation -e '.[check,docs]' -r $(VENV)/dev.txt
	@touch $@
