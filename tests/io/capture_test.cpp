// Captures: a written capture reads back bit for bit and gives the same answer; broken files are refused by name.
#include "io/capture.hpp"

#include <graze/detector.hpp>
#include <graze/io.hpp>

#include "io/bytes.hpp"
#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

using testing::bits_of;
using testing::BrokenInput;
using testing::contains;
using testing::error_of;
using testing::get_file;
using testing::put_file;
using testing::raw;
using testing::TemporaryFolder;

/// A large static triangle, an unused vertex, and a small triangle that falls through the large one.
Capture falling_triangle() {
  const std::vector<Vec3> large = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}};
  const std::vector<Vec3> lone = {{5e-324, -0.0, 1e300}};
  const std::vector<Vec3> small = {{-1, -1, 1}, {1, -1, 1}, {0, 1, 1}};
  const std::vector<Triangle> triangle = {{0, 1, 2}};
  Scene scene;
  scene.add_body({.positions = large, .triangles = triangle, .motion = Motion::Static});
  scene.add_body({.positions = lone, .motion = Motion::Deforming, .groups = 6, .meets = 1});
  scene.add_body({.positions = small, .triangles = triangle, .motion = Motion::Rigid});
  scene.ignore_pair(2, 1);
  const std::vector<Vec3> x_t0(scene.positions().begin(), scene.positions().end());
  std::vector<Vec3> x_t1 = x_t0;
  for (std::size_t i = 4; i < x_t1.size(); ++i) x_t1[i].z = -1.0;
  const DetectorOptions options{.thickness = 0.25, .tolerance = 1e-9};
  return make_capture(scene, x_t0, x_t1, options, Detector(scene, options).impacts(x_t0, x_t1));
}

std::string sealed(std::string bytes) {
  io::append(bytes, io::capture_checksum(bytes), std::endian::little);
  return bytes;
}

std::string with(std::string bytes, std::size_t at, const std::string& part) {
  return bytes.replace(at, part.size(), part);
}

TEST(Captures, ReadBackBitForBit) {
  const Capture written = falling_triangle();
  const TemporaryFolder folder;
  write_capture(folder / "a.graze", written);
  const Capture read = read_capture(folder / "a.graze");
  EXPECT_EQ(bits_of(read.x_t0), bits_of(written.x_t0));
  EXPECT_EQ(bits_of(read.x_t1), bits_of(written.x_t1));
  EXPECT_EQ(read.thickness, 0.25);
  EXPECT_EQ(read.tolerance, 1e-9);
  EXPECT_EQ(read.vf_count, written.vf_count);
  EXPECT_EQ(read.ee_count, written.ee_count);
  EXPECT_EQ(read.hash, written.hash);
  EXPECT_EQ(read.toi_hash, written.toi_hash);
  ASSERT_EQ(read.scene.body_count(), 3U);
  for (BodyId body = 0; body < 3; ++body) {
    EXPECT_EQ(read.scene.motion(body), written.scene.motion(body));
    EXPECT_EQ(read.scene.vertices(body).first, written.scene.vertices(body).first);
    EXPECT_EQ(read.scene.vertices(body).last, written.scene.vertices(body).last);
    EXPECT_EQ(read.scene.groups(body), written.scene.groups(body));
    EXPECT_EQ(read.scene.meets(body), written.scene.meets(body));
    for (BodyId other = 0; other < 3; ++other) {
      EXPECT_EQ(read.scene.tests_pair(body, other), written.scene.tests_pair(body, other));
    }
  }
  EXPECT_FALSE(read.scene.tests_pair(1, 2));
  EXPECT_TRUE(read.scene.tests_pair(0, 2));
  EXPECT_TRUE(std::equal(read.scene.triangles().begin(), read.scene.triangles().end(),
                         written.scene.triangles().begin(), written.scene.triangles().end()));
  write_capture(folder / "b.graze", read);
  EXPECT_EQ(get_file(folder / "a.graze"), get_file(folder / "b.graze"));
}

TEST(Captures, RunToTheAnswerTheyKeep) {
  const TemporaryFolder folder;
  write_capture(folder / "a.graze", falling_triangle());
  const Capture read = read_capture(folder / "a.graze");
  EXPECT_GE(read.vf_count, 3U);
  Detector detector(read.scene, {.thickness = read.thickness, .tolerance = read.tolerance});
  const Impacts found = detector.impacts(read.x_t0, read.x_t1);
  EXPECT_EQ(found.vf_count(), read.vf_count);
  EXPECT_EQ(found.hash(), read.hash);
  EXPECT_EQ(found.toi_hash(), read.toi_hash);
}

