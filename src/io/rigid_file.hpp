// Rigid objects with their boxtrees on bytes. Little endian throughout:
//
//   0   "GRAZEBOX", version (u32, 1), depth (u32), vertices, triangles (u64)
//   32  origin of the frame (f64 x 3), its exponent (i32), the root's box: lower ends, upper ends (f32 x 6)
//   84  a vertex each: x, y, z (f64)
//       a triangle each: three vertex ids (u32)
//       a node each, one less than twice the triangles: cut (f32), place (u32), flags (u8); see
//       rigid/boxtree/boxtree.hpp
//   end the checksum (u64), as that of captures
//
// Counts are held against the number of bytes before anything is allocated. Cost: O(n) in the bytes.
#pragma once

#include <string>
#include <string_view>

#include <graze/rigid.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

RigidObject parse_rigid(std::string_view data, const std::string& name);

/// The whole file but for its checksum. InputError for an object with another kind of tree.
std::string encode_rigid(const RigidObject& object, const std::string& name);

}  // namespace graze::io
