// STL reader, text and binary, with welded vertices: STL repeats each vertex in each triangle, and contact
// detection needs to know which vertices are shared.
//
// Binary files may start with "solid" too, so the size decides first: a file of 84 + 50 n bytes with n at byte 80
// is binary. Vertices are welded if all three doubles are equal (so -0.0 equals 0.0), in order of first appearance,
// by a hash table. Stored normals are ignored. Cost: O(n) expected.
#include "io/bytes.hpp"
#include "io/input.hpp"
#include "io/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace graze::io {

namespace {

constexpr std::size_t kHeaderSize = 80;
constexpr std::size_t kTrianglesStart = kHeaderSize + 4;
constexpr std::size_t kTriangleSize = 50;  // normal, three vertices, two bytes of attributes

/// Assigns equal points one id, in order of first appearance. Hash table with open addressing, at most half full.
class Welder {
 public:
  Welder(std::vector<Vec3>& positions, const std::string& name)
      : positions_(&positions), name_(&name), slots_(1024, kEmpty) {}

  VertexId add(const Vec3& point) {
    if (positions_->size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = find(point);
    if (slot == kEmpty) {
      if (positions_->size() >= kMaxVertices) fail(*name_, "has too many vertices");
      slot = static_cast<std::uint32_t>(positions_->size());
      positions_->push_back(point);
    }
    return slot;
  }

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

  static std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32U;
    x *= 0x9E37'79B9'7F4A'7C15U;  // 2^64 divided by the golden ratio, odd
    x ^= x >> 29U;
    x *= 0xD6E8'FEB8'6659'FD93U;
    return x ^ (x >> 32U);
  }
  static std::uint64_t hash(const Vec3& point) {
    std::uint64_t h = 0;
    // Adding 0.0 turns -0.0 into 0.0 and changes no other number.
    for (const double x : {point.x, point.y, point.z}) h = mix(h + std::bit_cast<std::uint64_t>(x + 0.0));
    return h;
  }
  std::uint32_t& find(const Vec3& point) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(hash(point)) & mask;
    while (slots_[i] != kEmpty && !((*positions_)[slots_[i]] == point)) i = (i + 1) & mask;
    return slots_[i];
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kEmpty);
    for (std::uint32_t id = 0; id < positions_->size(); ++id) find((*positions_)[id]) = id;
  }

  std::vector<Vec3>* positions_;
  const std::string* name_;
  std::vector<std::uint32_t> slots_;
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(std::string_view token, std::string_view word) {
  return std::equal(token.begin(), token.end(), word.begin(), word.end(),
                    [](char a, char b) { return lower(a) == b; });
}

void expect(TextReader& reader, std::string_view word) {
  const std::string_view token = reader.token_over_lines();
  if (token.empty()) reader.fail(fmt::format("the file ends where {} should be", in_quotes(word)));
  if (!is_word(token, word)) reader.fail(fmt::format("{} where {} should be", in_quotes(token), in_quotes(word)));
}

double next_coordinate(TextReader& reader, const char* what) {
  return checked_real<double>(reader, reader.token_over_lines(), what);
}

/// Reads the rest of a facet after the word "facet".
Triangle read_facet(TextReader& reader, Welder& welder) {
  expect(reader, "normal");
  for (int i = 0; i < 3; ++i) {
    if (reader.token_over_lines().empty()) reader.fail("the file ends in a normal");
  }
  expect(reader, "outer");
  expect(reader, "loop");
  Triangle triangle{};
  for (VertexId& corner : triangle) {
    expect(reader, "vertex");
    const double x = next_coordinate(reader, "x");
    const double y = next_coordinate(reader, "y");
    const double z = next_coordinate(reader, "z");
    corner = welder.add({x, y, z});
  }
  expect(reader, "endloop");
  expect(reader, "endfacet");
  return triangle;
}

Mesh read_stl_text(std::string_view data, const std::string& name) {
  Mesh mesh;
  Welder welder(mesh.positions, name);
  TextReader reader(data, name);
  // The name of a solid is the rest of its line and may contain anything.
  while (reader.next_filled_line()) {
    expect(reader, "solid");
    reader.next_line();
    for (;;) {
      const std::string_view token = reader.token_over_lines();
      if (token.empty()) reader.fail("the file ends before 'endsolid'");
      if (is_word(token, "endsolid")) break;
      if (!is_word(token, "facet")) reader.fail(fmt::format("{} where 'facet' should be", in_quotes(token)));
      mesh.triangles.push_back(read_facet(reader, welder));
    }
  }
  return mesh;
}

Mesh read_stl_binary(std::string_view data, const std::string& name, std::uint32_t triangle_count) {
  Mesh mesh;
  mesh.triangles.reserve(triangle_count);
  Welder welder(mesh.positions, name);
  for (std::size_t i = 0; i < triangle_count; ++i) {
    const std::size_t start = kTrianglesStart + i * kTriangleSize + 12;  // skips the normal
    Triangle triangle{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      std::array<double, 3> point{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t at = start + corner * 12 + axis * 4;
        point[axis] = static_cast<double>(load<float>(data.data() + at, std::endian::little));
        if (!std::isfinite(point[axis])) {
          fail_byte(name, at, fmt::format("a coordinate of triangle {} is not finite", i));
        }
      }
      triangle[corner] = welder.add({point[0], point[1], point[2]});
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

/// Whether the data starts with "solid" and its first bytes are all text.
bool looks_like_text(std::string_view data) {
  const std::string_view start = data.substr(0, 512);
  const bool is_text = std::all_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || (c >= '\t' && c <= '\r');
  });
  const std::string name;
  return is_text && is_word(TextReader(start, name).token_over_lines().substr(0, 5), "solid");
}

}  // namespace

Mesh read_stl(std::string_view data, const std::string& name) {
  if (data.size() >= kTrianglesStart) {
    const auto count = load<std::uint32_t>(data.data() + kHeaderSize, std::endian::little);
    const std::uint64_t size = kTrianglesStart + std::uint64_t{kTriangleSize} * count;
    if (size == data.size()) return read_stl_binary(data, name, count);
    if (!looks_like_text(data)) {
      fail_byte(name, kHeaderSize,
                fmt::format("{} triangles make {} bytes, but the file has {}", count, size, data.size()));
    }
  }
  if (!looks_like_text(data)) {
    fail_byte(name, 0, "not an STL file: shorter than a binary header, and no 'solid' at its start");
  }
  return read_stl_text(data, name);
}

}  // namespace graze::io
