#!/usr/bin/env bash
# Installs what this machine lacks; Debian packages need root or sudo. What cannot be installed is named, and the steps
# that need it say so as well.
#
#   infra/ci/setup.sh        what building, running and testing need
#   infra/ci/setup.sh run    what building and running need
set -euo pipefail
cd "$(dirname "$0")/../.."

lacking() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'install ok installed' || echo "$package"
  done
}

packages=(build-essential pkg-config ca-certificates)
if [[ ${1:-all} == all ]]; then
  packages+=(postgresql curl git python3 python3-venv chromium nginx-light poppler-utils fonts-dejavu-core fonts-noto-core
    openssh-server openssh-client shellcheck)
fi
if command -v apt-get > /dev/null; then
  # A command that is there counts, wherever it came from.
  command -v node > /dev/null || packages+=(nodejs npm)
  mapfile -t missing < <(lacking "${packages[@]}")
  if [[ ${#missing[@]} -gt 0 ]]; then
    as_root=()
    [[ $(id -u) == 0 ]] || as_root=(sudo -n)
    echo "Installing ${missing[*]}"
    "${as_root[@]}" mkdir -p /etc/postgresql-common
    # Without this file the package would start a system-wide database that nobody asked for.
    [[ -e /etc/postgresql-common/createcluster.conf ]] ||
      echo 'create_main_cluster = false' | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf > /dev/null
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}" ||
      echo "Some packages could not be installed; the steps that need them will fail." >&2
  fi
fi

if ! command -v cargo > /dev/null; then
  echo "Rust is missing: https://rustup.rs" >&2
  exit 1
fi

[[ ${1:-all} == all ]] || exit 0

# Checkers of the deployment files, apart from the system's Python.
tools=.data/ci-tools
if [[ ! -x $tools/bin/kubernetes-validate ]]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement infra/ci/tools.txt
fi
