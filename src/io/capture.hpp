// Captures on bytes. Little endian throughout:
//
//   0   "GRAZECAP", version (u32, 1 or 2), bodies (u32), vertices, triangles, ignored pairs of bodies (u64)
//   40  thickness, tolerance (f64), vertex-face and edge-edge impacts (u64), hash, toi hash (u64)
//   88  a body each: vertices, triangles, motion (0 deforming, 1 rigid, 2 static), groups, meets (u32)
//       an ignored pair each: two body ids (u32)
//       a triangle each: three scene vertex ids (u32); bodies one after the other
//       a vertex each: x, y, z (f64) at t0; then the same at t1
//
// Version 2, for scenes that edits have left with other vertices than bodies one after the other, or with slots of
// what was removed: of a body, in place of its counts, the range of vertices that it was added with (first, last)
// and 4 more in its motion if it was removed; a removed triangle is 0xffffffff three times; and after the triangles
//
//       a vertex each: its body (u32), 0xffffffff if it was removed; its positions may then be anything
//
// In both
//
//   end the checksum (u64): Hash64 (core/hash.hpp) of all bytes before it, as words, the last one filled with zeros
//
// Counts are held against the number of bytes before anything is allocated. Cost: O(n) in the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <graze/io.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

Capture parse_capture(std::string_view data, const std::string& name);

/// The whole file but for its checksum. InputError for what a Detector would refuse.
std::string encode_capture(const Capture& capture, const std::string& name);

/// The checksum of the bytes before it.
std::uint64_t capture_checksum(std::string_view bytes);

}  // namespace graze::io
