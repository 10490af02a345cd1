# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# How the sources of a target are compiled: most of their time goes into the headers they share.

set(BACKLASH_BATCH 30 CACHE STRING "How many sources of a folder are compiled at once, at most")
set(BACKLASH_TEST_BATCH 14 CACHE STRING "The same for tests, of which one is often changed alone")
set(BACKLASH_TEST_OPTIONS "" CACHE STRING "Further options of the compiler, for the tests alone")
mark_as_advanced(BACKLASH_BATCH BACKLASH_TEST_BATCH BACKLASH_TEST_OPTIONS)

# gcc spends a sixth of its time looking for memory that it could use again, unless it may take more.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=2000000>)

# Compiles sources together, in batches of about equal size, which is `most` at most.
function(backlash_compile_together name most)
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${most} - 1) / ${most}")
  set(index 0)
  foreach(source ${ARGN})
    math(EXPR batch "${index} * ${batches} / ${count}")
    math(EXPR index "${index} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${batch})
  endforeach()
endfunction()

# Compiles the sources of each folder together; those of a folder with less than six, with others of
# the folder around it. Sources of a folder therefore do not give two things in their unnamed
# namespaces one name.
function(backlash_compile_by_folder target)
  set(most ${BACKLASH_BATCH})
  if(ARGC GREATER 1)
    set(most ${ARGV1})
  endif()
  if(NOT BACKLASH_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Two warnings take what other sources of the batch have in their unnamed namespaces for the
  # contents of a header; the build of single sources (preset dev) has them on.
  target_compile_options(${target} PRIVATE -Wno-shadow -Wno-subobject-linkage)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^[^$]*[.]cpp$")
  set(ids)
  set(names)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET folder PARENT_PATH parent)
    string(MAKE_C_IDENTIFIER "${folder}" id)
    string(MAKE_C_IDENTIFIER "${parent}" parent_${id})
    list(APPEND sources_${id} ${source})
    list(APPEND ids ${id})
  endforeach()
  list(REMOVE_DUPLICATES ids)
  foreach(id ${ids})
    list(LENGTH sources_${id} count)
    set(name ${id})
    if(count LESS 6)
      set(name ${parent_${id}})
    endif()
    list(APPEND names ${name})
    list(APPEND joined_${name} ${sources_${id}})
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    backlash_compile_together(${name} ${most} ${joined_${name}})
  endforeach()
endfunction()

# For code that no step runs through: half the time to compile, and hardly slower.
function(backlash_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For sources of such a target that every row of the results goes through.
function(backlash_compile_for_speed)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
endfunction()

# The library is tested as it is built; the tests themselves need no speed.
function(backlash_compile_as_test target)
  backlash_compile_by_folder(${target} ${BACKLASH_TEST_BATCH})
  backlash_compile_quickly(${target})
  target_compile_options(${target} PRIVATE ${BACKLASH_TEST_OPTIONS})
endfunction()
