// Clusters between queries: paths, static vertices, rebuild and refit; cluster_mesh.hpp describes the state.
#include "methods/cluster/cluster_mesh.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/parallel_fold.hpp"
#include "core/tasks.hpp"
#include "geometry/same_bits.hpp"
#include "methods/cluster/build/build_clusters.hpp"
#include "methods/cluster/cluster_table.hpp"

namespace graze::methods {

namespace {

constexpr std::uint32_t kNoCluster = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <typename Sum, typename Value>
Sum ClusterMesh::sum_over_clusters(Sum sum, const Value& value) const {
  return parallel_fold<512>(
      clusters_.size(), sum,
      [&](std::size_t first, std::size_t last) {
        Sum piece{};
        for (std::size_t c = first; c < last; ++c) piece += value(clusters_[c]);
        return piece;
      },
      [](Sum a, Sum b) { return a + b; });
}

void ClusterMesh::take_paths(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  constexpr std::size_t kGrain = 2048;
  struct Part {
    double displacements = 0.0;
    std::uint8_t flags = 0;  // flags of its vertices, combined by OR
  };
  std::vector<Part> parts((x_t0.size() + kGrain - 1) / kGrain);
  const std::size_t known = paths_.size();  // the others have no path yet
  paths_.resize(x_t0.size());               // last: if memory runs out, no path is left unset
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      Part& part = parts[at];
      const std::size_t end = std::min((at + 1) * kGrain, x_t0.size());
      for (std::size_t v = at * kGrain; v < end; ++v) {
        const Vec3& p = x_t0[v];
        const Vec3& q = x_t1[v];
        const bool same = v < known && same_bits(paths_[v].t0, p) && same_bits(paths_[v].t1, q);
        const bool is_static = same_bits(p, q);
        const bool kept = same && is_static && (flags_[v] & Covered) != 0;
        flags_[v] =
            static_cast<std::uint8_t>((is_static ? Static : 0) | (kept ? Kept | Covered : 0) | (same ? Same : 0));
        part.flags |= flags_[v];
        paths_[v].t0 = p;
        paths_[v].t1 = q;
        part.displacements += std::max({std::abs(q.x - p.x), std::abs(q.y - p.y), std::abs(q.z - p.z)});
      }
    }
  });
  displacement_sum_ = 0.0;
  std::uint8_t flags = 0;
  for (const Part& part : parts) {
    displacement_sum_ += part.displacements;
    flags |= part.flags;
  }
  has_static_vertices_ = (flags & Static) != 0;
  some_same_ = (flags & Same) != 0;
}

void ClusterMesh::make_clusters(std::span<const Vec3> x) {
  made_ = false;
  UninitializedVector<Cluster>().swap(clusters_);  // frees the old clusters before the new ones are built
  free_.clear();
  unclustered_.clear();
  cluster_of_ = {};
  cluster_leaves_ = {};
  cluster_ends_ = {};
  UninitializedVector<std::uint32_t> numbers(leaves_->size());
  parallel_for(0, numbers.size(), 8192, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  });
  if (leaves_->may_have_free()) {
    const LeafView leaves = leaves_->view();
    std::erase_if(numbers, [&](std::uint32_t leaf) { return leaves.is_free(leaf); });
  }
  const std::vector<std::uint8_t> separate_by = in_static_body();
  MadeClusters made = build_clusters({leaves_->view(), x, separate_by}, std::move(numbers));
  clusters_ = std::move(made.clusters);
  cluster_leaves_ = std::move(made.leaves);
  cluster_ends_ = std::move(made.ends);
  leaves_->drop_neighbours();
  ordered_spread_ = 0.0;
  made_count_ = clusters_.size();
  made_spread_ = 0.0;
  needs_rebuild_ = false;
  made_ = true;
}

/// By vertex: 1 if it is in a static body, else 0. Empty if no body is static.
std::vector<std::uint8_t> ClusterMesh::in_static_body() const {
  bool any = false;
  for (BodyId body = 0; body < scene_->body_count(); ++body) any = any || scene_->motion(body) == Motion::Static;
  if (!any) return {};
  std::vector<std::uint8_t> is_static(scene_->vertex_count());
  parallel_for(0, is_static.size(), 8192, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const BodyId body = scene_->body_of(static_cast<VertexId>(v));
      is_static[v] = body != kNoBody && scene_->motion(body) == Motion::Static ? 1 : 0;
    }
  });
  return is_static;
}

