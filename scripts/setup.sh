# shellcheck shell=bash
# What ./norn and ./test share: the Debian packages Norn needs and the build of the checkout. Sourced after `root` is
# set to the top of the checkout, under `set -euo pipefail`. Everything is said on stderr; stdout belongs to the command
# that follows.

# What using Norn takes: building it, and compiling the programs it checks.
packages_use=(g++ gcc-12-plugin-dev cmake ninja-build pkg-config libfmt-dev nlohmann-json3-dev libcli11-dev libdw-dev
  libelf-dev libzydis-dev)

# What working on Norn takes besides.
packages_test=(libgtest-dev libgmock-dev libbenchmark-dev libboost-dev libabsl-dev libspdlog-dev libtbb-dev clang gdb
  make clang-format clang-tidy git chromium nodejs catch2 libxml2-utils dpkg-dev groff-base)
# Other builds of Node.js than Debian's bring npm with them, and Debian's would be in their way.
command -v npm >/dev/null || packages_test+=(npm)

: "${root:?the top of the checkout}"
build=$root/build/release

say() {
  printf 'norn: %s\n' "$*" >&2
}

die() {
  say "$*"
  exit 2
}

# missing_packages PACKAGE...: prints those that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    if [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
      printf '%s\n' "$package"
    fi
  done
}

# The first word of a command for root, if this machine has it.
sudo_if_any() {
  if command -v sudo >/dev/null; then printf 'sudo '; fi
}

# The stamp of a package check holds the host name, because a checkout may be shared between machines and containers.
packages_checked() {
  local stamp=$root/build/.packages-$1
  [[ $stamp -nt $root/scripts/setup.sh && $(<"$stamp") == "$HOSTNAME" ]]
}

# require_packages KIND PACKAGE...: installs what is missing, or says how to.
require_packages() {
  local kind=$1 missing log=$root/build/packages.log
  shift
  packages_checked "$kind" && return

  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    require_tools
    say "not a Debian system: building with what is installed (on Debian, the packages are $*)"
    printf '%s' "$HOSTNAME" >"$root/build/.packages-$kind"
    return
  fi

  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]})); then
    if ((EUID != 0)); then
      die "packages are missing; install them as root with:" \
        "$(sudo_if_any)apt-get install -y --no-install-recommends ${missing[*]}"
    fi
    say "installing ${#missing[@]} missing packages: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    local apt=(apt-get -o DPkg::Lock::Timeout=300)
    # Old package lists may still do, so only a failing installation is an error.
    "${apt[@]}" update >"$log" 2>&1 || true
    if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
      tail -n 15 "$log" >&2
      die "the installation failed (all of it is in $log): apt-get install -y --no-install-recommends ${missing[*]}"
    fi
  fi
  printf '%s' "$HOSTNAME" >"$root/build/.packages-$kind"
}

