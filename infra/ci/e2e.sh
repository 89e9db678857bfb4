#!/usr/bin/env bash
# The browser journeys of infra/e2e against the whole product, started from nothing in a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

data=$(mktemp -d)
# Postgres runs as another user when we are root.
chmod 755 "$data"
port=$((20000 + RANDOM % 12000))
url=http://127.0.0.1:$port

infra/ci/web.sh
cargo build --quiet --workspace --bins --tests
DATA_DIR=$data/data PORT=$port target/debug/routewright > "$data/log" 2>&1 &
product=$!
finish() {
  kill -INT "$product" 2> /dev/null || true
  wait "$product" || true
  rm -rf "$data"
}
trap finish EXIT

# The launcher serves once the demo organisation is there and says so.
for _ in $(seq 600); do
  if grep -q "$url/dashboard" "$data/log"; then
    break
  fi
  if ! kill -0 "$product" 2> /dev/null; then
    cat "$data/log" >&2
    exit 1
  fi
  sleep 0.2
done
grep -q "$url/dashboard" "$data/log" || {
  tail -n 50 "$data/log" >&2
  exit 1
}

status=0
PRODUCT_URL=$url npm test --silent --workspace infra/e2e || status=$?
if [[ $status != 0 ]]; then
  grep -E ' (WARN|ERROR) |panicked' "$data/log" | tail -n 50 >&2 || true
fi
exit "$status"
