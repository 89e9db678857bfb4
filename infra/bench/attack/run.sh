#!/usr/bin/env bash
# Sends a running product what hurts: files that unpack, pictures that swell, floods, half-sent requests, ten thousand stops;
# with a quiet organisation beside it. Prints one table with the bars and ends with 1 when one is missed.
#
#   ROUTEWRIGHT=path   a compiled product, else it is built     SECONDS_EACH=8   length of an attack
#   ONLY=word          the attacks whose names contain it
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cd "$root"

# shellcheck source=infra/ci/product.sh
. infra/ci/product.sh
[[ -n ${ROUTEWRIGHT:-} ]] || cargo build --quiet --bin routewright
infra/ci/web.sh
for part in main quiet; do
  npx --no-install rolldown "$here/$part.ts" --platform node --format esm --file "$here/dist/$part.js" --log-level warn \
    > /dev/null
done

# As in production.
REQUEST_SHARE=12.5 start_product
PRODUCT_URL=$url PRODUCT_PID=$product node "$here/dist/main.js"
