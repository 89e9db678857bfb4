#!/usr/bin/env bash
# Kills a running product with SIGKILL in the middle of its work and starts it again, many times; counts what was acknowledged
# and is lost, what is there twice, and what nobody can explain. Prints one table and ends with 1 unless all are 0.
#
#   ROUTEWRIGHT=path   a compiled product, else it is built     TIMES=20   kills in each kind of work
#   ONLY=word          the kinds of work whose names contain it     TOGETHER=1   all of them at the same time
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cd "$root"

[[ -n ${ROUTEWRIGHT:-} ]] || cargo build --quiet --workspace --bins
infra/ci/web.sh
npx --no-install rolldown "$here/main.ts" --platform node --format esm --file "$here/dist/main.js" --log-level warn > /dev/null

folder=$(mktemp -d)
# Postgres runs as another user when we are root.
chmod 755 "$folder"
trap 'rm -rf "$folder"' EXIT
POSTGRES_BIN=$(infra/local/find-postgres.sh "$folder/binaries")
export POSTGRES_BIN
# The organisations are the work of one script.
export REQUEST_SHARE=100
export DATA_DIR=$folder/data PORT=$((20000 + RANDOM % 12000))
export ROUTEWRIGHT=${ROUTEWRIGHT:-${CARGO_TARGET_DIR:-target}/debug/routewright}
PRODUCT_URL=http://127.0.0.1:$PORT node "$here/dist/main.js"
