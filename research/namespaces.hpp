// The names that research/ uses without naming their namespace: the program's parts (graze::app) and the internals
// of the library. Every header of research/ includes this file, directly or through another.
#pragma once

#include "core/namespaces.hpp"

namespace graze::app {}

namespace graze::papers {
using namespace app;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace cull;
using namespace query;
using namespace methods;
}  // namespace graze::papers
