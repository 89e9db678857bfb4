# Each target is one line; the work is in infra/.
.PHONY: help setup setup-run web run test lint format api-types e2e bench-solver bench-departures bench-hours bench-streets bench-country bench-board bench-attack bench-kill bench-rehearsal bench clean-data

PORT ?= 8080
DATA_DIR ?= .data
export PORT DATA_DIR

help: ## This list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 19

setup: ## Install what is missing on this machine (Debian: Postgres, browser, nginx, fonts)
	@infra/ci/setup.sh

setup-run: # The part of it that building needs; the launcher finds its own Postgres
	@infra/ci/setup.sh run

web: ## Build both web apps when their sources changed
	@infra/ci/web.sh

run: setup-run web ## Start the product with a demo organisation (PORT=8080, DATA_DIR=.data)
	@exec cargo run --bin routewright

test: setup ## Everything the continuous integration runs; one part: make test STEPS="rust-tests web-tests"
	@infra/ci/test.sh $(STEPS)

lint: ## Formatting, clippy, eslint, types, scripts
	@infra/ci/test.sh rust-format clippy web-install web-lint web-types scripts

format: ## Format all sources
	@cargo fmt --all && npm run --silent format

api-types: ## After a change of the API: its document and the types of the web apps' client
	@UPDATE=1 cargo test --quiet --workspace --test api_document && npm run --silent generate --workspace platform/web

e2e: ## Journeys through the running product in a browser
	@infra/ci/test.sh web-install web-build rust-build e2e

bench-solver: ## Plan quality beside vrp-core, PyVRP, OR-tools and VROOM (QUICK=1, SETS=..., ENGINES=..., SEEDS=...)
	@infra/bench/solver/run.sh

bench-departures: ## What leaving later than the shift begins is worth, on two days (SEEDS=..., SECONDS_PER_RUN=...)
	@infra/bench/solver/departures.sh

bench-hours: ## What planning with the hours of traffic is worth beside planning with its mean (SEEDS=..., SECONDS_PER_RUN=...)
	@infra/bench/solver/hours.sh

bench-streets: ## Tables of streets against osrm-routed's, memory of made-up countries (NODES=100000,200000), searches while typing
	@cargo run --bin bench-streets

bench-country: ## Memory of made-up countries alone, making and asking them (NODES=1000000)
	@cargo run --bin bench-streets country

bench-board: ## The planner's board with 5,000 jobs on 200 runs in a browser, against its bars (ROUNDS=3)
	@infra/bench/board/run.sh

bench-attack: ## What hurts, sent to a running product with a quiet organisation beside it, against its bars (SECONDS_EACH=8, ONLY=...)
	@infra/bench/attack/run.sh

bench-kill: ## The product killed in the middle of its work, 20 times in each kind: lost, doubled, unexplained (TIMES=20, ONLY=...)
	@infra/bench/kill/run.sh

bench-rehearsal: ## Rehearsed days at x60: what the office foresees against what happens, against its bars (SEEDS="1 2 3 4")
	@infra/bench/rehearsal/run.sh

bench: ## How much the back end adds to the bare database, as ratios; one alone: make bench BENCH=import (DURABLE=1)
	@infra/bench/run.sh $(BENCH)

clean-data: ## Forget the one-machine mode's data
	@infra/ci/postgres.sh stop && rm -rf "$(DATA_DIR)"
