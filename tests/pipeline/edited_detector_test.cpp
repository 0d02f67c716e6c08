// Detectors in use, edited at random, ten thousand times and more: after every edit each holds what a new one would
// make of the scene, and has the answers of a new one and of the exact oracle. Every method and choice, on scenes
// from nothing to closed meshes and soups.
//
// GRAZE_EDIT_ROUNDS=k runs k times as many scripts; GRAZE_EDIT_SEED=s begins with seed s, to see one again.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "pipeline/edit_positions.hpp"
#include "pipeline/edit_replay.hpp"
#include "pipeline/random_edits.hpp"

namespace graze::testing {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Fewer in the slow builds that check contracts.
#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kScripts = 2;
constexpr std::size_t kEdits = 12;
#else
constexpr std::uint64_t kScripts = 8;
constexpr std::size_t kEdits = 34;
#endif
constexpr std::size_t kDetectors = 3;

class EditedDetector : public ::testing::TestWithParam<const EditStart*> {};

TEST_P(EditedDetector, IsWhatANewOneIs) {
  const EditStart& start = *GetParam();
  const std::uint64_t first = from_environment("GRAZE_EDIT_SEED", 1);
  const std::uint64_t scripts = kScripts * from_environment("GRAZE_EDIT_ROUNDS", 1);
  ReplayCounts counts;
  for (std::uint64_t seed = first; seed < first + scripts; ++seed) {
    const Scene scene = make_start(start, seed);
    const EditScript script = random_script(scene, seed, kEdits, start.most_triangles);
    ASSERT_EQ(report(scene, script, some_detectors(seed, kDetectors), seed, counts), "") << "start " << start.name;
  }
  EXPECT_EQ(counts.edits, scripts * kEdits * kDetectors);
  EXPECT_GT(counts.queries, counts.edits / 2);
  EXPECT_GT(counts.contacts, counts.edits);
  EXPECT_GT(counts.refused, counts.edits / 40);
}

std::vector<const EditStart*> starts() {
  std::vector<const EditStart*> all;
  for (const EditStart& start : edit_starts()) all.push_back(&start);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Starts, EditedDetector, ::testing::ValuesIn(starts()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(RandomEditScripts, UseEveryOperationAndAreRefusedSome) {
  std::array<std::size_t, kOpKinds> taken{};
  std::array<std::size_t, kOpKinds> refused{};
  std::size_t most_at_vertex = 0;
  std::size_t emptied = 0;
  for (const EditStart& start : edit_starts()) {
    Scene scene = make_start(start, 5);
    for (const EditRound& round : random_script(scene, 5, 40, start.most_triangles)) {
      SceneEdit edit = scene.begin_edit();
      for (const EditOp& op : round.ops) ++(perform(edit, op) ? taken : refused)[static_cast<std::size_t>(op.kind)];
      scene.apply(edit);
      std::vector<std::size_t> fans(scene.vertex_count());
      for (const Triangle& t : scene.triangles()) {
        if (t[0] != kNoVertex) most_at_vertex = std::max(most_at_vertex, ++fans[t[0]]);
      }
      emptied += !round.ops.empty() && living_triangles(scene) == 0 ? 1U : 0U;
    }
  }
  std::size_t all_refused = 0;
  for (std::size_t kind = 0; kind < kOpKinds; ++kind) {
    EXPECT_GT(taken[kind], 20U) << "operation " << kind;
    all_refused += refused[kind];
  }
  EXPECT_GT(all_refused, 50U);
  EXPECT_GT(most_at_vertex, 24U);
  EXPECT_GT(emptied, 2U);
}

TEST(ShrunkScript, KeepsWhatFailsAndLittleElse) {
  const Scene scene = make_start(edit_starts()[0], 1);
  const EditScript script = random_script(scene, 1, 20, 160);
  // "Fails" where an edge is split after one was torn.
  const auto fails = [](const EditScript& candidate) {
    bool torn = false;
    for (const EditRound& round : candidate) {
      for (const EditOp& op : round.ops) {
        torn = torn || op.kind == OpKind::TearEdge;
        if (torn && op.kind == OpKind::SplitEdge) return true;
      }
    }
    return false;
  };
  ASSERT_TRUE(fails(script));
  const EditScript smallest = shrink(script, fails, 1000);
  EXPECT_TRUE(fails(smallest));
  std::size_t ops = 0;
  for (const EditRound& round : smallest) ops += round.ops.size();
  EXPECT_EQ(ops, 2U);
  EXPECT_LE(smallest.size(), 2U);
}

}  // namespace
}  // namespace graze::testing
