# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

cmake_policy(VERSION 3.25) # it runs in scripts, too

# public_headers(<source dir> <variable> [ALL]): the headers that ARCHITECTURE.md lists under "Public
# headers", as backlash/<folder>/<file>.h; with ALL also what they include.
function(public_headers source variable)
  file(READ ${source}/ARCHITECTURE.md map)
  string(REGEX MATCH "\n## Public headers\n.*" section "${map}")
  string(REGEX REPLACE "\n## [^P].*" "" section "${section}")
  string(REGEX MATCHALL "backlash/[a-z0-9_/]+[.]h" headers "${section}")
  if(NOT headers)
    message(FATAL_ERROR "ARCHITECTURE.md lists no public headers")
  endif()
  set(found ${headers})
  set(unread ${headers})
  while(unread AND "ALL" IN_LIST ARGN)
    list(POP_FRONT unread header)
    file(STRINGS ${source}/${header} includes REGEX "^#include \"backlash/")
    foreach(include ${includes})
      string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" include "${include}")
      if(NOT include IN_LIST found)
        list(APPEND found ${include})
        list(APPEND unread ${include})
      endif()
    endforeach()
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
