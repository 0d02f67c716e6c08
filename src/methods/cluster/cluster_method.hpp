// Method `auto`, continuous queries: clusters of triangles with bounds linear in time (DESIGN, section 9). The same
// answers as those of `brute`, for any number of threads.
#pragma once

#include <span>

#include <graze/results.hpp>

#include "methods/cluster/cluster_mesh.hpp"
#include "query/query.hpp"

namespace graze::methods {

/// As those on a hierarchy (methods/bvh/bvh_method.hpp). `beside`: the bytes that leaves take.
Stats cluster_impacts(const DetectorQuery& query, ClusterMesh& mesh, std::size_t beside, std::span<const Vec3> x_t0,
                      std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found);
FirstImpact cluster_first_impact(const DetectorQuery& query, ClusterMesh& mesh, std::size_t beside,
                                 std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

}  // namespace graze::methods
