# Builds and runs the consumer project. MODE is `install` (installs the built library to the test's own folder and
# finds it there) or `fetch` (builds the library from source). FORWARD: settings that the library was built with, so
# that sanitizers match and a compiler cache finds its files.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(work ${BINARY_DIR}/tests/project/consumer_${MODE})
if(MODE STREQUAL "install")
  file(REMOVE_RECURSE ${work})
  run(${CMAKE_COMMAND} --install ${BINARY_DIR} --config ${CONFIG} --component graze_development --prefix ${work}/prefix)
  set(how -DCMAKE_PREFIX_PATH=${work}/prefix)
else()
  # The build is kept: only files changed since the last run are compiled again.
  file(REMOVE ${work}/build/CMakeCache.txt)
  set(how -DCONSUMER_GRAZE_SOURCE=${SOURCE_DIR})
endif()

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/tests/project/consumer -B ${work}/build ${how}
    -DCMAKE_BUILD_TYPE=${CONFIG} ${FORWARD})
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG} --target consumer)
find_program(consumer consumer PATHS ${work}/build ${work}/build/${CONFIG} NO_DEFAULT_PATH NO_CACHE REQUIRED)
run(${consumer})
