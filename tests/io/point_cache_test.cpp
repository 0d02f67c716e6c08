// Point caches: written positions read back rounded to float, and headers are checked against the file's size.
#include "io/point_cache.hpp"

#include <graze/io.hpp>

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

using testing::contains;
using testing::error_of;
using testing::get_file;
using testing::put_file;
using testing::raw;
using testing::TemporaryFolder;

using Frames = std::vector<std::vector<Vec3>>;

const Frames kFrames = {{{0, 0.5, -0.0}, {1e30, -1e-30, 3}}, {{1, 2, 3}, {4, 5, 6}}, {{0.1, 0.2, 0.3}, {7, 8, 9}}};

double rounded(double value) {
  // Volatile, because GCC 12.2 at -O2 drops the conversion to float and back where two of them are adjacent.
  const volatile float narrow = static_cast<float>(value);
  return static_cast<double>(narrow);
}

void expect_frames(const std::filesystem::path& file) {
  const PointCache cache(file);
  ASSERT_EQ(cache.frame_count(), 3U);
  ASSERT_EQ(cache.vertex_count(), 2U);
  for (const std::size_t k : {2U, 0U, 1U}) {  // in any order
    std::vector<Vec3> expected = kFrames[k];
    for (Vec3& p : expected) p = {rounded(p.x), rounded(p.y), rounded(p.z)};
    EXPECT_EQ(testing::bits_of(cache.read_frame(k)), testing::bits_of(expected)) << file << " " << k;
  }
  EXPECT_TRUE(contains(error_of([&] { static_cast<void>(cache.read_frame(3)); }),
                       "frame 3 is out of range: there are 3 frames"));
}

std::string pc2(std::int32_t version, std::int32_t vertices, std::int32_t frames, std::size_t floats) {
  std::string bytes("POINTCACHE2\0", 12);
  bytes += raw(version) + raw(vertices) + raw(0.0F) + raw(1.0F) + raw(frames);
  for (std::size_t i = 0; i < floats; ++i) bytes += raw(static_cast<float>(i));
  return bytes;
}

std::string mdd(std::int32_t frames, std::int32_t vertices, std::size_t floats) {
  std::string bytes = raw(frames, true) + raw(vertices, true);
  for (std::size_t i = 0; i < floats; ++i) bytes += raw(static_cast<float>(i), true);
  return bytes;
}

TEST(PointCache, ReadsWhatWasWrittenInEitherFormat) {
  const TemporaryFolder folder;
  write_pc2(folder / "a.pc2", kFrames);
  expect_frames(folder / "a.pc2");
  write_mdd(folder / "a.MDD", kFrames);
  expect_frames(folder / "a.MDD");
}

TEST(PointCache, ReadsTheLayoutThatTheFormatsDefine) {
  const TemporaryFolder folder;
  const PointCache little(put_file(folder / "a.pc2", pc2(1, 2, 2, 12)));
  EXPECT_EQ(little.read_frame(1), (std::vector<Vec3>{{6, 7, 8}, {9, 10, 11}}));
  const PointCache big(put_file(folder / "a.mdd", mdd(2, 2, 14)));  // starts with two times
  EXPECT_EQ(big.read_frame(0), (std::vector<Vec3>{{2, 3, 4}, {5, 6, 7}}));
}

TEST(PointCache, WritesTheTimesOfMddFrames) {
  const TemporaryFolder folder;
  write_mdd(folder / "a.mdd", kFrames, 2.0);
  EXPECT_EQ(get_file(folder / "a.mdd").substr(8, 12), raw(0.0F, true) + raw(0.5F, true) + raw(1.0F, true));
}

