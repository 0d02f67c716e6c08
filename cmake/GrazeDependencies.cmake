# What the library itself links. None of it appears in a public header (docs/decisions/0001).

find_package(TBB REQUIRED)
find_package(hwy CONFIG REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost 1.74 REQUIRED) # headers only: Boost.Multiprecision
find_path(GRAZE_TINYOBJ_INCLUDE tiny_obj_loader.h REQUIRED)
