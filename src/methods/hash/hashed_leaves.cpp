// Computes the bounds and the voxels of a step for the spatial hash (methods/hash/hashed_leaves.hpp).
#include "methods/hash/hashed_leaves.hpp"

#include <graze/research.hpp>

#include <algorithm>

#include "core/tasks.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kVerticesPerBatch = 512;

HashedLeaves::AnyKdopSlabs slabs_of(research::BoundingVolume volume) {
  switch (volume) {
    case research::BoundingVolume::Aabb:
      break;
    case research::BoundingVolume::Kdop18:
      return KdopSlabRows<6>{};
    case research::BoundingVolume::Kdop26:
      return KdopSlabRows<10>{};
  }
  return std::monostate{};
}

/// Calls fn(rows) if there are diagonal slabs.
template <typename KdopSlabs, typename Fn>
void if_slabs(KdopSlabs& slabs, const Fn& fn) {
  std::visit(
      [&](auto& rows) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(rows)>, std::monostate>) fn(rows);
      },
      slabs);
}

}  // namespace

HashedLeaves::HashedLeaves(const Scene& scene, const HashChoices& choices)
    : BoundedLeaves(scene, choices.edge_bounds, choices.volume),
      choices_(choices),
      slabs_(slabs_of(choices.volume)),
      element_slabs_(!std::holds_alternative<std::monostate>(slabs_) &&
                     (!choices.hash.representatives || vertex_count() <= 2 * leaves().size())) {}

void HashedLeaves::update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) {
  MotionBounds at{.x_t0 = x_t0, .x_t1 = x_t1, .reference_points = {}, .gap = gap};
  const std::optional<MotionBounds> still = make_boxes(at, gap);
  if (cell_maps_ != maps_version()) cell_ = 0.0;
  cell_maps_ = maps_version();
  const BoxRow boxes(leaves(), &Leaf::box);
  static_.refer_to(boxes);
  const std::vector<std::uint32_t> moving = moving_leaves();
  const std::vector<std::uint32_t> stationary = still ? static_leaves() : std::vector<std::uint32_t>();
  if (choices_.hash.cells == research::CellRule::Largest) {
    // As in the paper, the cell size holds for the whole simulation; but it grows when a triangle outgrows two
    // cells, so that no triangle covers an unbounded number of cells.
    if (still) static_largest_ = largest_extent(boxes, stationary);
    const double largest = std::max(largest_extent(boxes, moving), has_static() ? static_largest_ : 0.0);
    if (!(largest <= 2.0 * cell_)) cell_ = largest;
  }
  // If there are static bodies, their table determines the unit for as long as it is kept.
  const bool nested = choices_.hash.cells == research::CellRule::Levels;
  if (nested && (!has_static() || still)) unit_ = best_cell_unit(boxes, has_static() ? stationary : moving);
  make_slabs(moving_vertices(), moving, at);
  const VoxelTable::Shared shared{.cell = cell_, .unit = unit_, .primitives = cell_ > 0.0 ? leaves().size() : 0};
  moving_.update(boxes, moving, choices_.hash, shared);
  if (still) {
    make_slabs(static_vertices(), stationary, *still);
    static_.update(boxes, stationary, choices_.hash, shared);
    static_cell_ = cell_;
    static_bounds_are_made();
  } else if (has_static() && static_cell_ != cell_) {
    static_cell_ = 0.0;  // until the table is rebuilt: memory may run out
    static_.update(boxes, static_leaves(), choices_.hash, shared);
    static_cell_ = cell_;
  }
}

void HashedLeaves::make_slabs(const IdRanges& vertices, std::span<const std::uint32_t> numbers,
                              const MotionBounds& at) {
  if_slabs(slabs_, [&](auto& rows) { make_slabs(rows, vertices, numbers, at); });
}

