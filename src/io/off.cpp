// OFF reader: the keyword, three counts, one line for each vertex, one line for each face. '#' starts a comment.
//
// The prefixes C (colours), N (normals) and ST (texture) only add values after the coordinates of a vertex. These
// values are skipped, and so are the colours after a face. 4OFF, nOFF and binary OFF are rejected: their first
// three numbers are not a point in space. Cost: O(n) in the bytes.
#include "io/input.hpp"
#include "io/readers.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace graze::io {

namespace {

void check_keyword(const TextReader& reader, std::string_view keyword) {
  if (keyword.size() < 3 || keyword.substr(keyword.size() - 3) != "OFF") {
    reader.fail(fmt::format("not an OFF file: it starts with {}", in_quotes(keyword)));
  }
  std::string_view prefix = keyword.substr(0, keyword.size() - 3);
  const std::string_view whole = prefix;
  if (prefix.substr(0, 2) == "ST") prefix.remove_prefix(2);
  if (!prefix.empty() && prefix[0] == 'C') prefix.remove_prefix(1);
  if (!prefix.empty() && prefix[0] == 'N') prefix.remove_prefix(1);
  if (!prefix.empty() && whole != "NC")
    reader.fail(fmt::format("this kind of OFF is not read: {}", in_quotes(keyword)));
}

}  // namespace

Mesh read_off(std::string_view data, const std::string& name) {
  TextReader reader(data, name);
  if (!reader.next_filled_line('#')) fail(name, "not an OFF file: it has no header");
  check_keyword(reader, reader.token());
  // The counts may be on the line of the keyword.
  if (reader.at_line_end() && !reader.next_filled_line('#')) reader.fail("the file ends before the counts");
  if (reader.peek() == "BINARY") reader.fail("binary OFF is not read");
  const std::uint64_t vertex_count = reader.unsigned_integer("the number of vertices");
  const std::uint64_t face_count = reader.unsigned_integer("the number of faces");
  if (!reader.at_line_end()) reader.unsigned_integer("the number of edges");
  if (!reader.at_line_end()) reader.fail(fmt::format("{} after the counts", in_quotes(reader.token())));
  if (vertex_count > kMaxVertices) reader.fail(fmt::format("{} vertices are too many", vertex_count));
  // A vertex line has at least "0 0 0" and a line end, a face line "3 0 0 0" and a line end; the last line may have
  // no end.
  const std::uint64_t room = static_cast<std::uint64_t>(reader.bytes_left()) + 1;
  if (vertex_count > room / 6 || face_count > (room - vertex_count * 6) / 8) {
    reader.fail(fmt::format("{} vertices and {} faces do not fit the {} bytes that follow", vertex_count,
                            face_count, reader.bytes_left()));
  }

  Mesh mesh;
  mesh.positions.reserve(vertex_count);
  mesh.triangles.reserve(face_count);
  for (std::uint64_t i = 0; i < vertex_count; ++i) {
    if (!reader.next_filled_line('#'))
      reader.fail(fmt::format("the file ends at vertex {} of {}", i, vertex_count));
    const double x = reader.real("x");
    const double y = reader.real("y");
    const double z = reader.real("z");
    mesh.positions.push_back({x, y, z});
  }
  for (std::uint64_t i = 0; i < face_count; ++i) {
    if (!reader.next_filled_line('#')) reader.fail(fmt::format("the file ends at face {} of {}", i, face_count));
    const std::uint64_t corner_count = reader.unsigned_integer("the number of corners");
    if (corner_count < 3) reader.fail(fmt::format("face {} has {} vertices, fewer than 3", i, corner_count));
    FanTriangulator fan(mesh);
    for (std::uint64_t corner = 0; corner < corner_count; ++corner) fan.add(reader.vertex_id(vertex_count));
  }
  if (reader.next_filled_line('#')) reader.fail(fmt::format("{} after the last face", in_quotes(reader.token())));
  return mesh;
}

}  // namespace graze::io
