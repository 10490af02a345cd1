# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# Run by CTest: installs `build`, builds `consumer` with find_package(backlash), runs it.

cmake_policy(VERSION 3.25)
include(${source}/cmake/public_headers.cmake)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${scratch})
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)

# Public headers and what they include, nothing else.
public_headers(${source} public)
public_headers(${source} expected ALL)
file(GLOB_RECURSE installed RELATIVE ${scratch}/prefix/include ${scratch}/prefix/include/*)
list(SORT installed)
list(SORT expected)
if(NOT installed STREQUAL expected)
  message(FATAL_ERROR "installed are '${installed}', not '${expected}'")
endif()

list(JOIN public "," headers) # a list would become several arguments
run(${CMAKE_COMMAND} -S ${consumer} -B ${scratch}/build -G ${generator}
    -D CMAKE_PREFIX_PATH=${scratch}/prefix -D CMAKE_CXX_COMPILER=${compiler}
    -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher}
    "-DCMAKE_CXX_FLAGS=${flags} -O0" -D source=${source} -D pages=${pages} -D headers=${headers})
run(${CMAKE_COMMAND} --build ${scratch}/build)
execute_process(COMMAND ${scratch}/build/consumer OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "${version}")
  message(FATAL_ERROR "the consumer printed '${output}', which does not name version ${version}")
endif()

# The program of a page prints what matches.
function(expect_output page expected)
  execute_process(COMMAND ${scratch}/build/${page} WORKING_DIRECTORY ${scratch}
                  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "the program of ${page}.md printed '${output}', expected '${expected}'")
  endif()
endfunction()

# Dropped from 1 m with ε = 0.8 it hits the floor at √(2/g)·(1, 1 + 2ε, 1 + 2ε + 2ε²): 3 times in 2 s.
expect_output(own-system "^3 impacts")
# The slider of paper 001 first hits its guide at 2.6925 ms (docs/verification), with two corners at once.
expect_output(build-a-model "^impact at 0[.]00269.* s\nimpact at 0[.]00269.* s\ndone after 500 steps")
# 7 hits within 10 s with ε = 0.9: of 0.05 J there are left 0.05·0.9¹⁴.
expect_output(api "^0[.]05 J and 0[.]01143[0-9]* J are left\nrefused: contact 'left': restitution")

# Reads the model of its page. F0 + k s + m s'' ω² at 250 rad/s, and ω where it comes to nothing.
file(READ ${source}/docs/how-to/design-a-cam.md page)
string(REGEX MATCH "```yaml\n(backlash: 1\n[^`]*)```" model "${page}")
file(WRITE ${scratch}/valve.yaml "${CMAKE_MATCH_1}")
expect_output(design-a-cam "^force 85[.]0 to 475[.]0 N, lifts off at 287[.]65")

# After one period of the rolling ball, as theory has it.
expect_output(touch-with-surfaces "^back to [0-9.]+e-0[4-9] of the bowl's radius")

# The installed program has the examples with it.
run(${scratch}/prefix/bin/backlash examples slider_crank -o ${scratch}/example)
run(${scratch}/prefix/bin/backlash run ${scratch}/example/model.yaml --until 1e-3 --quiet -o ${scratch}/results)

# STEP files are read by a module, which is found from a program of others and from ours, in the prefix
# and not in the build; where it is missing, both say so.
function(expect_step program expected)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "${program} ${ARGN} printed '${output}', expected '${expected}'")
  endif()
endfunction()
file(COPY ${source}/tests/data/parts.step DESTINATION ${scratch})
file(WRITE ${scratch}/step.yaml "backlash: 1
profiles: {slot: {step: parts.step, face: slot}}
bodies: {plate: {mass: 1, inertia: 1, shape: {profile: slot}}}
")
set(modules ${scratch}/prefix/${libdir}/backlash)
if(EXISTS ${modules}/backlash_step.so)
  expect_step(${scratch}/build/step "^6 control points" ${scratch}/parts.step)
  expect_step(${scratch}/prefix/bin/backlash "0 errors" check ${scratch}/step.yaml)
  file(RENAME ${modules} ${modules}_elsewhere)
  set(missing "STEP files cannot be read: the module backlash_step.so of Backlash cannot be used")
  expect_step(${scratch}/build/step "refused: ${missing}" ${scratch}/parts.step)
  expect_step(${scratch}/prefix/bin/backlash "${missing}" check ${scratch}/step.yaml)
else()
  expect_step(${scratch}/build/step "no OpenCASCADE")
endif()
