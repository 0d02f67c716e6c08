// Boxtree file reader and writer (.boxtree); the format is described in the header. Every node of a file is
// checked, so that even a damaged or forged file can never cause a wrong answer.
#include "io/rigid_file.hpp"

#include <graze/error.hpp>
#include <graze/io.hpp>

#include "io/bytes.hpp"
#include "io/capture.hpp"
#include "io/capture_scene.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "mesh/topology.hpp"
#include "rigid/boxtree/group_tree.hpp"
#include "rigid/object.hpp"
#include "scene/input_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace graze {

using namespace io;
using namespace scene;
using namespace rigid;
using namespace core;
namespace io {
namespace {

constexpr std::string_view kMagic = "GRAZEBOX";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderSize = 84;
constexpr std::size_t kPositionSize = 24;
constexpr std::size_t kTriangleSize = 12;
constexpr std::size_t kNodeSize = 9;
constexpr std::size_t kChecksumSize = 8;
static_assert(sizeof(rigid::BoxNode) == kNodeSize);

struct Counts {
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;

  [[nodiscard]] std::uint64_t nodes() const { return triangles == 0 ? 0 : 2 * triangles - 1; }
  /// Size in bytes of the file without its checksum. Precondition: both counts are less than 2^32.
  [[nodiscard]] std::uint64_t bytes() const {
    return kHeaderSize + kPositionSize * vertices + kTriangleSize * triangles + kNodeSize * nodes();
  }
};

Counts read_counts(std::string_view data, const std::string& name) {
  Cursor cursor(data, 16);
  Counts counts;
  counts.vertices = cursor.next<std::uint64_t>();
  counts.triangles = cursor.next<std::uint64_t>();
  if (counts.vertices > kMaxVertices) fail_byte(name, 16, fmt::format("{} vertices are too many", counts.vertices));
  if (counts.triangles > kMaxTriangles) {
    fail_byte(name, 24, fmt::format("{} triangles are too many", counts.triangles));
  }
  if (data.size() != counts.bytes() + kChecksumSize) {
    fail(name, fmt::format("{} vertices and {} triangles make {} bytes, but the file has {}", counts.vertices,
                           counts.triangles, counts.bytes() + kChecksumSize, data.size()));
  }
  return counts;
}

/// The flags of a node in one byte, without the mark of leaf groups.
std::uint8_t flags_of(const rigid::BoxNode& node) {
  return static_cast<std::uint8_t>(node.side() | (node.leaf() ? rigid::BoxNode::kLeaf : 0U));
}

rigid::BoxNode read_node(Cursor& cursor, std::size_t place, const std::string& name) {
  const auto cut = cursor.next<float>();
  const auto child = cursor.next<std::uint32_t>();
  const unsigned flags = cursor.next<std::uint8_t>();
  if (flags > 15) fail(name, fmt::format("node {} has invalid flags {:#x}", place, flags));
  return {cut, flags & 3U, (flags & rigid::BoxNode::kUpper) != 0, (flags & rigid::BoxNode::kLeaf) != 0, child};
}

}  // namespace

RigidObject parse_rigid(std::string_view data, const std::string& name) {
  if (data.substr(0, kMagic.size()) != kMagic) fail_byte(name, 0, "not a boxtree: no 'GRAZEBOX' at its start");
  if (data.size() < kHeaderSize + kChecksumSize) fail_byte(name, data.size(), "the file ends in its header");
  Cursor cursor(data, kMagic.size());
  if (const auto version = cursor.next<std::uint32_t>(); version != kVersion) {
    fail_byte(name, kMagic.size(),
              fmt::format("version {} of the format; this program reads {}", version, kVersion));
  }
  const Counts counts = read_counts(data, name);
  const std::size_t end = data.size() - kChecksumSize;
  if (capture_checksum(data.substr(0, end)) != load<std::uint64_t>(data.data() + end, std::endian::little)) {
    fail_byte(name, end, "the checksum does not match: the file is damaged");
  }

  auto state = std::make_shared<rigid::ObjectState>();
  rigid::Boxtree& tree = state->boxtree;
  tree.depth = cursor.next<std::uint32_t>();
  cursor = Cursor(data, 32);
  const auto next_point = [&cursor] {
    const auto x = cursor.next<double>();
    const auto y = cursor.next<double>();
    return Vec3{x, y, cursor.next<double>()};
  };
  const Vec3 origin = next_point();
  const auto exponent = cursor.next<std::int32_t>();
  if (exponent < rigid::kMinExponent || exponent > rigid::kMaxExponent) {
    fail_byte(
        name, 56,
        fmt::format("the exponent {} is not in [{}, {}]", exponent, rigid::kMinExponent, rigid::kMaxExponent));
  }
  tree.local_frame = rigid::local_frame_at(origin, exponent);
  for (float& end_of_box : tree.lo) end_of_box = cursor.next<float>();
  for (float& end_of_box : tree.hi) end_of_box = cursor.next<float>();
  state->positions.resize(counts.vertices);
  for (Vec3& x : state->positions) x = next_point();
  state->triangles.resize(counts.triangles);
  for (Triangle& triangle : state->triangles) {
    for (VertexId& id : triangle) id = cursor.next<VertexId>();
  }
  try {
    validate_body({}, {.positions = state->positions, .triangles = state->triangles});
  } catch (const InputError& error) {
    fail(name, error.what());
  }
  state->max_coordinate = rigid::max_coordinate_of(state->positions, state->triangles);
  tree.nodes.resize(counts.nodes());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) tree.nodes[i] = read_node(cursor, i, name);
  rigid::mark_leaf_groups(tree);
  const std::string wrong = rigid::validate_boxtree(tree, state->positions, state->triangles);
  if (!wrong.empty()) fail(name, fmt::format("the tree is wrong: {}", wrong));
  state->groups = rigid::build_group_tree(tree, state->positions, state->triangles);
  return rigid::ObjectAccess::make(std::move(state));
}

