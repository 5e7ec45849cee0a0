# make run    sets up and starts the app with a demonstration casino; ARGS="--lan --port 9000" go to it
# make test   sets up what the tests need, checks the code and runs the tests; ARGS go to pytest
# make bench  measures, and writes figures to bench/results; takes an hour (docs/measuring.md).
#             ARGS="ingest crowd" names the parts to measure
# make soak   plays 1,000 runs of faults and looks far deeper for counterexamples; takes hours.
#             ARGS="--seeds 100" go to the runs, whose figures are in bench/results/soak.json

BIN := .venv/bin
STAGE := tools/stage
INPUTS := pyproject.toml package-lock.json hatch_build.py $(wildcard custody_build/*.*) \
          $(wildcard custody_build/types/*) tools/install
KEY := $(shell cat $(INPUTS) | sha256sum | cut -c1-16)
RUN_READY := .venv/.custody-run-$(KEY)
TEST_READY := .venv/.custody-test-$(KEY)
WORKERS ?= 2

.PHONY: run test assets lint bench soak clean
.SILENT:

run: $(RUN_READY)
	exec $(BIN)/custody demo $(ARGS)

test: $(TEST_READY) lint
	tools/browser
	tools/go
	echo "-- Tests"
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)

lint: $(TEST_READY)
	$(STAGE) "Style of the Python code" $(BIN)/ruff check .
	$(STAGE) "Layout of the Python code" $(BIN)/ruff format --check .
	$(STAGE) "Types of the Python code" $(BIN)/mypy
	$(STAGE) "Static files" $(BIN)/python -m custody_build
	$(STAGE) "Types of the JavaScript code" $(BIN)/python -m custody_build.check

bench: $(TEST_READY)
	tools/browser
	$(STAGE) "What ingest is measured beside" env PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --prefix bench/pouch --no-audit --no-fund
	$(BIN)/python -m bench $(ARGS)

soak: $(TEST_READY)
	nice $(BIN)/python -m tests.faults.soak --jobs $(WORKERS) --out bench/results/soak.json $(ARGS)
	nice $(BIN)/pytest --hypothesis-profile=soak tests/faults/test_model.py \
	  tests/rules/test_properties.py tests/rules/test_codes_properties.py
	nice env CUSTODY_RELAY_SEEDS=300 CUSTODY_RELAY_ACTS=40 CUSTODY_NODE_SEEDS=200 \
	  $(BIN)/pytest tests/sync/test_relay_seeds.py tests/faults/test_nodes.py

assets: $(TEST_READY)
	$(STAGE) "Static files" $(BIN)/python -m custody_build

clean:
	rm -rf .venv .make node_modules custody/static/vendor custody/static/built dist \
	       .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	echo "Removed what make had set up; demo-data is kept."

$(RUN_READY):
	tools/venv
	tools/install
	touch $@

$(TEST_READY):
	tools/venv
	tools/install dev
	touch $@ $(RUN_READY)
