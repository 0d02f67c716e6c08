# What the library itself links. None of it appears in a public header (docs/decisions/0001).
# GLOBAL: a project that adds graze by FetchContent links a static graze from outside this folder, and must see these targets.

find_package(TBB REQUIRED GLOBAL)
find_package(hwy CONFIG REQUIRED GLOBAL)
find_package(fmt REQUIRED GLOBAL)
find_package(Boost 1.74 REQUIRED GLOBAL) # headers only: Boost.Multiprecision
find_path(GRAZE_TINYOBJ_INCLUDE tiny_obj_loader.h REQUIRED)
