// GRAZE_API marks the symbols that a shared library of graze exports; all other symbols are hidden.
//
// On Windows, the build defines GRAZE_BUILDING while it compiles the library and GRAZE_SHARED for users of the
// shared library. A static library needs neither.
#pragma once

#if defined(_WIN32)
#if defined(GRAZE_BUILDING)
#define GRAZE_API __declspec(dllexport)
#elif defined(GRAZE_SHARED)
#define GRAZE_API __declspec(dllimport)
#else
#define GRAZE_API
#endif
#else
#define GRAZE_API __attribute__((visibility("default")))
#endif