template <std::size_t K>
void HashedLeaves::make_slabs(KdopSlabRows<K>& rows, const IdRanges& vertices,
                              std::span<const std::uint32_t> numbers, const MotionBounds& at) const {
  rows.leaves.resize(leaves().size());
  if (!has_element_slabs()) {
    const TriangleBounds<typename KdopSlabs<K>::Volume> bounds(at);
    parallel_for(0, numbers.size(), 4 * kVerticesPerBatch, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Leaf& one = leaf(numbers[i]);
        rows.leaves[numbers[i]] = KdopSlabs<K>(bounds(one.vertices, one.box.box()));
      }
    });
    return;
  }
  rows.vertices.resize(vertex_count());
  for (const auto& [first, last] : vertices) {
    const std::size_t start = first;
    const std::size_t end = last;
    parallel_for(0, (end - start + kVerticesPerBatch - 1) / kVerticesPerBatch, 4,
                 [&](std::size_t begin_piece, std::size_t end_piece) {
                   std::array<typename KdopSlabs<K>::Volume, kVerticesPerBatch> volumes;
                   for (std::size_t piece = begin_piece; piece < end_piece; ++piece) {
                     const std::size_t begin = start + piece * kVerticesPerBatch;
                     const std::size_t count = std::min(kVerticesPerBatch, end - begin);
                     make_vertex_volumes(at.x_t0.subspan(begin, count), at.x_t1.subspan(begin, count), at.gap,
                                         std::span(volumes).first(count), at.maps);
                     for (std::size_t i = 0; i < count; ++i) rows.vertices[begin + i] = KdopSlabs<K>(volumes[i]);
                   }
                 });
  }
  parallel_for(0, numbers.size(), 4 * kVerticesPerBatch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& v = leaf(numbers[i]).vertices;
      KdopSlabs<K> all = union_of(rows.vertices[v[0]], rows.vertices[v[1]]);
      all.include(rows.vertices[v[2]]);
      rows.leaves[numbers[i]] = all;
    }
  });
}

std::vector<VoxelPairs> HashedLeaves::leaf_pairs(Scope scope) const {
  std::vector<VoxelPairs> pairs;
  if (scope == Scope::Moving) {
    pairs.emplace_back(moving_);
    if (has_static()) pairs.emplace_back(moving_, static_);
  } else if (has_static()) {
    pairs.emplace_back(static_);
  }
  return pairs;
}

void HashedLeaves::count(Stats& stats) const {
  HashCounts& counts = stats.hash;
  moving_.count(counts);
  if (!has_static()) return;
  static_.count(counts);
  // In the paper's table, static and moving triangles share the voxels.
  if (choices_.hash.cells != research::CellRule::Largest || moving_.voxel_count() != static_.voxel_count()) return;
  for (std::size_t v = 0; v < moving_.voxel_count(); ++v) {
    counts.voxel_pairs += std::uint64_t{moving_.voxel(v).size()} * static_.voxel(v).size();
  }
}

std::size_t HashedLeaves::planned_bytes() const {
  std::size_t slab_bytes = 0;
  if_slabs(slabs_, [&](const auto& rows) {
    slab_bytes = ((has_element_slabs() ? vertex_count() : 0) + leaves().size()) * sizeof(rows.leaves[0]);
  });
  constexpr std::size_t kLists = 8;  // temporary bytes per leaf, for leaf numbers and sizes, while voxels are
                                     // filled
  return LeafBounds::planned_bytes() + slab_bytes + leaves().size() * kLists +
         VoxelTable::planned_bytes(leaves().size(), choices_.hash);
}

std::size_t HashedLeaves::memory_bytes() const {
  std::size_t slab_bytes = 0;
  if_slabs(slabs_, [&](const auto& rows) {
    slab_bytes = (rows.vertices.capacity() + rows.leaves.capacity()) * sizeof(rows.leaves[0]);
  });
  return LeafBounds::memory_bytes() + slab_bytes + moving_.memory_bytes() + static_.memory_bytes();
}

}  // namespace graze::methods
