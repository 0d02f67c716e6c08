# The compile settings that every graze target shares, as one interface target: graze_settings.
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
    # Instrumented code makes GCC see uninitialised values and overflows in Boost's cpp_int that are none.
    target_compile_options(graze_settings INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds
                                                    -Wno-stringop-overflow)
  endif()
endif()

if(GRAZE_ASSERTS)
  target_compile_definitions(graze_settings INTERFACE GRAZE_ASSERTS=1)
endif()