TEST(Captures, HaveTheLayoutThatIsWrittenDown) {
  const std::string bytes = io::encode_capture(falling_triangle(), "a");
  ASSERT_EQ(bytes.size(), 88U + 3 * 20 + 8 + 2 * 12 + 2 * 7 * 24);
  EXPECT_EQ(bytes.substr(0, 40), "GRAZECAP" + raw(std::uint32_t{1}) + raw(std::uint32_t{3}) +
                                     raw(std::uint64_t{7}) + raw(std::uint64_t{2}) + raw(std::uint64_t{1}));
  EXPECT_EQ(bytes.substr(40, 16), raw(0.25) + raw(1e-9));
  EXPECT_EQ(bytes.substr(88, 12), raw(std::uint32_t{3}) + raw(std::uint32_t{1}) + raw(std::uint32_t{2}));
  EXPECT_EQ(bytes.substr(108, 20), raw(std::uint32_t{1}) + raw(std::uint32_t{0}) + raw(std::uint32_t{0}) +
                                       raw(std::uint32_t{6}) + raw(std::uint32_t{1}));
  EXPECT_EQ(bytes.substr(148, 8), raw(BodyId{1}) + raw(BodyId{2}));
  EXPECT_EQ(bytes.substr(168, 12), raw(VertexId{4}) + raw(VertexId{5}) + raw(VertexId{6}));
  EXPECT_EQ(bytes.substr(180, 8), raw(-10.0));
  EXPECT_NE(io::capture_checksum("12345678"), io::capture_checksum("12345679"));
  EXPECT_NE(io::capture_checksum("1234567"), io::capture_checksum(""));
}

TEST(Captures, OfAnEmptySceneAreLegal) {
  const TemporaryFolder folder;
  write_capture(folder / "a.graze", {});
  EXPECT_EQ(read_capture(folder / "a.graze").scene.body_count(), 0U);
}

