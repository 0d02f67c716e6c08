// Visibility between namespaces: each folder of src/ has a namespace of its name, and uses the names of the folders
// below it unqualified. This file states in C++ the dependency rule that tests/project/dependency_rule.py checks
// for includes.
//
// Sub-folders share the namespace of their parent folder (src/methods/bvh is graze::methods). graze:: itself holds
// the public API alone: `api` has no entry here because its files define the public API in graze:: itself, with
// using-directives of their own. Every internal header includes this one, directly or through another.
#pragma once

namespace graze {

namespace core {}
namespace geometry {}
namespace mesh {}
namespace scene {}
namespace narrow {}
namespace bvh {}
namespace hash {}
namespace cull {}
namespace query {}
namespace methods {}
namespace cuda {}
namespace rigid {}
namespace io {}

namespace geometry {
using namespace core;
}  // namespace geometry

namespace mesh {
using namespace core;
using namespace geometry;
}  // namespace mesh

namespace scene {
using namespace core;
using namespace geometry;
using namespace mesh;
}  // namespace scene

namespace narrow {
using namespace core;
using namespace geometry;
}  // namespace narrow

namespace bvh {
using namespace core;
using namespace geometry;
using namespace mesh;
}  // namespace bvh

namespace hash {
using namespace core;
using namespace geometry;
using namespace mesh;
}  // namespace hash

namespace cull {
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
}  // namespace cull

namespace query {
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace cull;
}  // namespace query

namespace methods {
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
}  // namespace methods

namespace cuda {
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace query;
using namespace methods;
}  // namespace cuda

namespace rigid {
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
}  // namespace rigid

namespace io {
using namespace core;
using namespace scene;
using namespace rigid;
}  // namespace io

}  // namespace graze
