#!/usr/bin/env bash
# Makes the Debian package, looks at it, unpacks it and checks a program from there.
#
#   tests/package/run.sh SOURCE BUILD
set -euo pipefail

source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  printf 'debian_package: %s\n' "$*" >&2
  exit 1
}

if ! command -v dpkg-deb >/dev/null; then
  echo "debian_package: this is no Debian system, there is nothing to test"
  exit 0
fi

(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/package") >"$work/log" 2>&1 ||
  die "cpack failed: $(tail -n 20 "$work/log")"
packages=("$work"/package/norn_*.deb)
package=${packages[0]}

# field NAME PATTERN
field() {
  local value
  value=$(dpkg-deb --field "$package" "$1")
  [[ $value =~ $2 ]] || die "the field $1 is '$value' and does not match $2"
}
field Package '^norn$'
field Depends 'g\+\+'
field Depends 'libdw1'
field Depends 'libfmt'
field Depends 'libc6'
field Description 'systematic testing'

contents=$(dpkg-deb --contents "$package")
for file in bin/norn bin/norn-c++ bin/norn-cc lib/libnorn.so.0 lib/cmake/norn/nornConfig.cmake lib/pkgconfig/norn.pc \
  share/norn/shadow/semaphore share/man/man1/norn-check.1.gz share/man/man1/norn-c++.1.gz \
  share/bash-completion/completions/norn share/zsh/vendor-completions/_norn share/fish/vendor_completions.d/norn.fish \
  share/doc/norn/copyright share/doc/norn/changelog.Debian.gz share/doc/norn/examples/bank_transfer.cpp; do
  grep -qF " ./usr/$file" <<<"$contents" || die "$file is not in the package"
done
if grep -vE '^[-dl][rwx-]{9} root/root ' <<<"$contents"; then die "not everything belongs to root"; fi
if grep -E ' \./(home|work|root|tmp|build)' <<<"$contents"; then die "the package has files outside of /usr"; fi
# The authors have no address.
if command -v lintian >/dev/null; then
  lintian --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$package" || die "lintian sees errors"
fi

dpkg-deb --extract "$package" "$work/system"
code=0
NORN_CACHE=$work/cache "$work/system/usr/bin/norn" check "$source/examples/mailbox.c" --quiet \
  --trace-dir "$work/traces" || code=$?
((code == 1)) || die "norn check from the package ended with $code instead of 1"
libraries=$(ldd "$work"/cache/*/mailbox)
[[ $libraries == *"$work/system/usr/lib/libnorn.so.0"* ]] || die "the program does not use the package's runtime: $libraries"
