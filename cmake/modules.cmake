# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# Modules: parts of Backlash that need large libraries, in files of their own that are loaded when
# they are first needed (backlash/io/module.h). Programs find them by their run path. (Sanitizers
# call dlopen from their own library, which has none: CMakePresets.json names the folder for tests.)

include(GNUInstallDirs)
set(BACKLASH_MODULE_DIR ${PROJECT_BINARY_DIR}/lib/backlash)
set(BACKLASH_INSTALLED_MODULE_DIR ${CMAKE_INSTALL_LIBDIR}/backlash)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_RPATH ${BACKLASH_MODULE_DIR}) # an installed program does not keep it
endif()

# backlash_add_module(<name> <source>...): NAME.so.
function(backlash_add_module name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${BACKLASH_MODULE_DIR})
  target_compile_definitions(${name} PRIVATE BACKLASH_VERSION="${PROJECT_VERSION}")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  backlash_compile_by_folder(${name})
  backlash_compile_quickly(${name})
  install(TARGETS ${name} LIBRARY DESTINATION ${BACKLASH_INSTALLED_MODULE_DIR})
endfunction()

# What links the library finds its modules where they were built, or where they are installed.
function(backlash_find_modules library)
  cmake_path(ABSOLUTE_PATH BACKLASH_INSTALLED_MODULE_DIR BASE_DIRECTORY "$<INSTALL_PREFIX>"
             OUTPUT_VARIABLE installed)
  target_link_options(${library} INTERFACE $<INSTALL_INTERFACE:LINKER:-rpath,${installed}>)
  if(NOT PROJECT_IS_TOP_LEVEL)
    target_link_options(${library} INTERFACE $<BUILD_INTERFACE:LINKER:-rpath,${BACKLASH_MODULE_DIR}>)
  endif()
  set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN/backlash") # if it is shared
endfunction()