/// Builds clusters of leaves that an edit left without one, and stores them in free slots first.
void ClusterMesh::place_clusters(UninitializedVector<std::uint32_t> leaves, std::span<const Vec3> x) {
  const std::vector<std::uint8_t> separate_by = in_static_body();
  const MadeClusters made = build_clusters({leaves_->view(), x, separate_by}, std::move(leaves));
  clusters_.reserve(clusters_.size() + made.clusters.size());
  for (std::size_t c = 0; c < made.clusters.size(); ++c) {
    auto place = static_cast<std::uint32_t>(clusters_.size());
    if (free_.empty()) {
      clusters_.push_back(made.clusters[c]);
    } else {
      place = free_.back();
      free_.pop_back();
      clusters_[place] = made.clusters[c];
    }
    for (std::size_t i = c == 0 ? 0 : made.ends[c - 1]; i < made.ends[c]; ++i) cluster_of_[made.leaves[i]] = place;
  }
  ordered_spread_ = 0.0;
}

/// By leaf: its cluster, or kNoCluster.
std::vector<std::uint32_t> ClusterMesh::clusters_by_leaf() const {
  if (!cluster_of_.empty()) return cluster_of_;
  std::vector<std::uint32_t> cluster_of(leaves_->size(), kNoCluster);
  for (std::uint32_t c = 0; c < cluster_ends_.size(); ++c) {
    for (std::size_t i = c == 0 ? 0 : cluster_ends_[c - 1]; i < cluster_ends_[c]; ++i) {
      cluster_of[cluster_leaves_[i]] = c;
    }
  }
  return cluster_of;
}

void ClusterMesh::require_thickness(double thickness) {
  if (thickness != kept_thickness_) std::fill(flags_.begin(), flags_.end(), std::uint8_t{0});
  kept_thickness_ = thickness;
}

/// Sets the shared local frame, and builds clusters if there are none or they have become too large.
void ClusterMesh::prepare_clusters(std::span<const Vec3> x) {
  flags_.resize(x.size(), 0);  // first, because an edit may come before there are clusters
  const SceneExtent middle = middle_of(x);
  if (!made_ || !suits(shared_frame_, middle)) {
    shared_frame_ = local_frame_of(middle);
    shared_frame_new_ = true;
    ordered_spread_ = 0.0;
  }
  if (!made_ || needs_rebuild_) {
    make_clusters(x);
  } else if (!unclustered_.empty()) {
    place_clusters({unclustered_.begin(), unclustered_.end()}, x);
    unclustered_.clear();
  }
}

void ClusterMesh::begin_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  if (!marked_) shared_frame_new_ = true;  // a step failed half-way: tables may belong to it
  marked_ = false;
  prepare_clusters(x_t0);
  take_paths(x_t0, x_t1);  // after building clusters, whose work memory is free again
  mark_leaf_groups();
  marked_ = true;
}

/// Marks the static and kept vertices of each cluster, and invalidates tables that no longer hold.
void ClusterMesh::mark_leaf_groups() {
  parallel_for(0, clusters_.size(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      Cluster& cluster = clusters_[c];
      if (!has_static_vertices_ && !(some_same_ && tables_whole_)) {  // no table can hold
        cluster.static_bits = cluster.kept = 0;
        cluster.filled = 0;
        continue;
      }
      std::uint8_t common = 0xff;
      std::uint32_t static_bits = 0;
      std::uint32_t kept = 0;
      for (std::size_t i = 0; i < kClusterVertices; ++i) {
        const std::uint8_t flags = flags_[cluster.ids[i]];
        common &= flags;
        static_bits |= ((flags & Static) != 0 ? 1U : 0U) << i;
        kept |= ((flags & Kept) != 0 ? 1U : 0U) << i;
      }
      cluster.static_bits = static_bits;
      cluster.kept = kept;
      const bool holds = !shared_frame_new_ && (common & Same) != 0 && (tables_whole_ || (common & Static) != 0);
      if (!holds) cluster.filled = 0;
    }
  });
  shared_frame_new_ = false;
}

void ClusterMesh::bound_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  parallel_for(0, clusters_.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      Cluster& cluster = clusters_[c];
      if (cluster.vertex_count > 0 && cluster.filled == 0) fill_table(shared_frame_, x_t0, x_t1, cluster);
    }
  });
  tables_whole_ = true;
  refit();
}

void ClusterMesh::bound_part(std::span<const Vec3> x_t0, std::span<const Vec3> x_until) {
  tables_whole_ = false;
  parallel_for(0, clusters_.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      Cluster& cluster = clusters_[c];
      const bool holds = cluster.filled != 0 && cluster.static_bits == 0xffffffffU;
      if (cluster.vertex_count > 0 && !holds) fill_table(shared_frame_, x_t0, x_until, cluster);
      cluster.filled =
          cluster.static_bits == 0xffffffffU ? 1 : 0;  // tables of moving clusters hold the prefix only
    }
  });
  refit();
}

