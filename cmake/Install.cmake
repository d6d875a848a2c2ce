# What `cmake --install` puts where. Projects find it again with find_package(norn), which defines norn::norn and the
# functions of NornInstrument.cmake, or with pkg-config.
include(CMakePackageConfigHelpers)

set(norn_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/norn)

set_target_properties(norn_command PROPERTIES EXPORT_NAME command)
install(TARGETS norn norn_command EXPORT nornTargets)
install(TARGETS norn-c++ norn-cc)
if(TARGET norn_gcc)
  install(TARGETS norn_gcc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/norn)
endif()
install(DIRECTORY include/norn TYPE INCLUDE)
install(DIRECTORY shadow planted DESTINATION ${CMAKE_INSTALL_DATADIR}/norn)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md" PATTERN "*.json")
install(DIRECTORY examples TYPE DOC)

install(EXPORT nornTargets NAMESPACE norn:: DESTINATION ${norn_cmake_dir})
configure_package_config_file(cmake/nornConfig.cmake.in cmake/nornConfig.cmake INSTALL_DESTINATION ${norn_cmake_dir})
write_basic_package_version_file(cmake/nornConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/nornConfig.cmake ${PROJECT_BINARY_DIR}/cmake/nornConfigVersion.cmake
              cmake/NornFlags.cmake cmake/NornInstrument.cmake cmake/NornExpect.cmake cmake/NornDiscover.cmake DESTINATION ${norn_cmake_dir})

configure_file(cmake/norn.pc.in cmake/norn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/norn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