TEST(Captures, BrokenFilesAreRefusedAndSayWhy) {
  const std::string good = io::encode_capture(falling_triangle(), "a");
  const auto u32 = [](std::uint32_t value) { return raw(value); };
  const auto u64 = [](std::uint64_t value) { return raw(value); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<BrokenInput> inputs = {
      {"another file", "ply\nformat ascii 1.0\n", "byte 0: not a capture"},
      {"header cut", good.substr(0, 60), "byte 60: the file ends in its header"},
      {"version", sealed(with(good, 8, u32(3))), "byte 8: version 3 of the format; this program reads 1 and 2"},
      {"the other version", sealed(with(good, 8, u32(2))), "make 552 bytes, but the file has 524"},
      {"body count", sealed(with(good, 12, u32(0xFFFFFFFF))),
       "4294967295 bodies, 7 vertices, 2 triangles and 1 ignored pairs make"},
      {"vertex count", sealed(with(good, 16, u64(~0ULL))), "18446744073709551615 vertices are too many"},
      {"vertices", sealed(with(good, 16, u64(0xFFFFFFFF))), "4294967295 vertices, 2 triangles and 1 ignored"},
      {"triangle count", sealed(with(good, 24, u64(1ULL << 60U))), "1152921504606846976 triangles are too many"},
      {"ignored count", sealed(with(good, 32, u64(~0ULL / 4))), "ignored pairs are too many"},
      {"ignored pair", sealed(with(good, 148, u32(9))), "9"},
      {"cut", good, "but the file has"},
      {"one byte more", sealed(good) + "x", "but the file has"},
      {"checksum", with(sealed(good), 200, "x"), "the checksum does not match"},
      {"thickness", sealed(with(good, 40, raw(-1.0))), "thickness"},
      {"tolerance", sealed(with(good, 48, raw(nan))), "tolerance"},
      {"motion", sealed(with(good, 96, u32(3))), "body 0 has motion 3"},
      {"body's vertices", sealed(with(good, 88, u32(4))), "its bodies have 8 vertices and 2 triangles"},
      {"id of another body", sealed(with(good, 168, u32(0))), "triangle 0 of body 2 has vertex 0"},
      {"id out of range", sealed(with(good, 168, u32(7))), "triangle 0 of body 2 has vertex 7"},
      {"not finite", sealed(with(good, 180, raw(nan))), "nan"},
      {"static body moves", sealed(with(good, 180 + 7 * 24, raw(-9.0))), "static"},
  };
  for (const BrokenInput& input : inputs) {
    const std::string message = error_of([&] { io::parse_capture(input.bytes, "bad.graze"); });
    EXPECT_TRUE(message.starts_with("bad.graze: ")) << input.what << ": " << message;
    EXPECT_TRUE(contains(message, input.message)) << input.what << ": " << message;
  }
}

/// The falling triangle after edits: a torn off half as a separate body, empty slots of a removed body, and removed
/// vertices whose positions are NaN.
Capture broken_triangle() {
  const Capture whole = falling_triangle();
  const DetectorOptions options{.thickness = whole.thickness, .tolerance = whole.tolerance};
  Detector detector(whole.scene, options);
  SceneEdit edit = detector.begin_edit();
  edit.split_edge(4, 5, {0, -1, 1});
  edit.split_body(2, std::vector<std::vector<TriangleId>>{{2}});
  edit.remove_body(1);
  edit.remove_triangle(edit.add_triangle({0, 1, 1}));
  edit.remove_vertex(edit.add_vertex(3, {8, 8, 8}));
  std::vector<Vec3> x_t0 = edit.carry(whole.x_t0);
  detector.apply(edit);
  std::vector<Vec3> x_t1 = x_t0;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (VertexId v = 0; v < x_t1.size(); ++v) {
    if (!detector.scene().has_vertex(v)) {
      x_t1[v] = {nan, 1.0, -nan};
    } else if (detector.scene().body_of(v) >= 2) {
      x_t1[v].z = -1.0;
    }
  }
  return make_capture(detector.scene(), x_t0, x_t1, options, detector.impacts(x_t0, x_t1));
}

TEST(Captures, OfEditedScenesReadBackWithEverySlot) {
  const Capture written = broken_triangle();
  const TemporaryFolder folder;
  write_capture(folder / "a.graze", written);
  const Capture read = read_capture(folder / "a.graze");
  EXPECT_EQ(bits_of(read.x_t0), bits_of(written.x_t0));
  EXPECT_EQ(bits_of(read.x_t1), bits_of(written.x_t1));
  const auto same = [](auto a, auto b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
  EXPECT_TRUE(same(read.scene.triangles(), written.scene.triangles()));
  EXPECT_TRUE(same(read.scene.ignored_pairs(), written.scene.ignored_pairs()));
  ASSERT_EQ(read.scene.vertex_count(), 11U);
  for (VertexId v = 0; v < 11; ++v) EXPECT_EQ(read.scene.body_of(v), written.scene.body_of(v)) << v;
  ASSERT_EQ(read.scene.body_count(), 4U);
  for (BodyId body = 0; body < 4; ++body) {
    EXPECT_EQ(read.scene.has_body(body), body != 1);
    EXPECT_EQ(read.scene.motion(body), written.scene.motion(body));
    EXPECT_EQ(read.scene.groups(body), written.scene.groups(body));
    EXPECT_EQ(read.scene.meets(body), written.scene.meets(body));
    EXPECT_EQ(read.scene.vertices(body).first, written.scene.vertices(body).first);
    EXPECT_EQ(read.scene.vertices(body).last, written.scene.vertices(body).last);
  }
  Detector detector(read.scene, {.thickness = read.thickness, .tolerance = read.tolerance});
  const Impacts found = detector.impacts(read.x_t0, read.x_t1);
  EXPECT_GE(read.vf_count, 4U);
  EXPECT_EQ(found.hash(), written.hash);
  EXPECT_EQ(found.toi_hash(), written.toi_hash);
  write_capture(folder / "b.graze", read);
  EXPECT_EQ(get_file(folder / "a.graze"), get_file(folder / "b.graze"));
  // A scene that an edit leaves unchanged is written in the plain format.
  Capture plain = falling_triangle();
  SceneEdit nothing = plain.scene.begin_edit();
  plain.scene.apply(nothing);
  EXPECT_EQ(io::encode_capture(plain, "a"), io::encode_capture(falling_triangle(), "a"));
}

TEST(Captures, BrokenFilesOfEditedScenesAreRefusedAndSayWhy) {
  const std::string good = io::encode_capture(broken_triangle(), "a");
  const auto u32 = [](std::uint32_t value) { return raw(value); };
  constexpr std::size_t kBody = 20;
  constexpr std::size_t kIgnored = 8;
  constexpr std::size_t kTriangle = 12;
  constexpr std::size_t kOwner = 4;
  constexpr std::size_t kPosition = 24;
  const std::size_t ignored = 88 + 4 * kBody;
  const std::size_t triangles = ignored + 2 * kIgnored;
  const std::size_t owners = triangles + 4 * kTriangle;
  ASSERT_EQ(good.size(), owners + 11 * kOwner + 2 * 11 * kPosition);
  EXPECT_EQ(good.substr(triangles + 36, 12), u32(~0U) + u32(~0U) + u32(~0U));
  const std::vector<BrokenInput> inputs = {
      {"motion", sealed(with(good, 96, u32(7))),
       "body 0 has motion 7; it must be 0, 1 or 2, or 4, 5 or 6 for a removed body"},
      {"motion of none", sealed(with(good, 96, u32(8))), "body 0 has motion 8"},
      {"range", sealed(with(good, 92, u32(12))),
       "body 0 was added with the vertices from 0 to 12, but there are 11"},
      {"range turned", sealed(with(good, 88, u32(4))), "body 0 was added with the vertices from 4 to 3"},
      {"owner", sealed(with(good, owners, u32(4))), "vertex 0 belongs to body 4, which does not exist"},
      {"removed owner", sealed(with(good, owners, u32(1))), "vertex 0 belongs to body 1, which does not exist"},
      {"ignored", sealed(with(good, ignored + 12, u32(4))), "ignored pair 1, bodies 1 and 4, is out of range"},
      {"ignored order", sealed(with(good, ignored, u32(2))), "ignored pair 1, bodies 1 and 3, is out of range"},
      {"id", sealed(with(good, triangles, u32(11))), "triangle 0 has vertex 11, which does not exist"},
      {"half removed", sealed(with(good, triangles, u32(~0U))),
       "triangle 0 has vertex 4294967295, which does not exist"},
      {"removed id", sealed(with(good, triangles, u32(3))), "triangle 0 has vertex 3, which does not exist"},
      {"two bodies", sealed(with(good, triangles, u32(4))), "triangle 0 has vertices of bodies 2 and 0"},
  };
  for (const BrokenInput& input : inputs) {
    const std::string message = error_of([&] { io::parse_capture(input.bytes, "bad.graze"); });
    EXPECT_TRUE(message.starts_with("bad.graze: ")) << input.what << ": " << message;
    EXPECT_TRUE(contains(message, input.message)) << input.what << ": " << message;
  }
}

TEST(Captures, AnyDamageGivesACleanError) {
  const auto read = [](std::string_view bytes, const std::string& name) {
    const Capture capture = io::parse_capture(bytes, name);
    Mesh mesh{capture.x_t0, {}};
    for (TriangleId t = 0; t < capture.scene.triangle_count(); ++t) {
      if (capture.scene.has_triangle(t)) mesh.triangles.push_back(capture.scene.triangles()[t]);
    }
    return mesh;
  };
  const std::string good = io::encode_capture(falling_triangle(), "a");
  testing::damage_everywhere(read, sealed(good));
  // Damaged bytes with a matching checksum.
  testing::damage_everywhere(
      [&](std::string_view bytes, const std::string& name) { return read(sealed(std::string(bytes)), name); },
      good);
  const std::string edited = io::encode_capture(broken_triangle(), "a");
  testing::damage_everywhere(
      [&](std::string_view bytes, const std::string& name) { return read(sealed(std::string(bytes)), name); },
      edited);
}

TEST(Captures, WhatADetectorRefusesIsNotWritten) {
  const TemporaryFolder folder;
  put_file(folder / "a.graze", "as it was");
  Capture capture = falling_triangle();
  capture.x_t1[0].z = 1.0;
  EXPECT_TRUE(contains(error_of([&] { write_capture(folder / "a.graze", capture); }), "static"));
  capture = falling_triangle();
  capture.x_t0.pop_back();
  EXPECT_NE(error_of([&] { write_capture(folder / "a.graze", capture); }), "no error");
  EXPECT_EQ(get_file(folder / "a.graze"), "as it was");
  EXPECT_NE(error_of([&] { write_capture(folder / "none" / "a.graze", falling_triangle()); }), "no error");
  EXPECT_TRUE(contains(error_of([&] { read_capture(folder / "b.graze"); }), "no such file"));
}

}  // namespace
}  // namespace graze
