#!/usr/bin/env bash
# The browser journeys of infra/e2e against the whole product, started from nothing in a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=infra/ci/product.sh
. infra/ci/product.sh

infra/ci/web.sh
cargo build --quiet --workspace --bins --tests
start_product

status=0
PRODUCT_URL=$url npm test --silent --workspace infra/e2e || status=$?
if [[ $status != 0 ]]; then
  grep -E ' (WARN|ERROR) |panicked' "$product_log" | tail -n 50 >&2 || true
fi
exit "$status"
