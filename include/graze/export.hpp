// GRAZE_API marks what a shared libgraze exports; everything else is hidden.
//
// The build defines GRAZE_SHARED for users of the shared library and GRAZE_BUILDING while it compiles the library
// itself. A static library needs neither.
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
