// Names of the methods and of their options: one table per enumeration, in its order.
#include <graze/methods.hpp>
#include <graze/research.hpp>

#include <array>

#include "core/enum_names.hpp"

namespace graze {

namespace {

using namespace research;
using core::Named;

constexpr std::array kMethods = {
    Named{Method::Auto, "auto", "usually the fastest: clusters of triangles, bounds linear in time"},
    Named{Method::Brute, "brute", "all pairs of features; quadratic, the reference for the others"},
    Named{kBasic, "basic", "triangle hierarchy, all 15 feature pairs of each pair of triangles (R-TRI's BASIC)"},
    Named{kNoDupl, "no-dupl", "triangle hierarchy, each feature pair once by representative triangles"},
    Named{kAdj, "adj",
          "triangle hierarchy, non-adjacent triangles first, each feature pair once by a run-time database"},
    Named{Method::RTri, "r-tri", "representative triangles, and bounds of features before each test (R-TRI)"},
    Named{Method::Iccd, "iccd",
          "normal cones and contours, procedural representatives, orphan sets, two-level hierarchy (ICCD)"},
    Named{Method::Adaptive, "adaptive",
          "sessions of steps that share one traversal, kept pairs with distances, history of sides (ADAPTIVE)"},
    Named{Method::Hash, "hash",
          "spatial hashing with culling inside voxels by 26-DOPs; no tree, no precomputation (HASH)"},
};
constexpr std::array kPublicMethods = {Method::Auto, Method::Brute,    Method::RTri,
                                       Method::Iccd, Method::Adaptive, Method::Hash};
constexpr std::array kVolumes = {Named{BoundingVolume::Aabb, "aabb"}, Named{BoundingVolume::Kdop18, "kdop18"},
                                 Named{BoundingVolume::Kdop26, "kdop26"}};
constexpr std::array kBuilders = {Named{TreeBuilder::Sah, "sah"}, Named{TreeBuilder::Midpoint, "midpoint"},
                                  Named{TreeBuilder::Lbvh, "lbvh"}, Named{TreeBuilder::Connected, "connected"}};
constexpr std::array kEdgeBounds = {Named{EdgeBounds::Stored, "stored"}, Named{EdgeBounds::Computed, "computed"},
                                    Named{EdgeBounds::None, "none"}};
constexpr std::array kCones = {Named{NormalCones::None, "none"}, Named{NormalCones::Tight, "tight"},
                               Named{NormalCones::Canonical, "canonical"}};
constexpr std::array kCellRules = {Named{CellRule::Levels, "levels"}, Named{CellRule::Largest, "largest"}};
constexpr std::array kNeighbours = {Named{NeighbourTest::None, "none"},
                                    Named{NeighbourTest::Certified, "certified"},
                                    Named{NeighbourTest::LossyNormals, "lossy-normals"}};

}  // namespace

std::string_view name_of(Method method) {
  return core::name_in(kMethods, "method", method);
}
std::string_view summary_of(Method method) {
  return core::entry_of(kMethods, "method", method).summary;
}
template <>
Method from_name<Method>(std::string_view name) {
  return core::value_named(kMethods, "method", name);
}
template <>
std::span<const Method> all_values<Method>() {
  return kPublicMethods;
}
std::span<const Method> research::all_methods() {
  static constexpr auto kAll = core::values_of(kMethods);
  return kAll;
}

std::string_view research::name_of(BoundingVolume value) {
  return core::name_in(kVolumes, "bounding volume", value);
}
template <>
BoundingVolume from_name<BoundingVolume>(std::string_view name) {
  return core::value_named(kVolumes, "bounding volume", name);
}
template <>
std::span<const BoundingVolume> all_values<BoundingVolume>() {
  static constexpr auto kAll = core::values_of(kVolumes);
  return kAll;
}

std::string_view research::name_of(TreeBuilder value) {
  return core::name_in(kBuilders, "tree builder", value);
}
template <>
TreeBuilder from_name<TreeBuilder>(std::string_view name) {
  return core::value_named(kBuilders, "tree builder", name);
}
template <>
std::span<const TreeBuilder> all_values<TreeBuilder>() {
  static constexpr auto kAll = core::values_of(kBuilders);
  return kAll;
}

std::string_view research::name_of(EdgeBounds value) {
  return core::name_in(kEdgeBounds, "kind of edge bounds", value);
}
template <>
EdgeBounds from_name<EdgeBounds>(std::string_view name) {
  return core::value_named(kEdgeBounds, "kind of edge bounds", name);
}
template <>
std::span<const EdgeBounds> all_values<EdgeBounds>() {
  static constexpr auto kAll = core::values_of(kEdgeBounds);
  return kAll;
}

std::string_view research::name_of(NormalCones value) {
  return core::name_in(kCones, "kind of normal cones", value);
}
template <>
NormalCones from_name<NormalCones>(std::string_view name) {
  return core::value_named(kCones, "kind of normal cones", name);
}
template <>
std::span<const NormalCones> all_values<NormalCones>() {
  static constexpr auto kAll = core::values_of(kCones);
  return kAll;
}

std::string_view research::name_of(CellRule value) {
  return core::name_in(kCellRules, "cell rule", value);
}
template <>
CellRule from_name<CellRule>(std::string_view name) {
  return core::value_named(kCellRules, "cell rule", name);
}
template <>
std::span<const CellRule> all_values<CellRule>() {
  static constexpr auto kAll = core::values_of(kCellRules);
  return kAll;
}

std::string_view research::name_of(NeighbourTest value) {
  return core::name_in(kNeighbours, "neighbour test", value);
}
template <>
NeighbourTest from_name<NeighbourTest>(std::string_view name) {
  return core::value_named(kNeighbours, "neighbour test", name);
}
template <>
std::span<const NeighbourTest> all_values<NeighbourTest>() {
  static constexpr auto kAll = core::values_of(kNeighbours);
  return kAll;
}

}  // namespace graze
