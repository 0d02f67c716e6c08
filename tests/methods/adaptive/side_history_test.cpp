// The history of sides: its rules one by one, and against a naive reference over a std::map.
#include "methods/adaptive/side_history.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

FeaturePair pair_number(std::uint32_t number) {
  const std::uint32_t base = number / 2 * 2;
  return {number % 2 == 0 ? FeatureKind::VertexFace : FeatureKind::EdgeEdge, {base, base + 1, base + 2, base + 3}};
}

/// Makes a step in which one pair is in contact and returns the remembered side.
int contact(SideHistory& history, std::uint32_t number, int side, int end_side) {
  std::vector<Impact> impacts(1);
  impacts[0].pair = pair_number(number);
  impacts[0].side = side;
  impacts[0].remembered_side = 77;
  history.begin_step();
  history.take(impacts, [&](const Impact& impact) {
    EXPECT_EQ(impact.pair, pair_number(number));
    return end_side;
  });
  history.end_step();
  return impacts[0].remembered_side;
}

void empty_step(SideHistory& history) {
  history.begin_step();
  history.end_step();
}

TEST(SideHistory, GivesTheSideOfTheGeometryAtFirst) {
  for (const int side : {-1, 0, 1}) {
    SideHistory history;
    EXPECT_EQ(contact(history, 0, side, 0), side);
    EXPECT_EQ(history.size(), 1U);
  }
}

TEST(SideHistory, KeepsTheSideWhileContactLasts) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 1, 0), 1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(contact(history, 0, 0, 0), 1);
}

TEST(SideHistory, LearnsASideThatWasNotKnown) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 0, 0), 0);
  EXPECT_EQ(contact(history, 0, -1, 0), -1);
  EXPECT_EQ(contact(history, 0, 0, 0), -1);
}

TEST(SideHistory, KeepsTheSideOfAPairThatPassedAndCameBack) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 1, -1), 1);   // passes through
  EXPECT_EQ(contact(history, 0, -1, 1), 1);   // and back: the geometry sees it come from the other side
  EXPECT_EQ(contact(history, 0, 1, 1), 1);    // a legal contact
  EXPECT_EQ(contact(history, 0, -1, 1), -1);  // it had not passed: it went round
}

TEST(SideHistory, KeepsTheSideOfAPairThatIsPastThroughStepsWithoutContact) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 1, -1), 1);
  for (std::uint32_t i = 0; i + 1 < SideHistory::kGap; ++i) empty_step(history);
  EXPECT_EQ(contact(history, 0, -1, -1), 1);
}

TEST(SideHistory, ForgetsAPairAfterTheGap) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 1, -1), 1);
  for (std::uint32_t i = 0; i < SideHistory::kGap; ++i) {
    EXPECT_EQ(history.size(), 1U);
    empty_step(history);
  }
  EXPECT_EQ(contact(history, 0, -1, 1), -1);
  EXPECT_EQ(contact(history, 0, 0, 0), -1);
}

TEST(SideHistory, KeepsPairsOfTheSameVerticesApart) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 1, 0), 1);
  EXPECT_EQ(contact(history, 1, -1, 0), -1);
  EXPECT_EQ(contact(history, 0, 0, 0), 1);
  EXPECT_EQ(contact(history, 1, 0, 0), -1);
  EXPECT_EQ(history.size(), 2U);
}

TEST(SideHistory, KnowsNothingOfAStepThatWasNotEnded) {
  SideHistory history;
  EXPECT_EQ(contact(history, 0, 1, -1), 1);  // passes through
  std::vector<Impact> impacts(2);
  impacts[0].pair = pair_number(0);
  impacts[1].pair = pair_number(1);
  for (Impact& impact : impacts) impact.side = -1;
  history.begin_step();
  history.take(impacts, [](const Impact&) { return 1; });  // back, if the step were ended
  EXPECT_EQ(impacts[0].remembered_side, 1);
  EXPECT_EQ(impacts[1].remembered_side, -1);
  EXPECT_EQ(contact(history, 0, -1, 1), 1);
  EXPECT_EQ(contact(history, 1, 0, 0), 0);
}

