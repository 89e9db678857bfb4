#!/usr/bin/env bash
# Builds the web apps whose sources are newer than their last build; installs their packages first when the lock file
# changed. Asking costs well under a second, so that `make run` can always do it.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ ! -e node_modules/.package-lock.json || package-lock.json -nt node_modules/.package-lock.json ]]; then
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi

build() {
  local app=$1 page=$1/dist/index.html
  if [[ -e $page ]] && [[ -z $(find "$app" platform/web package-lock.json tsconfig.base.json -newer "$page" -type f \
    -not -path '*/node_modules/*' -not -path '*/dist/*' -print -quit) ]]; then
    return
  fi
  echo "Building $app ..."
  (cd "$app" && npx --no-install vite build --logLevel warn)
}

build planner-web
build admin-web
