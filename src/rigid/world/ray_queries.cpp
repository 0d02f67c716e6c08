// Rays and segments against a world. See the header.
//
// Boxes are visited front to back. The best hit so far has bounds [lo, hi] of its exact parameter; a box that the
// ray enters after hi is skipped (ray_slabs.hpp and ray_tree.hpp prove that entries are not too late). Hits whose
// bounds overlap are compared exactly, equal ones by object and triangle. So the answer does not depend on the
// trees.
#include "rigid/world/ray_queries.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "narrow/ray_triangle.hpp"
#include "rigid/collide.hpp"
#include "rigid/query_runs.hpp"
#include "rigid/world/ray_slabs.hpp"
#include "rigid/world/ray_tree.hpp"

namespace graze::rigid {

namespace {

/// Rays that are cast together.
constexpr std::size_t kRaysPerBlock = 16;

struct Hit {
  std::uint32_t slot = 0;
  TriangleId triangle = 0;
  RayCrossing crossing;
};

class RayQuery {
 public:
  RayQuery(const WorldState& world, const RayLine& line, const WorldOptions& options, WorldStats& stats)
      : world_(world), line_(line), options_(options), stats_(stats), slabs_(line, largest(world)) {}

  /// Calls found(hit) for every triangle that the ray hits at or before limit(), which may decrease.
  template <typename Limit, typename Found>
  void run(const Limit& limit, const Found& found) {
    for (const DynamicTree* tree : {&world_.trees().still, &world_.trees().moving}) {
      if (tree->root() != DynamicTree::kNone) descend(*tree, limit, found);
    }
  }

  [[nodiscard]] std::array<Vec3, 3> triangle(const Hit& hit) const {
    const WorldSlot& object = world_.objects()[hit.slot];
    return posed_triangle(object.state(), object.pose, hit.triangle);
  }
  /// Whether `one` comes first. Exact.
  [[nodiscard]] bool before(const Hit& one, const Hit& other) const {
    if (one.crossing.hi < other.crossing.lo) return true;
    if (other.crossing.hi < one.crossing.lo) return false;
    const int order = compare_crossings(line_, triangle(one), triangle(other));
    if (order != 0) return order < 0;
    return one.slot != other.slot ? one.slot < other.slot : one.triangle < other.triangle;
  }
  [[nodiscard]] RayHit result(const Hit& hit) const {
    return {world_.objects().id(hit.slot), hit.triangle, crossing_parameter(line_, triangle(hit))};
  }

 private:
  static double largest(const WorldState& world) {
    double most = 0.0;
    for (const DynamicTree* tree : {&world.trees().still, &world.trees().moving}) {
      if (tree->root() == DynamicTree::kNone) continue;
      const WorldBox& box = tree->at(tree->root()).box;
      for (std::size_t k = 0; k < 3; ++k) most = std::max({most, std::abs(box.lo[k]), std::abs(box.hi[k])});
    }
    return most;
  }

  template <typename Limit, typename Found>
  void descend(const DynamicTree& tree, const Limit& limit, const Found& found) {
    struct Waiting {
      DynamicTree::Index node;
      double near;
    };
    std::vector<Waiting> open;
    open.reserve(static_cast<std::size_t>(tree.height()) + 2);
    const auto open_node = [&](DynamicTree::Index node) {
      RayPart part;
      ++stats_.box_tests;
      if (slabs_.enter(tree.at(node).box, limit(), part)) open.push_back({node, part.near});
    };
    open_node(tree.root());
    while (!open.empty()) {
      const Waiting here = open.back();
      open.pop_back();
      if (here.near > limit()) continue;
      const DynamicTree::Node& node = tree.at(here.node);
      if (node.leaf()) {
        test_object(node.item(), limit, found);
        continue;
      }
      const std::size_t before_children = open.size();
      open_node(node.left);
      open_node(node.right);
      if (open.size() == before_children + 2 && open.back().near > open[before_children].near)
        std::swap(open.back(), open[before_children]);
    }
  }

