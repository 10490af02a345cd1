# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# Ipopt and NLopt solve the steps of the method optimisation. Without one of them a source takes its
# place that says what is missing; -DBACKLASH_IPOPT=OFF and -DBACKLASH_NLOPT=OFF do without on purpose.

option(BACKLASH_IPOPT "Use Ipopt, if it is there" ON)
option(BACKLASH_NLOPT "Use NLopt, if it is there" ON)

if(BACKLASH_IPOPT)
  find_path(BACKLASH_IPOPT_INCLUDE IpStdCInterface.h PATH_SUFFIXES coin coin-or)
  find_library(BACKLASH_IPOPT_LIBRARY ipopt)
endif()
if(BACKLASH_NLOPT)
  find_path(BACKLASH_NLOPT_INCLUDE nlopt.h)
  find_library(BACKLASH_NLOPT_LIBRARY nlopt)
endif()
mark_as_advanced(BACKLASH_IPOPT_INCLUDE BACKLASH_IPOPT_LIBRARY BACKLASH_NLOPT_INCLUDE BACKLASH_NLOPT_LIBRARY)

foreach(name IPOPT NLOPT)
  set(has_${name} FALSE)
  if(BACKLASH_${name} AND BACKLASH_${name}_INCLUDE AND BACKLASH_${name}_LIBRARY)
    set(has_${name} TRUE)
  endif()
endforeach()

# Takes the source of each optimiser that is there, or the one in its place, out of a list.
function(backlash_choose_optimisers sources)
  set(list ${${sources}})
  if(has_IPOPT)
    list(FILTER list EXCLUDE REGEX "/optimisation/without_ipopt[.]cpp$")
  else()
    list(FILTER list EXCLUDE REGEX "/optimisation/ipopt_solver[.]cpp$")
  endif()
  if(has_NLOPT)
    list(FILTER list EXCLUDE REGEX "/optimisation/without_nlopt[.]cpp$")
  else()
    list(FILTER list EXCLUDE REGEX "/optimisation/slsqp_solver[.]cpp$")
  endif()
  set(${sources} ${list} PARENT_SCOPE)
endfunction()

# Only the sources that need a library see its headers; with options of their own, CMake compiles
# them alone.
function(backlash_link_optimisers target)
  foreach(name IPOPT NLOPT)
    if(has_${name})
      target_link_libraries(${target} PRIVATE ${BACKLASH_${name}_LIBRARY})
    endif()
  endforeach()
  set(folder ${PROJECT_SOURCE_DIR}/backlash/integrators/optimisation)
  foreach(use "IPOPT ipopt_solver.cpp" "NLOPT slsqp_solver.cpp")
    separate_arguments(use)
    list(GET use 0 name)
    list(GET use 1 source)
    if(has_${name} AND NOT BACKLASH_${name}_INCLUDE IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
      set_source_files_properties(${folder}/${source} PROPERTIES COMPILE_OPTIONS
                                  "-isystem;${BACKLASH_${name}_INCLUDE}")
    endif()
  endforeach()
endfunction()
