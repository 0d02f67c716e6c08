// Queries of shapes: checks of input, choice of the pair of forms, batches in parallel. See graze/rigid_shapes.hpp.
#include <graze/rigid_shapes.hpp>

#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "rigid/object.hpp"
#include "rigid/shapes/mesh_search.hpp"
#include "rigid/shapes/solid.hpp"
#include "rigid/shapes/solid_pair.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;

namespace {

const ObjectState& checked_mesh(const RigidObject* mesh, const Pose& pose) {
  if (mesh == nullptr) throw InputError("mesh: it is null");
  if (mesh->tree() != RigidTree::Boxtree)
    throw InputError(
        fmt::format("mesh: its tree is of kind {}, and queries of shapes need a boxtree", name_of(mesh->tree())));
  const ObjectState& state = ObjectAccess::state(*mesh);
  check_pose(state, pose, "pose of the mesh");
  if (3.1 * state.max_coordinate + max_abs(pose.translation) <= kLargest) return state;
  if (!(max_abs(pose.translation) <= kLargest) || !(state.max_coordinate <= kLargest))
    throw InputError("pose of the mesh: the translation or a vertex is beyond 2^1000");
  for (const Triangle& triangle : state.triangles) {
    for (const VertexId v : triangle) {
      if (!(max_abs(posed(pose, state.positions[v])) <= kLargest))
        throw InputError(fmt::format("pose of the mesh moves vertex {} beyond 2^1000", v));
    }
  }
  return state;
}

/// Throws InputError if the shape cannot be posed so.
void check_posed(const PosedShape& shape, const char* which) {
  const PosedSolid checked(shape, which);
  static_cast<void>(checked);
}

void check_tolerance(const ShapeDistanceOptions& options) {
  if (!(options.tolerance >= 0x1p-40) || !(options.tolerance <= 1.0))
    throw InputError(fmt::format("a tolerance of {} is not in [2^-40, 1]", options.tolerance));
}

/// Calls half(plane, plane), mixed(plane, solid, swapped) or both(prepared, solid). `swapped`: a is the solid.
template <typename Half, typename Mixed, typename Both>
auto by_form(const PosedSolid& a, const PosedSolid& b, const Half& half, const Mixed& mixed, const Both& both) {
  if (a.is_half_space() && b.is_half_space()) return half(a.plane(), b.plane());
  if (a.is_half_space()) return mixed(a.plane(), b.solid(), false);
  if (b.is_half_space()) return mixed(b.plane(), a.solid(), true);
  return both(Prepared(a.solid()), b.solid());
}

ShapeHit hit_of(const PosedSolid& a, const PosedSolid& b) {
  ShapeHit result;
  TierCounts& tiers = result.stats.tiers;
  const Meeting meeting = by_form(
      a, b, [&](const Plane& p, const Plane& q) { return meet(p, q, tiers); },
      [&](const Plane& p, const Solid& s, bool) { return meet(p, s, tiers); },
      [&](const Prepared& p, const Solid& s) { return meet(p, s, tiers); });
  result.hit = meeting.meets;
  result.margin = meeting.margin;
  return result;
}

/// Calls check() and adds the index of the query to the message of an InputError.
template <typename Check>
auto numbered(const char* what, std::size_t number, const Check& check) {
  try {
    return check();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}: {}", what, number, error.what()));
  }
}

/// Runs query(i) for each i in parallel. Each writes to its own slot, so that threads do not show.
template <typename Result, typename Query>
std::vector<Result> run_all(std::size_t count, const ShapeBatchOptions& options, const Query& query) {
  std::vector<Result> results(count);
  constexpr std::size_t kGrain = 4;
  with_threads(options.threads, [&] {
    parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) results[i] = query(i);
    });
  });
  return results;
}

/// Runs a query of one shape and one mesh in many poses: search(MeshSearch&).
template <typename Result, typename Search>
std::vector<Result> over_poses(const RigidShape& shape, const RigidObject& mesh, std::span<const PosePair> poses,
                               const ShapeBatchOptions& options, const Search& search) {
  for (std::size_t i = 0; i < poses.size(); ++i) {
    numbered("poses", i, [&] {
      check_posed({shape, poses[i].a}, "pose of the shape");
      checked_mesh(&mesh, poses[i].b);
    });
  }
  return run_all<Result>(poses.size(), options, [&](std::size_t i) {
    const PosedSolid solid({shape, poses[i].a}, "pose of the shape");
    MeshSearch query(solid, ObjectAccess::state(mesh), poses[i].b);
    return search(query);
  });
}

/// The same for many shapes and one mesh.
template <typename Result, typename Search>
std::vector<Result> over_shapes(std::span<const PosedShape> shapes, const PosedObject& mesh,
                                const ShapeBatchOptions& options, const Search& search) {
  const ObjectState& state = checked_mesh(mesh.object, mesh.pose);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    numbered("shape", i, [&] { check_posed(shapes[i], "pose of the shape"); });
  return run_all<Result>(shapes.size(), options, [&](std::size_t i) {
    const PosedSolid solid(shapes[i], "pose of the shape");
    MeshSearch query(solid, state, mesh.pose);
    return search(query);
  });
}

}  // namespace

