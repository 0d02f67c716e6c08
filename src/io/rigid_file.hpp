// Boxtree file format (.boxtree): encodes and parses a rigid object with its boxtree. Little endian throughout:
//
//   0   "GRAZEBOX", version (u32, 1), depth (u32), vertices, triangles (u64)
//   32  origin of the local frame (f64 x 3), its exponent (i32), the root's box: lower ends, upper ends (f32 x 6)
//   84  for each vertex: x, y, z (f64)
//       for each triangle: three vertex ids (u32)
//       for each of 2 triangles - 1 nodes: cut (f32), first child or triangle (u32), flags (u8); see
//       rigid/boxtree/boxtree.hpp
//   end the checksum (u64), computed as in captures (io/capture.hpp)
//
// Counts are checked against the file size before anything is allocated. Cost: O(n) in the bytes.
#pragma once

#include <string>
#include <string_view>

#include <graze/rigid.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

RigidObject parse_rigid(std::string_view data, const std::string& name);

/// The whole file except its checksum. Throws InputError for an object with another kind of tree.
std::string encode_rigid(const RigidObject& object, const std::string& name);

}  // namespace graze::io
