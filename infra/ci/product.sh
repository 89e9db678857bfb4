# Sourced by scripts that need the whole product: starts it from nothing in a folder of its own, on a free port.
# Sets `url`, `product` (its process) and `product_log`; it ends with the script. ROUTEWRIGHT names another program, REQUEST_SHARE what
# one organisation may take beside others: all of it by default, as all of them are the work of one script.
# shellcheck shell=bash

start_product() {
  product_data=$(mktemp -d)
  # Postgres runs as another user when we are root.
  chmod 755 "$product_data"
  product_log=$product_data/log
  local port=$((20000 + RANDOM % 12000))
  url=http://127.0.0.1:$port
  REQUEST_SHARE=${REQUEST_SHARE:-100} DATA_DIR=$product_data/data PORT=$port "${ROUTEWRIGHT:-${CARGO_TARGET_DIR:-target}/debug/routewright}" \
    > "$product_log" 2>&1 &
  product=$!
  trap end_product EXIT

  # The launcher serves once the demo organisation is there and says so.
  for _ in $(seq 600); do
    if grep -q "$url/dashboard" "$product_log" || ! kill -0 "$product" 2> /dev/null; then
      break
    fi
    sleep 0.2
  done
  grep -q "$url/dashboard" "$product_log" || {
    tail -n 50 "$product_log" >&2
    exit 1
  }
}

end_product() {
  kill -INT "$product" 2> /dev/null || true
  wait "$product" || true
  rm -rf "$product_data"
}
