// Capture format (replay file, .graze): encodes and parses one step with its answer. Little endian throughout:
//
//   0   "GRAZECAP", version (u32, 1 or 2), bodies (u32), vertices, triangles, ignored pairs of bodies (u64)
//   40  thickness, tolerance (f64), vertex-face and edge-edge impacts (u64), hash, toi hash (u64)
//   88  for each body: vertices, triangles, motion (0 deforming, 1 rigid, 2 static), groups, meets (u32)
//       for each ignored pair: two body ids (u32)
//       for each triangle: three scene vertex ids (u32); bodies one after the other
//       for each vertex: x, y, z (f64) at t0; then for each vertex: x, y, z (f64) at t1
//
// Version 2 is for edited scenes, in which the vertices of bodies are no longer contiguous or removed elements left
// empty slots. For each body, the two counts are replaced by the range of vertices that it was added with (first,
// last), and its motion has 4 added if it was removed. A removed triangle is 0xffffffff three times. After the
// triangles follows
//
//       for each vertex: its body (u32), 0xffffffff if it was removed; its positions may then be anything
//
// Both versions end with
//
//   end the checksum (u64): Hash64 (core/hash.hpp) of all bytes before it as words, the last one padded with zeros
//
// Counts are checked against the file size before anything is allocated. Cost: O(n) in the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <graze/io.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

Capture parse_capture(std::string_view data, const std::string& name);

/// The whole file except its checksum. Throws InputError for a capture that a Detector would reject.
std::string encode_capture(const Capture& capture, const std::string& name);

/// The checksum of these bytes.
std::uint64_t capture_checksum(std::string_view bytes);

}  // namespace graze::io
