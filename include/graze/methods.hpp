// The methods, and the choices within them, with their names on the command line.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace graze {

/// How candidates are found. All methods return the same impacts, bit for bit.
enum class Method : std::uint8_t {
  Auto,    ///< the fastest there is
  Brute,   ///< all pairs; quadratic
  Basic,   ///< triangle hierarchy, every feature pair of each pair of triangles, duplicates and all
  NoDupl,  ///< triangle hierarchy, each feature pair once by representative triangles
  Adj,     ///< triangle hierarchy, non-adjacent triangles first, each feature pair once by a run-time database
  RTri,    ///< representative triangles, and bounds of features before each test
};

/// The name on the command line ("auto", "r-tri", ...), and back; method_from_name throws InputError.
std::string_view method_name(Method method);
Method method_from_name(std::string_view name);
/// One line on what a method does.
std::string_view method_summary(Method method);
/// Every method, in the order of the enumeration.
std::span<const Method> all_methods();

/// Bounds of the nodes of a hierarchy: boxes, or polytopes with 18 or 26 fixed directions, tighter and larger.
enum class BoundingVolume : std::uint8_t { AlignedBox, Kdop18, Kdop26 };

/// How a hierarchy over triangles is built.
enum class TreeBuilder : std::uint8_t {
  Sah,       ///< binned surface area heuristic: the best trees, the slowest build
  Midpoint,  ///< middle of the longest axis
  Lbvh,      ///< Morton order: the fastest build
};

/// Bounds of edges, where a method looks at them: kept, or made anew for each test to save their memory.
enum class EdgeBounds : std::uint8_t { Stored, Computed };

/// Choices within the methods that use a hierarchy; the defaults are the fastest. Answers do not depend on them.
struct HierarchyOptions {
  BoundingVolume volume = BoundingVolume::AlignedBox;
  TreeBuilder builder = TreeBuilder::Sah;
  EdgeBounds edge_bounds = EdgeBounds::Stored;
};

/// The names on the command line ("aabb", "dop18", "dop26"; "sah", "midpoint", "lbvh"; "stored", "computed"), and
/// back; the latter throw InputError.
std::string_view name_of(BoundingVolume volume);
std::string_view name_of(TreeBuilder builder);
std::string_view name_of(EdgeBounds bounds);
BoundingVolume bounding_volume_from_name(std::string_view name);
TreeBuilder tree_builder_from_name(std::string_view name);
EdgeBounds edge_bounds_from_name(std::string_view name);

}  // namespace graze
