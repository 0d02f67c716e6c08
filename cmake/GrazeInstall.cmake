# Install and export: find_package(graze) gives graze::graze. Two components: graze_development (library, headers, package)
# and graze_program (the command line program); a third, graze_shared_test, is for a test alone.

include(CMakePackageConfigHelpers)

set(graze_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
install(
  TARGETS graze
  EXPORT graze-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_development
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_development)
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT graze_development)
install(
  EXPORT graze-targets
  NAMESPACE graze::
  DESTINATION ${graze_package_dir}
  COMPONENT graze_development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/graze-config.cmake.in graze-config.cmake
                              INSTALL_DESTINATION ${graze_package_dir})
write_basic_package_version_file(graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/graze-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/graze-config-version.cmake
  DESTINATION ${graze_package_dir}
  COMPONENT graze_development)
if(TARGET graze_shared) # installed over graze_development by the test project.consumer_builds_by_shared
  install(
    TARGETS graze_shared
    EXPORT graze-shared-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT graze_shared_test EXCLUDE_FROM_ALL)
  install(
    EXPORT graze-shared-targets
    FILE graze-shared-targets.cmake
    NAMESPACE graze::
    DESTINATION ${graze_package_dir}
    COMPONENT graze_shared_test EXCLUDE_FROM_ALL)
endif()
if(TARGET graze_app)
  install(TARGETS graze_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT graze_program)
endif()
