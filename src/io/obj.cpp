// OBJ reader (Wavefront .obj), based on tinyobjloader where it is exact and safe.
//
// tinyobjloader's number parser does not round correctly (0.1 may be off by one unit in the last place), reads
// garbage as 0, and has no line numbers. So we scan the lines ourselves: vertices are parsed with from_chars, and
// each face line is checked (v, v/vt, v//vn, v/vt/vn; at most nine digits) and kept. tinyobjloader then parses the
// kept face lines, through its callback interface so that it builds no mesh. Vertex references are resolved here,
// where the number of vertices before each face is known. Colours and weights after a vertex, and all other
// statements, are skipped. A backslash at the end of a line joins it with the next. Polygons become triangle fans.
// Cost: O(n) in the bytes.

// The implementation is compiled only here, in a renamed namespace: a program with its own copy of tinyobjloader,
// perhaps in single precision, can still link graze.
#define tinyobj graze_tinyobj  // NOLINT(readability-identifier-naming): the library's own name
#define TINYOBJLOADER_USE_DOUBLE
#define TINYOBJLOADER_IMPLEMENTATION

#include "io/input.hpp"
#include "io/readers.hpp"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace graze::io {

namespace {

/// Position of a face in the file: the number of vertices before it, which negative references count back from, and
/// its line.
struct FaceOrigin {
  std::uint32_t vertices_before = 0;
  std::size_t line = 0;
};

/// The next token of a statement, which may continue after a backslash at the end of a line and ends at a comment.
std::string_view next_token(TextReader& reader) {
  for (;;) {
    std::string_view token = reader.token();
    if (token.empty() || token.front() == '#') return {};
    if (token.back() != '\\' || !reader.at_line_end()) return token;
    token.remove_suffix(1);
    const bool has_more = reader.next_line();
    if (!token.empty() || !has_more) return token;
  }
}

/// Removes an optional sign and one to nine digits from the front of `text`: atoi reads them completely, and they
/// fit an int. False if they are not there.
bool take_integer(std::string_view& text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  text.remove_prefix(digits);
  return digits >= 1 && digits <= 9;
}

bool take_slash(std::string_view& text) {
  if (text.empty() || text.front() != '/') return false;
  text.remove_prefix(1);
  return true;
}

/// Whether a token is v, v/vt, v//vn or v/vt/vn. Also accepts "v/" and "v/vt/", which some programs write.
bool is_corner(std::string_view token) {
  if (!take_integer(token)) return false;
  for (int field = 0; field < 2 && take_slash(token); ++field) {
    if (!token.empty() && token.front() != '/' && !take_integer(token)) return false;
  }
  return token.empty();
}

class ObjReader {
 public:
  ObjReader(std::string_view data, const std::string& name) : reader_(data, name), name_(&name) {}

  Mesh read() {
    while (reader_.next_line()) read_statement();
    if (mesh_.positions.empty() && faces_.empty() && has_unknown_)
      fail(*name_, "not an OBJ file: no vertex, no face");
    resolve_faces();
    return std::move(mesh_);
  }

 private:
  void read_statement() {
    const std::string_view keyword = next_token(reader_);
    if (keyword.empty()) return;
    if (keyword == "v") {
      read_vertex();
    } else if (keyword == "f") {
      keep_face();
    } else {
      has_unknown_ = true;
    }
    while (!next_token(reader_).empty()) {
    }
  }

  void read_vertex() {
    if (mesh_.positions.size() == kMaxVertices) reader_.fail("too many vertices");
    const double x = checked_real<double>(reader_, next_token(reader_), "x");
    const double y = checked_real<double>(reader_, next_token(reader_), "y");
    const double z = checked_real<double>(reader_, next_token(reader_), "z");
    mesh_.positions.push_back({x, y, z});
  }

  void keep_face() {
    kept_ += 'f';
    std::size_t corner_count = 0;
    for (std::string_view token = next_token(reader_); !token.empty(); token = next_token(reader_)) {
      if (!is_corner(token)) reader_.fail(fmt::format("{} is not a face corner", in_quotes(token)));
      kept_ += ' ';
      kept_ += token;
      ++corner_count;
    }
    if (corner_count < 3) reader_.fail(fmt::format("a face has {} vertices, fewer than 3", corner_count));
    if (corner_count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      reader_.fail("a face is too large");
    kept_ += '\n';
    faces_.push_back({static_cast<std::uint32_t>(mesh_.positions.size()), reader_.line_number()});
  }

  void resolve_faces() {
    mesh_.triangles.reserve(faces_.size());
    graze_tinyobj::callback_t callbacks;
    callbacks.index_cb = [](void* self, graze_tinyobj::index_t* corners, int count) {
      static_cast<ObjReader*>(self)->resolve_face(corners, static_cast<std::size_t>(count));
    };
    std::istringstream stream(std::move(kept_));
    graze_tinyobj::LoadObjWithCallback(stream, callbacks, this);
    if (resolved_ != faces_.size()) fail(*name_, "has faces that cannot be read");
  }

  void resolve_face(const graze_tinyobj::index_t* corners, std::size_t count) {
    const FaceOrigin origin = faces_.at(resolved_);
    ++resolved_;
    FanTriangulator fan(mesh_);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t written = corners[i].vertex_index;
      const std::int64_t id = written > 0 ? written - 1 : origin.vertices_before + written;
      // 0 is not a valid reference. A negative reference counts back from the face; a positive one may refer to a
      // later vertex.
      if (written == 0 || id < 0 || id >= static_cast<std::int64_t>(mesh_.positions.size())) {
        fail_line(*name_, origin.line,
                  fmt::format("vertex index {} is out of range: there are {} vertices", written,
                              written < 0 ? origin.vertices_before : mesh_.positions.size()));
      }
      fan.add(static_cast<VertexId>(id));
    }
  }

  TextReader reader_;
  const std::string* name_;
  Mesh mesh_;
  std::string kept_;               // the checked face lines
  std::vector<FaceOrigin> faces_;  // one for each kept line
  std::size_t resolved_ = 0;
  bool has_unknown_ = false;
};

}  // namespace

Mesh read_obj(std::string_view data, const std::string& name) {
  return ObjReader(data, name).read();
}

}  // namespace graze::io
