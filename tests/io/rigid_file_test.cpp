// Boxtree files: a written tree reads back bit for bit and takes nine bytes per node; broken files are refused by
// name.
#include "io/rigid_file.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <graze/io.hpp>
#include <graze/rigid.hpp>

#include "io/bytes.hpp"
#include "io/capture.hpp"
#include "io/io_test.hpp"
#include "rigid/object.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

using testing::contains;
using testing::error_of;
using testing::get_file;
using testing::put_file;
using testing::raw;
using testing::TemporaryFolder;

/// Triangles of several kinds: separate, duplicate, flat, a point; and one unused vertex.
RigidObject some_object(std::size_t count = 12) {
  std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5e-324, -0.0, 1e30}};
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<double>(i);
    positions.push_back({at, 0.5 * at, -at / 3.0});
    const auto next = static_cast<VertexId>(positions.size() - 1);
    triangles.push_back(i % 4 == 3 ? Triangle{next, next, next}
                                   : Triangle{0, next, static_cast<VertexId>(1 + i % 3)});
  }
  if (count > 1) triangles[1] = triangles[0];
  return RigidObject(positions, triangles);
}

std::string sealed(std::string bytes) {
  io::append(bytes, io::capture_checksum(bytes), std::endian::little);
  return bytes;
}

bool same_bytes(const RigidObject& a, const RigidObject& b) {
  const auto& nodes_a = rigid::ObjectAccess::state(a).boxtree.nodes;
  const auto& nodes_b = rigid::ObjectAccess::state(b).boxtree.nodes;
  return nodes_a.size() == nodes_b.size() &&
         (nodes_a.empty() || std::memcmp(nodes_a.data(), nodes_b.data(), 9 * nodes_a.size()) == 0);
}

TEST(RigidFiles, ReadBackBitForBit) {
  const TemporaryFolder folder;
  for (const std::size_t count : {0U, 1U, 2U, 12U, 500U}) {
    const RigidObject object = some_object(count);
    write_rigid(folder / "a.boxtree", object);
    const RigidObject read = read_rigid(folder / "a.boxtree");
    EXPECT_EQ(testing::bits_of(std::vector<Vec3>(read.positions().begin(), read.positions().end())),
              testing::bits_of(std::vector<Vec3>(object.positions().begin(), object.positions().end())));
    EXPECT_TRUE(std::equal(read.triangles().begin(), read.triangles().end(), object.triangles().begin(),
                           object.triangles().end()));
    EXPECT_TRUE(same_bytes(read, object));
    EXPECT_EQ(rigid::ObjectAccess::state(read).boxtree.lo, rigid::ObjectAccess::state(object).boxtree.lo);
    EXPECT_EQ(rigid::ObjectAccess::state(read).boxtree.hi, rigid::ObjectAccess::state(object).boxtree.hi);
    EXPECT_EQ(rigid::ObjectAccess::state(read).boxtree.local_frame.scale,
              rigid::ObjectAccess::state(object).boxtree.local_frame.scale);
    EXPECT_EQ(rigid::ObjectAccess::state(read).max_coordinate, rigid::ObjectAccess::state(object).max_coordinate);
    EXPECT_EQ(read.memory().depth, object.memory().depth);
    EXPECT_EQ(read.validate(), "");
    write_rigid(folder / "b.boxtree", read);
    EXPECT_EQ(get_file(folder / "a.boxtree"), get_file(folder / "b.boxtree"));
  }
}

TEST(RigidFiles, AnswerAsTheObjectThatWasWritten) {
  const TemporaryFolder folder;
  const RigidObject object = some_object(200);
  write_rigid(folder / "a.boxtree", object);
  const RigidObject read = read_rigid(folder / "a.boxtree");
  const Pose pose = pose_from_axis_angle({1, 2, 3}, 0.7, {0.25, 0.5, 0});
  const TrianglePairs expected = Collider(object, object).triangle_pairs({}, pose);
  const TrianglePairs found = Collider(read, read).triangle_pairs({}, pose);
  EXPECT_FALSE(expected.pairs.empty());
  EXPECT_EQ(found.pairs, expected.pairs);
  EXPECT_EQ(found.stats.node_tests, expected.stats.node_tests);
}

TEST(RigidFiles, TakeNineBytesANode) {
  const RigidObject object = some_object(500);
  const std::string bytes = io::encode_rigid(object, "a");
  EXPECT_EQ(bytes.size(), 84 + 24 * object.positions().size() + std::size_t{12} * 500 + std::size_t{9} * 999);
  EXPECT_EQ(bytes.substr(0, 12), "GRAZEBOX" + raw(std::uint32_t{1}));
  EXPECT_EQ(bytes.substr(16, 16), raw(std::uint64_t{object.positions().size()}) + raw(std::uint64_t{500}));
}

