// See cuda_method.hpp.
#include "cuda/cuda_method.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/memory_budget.hpp"
#include "core/stopwatch.hpp"
#include "core/tasks.hpp"
#include "cuda/undecided.hpp"
#include "query/candidate_stream.hpp"
#include "query/instant_streams.hpp"
#include "query/sort_pairs.hpp"
#include "scene/input_checks.hpp"

namespace graze::cuda {

namespace {

constexpr std::size_t kGrain = 1024;

/// Calls test(i, found) for the candidates on all threads; returns what was found, in lists.
template <typename Found, typename Test>
std::vector<std::vector<Found>> test_all(std::size_t count, Stats& stats, const Test& test) {
  std::vector<InstantResult<Found>> parts((count + kGrain - 1) / kGrain);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      for (std::size_t i = part * kGrain; i < std::min((part + 1) * kGrain, count); ++i) test(i, parts[part]);
    }
  });
  std::vector<std::vector<Found>> lists;
  for (InstantResult<Found>& part : parts) {
    add_counters(stats, part.stats);
    if (!part.found.empty()) lists.push_back(std::move(part.found));
  }
  return lists;
}

Positions on_device(const DeviceStep& x) {
  return {.x_t0 = {x.x_t0, x.count}, .x_t1 = {x.x_t1, x.count}, .on_device = true, .stream = x.stream};
}

bool all_finite(std::span<const Vec3> x) {
  return std::all_of(x.begin(), x.end(),
                     [](const Vec3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); });
}

}  // namespace

void CudaMethod::rebuild() {
  has_clusters_ = false;
  has_filter_ = false;
  clusters_.reset();
  leaves_.reset();
  leaves_.emplace(scene_);
  clusters_.emplace(scene_, *leaves_);
  made_sizes_ = 0.0;
}

void CudaMethod::prepare(const QueryContext& query, const Positions& x) {
  MemoryBudget(query.options.memory_cap)
      .charge(leaves_->memory_bytes() + ClusterMesh::planned_bytes(scene_.vertex_count(), scene_.triangle_count()));
  if (!has_filter_) {
    const Scene* const scene = &scene_;
    engine_.take_filter({&scene, 1});
    has_filter_ = true;
  }
  if (has_clusters_) return;
  std::vector<Vec3> copied;
  std::span<const Vec3> x_t0 = x.x_t0;
  if (x.on_device) {
    copied = engine_.copy_to_host(x.x_t0.data(), x.x_t0.size(), x.stream);
    place_removed(copied);
    x_t0 = copied;
    if (!all_finite(x_t0)) refuse(x);
  }
  clusters_->bound_instant(x_t0, {});
  if (clusters_->needs_rebuild()) {
    clusters_->bound_instant(x_t0, {});
    made_sizes_ = 0.0;
  }
  const SceneClusters scene{.clusters = clusters_->clusters(),
                            .tree = &clusters_->tree(),
                            .shared = clusters_->shared_frame(),
                            .first_vertex = 0,
                            .vertex_count = static_cast<std::uint32_t>(scene_.vertex_count())};
  engine_.take_clusters({&scene, 1});
  ordered_node_sizes_ = 0.0;
  has_clusters_ = true;
}

/// Gives removed vertices the position of one that exists, as the detector does for positions on the host.
void CudaMethod::place_removed(std::span<Vec3> x) const {
  VertexId live = 0;
  while (live < x.size() && !scene_.has_vertex(live)) ++live;
  if (live == x.size()) return;
  for (VertexId v = 0; v < x.size(); ++v) {
    if (!scene_.has_vertex(v)) x[v] = x[live];
  }
}

/// Notes the measures of a step, which decide whether the next one needs other clusters or another order.
void CudaMethod::note(const Answer& answer) {
  constexpr double kRebuildGrowth = 2.0;
  constexpr double kDisordered = 1.2;
  constexpr double kUnresolved = 0.1;  // share of the clusters that may come to need frames of their own
  const auto count = static_cast<double>(std::max<std::uint64_t>(answer.stats.cluster.clusters, 1));
  cluster_size_ = answer.cluster_sizes / (3.0 * count);
  if (made_sizes_ == 0.0) made_sizes_ = answer.cluster_sizes;
  if (ordered_node_sizes_ == 0.0) {
    ordered_node_sizes_ = answer.node_sizes;
    ordered_own_frames_ = answer.own_frames;
    return;
  }
  if (answer.cluster_sizes > kRebuildGrowth * made_sizes_ ||
      answer.node_sizes > kDisordered * ordered_node_sizes_ ||
      answer.own_frames > ordered_own_frames_ + kUnresolved * count) {
    has_clusters_ = false;
  }
}

Answer CudaMethod::run(const QueryContext& query, const Positions& x, const Query& what) {
  Answer answer = engine_.run(x, what, query.options.memory_cap);
  if (answer.refused) refuse(x);
  note(answer);
  answer.stats.memory_bytes = memory_bytes();
  return answer;
}

/// Throws what the check of positions on the host says: the GPU has found only that one of them is wrong.
void CudaMethod::refuse(const Positions& x) {
  if (!x.on_device) {
    validate_step(scene_, x.x_t0, x.x_t1);
  } else {
    const std::vector<Vec3> x_t0 = engine_.copy_to_host(x.x_t0.data(), x.x_t0.size(), x.stream);
    const std::vector<Vec3> x_t1 = engine_.copy_to_host(x.x_t1.data(), x.x_t1.size(), x.stream);
    validate_step(scene_, x_t0, x_t1);
  }
  throw InputError("a position is not finite, or a vertex of a static body moves");
}