# Without dpkg only the tools can be checked; CMake itself names a library that is not there.
require_tools() {
  local tool missing=()
  for tool in g++ cmake ninja pkg-config; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if ((${#missing[@]})); then
    die "missing ${missing[*]}: without apt-get, please install g++ 12, cmake 3.25, ninja, pkg-config, fmt," \
      "nlohmann-json, CLI11, Zydis, libdw and libelf (with headers) yourself, then run this again"
  fi
}

# run_logged LOG COMMAND...: the command's output is a progress line on a terminal; elsewhere it goes to the log, whose
# interesting end is shown if the command fails.
run_logged() {
  local log=$1
  shift
  if [[ -t 2 ]]; then
    "$@" >&2
  elif ! "$@" >"$log" 2>&1; then
    if grep -q '^FAILED:' "$log"; then
      sed -n '/^FAILED:/,$p' "$log" | head -n 60 >&2
    else
      tail -n 40 "$log" >&2
    fi
    return 1
  fi
}

# cached VARIABLE: its value in the CMake cache, empty without one.
cached() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true
}

# configure [-DVARIABLE=VALUE...]: runs CMake unless the build already is configured like that.
configure() {
  local setting name same=1 home
  home=$(cached CMAKE_HOME_DIRECTORY)
  if [[ -n $home && $home != "$root" ]]; then
    say "the checkout has moved: starting the build afresh"
    rm -rf "$build"
  fi
  for setting in "$@"; do
    name=${setting#-D}
    [[ $(cached "${name%%=*}") == "${name#*=}" ]] || same=0
  done
  if ((same)) && [[ -f $build/build.ninja ]]; then
    return
  fi

  # Norn is not built with itself, even in a shell whose compilers are Norn's wrappers.
  [[ ${CC:-} == *norn-cc ]] && unset CC
  [[ ${CXX:-} == *norn-c++ ]] && unset CXX
  say "configuring the build in build/release"
  mkdir -p "$build"
  # The whole output matters only when something is wrong, even on a terminal.
  if ! (cd "$root" && cmake --preset release "$@") >"$build/configure.log" 2>&1; then
    # Without it, the next set-up configures again instead of building what an earlier one configured.
    rm -f "$build/build.ninja"
    sed -n '/^CMake Error/,$p' "$build/configure.log" | head -n 40 >&2
    die "CMake failed (all of its output is in build/release/configure.log)"
  fi
}

# compile TARGET...: builds the targets on all cores.
compile() {
  local start=$SECONDS
  if [[ -x $build/bin/norn ]]; then
    say "building what changed in build/release"
  else
    say "building Norn in build/release (the first time takes a few minutes)"
  fi
  if ! run_logged "$build/build.log" cmake --build "$build" --parallel "$(nproc)" --target "$@"; then
    die "the build failed"
  fi
  say "built in $((SECONDS - start)) s"
}

# True if the tools are built and nothing they are made of, deleted files included, changed since.
tools_fresh() {
  local stamp=$build/.built
  [[ -x $build/bin/norn && -f $stamp && $(<"$stamp") == "$root" ]] || return 1
  [[ -z $(find "$root/CMakeLists.txt" "$root/CMakePresets.json" "$root/cmake" "$root/src" "$root/include" \
    "$root/shadow" -newer "$stamp" -print -quit 2>/dev/null) ]]
}

# stamped COMMAND...: runs the command and, if it succeeds, marks the tools as built from the sources as they were at
# its start.
stamped() {
  local new=$root/build/.built-new
  printf '%s' "$root" >"$new"
  "$@"
  mv "$new" "$build/.built"
}

# locked COMMAND...: runs the command while no other ./norn or ./test of this checkout sets anything up.
locked() {
  mkdir -p "$root/build" 2>/dev/null || true
  [[ -w $root/build ]] || die "cannot write to $root/build, where Norn is to be built"
  (
    if ! flock --nonblock 9; then
      say "waiting for another set-up of this checkout to finish"
      flock 9
    fi
    "$@"
  ) 9>"$root/build/.lock"
}

setup_tools_locked() {
  require_packages use "${packages_use[@]}"
  tools_fresh && return
  # What ./test configured is kept: one build serves both.
  if [[ ! -f $build/build.ninja || $(cached CMAKE_HOME_DIRECTORY) != "$root" ]]; then
    configure -DNORN_BUILD_TESTS=OFF -DNORN_BUILD_BENCHMARKS=OFF
  fi
  stamped compile norn norn_command norn-c++ norn-cc
}

# Makes build/release/bin/norn ready to run.
setup_tools() {
  packages_checked use && tools_fresh && return
  locked setup_tools_locked
}

setup_all_locked() {
  require_packages test "${packages_use[@]}" "${packages_test[@]}"
  # NORN_WERROR=ON in the environment turns warnings into errors; unset, it stays as it was.
  configure -DNORN_BUILD_TESTS=ON -DNORN_BUILD_BENCHMARKS=ON ${NORN_WERROR:+"-DNORN_WERROR=$NORN_WERROR"}
  stamped compile all
}

# Makes everything ready for ctest.
setup_all() {
  locked setup_all_locked
}