std::string encode_rigid(const RigidObject& object, const std::string& name) {
  if (object.tree() != RigidTree::Boxtree) {
    fail(name, fmt::format("only boxtrees are written; the object's tree is of kind {}", name_of(object.tree())));
  }
  const rigid::Boxtree& tree = rigid::ObjectAccess::state(object).boxtree;
  const Counts counts{object.positions().size(), object.triangles().size()};
  std::string bytes(kMagic);
  bytes.reserve(counts.bytes() + kChecksumSize);
  const auto put = [&bytes](auto value) { append(bytes, value, std::endian::little); };
  const auto put_point = [&put](const Vec3& x) {
    put(x.x);
    put(x.y);
    put(x.z);
  };
  put(kVersion);
  put(tree.depth);
  put(counts.vertices);
  put(counts.triangles);
  put_point(tree.local_frame.origin);
  put(static_cast<std::int32_t>(tree.local_frame.exponent));
  for (const float end_of_box : tree.lo) put(end_of_box);
  for (const float end_of_box : tree.hi) put(end_of_box);
  for (const Vec3& x : object.positions()) put_point(x);
  for (const Triangle& triangle : object.triangles()) {
    for (const VertexId id : triangle) put(id);
  }
  for (const rigid::BoxNode& node : tree.nodes) {
    put(node.cut());
    put(node.place());
    put(flags_of(node));
  }
  return bytes;
}

}  // namespace io

void write_rigid(const std::filesystem::path& file, const RigidObject& object) {
  std::string bytes = io::encode_rigid(object, file.string());
  io::append(bytes, io::capture_checksum(bytes), std::endian::little);
  io::OutputFile out(file);
  out.write(bytes);
  out.finish();
}

RigidObject read_rigid(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  return io::parse_rigid(bytes.view(), file.string());
}

}  // namespace graze
