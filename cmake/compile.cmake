# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# How the sources of a target are compiled: most of their time goes into the headers they share.

set(BACKLASH_BATCH 8 CACHE STRING "How many sources of a folder are compiled at once")
mark_as_advanced(BACKLASH_BATCH)

# Compiles the sources of each folder together, so many at once. A folder's sources therefore do not
# give two things in their unnamed namespaces one name.
function(backlash_compile_by_folder target)
  if(NOT BACKLASH_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Two warnings take what other sources of the batch have in their unnamed namespaces for the
  # contents of a header; the build of single sources (preset dev) has them on.
  target_compile_options(${target} PRIVATE -Wno-shadow -Wno-subobject-linkage)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^[^$]*[.]cpp$")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" id)
    if(NOT DEFINED count_${id})
      set(count_${id} 0)
    endif()
    math(EXPR batch "${count_${id}} / ${BACKLASH_BATCH}")
    math(EXPR count_${id} "${count_${id}} + 1")
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" id)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${id}_${batch})
  endforeach()
endfunction()

# For code that no step runs through: half the time to compile, and hardly slower.
function(backlash_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

set(BACKLASH_TEST_OPTIONS "" CACHE STRING "Further options of the compiler, for the tests alone")
mark_as_advanced(BACKLASH_TEST_OPTIONS)

# The library is tested as it is built; the tests themselves need no speed.
function(backlash_compile_as_test target)
  backlash_compile_by_folder(${target})
  backlash_compile_quickly(${target})
  target_compile_options(${target} PRIVATE ${BACKLASH_TEST_OPTIONS})
endfunction()
