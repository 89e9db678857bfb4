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

# shellcheck source=infra/ci/product.sh
. infra/ci/product.sh
[[ -n ${ROUTEWRIGHT:-} ]] || cargo build --quiet --bin routewright
infra/ci/web.sh
npx --no-install rolldown "$here/main.ts" --platform node --format esm --external playwright-core \
  --file "$here/dist/main.js" --log-level warn > /dev/null

start_product
PRODUCT_URL=$url node "$here/dist/main.js"
