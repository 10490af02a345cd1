# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# Installs the library so that other projects find it with find_package(backlash).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/backlash)
install(TARGETS backlash backlash_core backlash_io EXPORT backlash_targets)
# The public headers, and what they include at the time of the installation.
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR})
cmake_path(ABSOLUTE_PATH include_dir BASE_DIRECTORY "\${CMAKE_INSTALL_PREFIX}")
install(CODE "
  include(${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake)
  public_headers(${PROJECT_SOURCE_DIR} headers ALL)
  foreach(header \${headers})
    cmake_path(GET header PARENT_PATH folder)
    file(INSTALL ${PROJECT_SOURCE_DIR}/\${header} DESTINATION \"${include_dir}/\${folder}\")
  endforeach()")
install(EXPORT backlash_targets NAMESPACE backlash:: DESTINATION ${config_dir})
configure_package_config_file(cmake/backlash-config.cmake.in backlash-config.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(backlash-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/backlash-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/backlash-config-version.cmake
        DESTINATION ${config_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET backlash_cli)
  file(RELATIVE_PATH modules ${CMAKE_INSTALL_FULL_BINDIR}
       ${CMAKE_INSTALL_FULL_LIBDIR}/backlash)
  set_target_properties(backlash_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${modules}")
  install(TARGETS backlash_cli)
endif()
