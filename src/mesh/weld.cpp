// Vertex welding with a hash table of positions (mesh/weld.hpp).
#include "mesh/weld.hpp"

#include <bit>
#include <cstdint>

#include "core/index_table.hpp"

namespace graze::mesh {

namespace {

using Bits = IndexTable<6>::Key;

Bits bits_of(const Vec3& x) {
  Bits bits{};
  std::size_t word = 0;
  for (const double coordinate : {x.x, x.y, x.z}) {
    const auto whole = std::bit_cast<std::uint64_t>(coordinate);
    bits[word++] = static_cast<std::uint32_t>(whole);
    bits[word++] = static_cast<std::uint32_t>(whole >> 32U);
  }
  return bits;
}

}  // namespace

void weld(std::vector<Vec3>& positions, std::vector<Triangle>& triangles) {
  std::vector<Vec3> welded;
  std::vector<VertexId> new_id(positions.size(), kNoVertex);
  IndexTable<6> table;
  const auto key_of = [&](std::uint32_t id) { return bits_of(welded[id]); };
  for (Triangle& triangle : triangles) {
    for (VertexId& v : triangle) {
      VertexId& id = new_id[v];
      if (id == kNoVertex) id = table.find(bits_of(positions[v]), key_of);
      if (id == IndexTable<6>::kNone) {
        id = static_cast<VertexId>(welded.size());
        welded.push_back(positions[v]);
        table.insert(id, key_of);
      }
      v = id;
    }
  }
  welded.shrink_to_fit();
  positions = std::move(welded);
}

}  // namespace graze::mesh
