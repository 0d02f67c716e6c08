// The names of the methods and of the choices within them: a table each, in the order of the enumeration.
#include <array>
#include <string>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/methods.hpp>

namespace graze {

namespace {

struct Entry {
  Method value;
  std::string_view name;
  std::string_view summary;
};

constexpr std::array kMethods = {
    Entry{Method::Auto, "auto", "the fastest there is: clusters of triangles, bounds linear in time"},
    Entry{Method::Brute, "brute", "all pairs of features; quadratic, the reference for the others"},
    Entry{Method::Basic, "basic",
          "triangle hierarchy, all 15 feature pairs of each pair of triangles (R-TRI's BASIC)"},
    Entry{Method::NoDupl, "no-dupl", "triangle hierarchy, each feature pair once by representative triangles"},
    Entry{Method::Adj, "adj",
          "triangle hierarchy, non-adjacent triangles first, each feature pair once by a run-time database"},
    Entry{Method::RTri, "r-tri", "representative triangles, and bounds of features before each test (R-TRI)"},
    Entry{Method::Iccd, "iccd",
          "normal cones and contours, procedural representatives, orphan sets, two-level hierarchy (ICCD)"},
    Entry{Method::Adaptive, "adaptive",
          "sessions of steps that share one traversal, kept pairs with distances, history of sides (ADAPTIVE)"},
    Entry{Method::Hash, "hash",
          "spatial hashing with culling inside voxels by 26-DOPs; no tree, nothing made beforehand (HASH)"},
};

const Entry& entry_of(Method method) {
  for (const Entry& entry : kMethods) {
    if (entry.value == method) return entry;
  }
  throw InputError(fmt::format("method {} is unknown", static_cast<unsigned>(method)));
}

template <typename Value>
struct Named {
  Value value;
  std::string_view name;
};
template <typename Value>
Named(Value, const char*) -> Named<Value>;  // clang 14 does not deduce aggregates

constexpr std::array kVolumes = {Named{BoundingVolume::AlignedBox, "aabb"}, Named{BoundingVolume::Kdop18, "dop18"},
                                 Named{BoundingVolume::Kdop26, "dop26"}};
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

/// The value of a name; `what` is what the names are of.
template <typename Table>
auto value_named(const Table& table, std::string_view what, std::string_view name) {
  std::string known;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  throw InputError(fmt::format("{} '{}' is unknown; there are: {}", what, name, known));
}

template <typename Table, typename Value>
std::string_view name_in(const Table& table, std::string_view what, Value value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  throw InputError(fmt::format("{} {} is unknown", what, static_cast<unsigned>(value)));
}

}  // namespace

std::string_view name_of(BoundingVolume volume) {
  return name_in(kVolumes, "bounding volume", volume);
}
std::string_view name_of(TreeBuilder builder) {
  return name_in(kBuilders, "tree builder", builder);
}
std::string_view name_of(EdgeBounds bounds) {
  return name_in(kEdgeBounds, "kind of edge bounds", bounds);
}
std::string_view name_of(NormalCones cones) {
  return name_in(kCones, "kind of normal cones", cones);
}
std::string_view name_of(CellRule rule) {
  return name_in(kCellRules, "cell rule", rule);
}
std::string_view name_of(NeighbourTest test) {
  return name_in(kNeighbours, "neighbour test", test);
}
BoundingVolume bounding_volume_from_name(std::string_view name) {
  return value_named(kVolumes, "bounding volume", name);
}
TreeBuilder tree_builder_from_name(std::string_view name) {
  return value_named(kBuilders, "tree builder", name);
}
EdgeBounds edge_bounds_from_name(std::string_view name) {
  return value_named(kEdgeBounds, "kind of edge bounds", name);
}
NormalCones normal_cones_from_name(std::string_view name) {
  return value_named(kCones, "kind of normal cones", name);
}
CellRule cell_rule_from_name(std::string_view name) {
  return value_named(kCellRules, "cell rule", name);
}
NeighbourTest neighbour_test_from_name(std::string_view name) {
  return value_named(kNeighbours, "neighbour test", name);
}

std::string_view method_name(Method method) {
  return entry_of(method).name;
}

std::string_view method_summary(Method method) {
  return entry_of(method).summary;
}

Method method_from_name(std::string_view name) {
  return value_named(kMethods, "method", name);
}

std::span<const Method> all_methods() {
  static constexpr std::array kAll = [] {
    std::array<Method, kMethods.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kMethods[i].value;
    return all;
  }();
  return kAll;
}

}  // namespace graze
