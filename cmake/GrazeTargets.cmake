# The compile settings that every graze target shares, as one interface target: graze_settings; and the headers that
# targets compile once (graze_precompile).
#
# -ffp-contract=off is not a preference: the proved error bounds of src/narrow assume that each operation
# rounds once, and identical answers on every instruction set assume that no compiler fuses two of them.

add_library(graze_settings INTERFACE)
target_compile_features(graze_settings INTERFACE cxx_std_20)

if(MSVC)
  target_compile_options(graze_settings INTERFACE /W4 /permissive- /fp:precise)
  if(GRAZE_WERROR)
    target_compile_options(graze_settings INTERFACE /WX)
  endif()
else()
  target_compile_options(graze_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
                                                  -Wshadow -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12.2 drops the rounding of double -> float -> double where its SLP vectorizer joins two of them
    # (tests/core/rounding_test.cpp). Bounds kept in float depend on that rounding.
    target_compile_options(graze_settings INTERFACE -fno-tree-slp-vectorize)
    # GCC 12 sees strings overflow a vector that has just grown, and values of an empty optional used, where neither
    # happens; clang's warnings and clang-tidy look for both.
    target_compile_options(graze_settings INTERFACE -Wno-stringop-overflow -Wno-maybe-uninitialized)
  endif()
  if(GRAZE_WERROR)
    target_compile_options(graze_settings INTERFACE -Werror)
  endif()
endif()

if(GRAZE_SANITIZE)
  target_compile_options(graze_settings INTERFACE -fsanitize=${GRAZE_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(graze_settings INTERFACE -fsanitize=${GRAZE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code makes GCC see overflows in Boost's cpp_int that are none.
    target_compile_options(graze_settings INTERFACE -Wno-array-bounds)
  endif()
endif()

if(GRAZE_ASSERTS)
  target_compile_definitions(graze_settings INTERFACE GRAZE_ASSERTS=1)
endif()

# graze_precompile(TARGET HEADER...): parses the headers that most sources of TARGET include once, not once a source:
# half the time of a build. Headers of the standard library and of other projects alone: the names of our own are seen
# where a source asks for them. Sources still include what they use; a build with CMAKE_DISABLE_PRECOMPILE_HEADERS=ON
# (the presets clang and tidy) proves it.
# graze_precompile_like(TARGET OTHER): uses the headers of OTHER, which must be compiled with the same options.
set(graze_standard_headers
    <algorithm> <array> <bit> <cmath> <compare> <cstddef> <cstdint> <cstring> <filesystem> <functional> <limits> <map>
    <memory> <numeric> <optional> <random> <span> <string> <string_view> <tuple> <type_traits> <unordered_map> <utility>
    <variant> <vector>)
function(graze_precompile target)
  target_precompile_headers(${target} PRIVATE ${graze_standard_headers} ${ARGN})
endfunction()
function(graze_precompile_like target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
endfunction()
# graze_unite(TARGET): compiles the sources of TARGET several at a time, so that templates of shared headers are
# instantiated once a unit, and with little optimization: half the time for code of the program, which spends its own in
# the library. Names in unnamed namespaces must differ within the target. The presets clang and tidy compile each source
# alone (GRAZE_UNITY=OFF).
function(graze_unite target)
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(GRAZE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()

if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(graze_settings INTERFACE -fpch-preprocess) # so that ccache sees which headers were used
endif()
