# make run: the app on http://localhost:8501.  make test: everything that must hold.
SHELL := /bin/sh
.DEFAULT_GOAL := help
NEWEST := $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
PYTHON ?= $(NEWEST)
BIN := .venv/bin

.PHONY: help run test slow hostile soak bench bench-cluster experiments examples docs pictures screenshots format lock package sbom audit setup-system clean

help:
	@echo "make run           the app, on http://localhost:8501"
	@echo "make test          lint, types, import rules and all tests: seven minutes on two cores"
	@echo "make slow          longer studies, walks and more cases, and properties on examples drawn anew"
	@echo "make hostile       over 40,000 hostile or broken inputs"
	@echo "make soak          twenty people at once, two rounds (MINUTES=10)"
	@echo "make bench         speed and memory, beside what they are compared with"
	@echo "make bench-cluster one and two workers of a cluster, beside what could be reached"
	@echo "make experiments   two papers' simulations and promised thresholds, beside what was published (SETS=10000 OUT=folder)"
	@echo "make examples      make the bundled examples anew"
	@echo "make docs          the documentation as a site that works from disk, in build/site"
	@echo "make pictures      the pictures of README, tutorials and gallery anew"
	@echo "make screenshots   every page, wide, low and narrow, light and dark (OUT=folder)"
	@echo "make format        put the code into its format"
	@echo "make lock          pin anew what the container installs, with its hashes"
	@echo "make package       wheel and sdist into dist, tried in fresh environments, oldest and newest packages"
	@echo "make sbom          what the container installs as CycloneDX, in build/sbom.json (OUT=file)"
	@echo "make audit         licences of all installed packages; fails on one that needs a reason"
	@echo "make setup-system  install what the tests need from Debian (chromium, PostgreSQL)"

.venv/made:
	@test -n "$(PYTHON)" || { echo "Caliblens needs Python 3.11 or newer and found none. Install it, or name it: make run PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than Python 3.11, which Caliblens needs. Name a newer one: make run PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's module venv is missing. On Debian or Ubuntu: apt install python3-venv"; exit 1; }
	rm -rf .venv
	$(PYTHON) -m venv .venv
	@touch $@

# At the versions that the container has: what came out since, nobody has tested.
.venv/versions: requirements.lock .venv/made
	@sed -n 's/ *\\$$//; /==/p' requirements.lock > $@

.venv/run: requirements.txt .venv/versions
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c .venv/versions -r requirements.txt
	@touch $@

.venv/dev: requirements-dev.txt requirements-cluster.txt .venv/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c .venv/versions -r requirements-dev.txt
	@touch $@

run: .venv/run
	$(BIN)/python -m streamlit run app.py

# What waits for machines runs beside what needs the cores. Kernels and tests are compiled once and kept, beside
# the checks: else each worker, and each process that a test starts, would compile them again. What is kept from
# the last time takes no time, and where there is nothing all three take two cores a minute.
test: export PYTHONDONTWRITEBYTECODE :=
test: .venv/dev
	@$(BIN)/python -m calibcore warm & kernels=$$!; \
	{ ls tests/io/__pycache__ >/dev/null 2>&1 || $(BIN)/python -m pytest -qq --collect-only >/dev/null || true; } & tests=$$!; \
	set -x; $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports && \
	{ set +x; wait $$tests; wait $$kernels; }
	@log=$$(mktemp); $(BIN)/python -m pytest tests/cluster >$$log 2>&1 & cluster=$$!; \
	set -x; CALIBLENS_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal --ignore=tests/browser --ignore=tests/cluster; units=$$?; \
	set +x; wait $$cluster; machines=$$?; cat $$log; rm $$log; [ $$units = 0 ] && [ $$machines = 0 ]
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder tests/browser

slow: .venv/dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "(slow or hypothesis) and not hostile" --hypothesis-profile=fresh --ignore=tests/browser
	$(BIN)/python -m pytest -n 2 --dist loadfile -m slow tests/browser

hostile: .venv/dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m hostile --hypothesis-profile=fresh

soak: .venv/dev
	$(BIN)/python -m tests.soak $(if $(MINUTES),--minutes $(MINUTES))

bench: .venv/dev
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.browser

bench-cluster: .venv/dev
	$(BIN)/python -m benchmarks.cluster

experiments: .venv/dev
	$(BIN)/python -m experiments $(if $(SETS),--sets $(SETS)) $(if $(OUT),--out "$(OUT)")

examples: .venv/dev
	$(BIN)/python scripts/make_examples.py
	$(BIN)/python -m scripts.make_answers

docs: .venv/dev
	$(BIN)/python -m scripts.site

pictures: .venv/dev
	$(BIN)/python -m scripts.gallery
	$(BIN)/python -m scripts.pictures

screenshots: .venv/dev
	$(BIN)/python -m scripts.screenshots $(if $(OUT),--out "$(OUT)")

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# All hashes of every pinned version: of any processor, and of each Python from the oldest on. The tool that finds them has an environment of its own.
lock:
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-package.txt
	{ echo "# Made by make lock: what is installed, whole, for Python 3.11 and later: the container has 3.13."; \
	.venv-lock/bin/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--universal --python-version 3.11 --only-binary :all: \
		requirements.txt requirements-cluster.txt; } > requirements.lock.part
	mv requirements.lock.part requirements.lock
	rm -rf .venv-lock

# Minutes: four environments with all that they need, made and thrown away. (OUT=folder for wheel and sdist)
package: .venv/dev
	$(BIN)/python -m scripts.package $(if $(OUT),--out "$(OUT)")

# What the container installs, each with licence, hash and what needs it, as CycloneDX. (OUT=file) By the container's
# Python where there is one: each Python has its own numpy.
sbom: PYTHON := $(or $(shell python3.13 -c 'import sys; print(sys.executable)' 2>/dev/null),$(PYTHON))
sbom:
	rm -rf .venv-lock .venv-sbom
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-package.txt
	$(PYTHON) -m venv --without-pip .venv-sbom
	.venv-lock/bin/python -m pip --python .venv-sbom/bin/python install --quiet --disable-pip-version-check \
		--no-compile --only-binary=:all: --require-hashes -r requirements.lock
	mkdir -p build
	.venv-lock/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type application \
		--output-reproducible --of JSON -o "$(if $(OUT),$(OUT),build/sbom.json)" .venv-sbom/bin/python
	rm -rf .venv-lock .venv-sbom

audit: .venv/dev
	$(BIN)/python -m scripts.audit

# Best the Chromium without windows, a fifth cheaper for tests; where Debian does not have it or cannot be reached, the
# one with windows does.
setup-system:
	@missing=""; \
	command -v chromium-headless-shell >/dev/null 2>&1 || missing="chromium-headless-shell fonts-liberation"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	if [ -z "$$missing" ]; then echo "Chromium and PostgreSQL are here"; \
	elif ! command -v apt-get >/dev/null 2>&1; then echo "Install Chromium and PostgreSQL by your system's means; setup-system knows Debian's apt only."; exit 1; \
	else \
		if [ "$$(id -u)" = 0 ]; then do=""; else do="sudo"; fi; \
		$$do apt-get update -q; \
		apt-cache show chromium-headless-shell >/dev/null 2>&1 || missing=$$(echo "$$missing" | sed s/chromium-headless-shell/chromium/); \
		$$do env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing \
		|| case "$$missing" in *postgresql*) false;; *) command -v chromium;; esac; \
	fi

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
