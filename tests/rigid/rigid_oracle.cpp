// All pairs and the comparison (rigid/rigid_oracle.hpp).
#include "rigid/rigid_oracle.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <graze/elementary.hpp>

#include "oracle/discrete.hpp"

namespace graze::testing {

namespace {

double row_twin(const Vec3& row, const Vec3& x, double t) {
  const volatile double first = row.x * x.x;
  const volatile double second = row.y * x.y;
  const volatile double third = row.z * x.z;
  const volatile double two = first + second;
  const volatile double three = two + third;
  const volatile double all = three + t;
  return all;
}

struct Box {
  Vec3 lo;
  Vec3 hi;
};

Box box_of(const std::array<Vec3, 3>& p) {
  const auto least = [&](double Vec3::*c) { return std::min({p[0].*c, p[1].*c, p[2].*c}); };
  const auto most = [&](double Vec3::*c) { return std::max({p[0].*c, p[1].*c, p[2].*c}); };
  return {{least(&Vec3::x), least(&Vec3::y), least(&Vec3::z)}, {most(&Vec3::x), most(&Vec3::y), most(&Vec3::z)}};
}

bool apart(const Box& a, const Box& b) {
  return a.hi.x < b.lo.x || b.hi.x < a.lo.x || a.hi.y < b.lo.y || b.hi.y < a.lo.y || a.hi.z < b.lo.z ||
         b.hi.z < a.lo.z;
}

std::vector<std::array<Vec3, 3>> all_posed(const Soup& soup, const Pose& pose) {
  std::vector<std::array<Vec3, 3>> all;
  for (TriangleId i = 0; i < soup.triangles.size(); ++i) all.push_back(posed_triangle(soup, pose, i));
  return all;
}

std::string difference(const std::vector<TrianglePair>& found, const std::vector<TrianglePair>& expected) {
  if (found == expected) return {};
  for (const TrianglePair& pair : expected) {
    if (!std::binary_search(found.begin(), found.end(), pair)) {
      return fmt::format("pair {} {} is missing ({} found of {})", pair.a, pair.b, found.size(), expected.size());
    }
  }
  for (const TrianglePair& pair : found) {
    if (!std::binary_search(expected.begin(), expected.end(), pair)) {
      return fmt::format("pair {} {} does not intersect ({} found of {})", pair.a, pair.b, found.size(),
                         expected.size());
    }
  }
  return fmt::format("not sorted, or some twice: {} found of {}", found.size(), expected.size());
}

}  // namespace

Vec3 posed_twin(const Pose& pose, const Vec3& x) {
  return {row_twin(pose.rotation[0], x, pose.translation.x), row_twin(pose.rotation[1], x, pose.translation.y),
          row_twin(pose.rotation[2], x, pose.translation.z)};
}

std::array<Vec3, 3> posed_triangle(const Soup& soup, const Pose& pose, TriangleId triangle) {
  const Triangle& t = soup.triangles[triangle];
  return {posed_twin(pose, soup.positions[t[0]]), posed_twin(pose, soup.positions[t[1]]),
          posed_twin(pose, soup.positions[t[2]])};
}

std::vector<TrianglePair> intersecting_pairs(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b,
                                             Judge judge) {
  const auto in_a = all_posed(a, pose_a);
  const auto in_b = all_posed(b, pose_b);
  std::vector<Box> boxes_b;
  boxes_b.reserve(in_b.size());
  for (const auto& t : in_b) boxes_b.push_back(box_of(t));
  std::vector<TrianglePair> pairs;
  for (TriangleId i = 0; i < in_a.size(); ++i) {
    const Box box = box_of(in_a[i]);
    for (TriangleId j = 0; j < in_b.size(); ++j) {
      // The comparison of boxes is exact; the rational judge nevertheless does not use it.
      if (judge == Judge::Library && apart(box, boxes_b[j])) continue;
      const std::array<Vec3, 6> points{in_a[i][0], in_a[i][1], in_a[i][2], in_b[j][0], in_b[j][1], in_b[j][2]};
      const bool intersect = judge == Judge::Library ? intersect_triangle_triangle(points)
                                                     : oracle::intersect_triangle_triangle(points);
      if (intersect) pairs.push_back({i, j});
    }
  }
  return pairs;
}

std::string described(const Choice& choice) {
  std::string text(name_of(choice.tree));
  if (choice.tree == RigidTree::Boxtree) {
    text += fmt::format(" {} {}{}", name_of(choice.split), name_of(choice.options.overlap),
                        choice.options.lift ? " lift" : "");
  }
  return text + (choice.options.coherence ? " coherent" : "");
}

std::vector<Choice> all_choices() {
  std::vector<Choice> choices;
  for (const RigidTree tree : all_values<RigidTree>()) {
    for (const bool coherence : {false, true}) {
      if (tree != RigidTree::Boxtree) {
        choices.push_back({tree, BoxtreeSplit::Free, {.coherence = coherence}});
        continue;
      }
      for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
        for (const BoxOverlap overlap : all_values<BoxOverlap>()) {
          for (const bool lift : {false, true}) choices.push_back({tree, split, {overlap, lift, coherence}});
        }
      }
    }
  }
  return choices;
}

