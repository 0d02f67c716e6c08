// The objects of `graze rigid`: reads a mesh or a saved tree, builds the tree, prints its size and build time.
#pragma once

#include <optional>
#include <string>

#include <graze/rigid.hpp>

#include "output/output.hpp"
#include "scenes/shapes.hpp"

namespace graze::app {

struct LoadedObject {
  std::string name;  ///< "a" or "b"
  std::string file;
  RigidObject object;
  std::optional<double> build_ms;  ///< none: the tree was read from the file
};

/// Reads a mesh and builds its tree, or reads a .boxtree with its tree, which is rebuilt only if the options ask
/// for another kind. With `to_cube` the mesh is scaled into a cube of size 2 about the origin first. Throws
/// InputError.
LoadedObject load_object(const std::string& name, const std::string& file, const RigidObjectOptions& options,
                         bool to_cube);

/// Prints one row per object: memory of its tree and time to build it. `b` may be null.
void print_objects(const LoadedObject& a, const LoadedObject* b);
Json object_json(const LoadedObject& loaded);

}  // namespace graze::app