Answer CudaMethod::find_impacts(const QueryContext& query, const Positions& x, Want want) {
  report_progress(query.options, 0.0);
  const Stopwatch update;
  prepare(query, x);
  const double update_ms = update.ms();
  const Stopwatch loop;
  Answer answer = run(query, x, {.want = want, .elementary = query.elementary()});
  const std::vector<Undecided> left = engine_.undecided();
  engine_.add(decide(left, query.elementary(), answer.stats.tiers), answer);
  report_progress(query.options, 1.0);
  answer.stats.update_ms = update_ms;
  answer.stats.traverse_ms = loop.ms();
  return answer;
}

Stats CudaMethod::ordered_impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                                  ViewedImpacts found) {
  const Answer answer = find_impacts(query, {x.x_t0, x.x_t1}, Want::Impacts);
  const std::span<const Impact> all = engine_.impacts();
  budget.charge(answer.stats.memory_bytes + all.size_bytes());
  found(all);
  return answer.stats;
}

Stats CudaMethod::impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                          FoundImpacts found) {
  return ordered_impacts(query, x, budget, [&](std::span<const Impact> impacts) {
    if (!impacts.empty()) found(std::vector<Impact>(impacts.begin(), impacts.end()));
  });
}

DeviceImpacts CudaMethod::impacts(const QueryContext& query, const DeviceStep& x) {
  const Answer answer = find_impacts(query, on_device(x), Want::DeviceImpacts);
  const std::span<const Impact> all = engine_.impacts();
  return {.impacts = all.data(), .count = all.size(), .stats = answer.stats};
}

FirstImpact CudaMethod::first_impact(const QueryContext& query, const StepPositions& x) {
  return first_of(query, {x.x_t0, x.x_t1});
}

FirstImpact CudaMethod::first_impact(const QueryContext& query, const DeviceStep& x) {
  return first_of(query, on_device(x));
}

FirstImpact CudaMethod::first_of(const QueryContext& query, Positions x) {
  report_progress(query.options, 0.0);
  FirstImpact result;
  const Stopwatch update;
  prepare(query, x);
  result.stats.update_ms = update.ms();
  const Stopwatch loop;
  Query part{.want = Want::First, .elementary = query.elementary(), .until = 0.0, .cluster_size = cluster_size_};
  while (true) {
    const Answer answer = run(query, x, part);
    if (answer.impact_count > 0) keep_earliest(result.impact, std::span(&answer.earliest, 1));
    keep_earliest(result.impact, decide(engine_.undecided(), query.elementary(), result.stats.tiers));
    add_counters(result.stats, answer.stats);
    result.stats.cluster.clusters = answer.stats.cluster.clusters;
    result.stats.memory_bytes = answer.stats.memory_bytes;
    result.stats.device_bytes = answer.stats.device_bytes;
    report_progress(query.options, answer.until);
    if (answer.until == 1.0) break;
    if (result.impact && result.impact->toi_lo < answer.until - query.options.tolerance) {
      report_progress(query.options, 1.0);
      break;
    }
    constexpr double kLonger = 32.0;
    part.until = std::min(1.0, kLonger * answer.until);
    x.again = true;
  }
  result.stats.traverse_ms = loop.ms();
  if (result.impact) result.toi = result.impact->toi_lo;
  return result;
}

Intersections CudaMethod::intersections(const QueryContext& query, std::span<const Vec3> x) {
  report_progress(query.options, 0.0);
  Intersections result;
  const Stopwatch update;
  prepare(query, {x, x});
  const double update_ms = update.ms();
  const Stopwatch loop;
  const Answer answer = run(query, {x, x}, {.want = Want::EdgeFaces});
  result.stats = answer.stats;
  const std::vector<EdgeFaceCandidate> candidates = engine_.edge_faces();
  MemoryBudget budget(query.options.memory_cap);
  budget.charge(answer.stats.memory_bytes + candidates.size() * sizeof(EdgeFaceCandidate));
  auto lists = test_all<Intersection>(candidates.size(), result.stats, [&](std::size_t i, auto& part) {
    EdgeFaceStream{x, budget, part}.push(candidates[i].edge, candidates[i].face);
  });
  result.edge_face = sorted_intersections(std::move(lists));
  report_progress(query.options, 1.0);
  result.stats.update_ms = update_ms;
  result.stats.narrow_ms = loop.ms();
  return result;
}

Stats CudaMethod::proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                              FoundProximities found) {
  report_progress(query.options, 0.0);
  const Stopwatch update;
  prepare(query, {x, x});
  const double update_ms = update.ms();
  const Stopwatch loop;
  const Answer answer = run(query, {x, x}, {.want = Want::NearPairs, .distance = d});
  Stats stats = answer.stats;
  const std::vector<FeaturePair> candidates = engine_.near_pairs();
  budget.charge(answer.stats.memory_bytes + candidates.size() * sizeof(FeaturePair));
  auto lists = test_all<Proximity>(candidates.size(), stats, [&](std::size_t i, auto& part) {
    test_proximity(candidates[i], x, d, budget, part.stats, part.found);
  });
  std::vector<Proximity> all = sorted_proximities(std::move(lists));
  if (!all.empty()) found(std::move(all));
  report_progress(query.options, 1.0);
  stats.update_ms = update_ms;
  stats.narrow_ms = loop.ms();
  return stats;
}

void CudaMethod::apply(const MeshChange& change, bool filter_changed) {
  has_clusters_ = false;
  has_filter_ = false;
  clusters_->apply(leaves_->follow(change), filter_changed);
}

std::string CudaMethod::validate() const {
  std::string difference = leaves_->validate();
  return difference.empty() ? clusters_->validate() : difference;
}

std::size_t CudaMethod::memory_bytes() const {
  return (leaves_ ? leaves_->memory_bytes() : 0) + (clusters_ ? clusters_->memory_bytes() : 0) +
         engine_.memory_bytes();
}

}  // namespace graze::cuda
