// The naive reference: brute-force answers for a whole scene from all pairs of features, by the oracle's exact
// tests.
//
// Written from the definitions in graze/types.hpp alone, without sharing code with src/mesh: every method is
// compared with it. Also the comparison itself, as a readable report. Cost: O(n^2) exact tests.
#pragma once

#include "oracle/algebraic_root.hpp"

#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graze::oracle {

/// A step of a whole scene, in scene vertex ids.
struct SceneStep {
  std::vector<Triangle> triangles;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
};

/// The features of a scene, each once, sorted: vertices used by a triangle, edges with two different ids, faces as
/// sorted triples (repeated ids allowed).
struct Features {
  std::vector<VertexId> vertices;
  std::vector<std::array<VertexId, 2>> edges;
  std::vector<std::array<VertexId, 3>> faces;
};
Features features_of(std::span<const Triangle> triangles);

/// All feature pairs that share no vertex id, canonical and sorted. Edge pairs once each.
std::vector<FeaturePair> non_incident_pairs(const Features& features);

/// The points of the pair, in the pair's order.
PairStep points_of(const FeaturePair& pair, const SceneStep& scene);
std::array<Vec3, 4> points_of(const FeaturePair& pair, std::span<const Vec3> x);

struct Contact {
  FeaturePair pair;
  Root toi;
};
/// Every contact of the step, sorted by pair.
std::vector<Contact> contacts(const SceneStep& scene);
std::vector<FeaturePair> pairs_of(std::span<const Contact> contacts);

/// Every edge-face pair without a shared vertex that intersects at x, and every such pair of triangles (ids);
/// sorted.
std::vector<Intersection> edge_face_intersections(std::span<const Triangle> triangles, std::span<const Vec3> x);
std::vector<std::array<std::uint32_t, 2>> triangle_intersections(std::span<const Triangle> triangles,
                                                                 std::span<const Vec3> x);
/// Every non-incident pair whose exact distance is <= d, sorted.
std::vector<FeaturePair> proximities(std::span<const Triangle> triangles, std::span<const Vec3> x, double d);

/// Pairs that are missing, extra, out of order or duplicated in `actual`, with coordinates as hex floats; empty if
/// there are none: EXPECT_EQ(compare_contacts(...), "").
std::string compare_contacts(std::span<const Contact> expected, std::span<const Impact> actual, double tolerance,
                             const SceneStep& scene);
std::string compare_pairs(std::span<const FeaturePair> expected, std::span<const FeaturePair> actual,
                          const SceneStep& scene);
std::string compare_intersections(std::span<const Intersection> expected, std::span<const Intersection> actual,
                                  std::span<const Vec3> x);

/// "vf 3 | 0 1 2" or "ee 0 1 | 2 3".
std::string to_string(const FeaturePair& pair);
/// A scene as C++ initialisers with hex floats, ready to paste into a test.
std::string to_source(const SceneStep& scene);

}  // namespace graze::oracle
