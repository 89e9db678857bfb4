#!/usr/bin/env bash
# The planner's board with 5,000 jobs on 200 runs in a browser, beside 300 jobs on 12: prints one table with the bars and
# ends with 1 when one is missed. The product runs from nothing in a folder of its own.
#
#   ROUTEWRIGHT=path   a compiled product, else it is built     ROUNDS=3   the table shows the median round
#   SCREENSHOTS=folder pictures of both boards
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cd "$root"

if [[ -z ${ROUTEWRIGHT:-} ]]; then
  cargo build --quiet --bin routewright
  ROUTEWRIGHT=${CARGO_TARGET_DIR:-target}/debug/routewright
fi
infra/ci/web.sh
npx --no-install rolldown "$here/main.ts" --platform node --format esm --external playwright-core \
  --file "$here/dist/main.js" --log-level warn > /dev/null

data=$(mktemp -d)
# Postgres runs as another user when we are root.
chmod 755 "$data"
port=$((20000 + RANDOM % 12000))
url=http://127.0.0.1:$port
DATA_DIR=$data/data PORT=$port "$ROUTEWRIGHT" > "$data/log" 2>&1 &
product=$!
finish() {
  kill -INT "$product" 2> /dev/null || true
  wait "$product" || true
  rm -rf "$data"
}
trap finish EXIT

# The launcher serves once the demo organisation is there and says so.
for _ in $(seq 600); do
  if grep -q "$url/dashboard" "$data/log" || ! kill -0 "$product" 2> /dev/null; then
    break
  fi
  sleep 0.2
done
grep -q "$url/dashboard" "$data/log" || {
  tail -n 50 "$data/log" >&2
  exit 1
}
PRODUCT_URL=$url node "$here/dist/main.js"
