// The objects of `graze rigid`: read, built, shown and saved.
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
  std::optional<double> build_ms;  ///< none: the tree came with the file
};

/// A mesh, whose tree is built, or a .boxtree, whose tree is kept, unless another kind is asked for. With `to_cube`
/// the mesh is scaled into a cube of size 2 about the origin, and its tree built. Throws InputError.
LoadedObject load_object(const std::string& name, const std::string& file, const RigidObjectOptions& options,
                         bool to_cube);

/// A row an object: what its tree takes and how long it took to build.
void print_objects(const LoadedObject& a, const LoadedObject* b);
Json object_json(const LoadedObject& loaded);

}  // namespace graze::app
