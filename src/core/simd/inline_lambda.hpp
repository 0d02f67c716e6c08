// Attributes of a lambda in a source that Highway compiles once per instruction set: compiled for that instruction
// set, and inlined. Compilers stop inlining a lambda once several functions use its template, and a call in the
// inner loop of a kernel costs more than the lambda. Include Highway before use.
#pragma once

#if defined(__GNUC__)
#define GRAZE_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))
#else
#define GRAZE_INLINE_LAMBDA HWY_ATTR
#endif
