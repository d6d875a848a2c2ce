# shellcheck shell=bash
# What tests in JavaScript share. Sourced under `set -euo pipefail`.

# die MESSAGE...: says that the test of this name cannot go on.
die() {
  printf '%s: %s\n' "${name:?of the test}" "$*" >&2
  exit 1
}

# require_tools TOOL...: their names are those of Debian packages, too, or a remark says which.
require_tools() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || die "$tool is not installed, and this test needs it (scripts/setup.sh has the packages)"
  done
}

# npm_packages SOURCE WORK: installs what SOURCE/package.json lists into WORK, once. They are installed again when their
# list changes.
npm_packages() {
  local source=$1 work=$2
  cmp --silent "$source/package-lock.json" "$work/installed-lock.json" && return
  cp "$source/package.json" "$source/package-lock.json" "$work/"
  (cd "$work" && npm ci --no-audit --no-fund >npm.log 2>&1) ||
    die "npm could not install the packages of $source/package.json (no network?); what it said is in $work/npm.log"
  cp "$source/package-lock.json" "$work/installed-lock.json"
}
