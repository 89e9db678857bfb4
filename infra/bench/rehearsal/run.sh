#!/usr/bin/env bash
# Rehearses days at x60, one for each seed, looks once in a simulated minute at what the office sees (expected times with their
# ranges, what is told to be late), and compares it with what happened. Prints one table with the bars and ends with 1 when one
# is missed. A day takes some eleven minutes; all seeds are driven at the same time.
#
#   ROUTEWRIGHT=path   a compiled product, else it is built     SEEDS="1 2 3 4"   days
#   SPEED=60           slower for a machine that does not keep up
#   UNTIL=18:30        simulated time at which the looking ends     SAMPLES=file   keeps what was seen, for a second look
#   AGAIN=file         looks at what was kept, without any product
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cd "$root"

npx --no-install rolldown "$here/main.ts" --platform node --format esm --file "$here/dist/main.js" --log-level warn \
  --module-types .css=empty > /dev/null 2>&1
if [[ -n ${AGAIN:-} ]]; then
  exec node "$here/dist/main.js"
fi

# shellcheck source=infra/ci/product.sh
. infra/ci/product.sh
[[ -n ${ROUTEWRIGHT:-} ]] || cargo build --quiet --bin routewright
infra/ci/web.sh
start_product
PRODUCT_URL=$url node "$here/dist/main.js"
