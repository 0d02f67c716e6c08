// GRAZE_ASSERT: a programmer's contract, checked in debug and sanitizer builds (GRAZE_ASSERTS), free elsewhere.
#pragma once

#include <cstdio>
#include <cstdlib>

#if defined(GRAZE_ASSERTS)
#define GRAZE_ASSERT(condition)                                                                      \
  do {                                                                                               \
    if (!(condition)) {                                                                              \
      std::fprintf(stderr, "graze: assertion failed: %s (%s:%d)\n", #condition, __FILE__, __LINE__); \
      std::abort();                                                                                  \
    }                                                                                                \
  } while (false)
#else
#define GRAZE_ASSERT(condition) static_cast<void>(0)
#endif
