#!/usr/bin/env bash
# How much the back end adds to the bare database, as ratios; all benches, or those that are named.
#
#   DURABLE=1   on a database that waits for its disk, as in production; the throw-away one gives that up for speed
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"

DATABASE_URL=$(infra/ci/postgres.sh)
export DATABASE_URL
if [[ ${DURABLE:-} == 1 ]]; then
  trap 'infra/ci/postgres.sh quick' EXIT
  infra/ci/postgres.sh durable
fi
cargo run --release --bin routewright-bench -- "$@"