void ClusterMesh::bound_instant(std::span<const Vec3> x, std::span<const std::uint8_t> kept) {
  prepare_clusters(x);
  parallel_for(0, clusters_.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      Cluster& cluster = clusters_[c];
      if (cluster.vertex_count == 0) continue;
      fill_table(shared_frame_, x, x, cluster);
      cluster.filled = 0;  // not a table of the current step
      cluster.static_bits = 0;
      cluster.kept = 0;
      if (kept.empty()) continue;
      for (std::size_t i = 0; i < kClusterVertices; ++i) {
        cluster.kept |= (kept[cluster.ids[i]] != 0 ? 1U : 0U) << i;
      }
    }
  });
  refit();
}

double ClusterMesh::spread() const {
  return sum_over_clusters(0.0, [](const Cluster& cluster) {
    if (cluster.vertex_count == 0) return 0.0;
    float size = 0.0F;
    for (std::size_t k = 0; k < 3; ++k) size += cluster.box.hi[k] - cluster.box.lo[k];
    return static_cast<double>(size) / cluster.frame.scale;
  });
}

void ClusterMesh::refit() {
  constexpr double kRebuildGrowth = 2.0;
  constexpr double kDisordered = 1.2;
  spread_ = spread();
  if (made_spread_ == 0.0) made_spread_ = spread_;
  needs_rebuild_ = spread_ > kRebuildGrowth * made_spread_;
  if (ordered_spread_ > 0.0) {
    tree_.refit(clusters_);
    if (tree_.spread() <= kDisordered * ordered_spread_) return;
  }
  ordered_spread_ = 0.0;  // until the tree is ordered: memory may run out
  tree_.order(clusters_);
  tree_.refit(clusters_);
  ordered_spread_ = std::max(tree_.spread(), std::numeric_limits<double>::min());
}

double ClusterMesh::mean_displacement(std::span<const Vec3> x_t0) {
  if (spread_ == 0.0) bound_part(x_t0, x_t0);
  const double size = spread_ / (3.0 * static_cast<double>(std::max<std::size_t>(clusters_.size(), 1)));
  const double displacement = displacement_sum_ / static_cast<double>(std::max<std::size_t>(paths_.size(), 1));
  return size > 0.0 ? displacement / size : 0.0;
}

void ClusterMesh::apply(const LeafChanges& changes, bool forget) {
  if (forget || !made_) std::fill(flags_.begin(), flags_.end(), std::uint8_t{0});
  if (!made_ || changes.empty()) return;
  made_ = false;  // until all is done: memory may run out
  const LeafView leaves = leaves_->view();
  if (cluster_of_.empty()) cluster_of_ = clusters_by_leaf();
  cluster_leaves_ = {};
  cluster_ends_ = {};
  cluster_of_.resize(leaves.size(), kNoCluster);
  std::vector<bool> gone(clusters_.size());
  const auto open = [&](std::uint32_t leaf) {
    if (cluster_of_[leaf] != kNoCluster) gone[cluster_of_[leaf]] = true;
  };
  for (const std::uint32_t leaf : changes.removed) open(leaf);
  for (const std::uint32_t leaf : changes.touched) open(leaf);
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    if (!gone[c]) continue;
    // Contacts of static vertices near the edit are no longer known, and the vertices may be removed.
    for (std::size_t i = 0; i < clusters_[c].vertex_count; ++i) flags_[clusters_[c].ids[i]] = 0;
    clusters_[c] = {};
    free_.push_back(static_cast<std::uint32_t>(c));
  }
  for (const std::uint32_t leaf : changes.added) {
    for (const VertexId v : leaves.vertices(leaf)) {
      if (v < flags_.size()) flags_[v] = 0;
    }
  }
  std::vector<bool> was_unclustered(leaves.size());
  for (const std::uint32_t leaf : unclustered_) was_unclustered[leaf] = true;
  for (const std::uint32_t leaf : changes.added) was_unclustered[leaf] = true;
  unclustered_.clear();
  for (std::uint32_t leaf = 0; leaf < cluster_of_.size(); ++leaf) {
    const std::uint32_t in = cluster_of_[leaf];
    if (in != kNoCluster && !gone[in]) continue;
    cluster_of_[leaf] = kNoCluster;
    if (!leaves.is_free(leaf) && (in != kNoCluster || was_unclustered[leaf])) unclustered_.push_back(leaf);
  }
  ordered_spread_ = 0.0;
  // Many small edits leave many small clusters: rebuild all of them at the next step.
  const std::size_t live = clusters_.size() - free_.size();
  made_ = live <= 16 + 2 * made_count_;
}

