#!/usr/bin/env bash
# Plan quality of our engine beside others, on one core. Prints one table; the plans stay in .data/bench/solver.
#
#   ENGINES="native vrp-core pyvrp ortools vroom"   which solvers (native alone needs no Python packages)
#   SETS="solomon gh200 gh400 gh1000 lilim100 lilim200 x ortec porto melbourne"
#   SEEDS="1"      SECONDS_PER_RUN=""  (each set has its own)      INSTANCES=folder with more sets, e.g. ortec
#   QUICK=1        one instance of each set (2: two), five seconds
#
# Native, PyVRP and OR-tools are stopped by processor time, so that a busy machine changes less; vrp-core and VROOM by
# the clock. Every plan is checked by the crate's evaluator and by check.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
engines=${ENGINES:-native vrp-core pyvrp ortools vroom}
sets=${SETS:-solomon gh200 gh400 gh1000 lilim100 lilim200 x ortec porto melbourne}
seeds=${SEEDS:-1}
work=${DATA_DIR:-$root/.data}/bench/solver
mkdir -p "$work"

cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p routewright-bench-solver
bench=${CARGO_TARGET_DIR:-$root/target}/release/bench-solver
python=python3
if [[ $engines =~ pyvrp|ortools|vroom ]]; then
  venv=${DATA_DIR:-$root/.data}/bench/venv
  [[ -x $venv/bin/python ]] || python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check pyvrp==0.14.1 ortools==9.15.6755 pyvroom==1.15.2
  python=$venv/bin/python
fi

seconds_of() {
  [[ -n ${SECONDS_PER_RUN:-} ]] && echo "$SECONDS_PER_RUN" && return
  [[ -n ${QUICK:-} ]] && echo 5 && return
  case $1 in solomon) echo 5 ;; gh1000) echo 60 ;; porto | melbourne) echo 30 ;; *) echo 20 ;; esac
}

# Files of a set, each case on one line.
cases_of() {
  case $1 in
    porto) echo "$root/infra/local/data/porto/jobs.csv $root/infra/local/data/porto/drivers.csv" ;;
    melbourne) echo "$here/instances/melbourne/jobs.csv $here/instances/melbourne/drivers.csv" ;;
    *)
      local folder=$here/instances/$1
      [[ -d $folder ]] || folder=${INSTANCES:-}/$1
      if [[ ! -d $folder ]]; then
        echo "$1 is not in the repository; name the folder that holds it in INSTANCES" >&2
        return
      fi
      find "$folder" -name '*.txt' -o -name '*.vrp' -o -name '*.json.gz' | sort | head -n "${QUICK:-1000}"
      ;;
  esac
}

# Adds set, seconds and the second checker's findings to a line of JSON: SET SECONDS PROBLEM ROUTES [INSTANCE].
annotate() {
  local set=$1 seconds=$2 problem=$3 routes=$4 faults
  shift 4
  faults=$("$python" "$here/check.py" "$problem" "$routes" "$@" 2>&1) || true
  "$python" -c 'import json, sys
row = json.loads(sys.stdin.readline())
row["set"], row["seconds"] = sys.argv[1], float(sys.argv[2])
row["faults"] = sys.argv[3].split("\n") if sys.argv[3] else []
if row["violations"]:
    row["faults"].append("{} violations found by the evaluator".format(row["violations"]))
print(json.dumps(row))' "$set" "$seconds" "$faults"
}

core=$(($(nproc) - 1))
results=$work/results.jsonl
: >"$results"
for set in $sets; do
  seconds=$(seconds_of "$set")
  while read -r -a files; do
    [[ ${#files[@]} -gt 0 ]] || continue
    again=()
    if [[ ${#files[@]} -eq 1 ]]; then again=("${files[0]}"); fi
    problem=$work/problem.json
    "$bench" --dump "$problem" "${files[@]}"
    for seed in $seeds; do
      for engine in $engines; do
        case $engine in
          native | vrp-core)
            line=$(taskset -c "$core" "$bench" --engine "$engine" --seconds "$seconds" --seed "$seed" --out "$work" "${files[@]}")
            ;;
          *)
            if ! taskset -c "$core" "$python" "$here/peers.py" "$engine" "$seconds" "$seed" "$problem" "$work/peer.json" 2>"$work/peer.log"; then
              echo "$engine on ${files[0]##*/}: $(tail -1 "$work/peer.log")" >&2
              continue
            fi
            line=$("$bench" --routes "$work/peer.json" --engine "$engine" --seed "$seed" --out "$work" "${files[@]}")
            ;;
        esac
        name=$(sed -E 's/.*"instance":"([^"]*)".*/\1/' <<<"$line")
        annotate "$set" "$seconds" "$problem" "$work/$name.$engine.$seed.routes.json" "${again[@]}" <<<"$line" >>"$results"
      done
    done
  done < <(cases_of "$set")
done
"$python" "$here/table.py" <"$results"
