#!/usr/bin/env bash
# What somebody does who has just heard of Norn: a fresh clone in an empty directory, with an empty home directory, and the
# first commands of the README, literally. Takes as long as building Norn.
#
#   scripts/newcomer.sh [REPOSITORY]
set -euo pipefail

repository=${1:-$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
  printf 'newcomer: %s\n' "$*" >&2
  exit 1
}

# The commands of the first transcript in the README, as they stand there.
commands_of() {
  awk '/^```console/ { inside = 1; next } /^```/ { if (inside) exit } inside && /^\$ / { print substr($0, 3) }' "$1"
}

git clone --quiet "$repository" "$place/norn"
mkdir "$place/home"
cd "$place/norn"
unset NORN_BIN NORN_CACHE
export HOME=$place/home

mapfile -t commands < <(commands_of README.md)
((${#commands[@]} >= 2)) || fail "the README has no transcript to follow"
for command in "${commands[@]}"; do
  printf '$ %s\n' "$command"
  code=0
  printed=$(bash -c "$command") || code=$?
  printf '%s\n' "$printed"
  ((code == 1)) || fail "\`$command\` ended with $code, but a bug is to be found (1)"
  [[ $printed == *deadlock* ]] || fail "\`$command\` says nothing of a deadlock"
done
printf 'newcomer: the first commands of the README work in a fresh clone\n'
