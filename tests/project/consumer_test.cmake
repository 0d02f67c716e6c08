# Builds and runs the consumer project. MODE is `install` (installs the built library to a folder of the test's own and
# finds it there), `shared` (installs a shared library of the built objects) or `fetch` (builds the library from source,
# hardly optimized and for one instruction set, which is enough to prove that it builds). FORWARD: settings that the library
# was built with, so that a sanitized library meets a sanitized program and a compiler cache meets its own files.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(work ${BINARY_DIR}/tests/project/consumer_${MODE})
if(NOT MODE STREQUAL "fetch")
  file(REMOVE_RECURSE ${work})
  run(${CMAKE_COMMAND} --install ${BINARY_DIR} --config ${CONFIG} --component graze_development --prefix ${work}/prefix)
  if(MODE STREQUAL "shared")
    run(${CMAKE_COMMAND} --install ${BINARY_DIR} --config ${CONFIG} --component graze_shared_test --prefix ${work}/prefix)
    file(GLOB_RECURSE targets ${work}/prefix/*/graze-shared-targets.cmake)
    string(REPLACE graze-shared-targets.cmake graze-targets.cmake static_targets ${targets})
    file(RENAME ${targets} ${static_targets})
  endif()
  set(how -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_BUILD_TYPE=${CONFIG})
else()
  # The build is kept: only files changed since the last run are compiled again.
  file(REMOVE ${work}/build/CMakeCache.txt)
  set(how -DCONSUMER_GRAZE_SOURCE=${SOURCE_DIR} -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -DHWY_COMPILE_ONLY_STATIC")
endif()

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/tests/project/consumer -B ${work}/build ${how}
    ${FORWARD})
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG} --target consumer)
find_program(consumer consumer PATHS ${work}/build ${work}/build/${CONFIG} NO_DEFAULT_PATH NO_CACHE REQUIRED)
run(${consumer})
