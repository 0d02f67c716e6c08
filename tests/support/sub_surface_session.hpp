// A session made by hand for tests: one traversal in its first step, then in each step the proofs again and the
// pairs of leaves that failed proofs generate. Counts how often each pair was generated, and finds the pairs that a
// step needs.
//
// Counts are kept in a matrix, so that a test can check every pair: quadratic memory, for meshes of some hundred
// triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>

#include "methods/bvh/hierarchy.hpp"

namespace graze::testing {

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

class SubSurfaceSession {
 public:
  /// Uses the mesh as one body.
  SubSurfaceSession(const std::vector<Triangle>& triangles, const std::vector<Vec3>& x,
                    const HierarchyChoices& choices);
  SubSurfaceSession(SubSurfaceSession&&) = delete;  // the hierarchy refers to the scene

  /// Makes the first step with bounds widened by `gap`, which cover the whole session.
  void begin(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, double gap);
  /// Makes a later step.
  void go_on(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1);

  /// The pairs of leaves that represent the contacts of a step, by brute force.
  [[nodiscard]] std::vector<LeafPair> contacts(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) const;
  /// One line about the first contact of a step that no generated pair of leaves covers; else empty. Adds the
  /// number of contacts to `count`.
  std::string missing(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, std::uint64_t& count) const;
  /// One line about the first pair that was not generated exactly once. Pairs without tests to dispatch, or within
  /// one free patch, must not be generated. Precondition: begun with a gap as large as the scene.
  [[nodiscard]] std::string miscounted() const;
  /// One line about a pair generated twice, or about a patch that was not within one patch before the last step.
  [[nodiscard]] std::string fault() const;

  [[nodiscard]] std::size_t leaf_count() const { return hierarchy_.leaves().size(); }
  /// The free patch of each leaf, or kNoNode.
  [[nodiscard]] const std::vector<std::uint32_t>& patches() const { return patches_; }
  [[nodiscard]] std::uint64_t free_leaves() const;
  /// Results of the last step: generated pairs in order; number of leaves taken out of patches; counters.
  [[nodiscard]] const std::vector<LeafPair>& fresh() const { return fresh_; }
  [[nodiscard]] std::uint64_t violating() const { return violating_; }
  [[nodiscard]] const CullCounts& counts() const { return counts_; }
  [[nodiscard]] Hierarchy& hierarchy() { return hierarchy_; }

 private:
  void take(const std::vector<BvhTraversal>& traversals);
  [[nodiscard]] std::uint8_t times(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool in_one_patch(std::uint32_t a, std::uint32_t b) const {
    return patches_[a] != kNoNode && patches_[a] == patches_[b];
  }

  Scene scene_;
  Hierarchy hierarchy_;
  std::vector<VertexPath> paths_;
  std::vector<std::uint8_t> came_;  ///< counts by pair of leaves, the smaller leaf first
  std::vector<std::uint32_t> patches_;
  std::vector<std::uint32_t> patches_before_;
  std::vector<LeafPair> fresh_;
  std::uint64_t violating_ = 0;
  CullCounts counts_;
  std::map<VertexId, std::uint32_t> vertex_leaf_;  ///< representative leaf of each vertex
  std::map<Edge, std::uint32_t> edge_leaf_;
  std::map<Face, std::uint32_t> face_leaf_;
};

}  // namespace graze::testing
