// Ablations and variants of the methods as in the papers, for comparisons: bounding volumes, tree builders (SAH,
// LBVH,
// ...), normal cones, session lengths, cell sizes. Not in the umbrella header; the defaults serve to find contacts.
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

/// Variants of the methods, for comparisons.
namespace research {

/// Bounding volume of the nodes of a tree, or of the triangles in a voxel. k-DOPs are tighter than boxes and take
/// more memory.
enum class BoundingVolume : std::uint8_t {
  Aabb,    ///< axis-aligned box
  Kdop18,  ///< 18-DOP: 9 slabs
  Kdop26   ///< 26-DOP: 13 slabs
};

/// Builder of a bounding volume hierarchy over triangles.
enum class TreeBuilder : std::uint8_t {
  Sah,        ///< binned surface area heuristic (SAH): the best trees, the slowest build
  Midpoint,   ///< splits at the middle of the longest axis
  Lbvh,       ///< linear BVH in the order of Morton codes: the fastest build
  Connected,  ///< two levels: a bottom-up tree of connected patches per mesh component, a tree over components
};

/// Bounds of edges, in methods that cull feature pairs by bounds.
enum class EdgeBounds : std::uint8_t {
  Stored,    ///< computed once per step and stored
  Computed,  ///< computed for each test, which saves their memory
  None       ///< no bounds of features at all, vertices included, as in the papers that do without
};

/// Self-collision culling: proofs that a connected patch has no contact with itself during a step, by a normal cone
/// and a contour test. Queries with a thickness or a distance also report pairs that do not touch, so they use no
/// cones.
enum class NormalCones : std::uint8_t {
  None,      ///< no self-collision culling
  Tight,     ///< tight cones around the normals
  Canonical  ///< wider cones around the mean normal, for comparison
};

/// Variants of the methods that use a bounding volume hierarchy. An empty value means the default of the method:
/// Aabb, Sah and no cones; for Method::Iccd Kdop18, Connected and tight cones. Answers do not depend on them.
struct HierarchyOptions {
  std::optional<BoundingVolume> volume = {};    ///< bounding volume of the nodes
  std::optional<TreeBuilder> builder = {};      ///< builder of the tree
  EdgeBounds edge_bounds = EdgeBounds::Stored;  ///< bounds of edges
  std::optional<NormalCones> cones = {};        ///< self-collision culling
};

/// Variants of Method::Adaptive (ADAPTIVE, sections 4 to 7). Impacts do not depend on them. A session is a sequence
/// of steps that share one refit of the tree and one traversal. Its displacement bounds allow every vertex to
/// continue its motion of the first step for alpha more steps, plus a margin of beta v' + gamma l', where v' is the
/// mean displacement of the vertices of its body in the first step, and l' the mean edge length of the body.
struct AdaptiveOptions {
  /// Use sessions; false: refit and traverse in every step, with stored distances (nSwD in the paper).
  bool skip = true;
  unsigned frames = 0;  ///< steps per session, at most 1024; 0: adapted to the cost of steps
  double alpha = -1.0;  ///< steps that bounds extrapolate; negative: the steps of the session minus one; finite
  double beta = 0.2;    ///< margin in mean displacements of the body; finite, >= 0
  double gamma = 0.1;   ///< margin in mean edge lengths of the body; finite, >= 0
  /// Adapt sessions to counted work, not to time: makes counters and the order of streamed impacts deterministic.
  bool by_work = false;
  /// With normal cones: maximum angle of the cone of a sub-surface when a session begins, in degrees, in (0, 90).
  double low_curvature = 70.0;
};

/// Cell size of a spatial hash.
enum class CellRule : std::uint8_t {
  Levels,   ///< nested grids; each triangle uses a cell size that suits it, so large triangles do little harm
  Largest,  ///< one cell size, the largest extent of a triangle, as in the paper: one large triangle costs much;
            ///< kept until a triangle outgrows two cells
};

/// Culling of triangle pairs with a common vertex, whose bounds always overlap, before their feature pairs are
/// tested. Applies only to impacts and first_impact without thickness.
enum class NeighbourTest : std::uint8_t {
  None,          ///< no culling
  Certified,     ///< a plane or a direction proves that no two features without a common vertex touch in the step
  LossyNormals,  ///< LOSES CONTACTS: threshold on the angle between the normals at the end of the step, as in the
                 ///< paper; misses a triangle that passes through a neighbour that faces the same way
};

/// Variants of Method::Hash. Bounds of triangles in a voxel and of features are those of HierarchyOptions: `volume`
/// (default: Kdop26) and `edge_bounds` (None: feature pairs are not culled). Impacts do not depend on any of them,
/// except NeighbourTest::LossyNormals.
struct HashOptions {
  CellRule cells = CellRule::Levels;  ///< cell size
  /// Voxels of the table per triangle, in [0, 1024]; 0: 4 with Levels, 0.2 with Largest as in the paper.
  double voxels = 0.0;
  NeighbourTest neighbours = NeighbourTest::None;  ///< culling of triangle pairs with a common vertex
  /// Threshold of LossyNormals, in [-1, 1]: drops pairs whose unit normals have a larger dot product.
  double normal_threshold = -0.9;
  /// Test each feature pair once, by representative triangles; false: test all 15 feature pairs of each triangle
  /// pair, as in the paper, and remove duplicates from the results. LossyNormals always implies false.
  bool representatives = true;
};

/// Returns the name on the command line: "aabb", "kdop18", "kdop26". Throws InputError for an unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(BoundingVolume value);
/// Returns the name on the command line: "sah", "midpoint", "lbvh", "connected". Throws InputError for an unknown
/// value.
[[nodiscard]] GRAZE_API std::string_view name_of(TreeBuilder value);
/// Returns the name on the command line: "stored", "computed", "none". Throws InputError for an unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(EdgeBounds value);
/// Returns the name on the command line: "none", "tight", "canonical". Throws InputError for an unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(NormalCones value);
/// Returns the name on the command line: "levels", "largest". Throws InputError for an unknown value.
[[nodiscard]] GRAZE_API std::string_view name_of(CellRule value);
/// Returns the name on the command line: "none", "certified", "lossy-normals". Throws InputError for an unknown
/// value.
[[nodiscard]] GRAZE_API std::string_view name_of(NeighbourTest value);

// Methods that exist for comparison only (R-TRI, section 5.2).

/// "basic": BVH; all feature pairs of each overlapping triangle pair, duplicates included.
inline constexpr Method kBasic = static_cast<Method>(16);
/// "no-dupl": BVH; each feature pair once by representative triangles, without feature bounds.
inline constexpr Method kNoDupl = static_cast<Method>(17);
/// "adj": BVH; non-adjacent triangle pairs first, each feature pair once by a run-time database of pairs.
inline constexpr Method kAdj = static_cast<Method>(18);

/// Returns every method, including those for comparison, in the order of the papers.
[[nodiscard]] GRAZE_API std::span<const Method> all_methods();

/// "lut": overlap test on three axes, with products from lookup tables of 1000 entries (BOXTREE, section 3.2.2).
inline constexpr BoxOverlap kLookup = static_cast<BoxOverlap>(3);

/// Variants of all methods. Answers do not depend on them, except for NeighbourTest::LossyNormals.
struct Options {
  HierarchyOptions hierarchy = {};  ///< methods with a bounding volume hierarchy, and bounds of Method::Hash
  AdaptiveOptions adaptive = {};    ///< Method::Adaptive
  HashOptions hash = {};            ///< Method::Hash and close_boxes
};

}  // namespace research