  template <typename Limit, typename Found>
  void test_object(std::uint32_t slot, const Limit& limit, const Found& found) {
    const WorldSlot& object = world_.objects()[slot];
    RayPart part;
    ++stats_.box_tests;
    if ((object.masks.groups & options_.groups_b) == 0 || !slabs_.enter(object.box, limit(), part)) return;
    ++stats_.object_pairs;
    const ObjectState& state = object.state();
    const RayTree& tree = state.mesh_data.ray_tree(state);
    const LocalRay ray = local_ray(tree, object.bounds(), object.pose, line_, part);
    const auto local_limit = [&] {
      const double t = limit();
      if (!(t < ray.part.far)) return 1.0;
      // Late by the rounding of three operations. NaN, of a part without length, skips nothing.
      const double s = (t - ray.part.near) / (ray.part.far - ray.part.near);
      return s < 1.0 ? s + std::abs(s) * 0x1p-48 + 0x1p-100 : 1.0;
    };
    stats_.narrow.node_tests += traverse(
        tree, ray,
        [&](std::span<const std::uint32_t> triangles) {
          for (const std::uint32_t id : triangles) {
            ++stats_.narrow.triangle_tests;
            const RayCrossing crossing =
                cross_triangle(line_, posed_triangle(state, object.pose, id), stats_.narrow.tiers);
            if (crossing.hit) found(Hit{slot, id, crossing});
          }
        },
        local_limit);
  }

  const WorldState& world_;
  const RayLine& line_;
  const WorldOptions& options_;
  WorldStats& stats_;
  RaySlabs slabs_;
};

RayFirstHit first_ray_hit(const WorldState& world, const RayLine& line, const WorldOptions& options) {
  RayFirstHit result;
  RayQuery query(world, line, options, result.stats);
  std::optional<Hit> best;
  query.run([&] { return best ? std::min(best->crossing.hi, line.max) : line.max; },
            [&](const Hit& hit) {
              if (!best || query.before(hit, *best)) best = hit;
            });
  if (best) result.first = query.result(*best);
  return result;
}

void check_finite(const Vec3& x, std::string_view function, std::string_view what) {
  if (!is_finite(x))
    throw InputError(fmt::format("{}: the {} ({}, {}, {}) is not finite", function, what, x.x, x.y, x.z));
}

}  // namespace

RayLine line_of(const Ray& ray, std::string_view function) {
  check_finite(ray.origin, function, "origin of the ray");
  check_finite(ray.direction, function, "direction of the ray");
  if (max_abs(ray.direction) == 0.0)
    throw InputError(fmt::format("{}: the direction of the ray is zero", function));
  if (!(ray.max >= 0.0)) throw InputError(fmt::format("{}: max of the ray is {}, not >= 0", function, ray.max));
  return {ray.origin, ray.direction, ray.max};
}

RayLine line_of(const Segment& segment, std::string_view function) {
  check_finite(segment.p, function, "first end of the segment");
  check_finite(segment.q, function, "second end of the segment");
  return {segment.p, segment.q - segment.p, 1.0, segment.q};
}

std::vector<RayFirstHit> find_first_ray_hits(const WorldState& world, std::span<const RayLine> lines,
                                             const WorldOptions& options) {
  std::vector<RayFirstHit> results(lines.size());
  QueryProgress progress(options.progress, lines.size());
  const auto run = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      results[i] = first_ray_hit(world, lines[i], options);
      if (!progress.go_on()) break;
    }
  };
  progress.report();
  if (lines.size() <= kRaysPerBlock) {
    run(0, lines.size());
  } else {
    with_threads(options.threads, [&] { parallel_for(0, lines.size(), kRaysPerBlock, run); });
  }
  progress.report();
  return results;
}

RayHits find_ray_hits(const WorldState& world, const RayLine& line, const WorldOptions& options) {
  RayHits result;
  QueryProgress progress(options.progress, 1);
  progress.report();
  RayQuery query(world, line, options, result.stats);
  std::vector<Hit> hits;
  query.run([&] { return line.max; }, [&](const Hit& hit) { hits.push_back(hit); });
  std::sort(hits.begin(), hits.end(), [&](const Hit& one, const Hit& other) { return query.before(one, other); });
  result.hits.reserve(hits.size());
  for (const Hit& hit : hits) result.hits.push_back(query.result(hit));
  progress.go_on();
  progress.report();
  return result;
}

}  // namespace graze::rigid
