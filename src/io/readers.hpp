// Mesh readers, one for each format: PLY reader (ply.cpp), OBJ reader (obj.cpp), STL reader (stl.cpp) and OFF
// reader (off.cpp), all on bytes in memory. `name` stands for the file in error messages.
//
// Each returns a mesh with finite positions and valid ids, and throws InputError for invalid input. Cost: O(n) in
// the bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <graze/io.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

Mesh read_ply(std::string_view data, const std::string& name);
Mesh read_obj(std::string_view data, const std::string& name);
Mesh read_stl(std::string_view data, const std::string& name);
Mesh read_off(std::string_view data, const std::string& name);

/// Triangulates a polygon as a fan from its first corner; takes one corner at a time.
class FanTriangulator {
 public:
  explicit FanTriangulator(Mesh& mesh) : mesh_(&mesh) {}
  void add(VertexId corner) {
    if (corner_count_ == 0) first_ = corner;
    if (corner_count_ >= 2) mesh_->triangles.push_back({first_, previous_, corner});
    previous_ = corner;
    ++corner_count_;
  }

 private:
  Mesh* mesh_;
  VertexId first_ = 0;
  VertexId previous_ = 0;
  std::size_t corner_count_ = 0;
};

}  // namespace graze::io
