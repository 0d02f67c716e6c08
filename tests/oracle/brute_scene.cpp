// All pairs, directly from the definitions, without bounds or a hierarchy.
#include "oracle/brute_scene.hpp"

#include "oracle/continuous.hpp"
#include "oracle/discrete.hpp"
#include "oracle/hex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace graze::oracle {

namespace {

template <typename A, typename B>
bool share_an_id(const A& a, const B& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

// Number of differences reported in full; the rest is reported as a count.
constexpr std::size_t kShown = 5;

std::string describe(const FeaturePair& pair, const SceneStep& scene) {
  std::string text = "  " + to_string(pair);
  for (const VertexId id : pair.vertices) {
    text += fmt::format("\n    {}: {} -> {}", id, to_source(scene.x_t0[id]), to_source(scene.x_t1[id]));
  }
  return text + "\n";
}

// The elements of `all` that are not in `others`; both sorted.
template <typename T>
std::vector<T> without(std::span<const T> all, std::span<const T> others) {
  std::vector<T> sorted(others.begin(), others.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<T> result;
  for (const T& item : all) {
    if (!std::binary_search(sorted.begin(), sorted.end(), item)) result.push_back(item);
  }
  return result;
}

template <typename T, typename Describe>
std::string list(const char* title, const std::vector<T>& items, const Describe& describe_item) {
  if (items.empty()) return {};
  std::string text = fmt::format("{} {}:\n", items.size(), title);
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i) text += describe_item(items[i]);
  if (items.size() > kShown) text += fmt::format("  and {} more\n", items.size() - kShown);
  return text;
}

template <typename T, typename Describe>
std::string compare_sets(std::span<const T> expected, std::span<const T> actual, const Describe& describe_item) {
  std::string text = list("missing", without(expected, actual), describe_item) +
                     list("extra", without(actual, expected), describe_item);
  const auto not_ascending = [](const T& a, const T& b) { return !(a < b); };
  const auto bad = std::adjacent_find(actual.begin(), actual.end(), not_ascending);
  if (bad != actual.end()) text += "out of order or repeated after\n" + describe_item(*bad);
  return text;
}

}  // namespace

Features features_of(std::span<const Triangle> triangles) {
  std::set<VertexId> vertices;
  std::set<std::array<VertexId, 2>> edges;
  std::set<std::array<VertexId, 3>> faces;
  for (const Triangle& triangle : triangles) {
    Triangle sorted = triangle;
    std::sort(sorted.begin(), sorted.end());
    faces.insert(sorted);
    vertices.insert(sorted.begin(), sorted.end());
    for (const auto& [i, j] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}}) {
      const VertexId a = sorted[static_cast<std::size_t>(i)];
      const VertexId b = sorted[static_cast<std::size_t>(j)];
      if (a != b) edges.insert({a, b});
    }
  }
  return {{vertices.begin(), vertices.end()}, {edges.begin(), edges.end()}, {faces.begin(), faces.end()}};
}

