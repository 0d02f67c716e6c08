// Ablations and the papers' own variants: choices within the methods, for those who compare them. Not in the
// umbrella header; nobody needs them to find contacts.
//
//   graze::DetectorOptions options{.method = graze::Method::Iccd};
//   options.research->hierarchy.cones = graze::research::NormalCones::Canonical;
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <graze/methods.hpp>
#include <graze/rigid.hpp>
#include <graze/types.hpp>

namespace graze {

namespace research {

/// Bounds of the nodes of a hierarchy: boxes, or polytopes with 18 or 26 fixed directions, tighter and larger.
enum class BoundingVolume : std::uint8_t { Aabb, Kdop18, Kdop26 };

/// How a hierarchy over triangles is built.
enum class TreeBuilder : std::uint8_t {
  Sah,        ///< binned surface area heuristic: the best trees, the slowest build
  Midpoint,   ///< middle of the longest axis
  Lbvh,       ///< Morton order: the fastest build
  Connected,  ///< two levels: connected patches, bottom up, within each piece of mesh; pieces above
};

/// Bounds of edges, where a method looks at them: kept; made anew for each test to save their memory; or no bounds
/// of features at all, vertices included, as in the papers that do without.
enum class EdgeBounds : std::uint8_t { Stored, Computed, None };

/// Proofs that a connected patch has no contact with itself during a step: none; by cones around the normals and
/// a test of the contour; or, for comparison, by wider cones around the mean normal. Queries with a thickness or a
/// distance look for more than contacts, and use none.
enum class NormalCones : std::uint8_t { None, Tight, Canonical };

/// Choices within the methods that use a hierarchy. Where none is made it is the method's own: boxes, Sah and no
/// cones; of iccd 18-DOPs, Connected and tight cones. Answers do not depend on them.
struct HierarchyOptions {
  std::optional<BoundingVolume> volume = {};
  std::optional<TreeBuilder> builder = {};
  EdgeBounds edge_bounds = EdgeBounds::Stored;
  std::optional<NormalCones> cones = {};
};

/// Choices within Method::Adaptive. Impacts do not depend on them.
///
/// A session is a number of steps that share one update of the hierarchy and one traversal: bounds have room for
/// every vertex to go on as in the first of them for alpha steps more, and for beta v' + gamma l' besides, where v'
/// is the mean way of its body's vertices in that step, and l' the body's mean edge length.
struct AdaptiveOptions {
  bool skip = true;  ///< sessions; false: an update and a traversal a step, with distances kept (the paper's nSwD)
  unsigned frames = 0;   ///< steps of a session, at most 1024; 0: found and adapted by what steps cost
  double alpha = -1.0;   ///< >= 0; negative: the steps of the session less one
  double beta = 0.2;     ///< >= 0
  double gamma = 0.1;    ///< >= 0
  bool by_work = false;  ///< lengths of sessions from counted work instead of time: the same in every run
  /// With cones: how wide the cone of a sub-surface may be at most when a session begins, degrees in (0, 90).
  double low_curvature = 70.0;
};

/// The size of the cells of a spatial hash.
enum class CellRule : std::uint8_t {
  Levels,   ///< for each triangle one that suits it, from nested grids: large triangles do not spoil it
  Largest,  ///< for all the largest extent of a triangle, as in the paper: one large triangle spoils it
};

/// What rules out pairs of triangles with a common vertex, whose bounds always overlap, before their features are
/// looked at. Only of impacts without a thickness: other queries look for more than contacts.
enum class NeighbourTest : std::uint8_t {
  None,
  Certified,     ///< a plane or a direction that proves that they touch nowhere else during the step
  LossyNormals,  ///< LOSES CONTACTS: the paper's threshold on the angle of their normals at the end of the step,
                 ///< which lets a triangle pass through a neighbour that faces the same way
};

/// Choices within Method::Hash. Bounds of triangles inside a voxel, and of features, are those of HierarchyOptions:
/// `volume` (26-DOPs where none is chosen) and `edge_bounds` (None: features are not culled). Impacts depend on
/// none of them but NeighbourTest::LossyNormals.
struct HashOptions {
  CellRule cells = CellRule::Levels;
  double voxels = 0.0;  ///< of the table, for each triangle, at most 1024; 0: the rule's own, of Largest 0.2 as in
                        ///< the paper
  NeighbourTest neighbours = NeighbourTest::None;
  double normal_threshold = -0.9;  ///< of LossyNormals, in [-1, 1]: normals with a larger dot product are ruled out
  /// Each feature pair once, by representative triangles; false: as in the paper all 15 of each pair of triangles,
  /// and repeats are dropped from the results. LossyNormals does so in any case.
  bool representatives = true;
};

/// Names on the command line: "aabb", "kdop18", "kdop26"; "sah", "midpoint", "lbvh", "connected"; "stored",
/// "computed", "none"; "none", "tight", "canonical"; "levels", "largest"; "none", "certified", "lossy-normals".
[[nodiscard]] GRAZE_API std::string_view name_of(BoundingVolume value);
[[nodiscard]] GRAZE_API std::string_view name_of(TreeBuilder value);
[[nodiscard]] GRAZE_API std::string_view name_of(EdgeBounds value);
[[nodiscard]] GRAZE_API std::string_view name_of(NormalCones value);
[[nodiscard]] GRAZE_API std::string_view name_of(CellRule value);
[[nodiscard]] GRAZE_API std::string_view name_of(NeighbourTest value);

/// Methods that exist for comparison only; every method with them is in all_methods().
inline constexpr Method kBasic = static_cast<Method>(16);  ///< "basic": all feature pairs of overlapping triangles
inline constexpr Method kNoDupl =
    static_cast<Method>(17);                             ///< "no-dupl": each feature pair once, no feature bounds
inline constexpr Method kAdj = static_cast<Method>(18);  ///< "adj": a run-time database of pairs

/// Every method, those for comparison too, in the order of the papers.
[[nodiscard]] GRAZE_API std::span<const Method> all_methods();

/// BOXTREE, section 3.2.2: three axes with products from lookup tables of 1000 entries.
inline constexpr BoxOverlap kLookup = static_cast<BoxOverlap>(3);

/// Choices within the methods. Answers do not depend on them, but for NeighbourTest::LossyNormals.
struct Options {
  HierarchyOptions hierarchy = {};
  AdaptiveOptions adaptive = {};
  HashOptions hash = {};
};

}  // namespace research

template <>
[[nodiscard]] GRAZE_API research::BoundingVolume from_name<research::BoundingVolume>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const research::BoundingVolume> all_values<research::BoundingVolume>();
template <>
[[nodiscard]] GRAZE_API research::TreeBuilder from_name<research::TreeBuilder>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const research::TreeBuilder> all_values<research::TreeBuilder>();
template <>
[[nodiscard]] GRAZE_API research::EdgeBounds from_name<research::EdgeBounds>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const research::EdgeBounds> all_values<research::EdgeBounds>();
template <>
[[nodiscard]] GRAZE_API research::NormalCones from_name<research::NormalCones>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const research::NormalCones> all_values<research::NormalCones>();
template <>
[[nodiscard]] GRAZE_API research::CellRule from_name<research::CellRule>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const research::CellRule> all_values<research::CellRule>();
template <>
[[nodiscard]] GRAZE_API research::NeighbourTest from_name<research::NeighbourTest>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const research::NeighbourTest> all_values<research::NeighbourTest>();

}  // namespace graze
