#!/usr/bin/env bash
# What it is worth that a run may leave later than its shift begins: the days of Porto and Melbourne, planned with every run
# leaving at the start of its shift, and at the latest moment that costs nothing. Prints one table of minutes.
#
#   SEEDS="1 2"      SECONDS_PER_RUN=15 (processor time)      LATEST=13:00
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
bench=${BENCH_SOLVER:-}
if [[ -z $bench ]]; then
  cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p routewright-bench-solver
  bench=${CARGO_TARGET_DIR:-$root/target}/release/bench-solver
fi
echo "| Day | Seed | Departure | Jobs | Runs | Waiting | Driving | Work |"
echo "| --- | ---- | --------- | ---- | ---- | ------- | ------- | ---- |"
for day in "$root/infra/local/data/porto" "$here/instances/melbourne"; do
  for seed in ${SEEDS:-1 2}; do
    for departure in shift latest; do
      late=()
      if [[ $departure == latest ]]; then late=(--latest-departure "${LATEST:-13:00}"); fi
      "$bench" --seed "$seed" --seconds "${SECONDS_PER_RUN:-15}" "${late[@]}" "$day/jobs.csv" "$day/drivers.csv" |
        python3 -c 'import json, sys
plan = json.loads(sys.stdin.readline())
figures = [plan[name] for name in ("served", "routes", "waiting_minutes", "driving_minutes", "working_minutes")]
print("|", " | ".join(str(cell) for cell in [plan["instance"], plan["seed"], sys.argv[1], *figures]), "|")' "$departure"
    done
  done
done
