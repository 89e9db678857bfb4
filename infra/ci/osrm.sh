#!/usr/bin/env bash
# A road engine for tests: OSRM with the streets of Porto.
#
#   folder=$(infra/ci/osrm.sh)    gets it unless it is there, prints its folder
#
# In the folder: osrm/bin/osrm-routed and the other programs, osrm/share/profiles, and porto/roads.osrm, a graph for
# `osrm-routed --algorithm ch`. The folder is ${DATA_DIR:-.data}/tools/osrm of the checkout. The programs come
# from the PyPI package osrm-bindings, whose wheel carries them statically linked; no Python is needed to run them.
set -euo pipefail

version=26.10.0
wheel_sha256=840d6f82812eb9f9e17c71eb9083dfa15f3be2bfec4965c32aefa48b00d3a951

checkout=$(cd "$(dirname "$0")/../.." && pwd)
data_dir=${DATA_DIR:-.data}
[[ $data_dir == /* ]] || data_dir=$checkout/$data_dir
home=$data_dir/tools/osrm
streets=$checkout/infra/local/data/porto/roads.osm.pbf

mkdir -p "$home"
exec 9> "$home/lock"
flock 9

if [[ $(uname -sm) != "Linux x86_64" ]]; then
  echo "osrm.sh: the wheel has programs for Linux on x86_64 only, not for $(uname -sm)" >&2
  exit 1
fi

# Marks name what a step was made from; a step whose mark differs is done again.
done_with() {
  [[ -f $home/$1.done && $(< "$home/$1.done") == "$2" ]]
}

if ! done_with programs "$wheel_sha256"; then
  python=$(command -v python3) || {
    echo "osrm.sh: python3 is needed to fetch osrm-bindings $version from PyPI" >&2
    exit 1
  }
  work=$(mktemp -d "$home/wheel.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  echo "osrm-bindings==$version --hash=sha256:$wheel_sha256" > "$work/requirements.txt"
  # The distribution's Python may come without pip; a private environment brings its own.
  "$python" -m pip --version > /dev/null 2>&1 || {
    "$python" -m venv "$work/venv" >&2
    python=$work/venv/bin/python
  }
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --python-version 3.12 --platform manylinux_2_28_x86_64 --dest "$work" --requirement "$work/requirements.txt" >&2
  "$python" -m zipfile --extract "$work"/*.whl "$work/content"
  chmod +x "$work"/content/osrm/bin/*
  rm -rf "$home/osrm"
  mv "$work/content/osrm" "$home/osrm"
  rm -rf "$work"
  echo "$wheel_sha256" > "$home/programs.done"
fi

graph_of="$wheel_sha256 $(sha256sum < "$streets")"
if ! done_with graph "$graph_of"; then
  rm -rf "$home/porto"
  mkdir "$home/porto"
  cp "$streets" "$home/porto/roads.osm.pbf"
  bin=$home/osrm/bin
  "$bin/osrm-extract" --profile "$home/osrm/share/profiles/car.lua" --verbosity WARNING "$home/porto/roads.osm.pbf" >&2
  "$bin/osrm-contract" --verbosity WARNING "$home/porto/roads.osrm" >&2
  echo "$graph_of" > "$home/graph.done"
fi

echo "$home"
