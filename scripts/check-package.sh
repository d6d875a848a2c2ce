#!/usr/bin/env bash
# Proves that the Debian package is complete: makes it, installs it on a fresh Debian 12 that has nothing else (in a
# directory, by debootstrap), finds the bug of an example there, and removes it again. Needs root and a Debian mirror, and
# takes a few minutes.
#
#   scripts/check-package.sh [BUILD]
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build=$(readlink -f -- "${1:-$root/build/release}")
suite=bookworm
mirror=${NORN_DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() {
  printf 'check-package: %s\n' "$*" >&2
}

die() {
  say "$*"
  exit 1
}

((EUID == 0)) || die "only root can make a chroot"
command -v debootstrap >/dev/null || die "debootstrap is not installed (apt-get install debootstrap)"
[[ -x $build/bin/norn ]] || die "$build is no build of Norn (./norn --version makes one)"

say "making the package"
(cd "$build" && cpack -G DEB) >"$build/package.log" 2>&1 || die "cpack failed; what it said is in $build/package.log"
packages=("$build"/package/norn_*.deb)
package=${packages[-1]}

system=$(mktemp -d)
cleanup() {
  umount "$system/proc" 2>/dev/null || true
  rm -rf --one-file-system "$system"
}
trap cleanup EXIT

say "making a fresh $suite in $system"
debootstrap --variant=minbase "$suite" "$system" "$mirror" >"$build/package.log" 2>&1 ||
  die "debootstrap failed; what it said is in $build/package.log"
mount -t proc proc "$system/proc" 2>/dev/null || mount --bind /proc "$system/proc" ||
  die "cannot mount /proc in the chroot"
cp "$package" "$system/tmp/norn.deb"
cp /etc/resolv.conf "$system/etc/resolv.conf"
for settings in /etc/apt/apt.conf.d/*proxy*; do
  if [[ -f $settings ]]; then cp "$settings" "$system/etc/apt/apt.conf.d/"; fi
done

# inside COMMAND...: the exit code is that of the command.
inside() {
  chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

# expect EXIT_CODE COMMAND...
expect() {
  local expected=$1 code=0
  shift
  inside "$@" >"$build/package.log" 2>&1 || code=$?
  if ((code != expected)); then
    tail -n 20 "$build/package.log" >&2
    die "$* ended with $code instead of $expected"
  fi
}

say "installing the package there"
expect 0 apt-get update
expect 0 apt-get install -y --no-install-recommends /tmp/norn.deb
expect 0 dpkg --verify norn

say "checking examples there"
examples=/usr/share/doc/norn/examples
expect 0 norn --version
expect 1 norn check "$examples/bank_transfer.cpp" --trace-dir /tmp/traces
grep -q 'bug: deadlock' "$build/package.log" || die "the deadlock of bank_transfer.cpp is not in the report"
expect 1 norn replay /tmp/traces/bank_transfer-1.trace
expect 0 norn check "$examples/parallel_sum.cpp"
expect 0 norn-c++ -std=c++20 "$examples/hit_counter.cpp" -o /tmp/hit_counter
expect 1 norn check /tmp/hit_counter --trace-dir /tmp/traces

say "removing it again"
expect 0 dpkg --purge norn
left=$(find "$system/usr" -name '*norn*' -print)
[[ -z $left ]] || die "it leaves behind: $left"
say "$(basename "$package") installs on a fresh $suite, works there, and can be removed"
