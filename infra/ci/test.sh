#!/usr/bin/env bash
# All checks of the product, one after the other; a failed one does not keep the others from running.
#
#   infra/ci/test.sh                 everything
#   infra/ci/test.sh clippy e2e      only these steps
#
# The closing line counts single tests where a step has them, and the step itself where it has none.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
export NO_COLOR=1 FORCE_COLOR=0 CARGO_TERM_COLOR=never CI=1

logs=$(mktemp -d)
tools=$PWD/.data/ci-tools/bin
web_apps=(--workspace platform/web --workspace planner-web --workspace admin-web)

rust_format() { cargo fmt --all --check; }

clippy() { cargo clippy --workspace --all-targets --quiet -- -D warnings; }

# With the tests, so that no dependency is compiled again for another set of features.
rust_build() { cargo build --workspace --bins --tests --quiet; }

rust_tests() { DATABASE_URL=$(infra/ci/postgres.sh) && export DATABASE_URL && cargo test --workspace --no-fail-fast; }

web_install() { npm ci --no-audit --no-fund --loglevel=error; }

web_lint() { npm run --silent lint; }

# The types of the API client are those of its document; a Rust test holds the document against the services.
web_types() {
  npm run generate:check --silent --workspace platform/web && npm run typecheck --silent --if-present "${web_apps[@]}"
}

web_tests() { npm run test --silent --if-present "${web_apps[@]}"; }

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

all_steps=(rust-format clippy rust-tests web-install web-lint web-types web-tests web-build rust-build scripts docker
  kubernetes gateway)
[[ -e infra/e2e/package.json ]] && all_steps+=(e2e)

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
passed=0 failed=0 failed_steps=()
database_was_running=no
[[ -e .data/test-postgres/port ]] && database_was_running=yes

for step in "${steps[@]}"; do
  if ! printf '%s\n' "${all_steps[@]}" | grep -qx -- "$step"; then
    echo "There is no step $step. The steps are: ${all_steps[*]}" >&2
    exit 2
  fi
  echo "== $step"
  began=$SECONDS
  "${step//-/_}" 2>&1 | tee "$logs/$step"
  status=${PIPESTATUS[0]}
  read -r step_passed step_failed < <(count "$logs/$step")
  if [[ $status != 0 ]]; then
    # A step may also fail before or beside its tests.
    [[ $step_failed -gt 0 ]] || step_failed=1
    failed_steps+=("$step")
  elif [[ $step_passed == 0 ]]; then
    step_passed=1
  fi
  passed=$((passed + step_passed)) failed=$((failed + step_failed))
  echo "-- $step: $step_passed passed, $step_failed failed, $((SECONDS - began)) s"
done

[[ $database_was_running == yes ]] || infra/ci/postgres.sh stop
rm -rf "$logs"
[[ ${#failed_steps[@]} == 0 ]] || echo "Failed: ${failed_steps[*]}"
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
