// Frame lists: natural order, patterns, folders.
#include "io/frames.hpp"

#include <graze/io.hpp>

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
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
using testing::put_file;
using testing::TemporaryFolder;

TEST(NaturalOrder, ComparesRunsOfDigitsAsNumbers) {
  const std::vector<std::string> ordered = {"",
                                            "1",
                                            "01",
                                            "2",
                                            "10",
                                            "a",
                                            "a1b2",
                                            "a1b10",
                                            "a2",
                                            "a9",
                                            "a10",
                                            "a99999999999999999998",
                                            "a99999999999999999999",
                                            "ab",
                                            "b"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      const bool equal_numbers =
          (ordered[i] == "1" && ordered[j] == "01") || (ordered[i] == "01" && ordered[j] == "1");
      if (equal_numbers) continue;
      EXPECT_EQ(io::natural_less(ordered[i], ordered[j]), i < j) << ordered[i] << " " << ordered[j];
    }
  }
  EXPECT_NE(io::natural_less("1", "01"), io::natural_less("01", "1"));
}

TEST(GlobMatch, KnowsStarsAndQuestionMarks) {
  EXPECT_TRUE(io::glob_match("*", ""));
  EXPECT_TRUE(io::glob_match("frame_*.ply", "frame_12.ply"));
  EXPECT_TRUE(io::glob_match("frame_*.ply", "frame_.ply"));
  EXPECT_FALSE(io::glob_match("frame_*.ply", "frame_1.obj"));
  EXPECT_TRUE(io::glob_match("a?c", "abc"));
  EXPECT_FALSE(io::glob_match("a?c", "ac"));
  EXPECT_TRUE(io::glob_match("*ab*ab*", "xxababxab"));
  EXPECT_FALSE(io::glob_match("*ab*abc", "xabab"));
  EXPECT_FALSE(io::glob_match("", "a"));
  EXPECT_FALSE(io::glob_match("a", "ab"));
}

TEST(GlobMatch, TakesNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(io::glob_match(pattern + "b", std::string(5000, 'a')));
}

class ListFrames : public ::testing::Test {
 protected:
  ListFrames() {
    for (const char* name : {"f10.ply", "f2.ply", "f1.PLY", "g1.obj", "notes.txt", ".f3.ply", "f4.ply.bak"}) {
      put_file(folder_ / name, "x");
    }
    std::filesystem::create_directory(folder_ / "f5.ply");
  }
  [[nodiscard]] std::vector<std::string> names(const std::string& pattern) const {
    std::vector<std::string> found;
    for (const auto& file : list_frames((folder_ / pattern).string())) {
      EXPECT_TRUE(std::filesystem::exists(file)) << file;
      found.push_back(file.filename().string());
    }
    return found;
  }
  TemporaryFolder folder_;
};

TEST_F(ListFrames, TakesTheMeshesOfAFolderInNaturalOrder) {
  EXPECT_EQ(names(""), (std::vector<std::string>{"f1.PLY", "f2.ply", "f10.ply", "g1.obj"}));
}

TEST_F(ListFrames, TakesTheMeshesThatMatchAPattern) {
  EXPECT_EQ(names("f*.ply"), (std::vector<std::string>{"f2.ply", "f10.ply"}));
  EXPECT_EQ(names("?1.*"), (std::vector<std::string>{"f1.PLY", "g1.obj"}));
  EXPECT_EQ(names("*"), (std::vector<std::string>{"f1.PLY", "f2.ply", "f10.ply", "g1.obj"}));
  EXPECT_EQ(names("f2.ply"), (std::vector<std::string>{"f2.ply"}));
}

TEST_F(ListFrames, SaysWhyThereAreNone) {
  const auto message = [&](const std::string& pattern) {
    return error_of([&] { list_frames((folder_ / pattern).string()); });
  };
  EXPECT_TRUE(contains(message("h*.ply"), "h*.ply: no mesh files found"));
  EXPECT_TRUE(contains(message("*.txt"), "*.txt: no mesh files found"));
  EXPECT_TRUE(contains(message("f5.ply"), "f5.ply: no mesh files found"));
  EXPECT_TRUE(contains(message("none"), "none: no such folder or file"));
  EXPECT_TRUE(contains(message("none/*.ply"), "none/*.ply: no such folder: "));
  EXPECT_TRUE(contains(message("*/a.pl?"), "* and ? are allowed only in the last part of the path"));
  EXPECT_EQ(error_of([] { list_frames(""); }), ": no such folder or file");
}

}  // namespace
}  // namespace graze
