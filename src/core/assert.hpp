// GRAZE_ASSERT checks a precondition or an invariant, that is, a contract between programmers. It is active in
// debug and sanitizer builds, which define GRAZE_ASSERTS; elsewhere it costs nothing, because the condition is not
// evaluated.
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
