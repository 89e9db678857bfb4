#!/usr/bin/env bash
# A private, throw-away Postgres for tests.
#
#   DATABASE_URL=$(infra/ci/postgres.sh)    starts it unless it runs, prints its address
#   infra/ci/postgres.sh stop               stops it and removes its data
#   infra/ci/postgres.sh durable            has the running one wait for the disk, as in production; `quick` no more
#
# The data lies in ${DATA_DIR:-.data}/test-postgres of the checkout. It gives up durability for speed: never
# keep anything in it. Loopback TCP only. The printed role may create roles and databases but is no superuser,
# which is all that the product may need.
set -euo pipefail

checkout=$(cd "$(dirname "$0")/../.." && pwd)
data_dir=${DATA_DIR:-.data}
[[ $data_dir == /* ]] || data_dir=$checkout/$data_dir
home=$data_dir/test-postgres
role=routewright
database=routewright

mkdir -p "$home"
exec 9> "$home/lock"
flock 9

# Postgres refuses to run as root, so root hands it to somebody who owns nothing else.
run_as=()
if [[ $(id -u) == 0 ]]; then
  user=nobody
  if id -u postgres > /dev/null 2>&1; then
    user=postgres
  fi
  run_as=(runuser -u "$user" --)
fi
as_postgres() {
  # The server must not inherit the lock.
  (cd / && exec "${run_as[@]}" "$@" 9>&-)
}

# Below a closed home folder that user cannot reach the data: then it goes to the temporary folder.
cluster_folder() {
  # Somebody may have cleared it away.
  if [[ -f $home/folder && -d $(cat "$home/folder") ]]; then
    cat "$home/folder"
    return
  fi
  local folder=$home/cluster
  mkdir -p "$folder"
  if [[ ${#run_as[@]} -gt 0 ]]; then
    chown "$user" "$folder"
    if ! as_postgres test -w "$folder"; then
      rmdir "$folder"
      folder=$(mktemp -d "${TMPDIR:-/tmp}/test-postgres.XXXXXX")
      chown "$user" "$folder"
    fi
  fi
  echo "$folder" > "$home/folder"
  echo "$folder"
}

find_binaries() {
  bash "$checkout/infra/local/find-postgres.sh" "$1/binaries" 9>&-
}

address() {
  echo "postgres://$role:$(cat "$home/password")@127.0.0.1:$(cat "$home/port")/$database"
}

if [[ ${1:-start} == stop ]]; then
  folder=$(cluster_folder)
  if [[ -f $folder/data/postmaster.pid ]]; then
    # Fails when it is gone already, which is what was asked for.
    as_postgres "$(find_binaries "$folder")/pg_ctl" stop -s -D "$folder/data" -m immediate 2> /dev/null || true
  fi
  rm -rf "$folder" "$home"
  exit 0
fi
if [[ ${1:-start} == durable || ${1:-start} == quick ]]; then
  folder=$(cluster_folder)
  if [[ $1 == durable ]]; then to=on; else to=off; fi
  as_postgres sed -Ei "s/^(fsync|synchronous_commit|full_page_writes) = .*/\1 = $to/" "$folder/data/postgresql.auto.conf"
  as_postgres "$(find_binaries "$folder")/pg_ctl" reload -s -D "$folder/data"
  exit 0
fi
if [[ ${1:-start} != start ]]; then
  echo "usage: $0 [start|stop|durable|quick]" >&2
  exit 2
fi

folder=$(cluster_folder)
bin=$(find_binaries "$folder")
data=$folder/data

answers() {
  (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

# Both questions: another program may hold the port by now, a killed server may still be listed as a process.
if [[ -f $home/port ]] && as_postgres "$bin/pg_ctl" status -s -D "$data" > /dev/null 2>&1 &&
  answers "$(cat "$home/port")"; then
  address
  exit 0
fi

# `C.UTF-8` knows upper and lower case beyond ASCII and is the same on every machine.
create_cluster() {
  # Without fsync the files of a cluster that was not stopped may be torn, so none is ever taken up again.
  rm -rf "$data"
  new_password | as_postgres tee "$folder/superuser-password" > /dev/null
  as_postgres "$bin/initdb" -D "$data" -U superuser --auth=scram-sha-256 --pwfile="$folder/superuser-password" \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync > "$home/initdb.log" 2>&1 || {
    cat "$home/initdb.log" >&2
    exit 1
  }
  new_password > "$home/password"
  chmod 600 "$home/password"
  as_postgres tee "$data/postgresql.auto.conf" > /dev/null << SETTINGS
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 400
shared_buffers = 256MB
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 4GB
max_locks_per_transaction = 256
timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = warning
SETTINGS
  # Single-user mode needs no client program, which the prebuilt binaries do not bring along.
  as_postgres "$bin/postgres" --single -j -D "$data" postgres > "$home/initdb.log" 2>&1 << SQL
create role $role login createrole createdb password '$(cat "$home/password")';

create database $database owner $role;
SQL
  # Every database that a test makes is a copy of this one.
  local own
  for own in template1 "$database"; do
    { echo "set routewright.owner = '$role';" && echo && cat "$checkout/platform/tenancy/superuser.sql"; } |
      as_postgres "$bin/postgres" --single -j -D "$data" "$own" > "$home/initdb.log" 2>&1
  done
}

new_password() {
  od -An -tx1 -N16 /dev/urandom | tr -d ' \n'
  echo
}

# Below the range that the kernel hands out for outgoing connections.
start_on_free_port() {
  local port log=$folder/server.log
  for _ in $(seq 20); do
    port=$((20000 + RANDOM % 12000))
    if answers "$port"; then
      continue
    fi
    if as_postgres "$bin/pg_ctl" start -s -w -t 60 -D "$data" -l "$log" -o "-p $port" > /dev/null 2>&1; then
      echo "$port" > "$home/port"
      return 0
    fi
  done
  tail -n 20 "$log" >&2
  return 1
}

create_cluster
start_on_free_port
address