/// Returns the research::BoundingVolume with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API research::BoundingVolume from_name<research::BoundingVolume>(std::string_view name);
/// Returns all values of research::BoundingVolume.
template <>
[[nodiscard]] GRAZE_API std::span<const research::BoundingVolume> all_values<research::BoundingVolume>();
/// Returns the research::TreeBuilder with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API research::TreeBuilder from_name<research::TreeBuilder>(std::string_view name);
/// Returns all values of research::TreeBuilder.
template <>
[[nodiscard]] GRAZE_API std::span<const research::TreeBuilder> all_values<research::TreeBuilder>();
/// Returns the research::EdgeBounds with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API research::EdgeBounds from_name<research::EdgeBounds>(std::string_view name);
/// Returns all values of research::EdgeBounds.
template <>
[[nodiscard]] GRAZE_API std::span<const research::EdgeBounds> all_values<research::EdgeBounds>();
/// Returns the research::NormalCones with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API research::NormalCones from_name<research::NormalCones>(std::string_view name);
/// Returns all values of research::NormalCones.
template <>
[[nodiscard]] GRAZE_API std::span<const research::NormalCones> all_values<research::NormalCones>();
/// Returns the research::CellRule with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API research::CellRule from_name<research::CellRule>(std::string_view name);
/// Returns all values of research::CellRule.
template <>
[[nodiscard]] GRAZE_API std::span<const research::CellRule> all_values<research::CellRule>();
/// Returns the research::NeighbourTest with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API research::NeighbourTest from_name<research::NeighbourTest>(std::string_view name);
/// Returns all values of research::NeighbourTest.
template <>
[[nodiscard]] GRAZE_API std::span<const research::NeighbourTest> all_values<research::NeighbourTest>();

}  // namespace graze