TEST(PointCache, RefusesBrokenFilesAndSaysWhy) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& name, const std::string& bytes) {
    put_file(folder / name, bytes);
    return error_of([&] { const PointCache cache(folder / name); });
  };
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_TRUE(contains(message("a.pc2", ""), "a.pc2: is empty"));
  EXPECT_TRUE(contains(message("a.pc2", "hello"), "a.pc2: byte 0: not a PC2 file"));
  EXPECT_TRUE(
      contains(message("a.pc2", pc2(1, 2, 2, 12).substr(0, 31)), "a.pc2: byte 31: the file ends in its header"));
  EXPECT_TRUE(contains(message("a.pc2", pc2(2, 2, 2, 12)), "a.pc2: byte 12: PC2 version 2 is not 1"));
  EXPECT_TRUE(
      contains(message("a.pc2", pc2(1, 2, 2, 11)), "2 frames of 2 vertices do not make the file's 76 bytes"));
  EXPECT_TRUE(
      contains(message("a.pc2", pc2(1, 2, 2, 13)), "2 frames of 2 vertices do not make the file's 84 bytes"));
  EXPECT_TRUE(
      contains(message("a.pc2", pc2(1, most, most, 12)), "2147483647 frames of 2147483647 vertices do not make"));
  EXPECT_TRUE(contains(message("a.pc2", pc2(1, 0, most, 0)), "the header has 0 vertices, fewer than 1"));
  EXPECT_TRUE(contains(message("a.pc2", pc2(1, -1, 2, 0)), "the header has -1 vertices, fewer than 1"));
  EXPECT_TRUE(contains(message("a.pc2", pc2(1, 2, 0, 0)), "the header has 0 frames, fewer than 1"));
  EXPECT_TRUE(contains(message("a.mdd", mdd(2, 2, 14).substr(0, 7)), "a.mdd: byte 7: the file ends in its header"));
  EXPECT_TRUE(contains(message("a.mdd", mdd(2, 2, 13)), "2 frames of 2 vertices do not make the file's 60 bytes"));
  EXPECT_TRUE(
      contains(message("a.mdd", mdd(most, most, 13)), "2147483647 frames of 2147483647 vertices do not make"));
  EXPECT_TRUE(contains(message("a.mdd", mdd(2, 0, 2)), "the header has 0 vertices, fewer than 1"));
  EXPECT_TRUE(contains(message("a.abc", pc2(1, 2, 2, 12)), "unknown kind of point cache"));
  EXPECT_TRUE(contains(error_of([&] { const PointCache cache(folder / "none.pc2"); }), "none.pc2: no such file"));
  EXPECT_TRUE(contains(error_of([&] { const PointCache cache(folder.path()); }), "is a folder, not a file"));
}

/// Reads all frames from the bytes of a file, as a mesh of their positions.
template <class ParseHeader>
auto frames_reader(const ParseHeader& parse_header) {
  return [parse_header](std::string_view bytes, const std::string& name) {
    const io::PointCacheHeader header = parse_header(bytes.substr(0, io::kPointCacheHeadSize), bytes.size(), name);
    Mesh mesh;
    for (std::size_t frame = 0; frame < header.frame_count; ++frame) {
      const std::size_t offset = header.data_offset + frame * header.frame_size();
      const std::string_view frame_bytes = bytes.substr(offset, header.frame_size());
      EXPECT_EQ(frame_bytes.size(), header.frame_size());
      const std::vector<Vec3> positions = io::decode_frame(header, frame_bytes, offset, name);
      mesh.positions.insert(mesh.positions.end(), positions.begin(), positions.end());
    }
    return mesh;
  };
}

TEST(PointCache, SurvivesDamageAnywhere) {
  testing::damage_everywhere(frames_reader(io::parse_pc2_header), pc2(1, 2, 3, 18));
  testing::damage_everywhere(frames_reader(io::parse_mdd_header), mdd(3, 2, 21));
}

TEST(PointCache, RefusesAFrameThatIsNotFinite) {
  const TemporaryFolder folder;
  std::string bytes = pc2(1, 2, 2, 12);
  bytes.replace(32 + 24 + 12, 4, raw(std::numeric_limits<float>::infinity()));
  const PointCache cache(put_file(folder / "a.pc2", bytes));
  EXPECT_EQ(cache.read_frame(0).size(), 2U);
  EXPECT_TRUE(contains(error_of([&] { static_cast<void>(cache.read_frame(1)); }),
                       "a.pc2: byte 68: vertex 1 is not finite: inf, 10, 11"));
}

TEST(PointCache, NoticesThatTheFileHasBecomeShorter) {
  const TemporaryFolder folder;
  const PointCache cache(put_file(folder / "a.pc2", pc2(1, 2, 2, 12)));
  put_file(folder / "a.pc2", pc2(1, 2, 2, 11));
  EXPECT_EQ(cache.read_frame(0).size(), 2U);
  EXPECT_TRUE(contains(error_of([&] { static_cast<void>(cache.read_frame(1)); }), "has become shorter"));
}

TEST(PointCache, WritesNothingThatFloatsCannotHold) {
  const TemporaryFolder folder;
  const auto check = [&](const Frames& frames, const std::string& expected) {
    EXPECT_TRUE(contains(error_of([&] { write_pc2(folder / "a.pc2", frames); }), expected));
    EXPECT_TRUE(contains(error_of([&] { write_mdd(folder / "a.mdd", frames); }), expected));
  };
  check({}, "cannot write 0 vertices");
  check({{}}, "cannot write 0 vertices");
  check({{{1, 2, 3}}, {}}, "frame 1 to write has 0 vertices, frame 0 has 1");
  check({{{1, 2, 1e39}}}, "vertex 0 of frame 0 to write is not a finite float: 1e+39");
  check({{{1, 2, std::numeric_limits<double>::quiet_NaN()}}},
        "vertex 0 of frame 0 to write is not a finite float: nan");
  EXPECT_TRUE(contains(error_of([&] { write_mdd(folder / "a.mdd", kFrames, 0.0); }), "0 frames per second"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.pc2") || std::filesystem::exists(folder / "a.mdd"));
}

}  // namespace
}  // namespace graze