ShapeHit shape_hit(const PosedShape& a, const PosedShape& b) {
  return hit_of(PosedSolid(a, "pose of a"), PosedSolid(b, "pose of b"));
}

ShapeHit shape_hit(const PosedShape& shape, const PosedObject& mesh) {
  const PosedSolid solid(shape, "pose of the shape");
  return MeshSearch(solid, checked_mesh(mesh.object, mesh.pose), mesh.pose).first();
}

ShapeTriangles shape_triangles(const PosedShape& shape, const PosedObject& mesh) {
  const PosedSolid solid(shape, "pose of the shape");
  return MeshSearch(solid, checked_mesh(mesh.object, mesh.pose), mesh.pose).all();
}

ShapeDistance shape_distance(const PosedShape& a, const PosedShape& b, const ShapeDistanceOptions& options) {
  check_tolerance(options);
  const PosedSolid solid_a(a, "pose of a");
  const PosedSolid solid_b(b, "pose of b");
  constexpr double kAll = std::numeric_limits<double>::infinity();
  ShapeDistance result;
  TierCounts& tiers = result.stats.tiers;
  const Separation found = by_form(
      solid_a, solid_b, [&](const Plane& p, const Plane& q) { return separation(p, q, tiers); },
      [&](const Plane& p, const Solid& s, bool swapped) {
        Separation mixed = separation(p, s, options.tolerance, kAll, tiers);
        if (swapped) std::swap(mixed.on_a, mixed.on_b);
        return mixed;
      },
      [&](const Prepared& p, const Solid& s) { return separation(p, s, options.tolerance, kAll, tiers); });
  result.lo = found.lo;
  result.hi = found.hi;
  result.on_a = found.on_a;
  result.on_b = found.on_b;
  return result;
}

ShapeDistance shape_distance(const PosedShape& shape, const PosedObject& mesh,
                             const ShapeDistanceOptions& options) {
  check_tolerance(options);
  const PosedSolid solid(shape, "pose of the shape");
  return MeshSearch(solid, checked_mesh(mesh.object, mesh.pose), mesh.pose).distance(options.tolerance);
}

std::vector<ShapeHit> shape_hits(const RigidShape& shape, const RigidObject& mesh, std::span<const PosePair> poses,
                                 const ShapeBatchOptions& options) {
  return over_poses<ShapeHit>(shape, mesh, poses, options, [](MeshSearch& query) { return query.first(); });
}
std::vector<ShapeHit> shape_hits(std::span<const PosedShape> shapes, const PosedObject& mesh,
                                 const ShapeBatchOptions& options) {
  return over_shapes<ShapeHit>(shapes, mesh, options, [](MeshSearch& query) { return query.first(); });
}
std::vector<ShapeHit> shape_hits(const PosedShape& shape, std::span<const PosedShape> others,
                                 const ShapeBatchOptions& options) {
  const PosedSolid solid(shape, "pose of the shape");
  for (std::size_t i = 0; i < others.size(); ++i)
    numbered("shape", i, [&] { check_posed(others[i], "pose of the other shape"); });
  return run_all<ShapeHit>(others.size(), options, [&](std::size_t i) {
    return hit_of(solid, PosedSolid(others[i], "pose of the other shape"));
  });
}

std::vector<ShapeTriangles> shape_triangles(const RigidShape& shape, const RigidObject& mesh,
                                            std::span<const PosePair> poses, const ShapeBatchOptions& options) {
  return over_poses<ShapeTriangles>(shape, mesh, poses, options, [](MeshSearch& query) { return query.all(); });
}
std::vector<ShapeTriangles> shape_triangles(std::span<const PosedShape> shapes, const PosedObject& mesh,
                                            const ShapeBatchOptions& options) {
  return over_shapes<ShapeTriangles>(shapes, mesh, options, [](MeshSearch& query) { return query.all(); });
}

std::vector<ShapeDistance> shape_distances(const RigidShape& shape, const RigidObject& mesh,
                                           std::span<const PosePair> poses, const ShapeBatchOptions& options) {
  check_tolerance(options.distance);
  const double tolerance = options.distance.tolerance;
  return over_poses<ShapeDistance>(shape, mesh, poses, options,
                                   [&](MeshSearch& query) { return query.distance(tolerance); });
}
std::vector<ShapeDistance> shape_distances(std::span<const PosedShape> shapes, const PosedObject& mesh,
                                           const ShapeBatchOptions& options) {
  check_tolerance(options.distance);
  const double tolerance = options.distance.tolerance;
  return over_shapes<ShapeDistance>(shapes, mesh, options,
                                    [&](MeshSearch& query) { return query.distance(tolerance); });
}

}  // namespace graze
