// The simulated scenes of the catalogue at their smallest size: the same bits for the same seed and any number of
// threads, never an intersection, the same contacts by every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/research.hpp>

#include "scenes/catalogue.hpp"

namespace graze::scenes {
namespace {

struct Tiny {
  const char* name;
  std::size_t size;
  std::size_t frames;  ///< enough for the first contact
  double thickness;    ///< at which the last step has contacts
};

// NOLINTNEXTLINE(readability-identifier-naming): a name of GoogleTest
void PrintTo(const Tiny& tiny, std::ostream* out) {
  *out << tiny.name;
}

TEST(BreakingScene, KeepsItsChangesWithTheVerticesOfTheirTime) {
  const Animation animation = make_animation("breaking", {.size = 600, .frames = 12});
  ASSERT_FALSE(animation.changes.empty());
  std::size_t vertices = animation.vertex_count();
  auto next = animation.changes.begin();
  for (std::size_t frame = 0; frame + 1 < animation.frames.size(); ++frame) {
    ASSERT_EQ(animation.frames[frame].size(), vertices);
    const std::vector<Vec3> start = start_of_step(animation, frame);
    if (next != animation.changes.end() && next->frame == frame) {
      for (std::size_t i = 0; i < next->parents.size(); ++i) {
        EXPECT_EQ(start[vertices + i], animation.frames[frame][next->parents[i]]);
      }
      vertices += next->parents.size();
      const Scene scene = make_scene(animation, frame + 1);
      EXPECT_TRUE(std::equal(next->triangles.begin(), next->triangles.end(), scene.triangles().begin(),
                             scene.triangles().end()));
      ++next;
    }
    EXPECT_EQ(start.size(), vertices);
    EXPECT_EQ(make_scene(animation, frame + 1).vertex_count(), vertices);
  }
  EXPECT_EQ(next, animation.changes.end());

  // The stream of the animation gives the same changes, also when resumed in the middle.
  const auto stream = stream_of(animation);
  std::stringstream state;
  for (std::size_t frame = 0; frame + 1 < animation.frames.size(); ++frame) {
    if (frame == animation.changes.front().frame + 1) stream->save(state);
    const std::optional<TopologyChange> change = stream->advance();
    const bool expected = std::any_of(animation.changes.begin(), animation.changes.end(),
                                      [&](const TopologyChange& c) { return c.frame == frame; });
    EXPECT_EQ(change.has_value(), expected) << frame;
  }
  const std::vector<Triangle>& last = animation.changes.back().triangles;
  EXPECT_TRUE(std::equal(last.begin(), last.end(), stream->triangles().begin(), stream->triangles().end()));
  EXPECT_EQ(stream->bodies().back().last_vertex, vertices);
  stream->load(state);
  const std::vector<Triangle>& first = animation.changes.front().triangles;
  EXPECT_TRUE(std::equal(first.begin(), first.end(), stream->triangles().begin(), stream->triangles().end()));
}

class SimulatedScene : public testing::TestWithParam<Tiny> {
 protected:
  static SceneRequest request(unsigned threads, std::uint64_t seed = 1) {
    return {.size = GetParam().size, .frames = GetParam().frames, .seed = seed, .threads = threads};
  }
};

TEST_P(SimulatedScene, IsTheSameForAnyThreadsFreeOfIntersectionsAndAgreedOnByAllMethods) {
  const Animation animation = make_animation(GetParam().name, request(1));
  const Animation again = make_animation(GetParam().name, request(3));
  ASSERT_EQ(animation.frames.size(), GetParam().frames);
  EXPECT_EQ(animation.frames, again.frames);
  EXPECT_EQ(animation.triangles, again.triangles);
  ASSERT_EQ(animation.changes.size(), again.changes.size());
  EXPECT_EQ(animation.name, GetParam().name);
  SceneRequest other = request(0, 2);
  const auto stream = open_scene(GetParam().name, other);
  stream->advance();
  EXPECT_NE(std::vector<Vec3>(stream->positions().begin(), stream->positions().end()), animation.frames[1])
      << "another seed is another scene";

  const std::size_t last = animation.frames.size() - 1;
  const Scene scene = make_scene(animation, last);
  EXPECT_TRUE(Detector(scene).intersections(animation.frames[last]).edge_face.empty());
  std::vector<std::uint64_t> hashes;
  for (const Method method : research::all_methods()) {
    if (method == Method::Brute && scene.triangle_count() > 2000) continue;
    Detector detector(scene, {.method = method, .thickness = GetParam().thickness});
    const Impacts impacts = detector.impacts(start_of_step(animation, last - 1), animation.frames[last]);
    EXPECT_GT(impacts.impacts.size(), 0U) << name_of(method);
    hashes.push_back(impacts.toi_hash());
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, SimulatedScene,
                         testing::Values(Tiny{"cloth-ball", 500, 6, 0.05}, Tiny{"cloth-bumpy-ball", 500, 6, 0.05},
                                         Tiny{"cloth-cones", 500, 6, 0.05}, Tiny{"bunny-cloth", 800, 4, 0.05},
                                         Tiny{"garment", 6000, 2, 0.01}, Tiny{"skirt", 12000, 2, 0.012},
                                         Tiny{"princess", 6000, 2, 0.01}, Tiny{"n-body", 640, 5, 0.1},
                                         Tiny{"tori", 800, 9, 0.1}, Tiny{"alphabet", 2800, 4, 0.1},
                                         Tiny{"letters", 1400, 5, 0.1}, Tiny{"breaking", 1000, 8, 0.02}),
                         [](const testing::TestParamInfo<Tiny>& tiny) {
                           std::string name = tiny.param.name;
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

TEST(Catalogue, ATinyClothBallStaysFreeOfIntersectionsWhileItFoldsAndSpins) {
  SceneRequest request{.size = 600, .frames = 60, .seed = 3};
  const auto stream = open_scene("cloth-ball", request);
  Scene scene;
  scene.add_body({.positions = stream->positions(), .triangles = stream->triangles()});
  Detector detector(scene, {});
  for (std::size_t frame = 1; frame < request.frames; ++frame) {
    EXPECT_FALSE(stream->advance());
    ASSERT_TRUE(detector.intersections(stream->positions()).edge_face.empty()) << "frame " << frame;
  }
}

TEST(Catalogue, AStreamGivesTheFramesOfTheAnimation) {
  for (const char* name : {"draped-ball", "cloth-ball"}) {
    SceneRequest request{.size = 300, .frames = 4};
    const Animation animation = make_animation(name, request);
    const auto stream = open_scene(name, request);
    for (std::size_t frame = 0; frame < 4; ++frame) {
      if (frame > 0) stream->advance();
      EXPECT_EQ(stream->frame(), frame);
      EXPECT_EQ(std::vector<Vec3>(stream->positions().begin(), stream->positions().end()), animation.frames[frame]);
    }
    // A saved stream continues where it was saved.
    const auto half = open_scene(name, request);
    half->advance();
    std::stringstream state;
    half->save(state);
    const auto rest = open_scene(name, request);
    rest->load(state);
    rest->advance();
    EXPECT_EQ(rest->frame(), 2U);
    EXPECT_EQ(std::vector<Vec3>(rest->positions().begin(), rest->positions().end()), animation.frames[2]);
  }
}

TEST(Catalogue, UnknownScenesAreRefusedWithTheListOfThose) {
  try {
    (void)make_animation("cloth-bal", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cloth-ball"), std::string::npos);
  }
  EXPECT_THROW((void)make_animation("cloth-ball", {.frames = 1}), InputError);
}

TEST(Catalogue, EveryEntryHasOneMaker) {
  for (const SceneEntry& entry : catalogue()) {
    EXPECT_NE(entry.make == nullptr, entry.simulate == nullptr) << entry.name;
    EXPECT_GE(entry.default_frames, 2U) << entry.name;
  }
}

}  // namespace
}  // namespace graze::scenes
