#!/usr/bin/env bash
# All checks of the product; a failed one does not keep the others from running.
#
#   infra/ci/test.sh                 everything, the web apps' checks beside those of the services
#   infra/ci/test.sh clippy e2e      only these steps, one after the other
#
# The closing line counts single tests where a step has them, and the step itself where it has none.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
export NO_COLOR=1 FORCE_COLOR=0 CARGO_TERM_COLOR=never CI=1

logs=$(mktemp -d)
tools=$PWD/.data/ci-tools/bin
web_apps=(--workspace platform/web --workspace planner-web --workspace admin-web)

rust_format() { cargo fmt --all --check; }

# In a run of everything clippy is the compiler of our crates: what it looks at is then built, and no dependency is
# checked before it is compiled. A warning fails this step and leaves the others their programs.
clippy() {
  if [[ -z ${RUSTC_WORKSPACE_WRAPPER:-} ]]; then
    cargo clippy --workspace --all-targets --quiet -- -D warnings
    return
  fi
  cargo build --workspace --all-targets --quiet 2>&1 | tee "$logs/compiler"
  [[ ${PIPESTATUS[0]} == 0 ]] && ! grep -q '^warning' "$logs/compiler"
}

# With the tests, so that no dependency is compiled again for another set of features.
rust_build() { cargo build --workspace --bins --tests --quiet; }

# Many tests wait for something; others compute meanwhile.
rust_tests() {
  DATABASE_URL=$(infra/ci/postgres.sh) && export DATABASE_URL &&
    RUST_TEST_THREADS=$((2 * $(nproc))) cargo test --workspace --no-fail-fast
}

web_install() { npm ci --no-audit --no-fund --loglevel=error; }

web_lint() { npm run --silent lint; }

# The types of the API client are those of its document; a Rust test holds the document against the services.
web_types() {
  npm run generate:check --silent --workspace platform/web && npm run typecheck --silent --if-present "${web_apps[@]}" --workspace infra/e2e
}

# They run beside the compiler, so they get time.
web_tests() { npm run test --silent --if-present "${web_apps[@]}" -- --testTimeout=30000; }

web_build() { infra/ci/web.sh; }

scripts() {
  mapfile -t files < <(git ls-files '*.sh' .ci/run)
  shellcheck --severity=warning "${files[@]}"
}

docker() {
  local file
  for file in infra/docker/*.Dockerfile; do
    "$tools/hadolint" --config infra/docker/hadolint.yaml "$file" || return
  done
  "$tools/check-jsonschema" --builtin-schema vendor.compose-spec infra/docker/compose.yaml
}

kubernetes() { "$tools/kubernetes-validate" --strict --no-warn infra/kubernetes/*.yaml; }

gateway() { node --test infra/nginx/gateway.test.mjs; }

e2e() { infra/ci/e2e.sh; }

# A few kills in the middle of everything; `make bench-kill` does many. The program is that of the step before: binaries
# without the tests beside them would be built with other features, from the dependencies up.
kills() {
  rust_build && ROUTEWRIGHT=$PWD/${CARGO_TARGET_DIR:-target}/debug/routewright TIMES=2 TOGETHER=1 infra/bench/kill/run.sh
}

rust_steps=(rust-format clippy rust-tests rust-build)
web_steps=(web-install web-lint web-types web-tests web-build scripts docker kubernetes)
# What needs both, or the machine for itself.
last_steps=(gateway e2e kills)
all_steps=("${rust_steps[@]}" "${web_steps[@]}" "${last_steps[@]}")

# Sums up what the test runners say about themselves: cargo, vitest and node's own.
count() {
  awk '
    /^test result: / {
      for (i = 2; i <= NF; i++) { if ($i == "passed;") passed += $(i - 1); if ($i == "failed;") failed += $(i - 1) }
    }
    /^ *Tests  / {
      for (i = 2; i <= NF; i++) { if ($i == "passed") passed += $(i - 1); if ($i == "failed") failed += $(i - 1) }
    }
    /^(#|ℹ) pass [0-9]+$/ { passed += $3 }
    /^(#|ℹ) fail [0-9]+$/ { failed += $3 }
    END { print passed + 0, failed + 0 }
  ' "$1"
}

steps=("$@")
[[ ${#steps[@]} -gt 0 ]] || steps=("${all_steps[@]}")
for step in "${steps[@]}"; do
  if [[ " ${all_steps[*]} " != *" $step "* ]]; then
    echo "There is no step $step. The steps are: ${all_steps[*]}" >&2
    exit 2
  fi
done
database_was_running=no
[[ -e .data/test-postgres/port ]] && database_was_running=yes

# The result goes to a file: steps in the background share no variables.
run() {
  local step=$1 began=$SECONDS status passed failed
  echo "== $step"
  "${step//-/_}" 2>&1 | tee "$logs/$step"
  status=${PIPESTATUS[0]}
  read -r passed failed < <(count "$logs/$step")
  if [[ $status != 0 ]]; then
    # A step may also fail before or beside its tests.
    [[ $failed -gt 0 ]] || failed=1
  elif [[ $passed == 0 ]]; then
    passed=1
  fi
  echo "$step $passed $failed" >> "$logs/results"
  echo "-- $step: $passed passed, $failed failed, $((SECONDS - began)) s"
}

# Shows each step as a whole when it is done.
run_behind() {
  local step
  for step in "$@"; do
    run "$step" > "$logs/behind" 2>&1
    cat "$logs/behind"
  done
}

if [[ $# -gt 0 ]]; then
  for step in "$@"; do run "$step"; done
else
  RUSTC_WORKSPACE_WRAPPER=$(command -v clippy-driver) && export RUSTC_WORKSPACE_WRAPPER
  run_behind "${web_steps[@]}" &
  behind=$!
  trap 'kill "$behind" 2> /dev/null' EXIT
  for step in "${rust_steps[@]}"; do run "$step"; done
  wait "$behind"
  trap - EXIT
  for step in "${last_steps[@]}"; do run "$step"; done
fi

passed=0 failed=0 failed_steps=()
for step in "${steps[@]}"; do
  # A step that came to no result has failed.
  read -r step_passed step_failed < <(sed -n "s/^$step //p" "$logs/results"; echo 0 1)
  passed=$((passed + step_passed)) failed=$((failed + step_failed))
  [[ $step_failed == 0 ]] || failed_steps+=("$step")
done

[[ $database_was_running == yes ]] || infra/ci/postgres.sh stop
rm -rf "$logs"
[[ ${#failed_steps[@]} == 0 ]] || echo "Failed: ${failed_steps[*]}"
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