TEST(RigidFiles, OtherTreesAreNotWritten) {
  const TemporaryFolder folder;
  const auto state = std::make_shared<rigid::ObjectState>();
  const RigidObject boxtree = some_object();
  state->positions.assign(boxtree.positions().begin(), boxtree.positions().end());
  state->triangles.assign(boxtree.triangles().begin(), boxtree.triangles().end());
  state->kind = RigidTree::Aabb;
  const RigidObject object = rigid::ObjectAccess::make(state);
  EXPECT_TRUE(contains(error_of([&] { write_rigid(folder / "a.boxtree", object); }), "kind aabb"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.boxtree"));
}

TEST(RigidFiles, ThatAreCutShortOrTooLongAreRefused) {
  const std::string valid = sealed(io::encode_rigid(some_object(), "a"));
  for (std::size_t length = 0; length < valid.size(); ++length) {
    // A copy without spare capacity, so that a sanitizer detects any read beyond the end.
    const std::vector<char> prefix(valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(length));
    const std::string error = error_of([&] { (void)io::parse_rigid({prefix.data(), prefix.size()}, "some/file"); });
    ASSERT_TRUE(error.starts_with("some/file: ")) << length << " bytes: " << error;
    // A valid checksum, so that the reader's other checks are reached.
    const std::string resealed = sealed(valid.substr(0, length));
    const std::string other = error_of([&] { (void)io::parse_rigid(resealed, "some/file"); });
    if (length + 8 == valid.size()) continue;
    ASSERT_TRUE(other.starts_with("some/file: ")) << length << " bytes: " << other;
  }
  EXPECT_NE(error_of([&] { (void)io::parse_rigid(valid + "x", "a"); }), "no error");
}

TEST(RigidFiles, WithAnyByteChangedAreRefused) {
  const std::string valid = sealed(io::encode_rigid(some_object(), "a"));
  std::mt19937 random(1);
  for (std::size_t at = 0; at < valid.size(); ++at) {
    std::string changed = valid;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1U << (random() % 8)));
    const std::string error = error_of([&] { (void)io::parse_rigid(changed, "some/file"); });
    ASSERT_TRUE(error.starts_with("some/file: ")) << "byte " << at << ": " << error;
  }
}

TEST(RigidFiles, ThatAreForgedAreRefusedOrRight) {
  const std::string bytes = io::encode_rigid(some_object(), "a");
  std::mt19937 random(2);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int i = 0; i < 4; ++i) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(i == 0 ? 0xFF : random());
      try {
        EXPECT_EQ(io::parse_rigid(sealed(changed), "some/file").validate(), "") << "byte " << at;
      } catch (const InputError& error) {
        ++refused;
        ASSERT_TRUE(std::string_view(error.what()).starts_with("some/file: ")) << error.what();
      }
    }
  }
  EXPECT_GT(refused, bytes.size());
}

TEST(RigidFiles, NameWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string bytes = io::encode_rigid(some_object(), "a");
  const auto error_with = [&](std::size_t at, const std::string& part) {
    std::string changed = bytes;
    changed.replace(at, part.size(), part);
    return error_of([&] { (void)io::parse_rigid(sealed(changed), "f"); });
  };
  EXPECT_TRUE(contains(error_with(0, "X"), "f: byte 0: not a boxtree"));
  EXPECT_TRUE(contains(error_with(8, raw(std::uint32_t{9})), "f: byte 8: version 9"));
  EXPECT_TRUE(contains(error_with(16, raw(~std::uint64_t{0})), "f: byte 16: "));
  EXPECT_TRUE(contains(error_with(24, raw(~std::uint64_t{0})), "f: byte 24: "));
  EXPECT_TRUE(contains(error_with(24, raw(std::uint64_t{1'000'000'000})), "but the file has"));
  EXPECT_TRUE(contains(error_with(56, raw(std::int32_t{-2147483647 - 1})), "f: byte 56: the exponent"));
  EXPECT_TRUE(contains(error_with(84, raw(std::uint64_t{0x7FF0000000000000U})), "f: "));
  EXPECT_TRUE(contains(error_with(12, raw(std::uint32_t{77})), "the tree is wrong: the depth"));
  EXPECT_TRUE(contains(error_of([&] { (void)io::parse_rigid(bytes + std::string(8, '\0'), "f"); }), "checksum"));
  EXPECT_TRUE(contains(error_of([&] { (void)read_rigid(folder / "none.boxtree"); }), "none.boxtree"));
  put_file(folder / "text.boxtree", "solid cube");
  EXPECT_TRUE(contains(error_of([&] { (void)read_rigid(folder / "text.boxtree"); }), "byte 0"));
}

}  // namespace
}  // namespace graze
