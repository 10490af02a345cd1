# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# The target backlash_opencascade: what reads STEP files, where it is installed and BACKLASH_STEP is
# on. OpenCASCADE's own CMake package is not used: on Debian it asks for the development files of
# libraries that are not needed.
if(TARGET backlash_opencascade OR NOT BACKLASH_STEP)
  return()
endif()
find_path(OPENCASCADE_INCLUDE_DIR STEPControl_Reader.hxx PATH_SUFFIXES opencascade)
mark_as_advanced(OPENCASCADE_INCLUDE_DIR)
set(opencascade_libraries)
foreach(name TKSTEP TKSTEPBase TKXSBase TKTopAlgo TKBRep TKGeomBase TKG3d TKG2d TKMath TKernel)
  find_library(OPENCASCADE_${name} ${name})
  mark_as_advanced(OPENCASCADE_${name})
  if(NOT OPENCASCADE_${name})
    return()
  endif()
  list(APPEND opencascade_libraries ${OPENCASCADE_${name}})
endforeach()
if(OPENCASCADE_INCLUDE_DIR)
  add_library(backlash_opencascade INTERFACE IMPORTED GLOBAL)
  target_include_directories(backlash_opencascade SYSTEM INTERFACE ${OPENCASCADE_INCLUDE_DIR})
  target_link_libraries(backlash_opencascade INTERFACE ${opencascade_libraries})
endif()