/// The rules one after the other, without ever dropping a pair.
class Twin {
 public:
  void begin_step() { ++step_; }
  [[nodiscard]] int side_of(const FeaturePair& pair, int side) const {
    const auto found = entries_.find(pair);
    if (found == entries_.end()) return side;
    const Entry& entry = found->second;
    if (step_ - entry.step > static_cast<int>(SideHistory::kGap)) return side;
    if (side == 0) return entry.side;
    if (entry.side == 0) return side;
    if (side == entry.side) return side;
    return entry.is_past ? entry.side : side;
  }
  int take(const FeaturePair& pair, int side, int end_side) {
    const int known = side_of(pair, side);
    const bool is_past = (known == 1 && end_side == -1) || (known == -1 && end_side == 1);
    entries_[pair] = {step_, known, is_past};
    return known;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const auto& [pair, entry] : entries_) {
      if (step_ - entry.step < static_cast<int>(SideHistory::kGap)) ++count;
    }
    return count;
  }

 private:
  struct Entry {
    int step = 0;
    int side = 0;
    bool is_past = false;
  };
  std::map<FeaturePair, Entry> entries_;
  int step_ = 0;
};

TEST(SideHistory, AgreesWithItsTwinAlongRandomSequences) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const auto sign = [&] { return static_cast<int>(below(3)) - 1; };
    SideHistory history;
    Twin twin;
    const std::uint32_t pair_count = 1 + below(300);
    for (int step = 0; step < 150; ++step) {
      // Waves of contacts; some steps have none.
      const std::uint32_t begin = below(pair_count);
      const std::uint32_t end = step % 40 > 27 ? begin : begin + below(pair_count - begin + 1);
      std::vector<Impact> impacts;
      std::vector<int> end_sides;
      for (std::uint32_t number = begin; number < end; ++number) {
        if (below(4) == 0) continue;
        Impact impact;
        impact.pair = pair_number(number);
        impact.side = sign();
        impacts.push_back(impact);
      }
      history.begin_step();
      twin.begin_step();
      for (Impact impact : impacts) {
        impact.remembered_side = 77;
        history.look_up(impact);
        ASSERT_EQ(impact.remembered_side, twin.side_of(impact.pair, impact.side));
      }
      std::vector<int> expected;
      const auto end_side = [&](const Impact& impact) {
        const int side = sign();
        expected.push_back(twin.take(impact.pair, impact.side, side));
        return side;
      };
      // The contacts in two batches, as in a stream.
      const std::size_t middle = impacts.size() / 2;
      history.take(std::span(impacts).first(middle), end_side);
      history.take(std::span(impacts).subspan(middle), end_side);
      ASSERT_EQ(expected.size(), impacts.size());
      for (std::size_t i = 0; i < impacts.size(); ++i) ASSERT_EQ(impacts[i].remembered_side, expected[i]);
      history.end_step();
      ASSERT_EQ(history.size(), twin.size()) << "seed " << seed << " step " << step;
    }
  }
}

TEST(SideHistory, TakesAtMost48BytesAPairAndGivesUpThoseOfForgottenOnes) {
  SideHistory history;
  std::vector<Impact> impacts(20'000);
  for (std::uint32_t i = 0; i < impacts.size(); ++i) impacts[i].pair = pair_number(i);
  const auto nowhere = [](const Impact&) { return 0; };
  history.begin_step();
  for (std::size_t i = 0; i < impacts.size(); i += 10) {
    history.take(std::span(impacts).subspan(i, 10), nowhere);
  }
  history.end_step();
  EXPECT_EQ(history.size(), impacts.size());
  EXPECT_LE(history.memory_bytes(), 48 * history.size());
  for (std::uint32_t step = 0; step <= 2 * SideHistory::kGap + 2; ++step) {
    history.begin_step();
    history.take(std::span(impacts).first(1000), nowhere);
    history.end_step();
  }
  EXPECT_EQ(history.size(), 1000U);
  EXPECT_LE(history.memory_bytes(), 48 * history.size());
}

}  // namespace
}  // namespace graze