std::string ClusterMesh::validate() const {
  if (!made_) return {};
  std::vector<std::size_t> faces(clusters_.size());
  std::vector<std::size_t> vertices(clusters_.size());
  std::vector<std::size_t> edges(clusters_.size());
  const LeafView leaves = leaves_->view();
  const std::vector<std::uint32_t> cluster_of = clusters_by_leaf();
  std::vector<bool> unclustered(leaves.size());
  for (const std::uint32_t leaf : unclustered_) unclustered[leaf] = true;
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    const bool clustered = i < cluster_of.size() && cluster_of[i] != kNoCluster;
    if (clustered == (leaves.is_free(i) || unclustered[i])) {
      return "cluster membership of a leaf is wrong";
    }
    if (!clustered) continue;
    const Cluster& cluster = clusters_[cluster_of[i]];
    const Face face = leaves.face(i);
    bool found = false;
    for (std::size_t f = 0; f < cluster.face_count; ++f) {
      const std::uint32_t word = cluster.faces[f];
      found = found || (cluster.ids[word & 31U] == face[0] && cluster.ids[word >> 8U & 31U] == face[1] &&
                        cluster.ids[word >> 16U & 31U] == face[2]);
    }
    if (!found) return "a face is not in its leaf's cluster";
    ++faces[cluster_of[i]];
    const unsigned mask = leaves.masks[i];
    vertices[cluster_of[i]] += static_cast<std::size_t>(std::popcount(mask & kVertexBits));
    edges[cluster_of[i]] += static_cast<std::size_t>(std::popcount(mask & kEdgeBits));
  }
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    if (faces[c] != clusters_[c].face_count || vertices[c] != clusters_[c].owned_vertices ||
        edges[c] != clusters_[c].edge_count) {
      return "a cluster has other features than its leaves represent";
    }
  }
  return {};
}

bool ClusterMesh::is_kept(const FeaturePair& pair) const {
  return std::all_of(pair.vertices.begin(), pair.vertices.end(),
                     [&](VertexId v) { return (flags_[v] & Kept) != 0; });
}

bool ClusterMesh::is_static_pair(const FeaturePair& pair) const {
  return std::all_of(pair.vertices.begin(), pair.vertices.end(),
                     [&](VertexId v) { return (flags_[v] & Static) != 0; });
}

std::vector<Impact> ClusterMesh::kept_impacts() const {
  std::vector<Impact> impacts;
  for (const Impact& impact : kept_) {
    if (is_kept(impact.pair)) impacts.push_back(impact);
  }
  return impacts;
}

void ClusterMesh::keep(const std::vector<std::vector<Impact>>& found) {
  std::erase_if(kept_, [&](const Impact& impact) { return !is_kept(impact.pair); });
  std::vector<std::size_t> begins(1, kept_.size());
  for (const std::vector<Impact>& list : found) begins.push_back(begins.back() + list.size());
  kept_.resize(begins.back());
  parallel_for(0, found.size(), 8, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::copy(found[i].begin(), found[i].end(), kept_.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    }
  });
  if (!has_static_vertices_) return;
  parallel_for(0, flags_.size(), 16384, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if ((flags_[v] & Static) != 0) flags_[v] |= Covered;
    }
  });
}

std::size_t ClusterMesh::kept_cluster_count() const {
  return sum_over_clusters(std::size_t{0},
                           [](const Cluster& cluster) { return std::size_t{cluster.all_kept() ? 1U : 0U}; });
}

std::size_t ClusterMesh::planned_bytes(std::size_t vertices, std::size_t leaves) {
  constexpr std::size_t kFilled = kClusterFaces / 4 * 3;
  return vertices * (sizeof(VertexPath) + 1) + leaves * sizeof(std::uint32_t) +
         (leaves + kFilled - 1) / kFilled * (sizeof(Cluster) + sizeof(ClusterTree::Node) / 12);
}

std::size_t ClusterMesh::memory_bytes() const {
  return clusters_.capacity() * sizeof(Cluster) +
         (cluster_leaves_.capacity() + cluster_ends_.capacity() + cluster_of_.capacity()) * sizeof(std::uint32_t) +
         (unclustered_.capacity() + free_.capacity()) * sizeof(std::uint32_t) + tree_.memory_bytes() +
         paths_.capacity() * sizeof(VertexPath) + flags_.capacity() + kept_.capacity() * sizeof(Impact);
}

}  // namespace graze::methods