std::vector<Choice> few_choices() {
  std::vector<Choice> choices;
  for (const BoxOverlap overlap : all_values<BoxOverlap>()) {
    choices.push_back({RigidTree::Boxtree, BoxtreeSplit::Free, {.overlap = overlap}});
  }
  for (const RigidTree tree : all_values<RigidTree>()) {
    if (tree != RigidTree::Boxtree) choices.push_back({tree, BoxtreeSplit::Free, {}});
  }
  return choices;
}

struct Pairing::Contestant {
  Choice choice;
  std::shared_ptr<RigidObject> a;
  std::shared_ptr<RigidObject> b;
  Collider collider;
};

Pairing::Pairing(const Soup& a, const Soup& b, std::span<const Choice> choices) : a_(a), b_(b) {
  using Kind = std::pair<RigidTree, BoxtreeSplit>;
  std::map<Kind, std::pair<std::shared_ptr<RigidObject>, std::shared_ptr<RigidObject>>> objects;
  for (const Choice& choice : choices) {
    auto& [object_a, object_b] = objects[Kind(choice.tree, choice.split)];
    if (!object_a) {
      const RigidObjectOptions options{choice.tree, choice.split, 1};
      object_a = std::make_shared<RigidObject>(a.positions, a.triangles, options);
      object_b = std::make_shared<RigidObject>(b.positions, b.triangles, options);
    }
    contestants_.push_back(std::make_unique<Contestant>(
        Contestant{choice, object_a, object_b, Collider(*object_a, *object_b, choice.options)}));
  }
}
Pairing::~Pairing() = default;

std::string Pairing::check(const Pose& pose_a, const Pose& pose_b, Judge judge) {
  return check(pose_a, pose_b, intersecting_pairs(a_, pose_a, b_, pose_b, judge));
}

std::string Pairing::check(const Pose& pose_a, const Pose& pose_b, const std::vector<TrianglePair>& expected) {
  std::string text;
  for (const auto& contestant : contestants_) {
    const FirstHit first = contestant->collider.first_hit(pose_a, pose_b);
    std::string wrong;
    if (first.hit() != !expected.empty()) {
      wrong = fmt::format("first hit says {}, {} pairs intersect", first.hit(), expected.size());
    } else if (first.hit() && !std::binary_search(expected.begin(), expected.end(), *first.pair)) {
      wrong = fmt::format("first hit's pair {} {} does not intersect", first.pair->a, first.pair->b);
    } else {
      wrong = difference(contestant->collider.triangle_pairs(pose_a, pose_b).pairs, expected);
    }
    if (!wrong.empty()) text += fmt::format("{}: {}\n", described(contestant->choice), wrong);
  }
  if (!text.empty())
    text += fmt::format("{} in {}\n{} in {}\n", a_.name, described(pose_a), b_.name, described(pose_b));
  return text;
}

std::string described(const Pose& pose) {
  std::string text = "{{";
  for (const Vec3& row : pose.rotation) text += fmt::format("Vec3{{{:a}, {:a}, {:a}}}, ", row.x, row.y, row.z);
  const Vec3& t = pose.translation;
  return text + fmt::format("}}, {{{:a}, {:a}, {:a}}}}}", t.x, t.y, t.z);
}

}  // namespace graze::testing
