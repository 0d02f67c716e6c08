// Names of enumerations, the values that research options take, and the version.
#include <graze/graze.hpp>
#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace graze {
namespace {

template <typename Enum>
void expect_names_go_both_ways() {
  ASSERT_FALSE(all_values<Enum>().empty());
  for (const Enum value : all_values<Enum>()) EXPECT_EQ(from_name<Enum>(name_of(value)), value) << name_of(value);
  EXPECT_THROW(static_cast<void>(from_name<Enum>("no such name")), InputError);
  EXPECT_THROW(static_cast<void>(name_of(static_cast<Enum>(99))), InputError);
}

TEST(Names, OfEveryEnumerationGoBothWays) {
  expect_names_go_both_ways<Method>();
  expect_names_go_both_ways<RigidTree>();
  expect_names_go_both_ways<BoxtreeSplit>();
  expect_names_go_both_ways<BoxOverlap>();
  expect_names_go_both_ways<research::BoundingVolume>();
  expect_names_go_both_ways<research::TreeBuilder>();
  expect_names_go_both_ways<research::EdgeBounds>();
  expect_names_go_both_ways<research::NormalCones>();
  expect_names_go_both_ways<research::CellRule>();
  expect_names_go_both_ways<research::NeighbourTest>();
}

TEST(Names, OfOneKindOfVolumeAreTheSameForTreesAndBounds) {
  EXPECT_EQ(name_of(RigidTree::Kdop18), name_of(research::BoundingVolume::Kdop18));
  EXPECT_EQ(name_of(RigidTree::Kdop26), name_of(research::BoundingVolume::Kdop26));
  EXPECT_EQ(name_of(RigidTree::Aabb), name_of(research::BoundingVolume::Aabb));
}

TEST(Names, AnUnknownOneIsRefusedWithThoseThereAre) {
  try {
    static_cast<void>(from_name<research::CellRule>("huge"));
    FAIL() << "an unknown name was taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "cell rule 'huge' is unknown; there are: levels, largest");
  }
}

TEST(Methods, ForComparisonAreAllMethodsButNotPublicOnes) {
  const auto all = research::all_methods();
  const auto known = all_values<Method>();
  EXPECT_EQ(all.size(), known.size() + 3);
  for (const Method method : {research::kBasic, research::kNoDupl, research::kAdj}) {
    EXPECT_NE(std::find(all.begin(), all.end(), method), all.end());
    EXPECT_EQ(std::find(known.begin(), known.end(), method), known.end());
    EXPECT_EQ(from_name<Method>(name_of(method)), method);
    EXPECT_FALSE(summary_of(method).empty());
  }
}

TEST(ResearchOptions, AreAValueWhoseCopiesAreTheirOwn) {
  ResearchOptions first;
  EXPECT_EQ(std::as_const(first)->adaptive.frames, 0U);
  first->adaptive.frames = 7;
  ResearchOptions second = first;
  second->adaptive.frames = 9;
  EXPECT_EQ(first->adaptive.frames, 7U);
  first = second;
  second->adaptive.frames = 1;
  EXPECT_EQ(first->adaptive.frames, 9U);
  const ResearchOptions moved = std::move(first);
  EXPECT_EQ(moved->adaptive.frames, 9U);
  const ResearchOptions made = research::Options{.hash = {.voxels = 2.0}};
  EXPECT_EQ(made->hash.voxels, 2.0);
  EXPECT_EQ((*ResearchOptions()).hash.voxels, 0.0);
}

TEST(Errors, HaveOneBase) {
  static_assert(std::is_base_of_v<Error, InputError> && std::is_base_of_v<Error, ResourceError> &&
                std::is_base_of_v<Error, Interrupted>);
  static_assert(!std::is_base_of_v<InputError, ResourceError>);
}

TEST(Version, OfTheLibraryIsThatOfTheHeaders) {
  EXPECT_EQ(version(), std::to_string(GRAZE_VERSION_MAJOR) + "." + std::to_string(GRAZE_VERSION_MINOR) + "." +
                           std::to_string(GRAZE_VERSION_PATCH));
  static_assert(GRAZE_VERSION_NUMBER >= 2000);
}

TEST(Detector, SaysWhatItKeeps) {
  Scene scene;
  const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> f = {{0, 1, 2}};
  scene.add_body({.positions = x, .triangles = f});
  for (const Method method : research::all_methods()) {
    Detector detector(scene, {.method = method});
    static_cast<void>(detector.impacts(x, x));
    EXPECT_GT(detector.memory_bytes(), 0U) << name_of(method);
  }
}

}  // namespace
}  // namespace graze