std::vector<FeaturePair> non_incident_pairs(const Features& features) {
  std::vector<FeaturePair> pairs;
  for (const VertexId v : features.vertices) {
    for (const auto& f : features.faces) {
      if (!share_an_id(std::array{v}, f)) pairs.push_back({FeatureKind::VertexFace, {v, f[0], f[1], f[2]}});
    }
  }
  for (std::size_t i = 0; i < features.edges.size(); ++i) {
    for (std::size_t j = i + 1; j < features.edges.size(); ++j) {
      const auto& a = features.edges[i];
      const auto& b = features.edges[j];
      if (!share_an_id(a, b)) pairs.push_back({FeatureKind::EdgeEdge, {a[0], a[1], b[0], b[1]}});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::array<Vec3, 4> points_of(const FeaturePair& pair, std::span<const Vec3> x) {
  return {x[pair.vertices[0]], x[pair.vertices[1]], x[pair.vertices[2]], x[pair.vertices[3]]};
}

PairStep points_of(const FeaturePair& pair, const SceneStep& scene) {
  return {points_of(pair, scene.x_t0), points_of(pair, scene.x_t1)};
}

std::vector<Contact> contacts(const SceneStep& scene) {
  std::vector<Contact> result;
  for (const FeaturePair& pair : non_incident_pairs(features_of(scene.triangles))) {
    if (auto root = first_contact(pair.kind, points_of(pair, scene))) result.push_back({pair, *std::move(root)});
  }
  return result;
}

std::vector<FeaturePair> pairs_of(std::span<const Contact> contacts) {
  std::vector<FeaturePair> pairs;
  pairs.reserve(contacts.size());
  for (const Contact& contact : contacts) pairs.push_back(contact.pair);
  return pairs;
}

std::vector<Intersection> edge_face_intersections(std::span<const Triangle> triangles, std::span<const Vec3> x) {
  const Features features = features_of(triangles);
  std::vector<Intersection> result;
  for (const auto& e : features.edges) {
    for (const auto& f : features.faces) {
      if (share_an_id(e, f)) continue;
      if (intersect_edge_face({x[e[0]], x[e[1]], x[f[0]], x[f[1]], x[f[2]]})) result.push_back({e, f});
    }
  }
  return result;
}

std::vector<std::array<std::uint32_t, 2>> triangle_intersections(std::span<const Triangle> triangles,
                                                                 std::span<const Vec3> x) {
  std::vector<std::array<std::uint32_t, 2>> result;
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    for (std::uint32_t j = i + 1; j < triangles.size(); ++j) {
      const Triangle& a = triangles[i];
      const Triangle& b = triangles[j];
      if (share_an_id(a, b)) continue;
      if (intersect_triangle_triangle({x[a[0]], x[a[1]], x[a[2]], x[b[0]], x[b[1]], x[b[2]]})) {
        result.push_back({i, j});
      }
    }
  }
  return result;
}

std::vector<FeaturePair> proximities(std::span<const Triangle> triangles, std::span<const Vec3> x, double d) {
  std::vector<FeaturePair> result;
  for (const FeaturePair& pair : non_incident_pairs(features_of(triangles))) {
    if (within(pair.kind, points_of(pair, x), d)) result.push_back(pair);
  }
  return result;
}

std::string to_string(const FeaturePair& pair) {
  const auto& v = pair.vertices;
  return pair.kind == FeatureKind::VertexFace ? fmt::format("vf {} | {} {} {}", v[0], v[1], v[2], v[3])
                                              : fmt::format("ee {} {} | {} {}", v[0], v[1], v[2], v[3]);
}

std::string to_source(const SceneStep& scene) {
  std::string text = "SceneStep{{";
  for (const Triangle& t : scene.triangles) text += fmt::format("Triangle{{{}, {}, {}}}, ", t[0], t[1], t[2]);
  text += "},\n {";
  for (const Vec3& p : scene.x_t0) text += to_source(p) + ", ";
  text += "},\n {";
  for (const Vec3& p : scene.x_t1) text += to_source(p) + ", ";
  return text + "}}";
}

std::string compare_pairs(std::span<const FeaturePair> expected, std::span<const FeaturePair> actual,
                          const SceneStep& scene) {
  return compare_sets(expected, actual, [&](const FeaturePair& pair) { return describe(pair, scene); });
}

std::string compare_contacts(std::span<const Contact> expected, std::span<const Impact> actual, double tolerance,
                             const SceneStep& scene) {
  std::vector<FeaturePair> actual_pairs;
  for (const Impact& impact : actual) actual_pairs.push_back(impact.pair);
  const std::vector<FeaturePair> expected_pairs = pairs_of(expected);
  std::string text = compare_pairs(expected_pairs, actual_pairs, scene);
  if (!text.empty()) return text;
  // The pairs are equal and in the same order: compares the intervals.
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Impact& impact = actual[i];
    if (expected[i].toi.in(impact.toi_lo, impact.toi_hi) && impact.toi_hi - impact.toi_lo <= tolerance) continue;
    text += fmt::format("interval [{:a}, {:a}] is too wide or misses the first contact near {}:\n{}", impact.toi_lo,
                        impact.toi_hi, expected[i].toi.approximate_value(), describe(impact.pair, scene));
  }
  return text;
}

std::string compare_intersections(std::span<const Intersection> expected, std::span<const Intersection> actual,
                                  std::span<const Vec3> x) {
  return compare_sets(expected, actual, [&](const Intersection& item) {
    std::string text = fmt::format("  edge {} {} | face {} {} {}", item.edge[0], item.edge[1], item.face[0],
                                   item.face[1], item.face[2]);
    for (const VertexId id : {item.edge[0], item.edge[1], item.face[0], item.face[1], item.face[2]}) {
      text += fmt::format("\n    {}: {}", id, to_source(x[id]));
    }
    return text + "\n";
  });
}

}  // namespace graze::oracle
