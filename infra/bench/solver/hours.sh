#!/usr/bin/env bash
# What it is worth to plan with the hours of traffic: the days of Porto and Melbourne planned with every run at the mean pace of its
# shift, and with the pace of every hour, both timed with the hours. Prints one table: what comes late, and minutes.
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
echo "| Day | Seed | Planned with | Jobs | Runs | Late | Minutes late | Waiting | Driving | Work |"
echo "| --- | ---- | ------------ | ---- | ---- | ---- | ------------ | ------- | ------- | ---- |"
for day in "$root/infra/local/data/porto" "$here/instances/melbourne"; do
  for seed in ${SEEDS:-1 2}; do
    for hours in averaged planned; do
      "$bench" --seed "$seed" --seconds "${SECONDS_PER_RUN:-15}" --latest-departure "${LATEST:-13:00}" --hours "$hours" \
        "$day/jobs.csv" "$day/drivers.csv" |
        python3 -c 'import json, sys
plan = json.loads(sys.stdin.readline())
names = ("served", "routes", "late", "late_minutes", "waiting_minutes", "driving_minutes", "working_minutes")
with_ = {"averaged": "the mean", "planned": "every hour"}[sys.argv[1]]
print("|", " | ".join(str(cell) for cell in [plan["instance"], plan["seed"], with_, *(plan[name] for name in names)]), "|")' "$hours"
    done
  done
done
