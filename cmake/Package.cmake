# A Debian package: `cpack -G DEB` in the build directory. scripts/check-package.sh proves that it installs and works on a
# system that has nothing else.

set(CPACK_PACKAGE_NAME norn)
set(CPACK_PACKAGE_VENDOR "the authors of Norn")
set(CPACK_PACKAGE_CONTACT "the authors of Norn <norn@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "systematic testing of concurrent C and C++ programs")
set(CPACK_PACKAGE_DESCRIPTION
    "Norn takes over the scheduling of an ordinary program and runs it again and
again, each time in an order that it has not run before, until every order
has been tried, a bug is found, or the budget is spent. Deadlocks, lost
wake-ups, data races and memory errors are found again every time, and
explained.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Programs are compiled when they are checked.
set(CPACK_DEBIAN_PACKAGE_DEPENDS g++)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, clang, gdb")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# What Debian wants in other places, or compressed.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/prepare.cmake)
include(CPack)
