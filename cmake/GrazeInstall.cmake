# Install and export: find_package(graze) gives graze::graze.

include(CMakePackageConfigHelpers)

install(
  TARGETS graze
  EXPORT graze-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT graze-targets
  NAMESPACE graze::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/graze-config.cmake.in graze-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
write_basic_package_version_file(graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/graze-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
if(TARGET graze_app)
  install(TARGETS graze_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
