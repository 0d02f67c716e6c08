// The contract of every mesh reader for arbitrary bytes: a valid mesh, or a one-line InputError that starts with
// the name. Anything else stops the fuzzer.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <graze/error.hpp>
#include <graze/io.hpp>

namespace graze::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline void check_positions(const std::vector<Vec3>& positions) {
  for (const Vec3& p : positions) require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
}

/// Runs `read(data, name)` and applies `check` to the result.
template <class Read, class Check>
void check_reader(const std::uint8_t* bytes, std::size_t size, const Read& read, const Check& check) {
  const std::string_view data(reinterpret_cast<const char*>(bytes), size);
  const std::string name = "input";
  try {
    check(read(data, name));
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    require(what.substr(0, 7) == "input: " && what.find_first_of("\r\n") == std::string_view::npos);
    require(what.size() < 400);
  }
}

template <class Read>
void check_mesh_reader(const std::uint8_t* bytes, std::size_t size, const Read& read) {
  check_reader(bytes, size, read, [size](const Mesh& mesh) {
    check_positions(mesh.positions);
    for (const Triangle& triangle : mesh.triangles) {
      for (const VertexId id : triangle) require(id < mesh.positions.size());
    }
    // Every position and every triangle takes at least one byte of its own.
    require(mesh.positions.size() <= size && mesh.triangles.size() <= size);
  });
}

}  // namespace graze::fuzz
