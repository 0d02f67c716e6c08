// The sheet of the edit benchmarks (benchmarks/edit_sheet.hpp).
#include "benchmarks/edit_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace graze::benchmarks {

EditSheet::EditSheet(std::size_t triangle_count, std::uint32_t blocks)
    : side_(static_cast<std::uint32_t>(std::sqrt(0.5 * static_cast<double>(triangle_count)))),
      blocks_(blocks),
      cut_frame_(block_count(), -1.0) {
  const double cell = 1.0 / side_;
  for (std::uint32_t j = 0; j <= side_; ++j) {
    for (std::uint32_t i = 0; i <= side_; ++i) vertices_.push_back({cell * i, cell * j, kNone, 0});
  }
  for (std::uint32_t j = 0; j < side_; ++j) {
    for (std::uint32_t i = 0; i < side_; ++i) {
      triangles_.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      triangles_.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  }
  if (blocks > 0) {
    for (std::uint32_t j = 0; j <= side_; ++j) {
      for (std::uint32_t i = 0; i <= side_; ++i) {
        const std::uint32_t across = i > 0 && i < side_ && block_of_cell(i - 1, 0) != block_of_cell(i, 0) ? 2 : 1;
        const std::uint32_t along = j > 0 && j < side_ && block_of_cell(0, j - 1) != block_of_cell(0, j) ? 2 : 1;
        vertices_[vertex(i, j)].blocks_left = static_cast<std::uint8_t>(across * along);
      }
    }
    block_order_.resize(block_count());
    std::iota(block_order_.begin(), block_order_.end(), 0U);
    std::shuffle(block_order_.begin(), block_order_.end(), random_);
    const auto number = [&] { return static_cast<double>(random_() >> 11U) * 0x1p-52 - 1.0; };
    for (std::size_t b = 0; b < block_count(); ++b) velocity_.push_back({number(), number(), number()});
  }
  living_.resize(triangles_.size());
  std::iota(living_.begin(), living_.end(), 0U);
  for (std::uint32_t j = 1; j < side_; ++j) rows_.push_back(j);
  std::shuffle(rows_.begin(), rows_.end(), random_);
  for (std::uint32_t j = 0; j <= side_; ++j) right_side_.push_back(vertex(side_, j));
  std::vector<Vec3> x;
  for (const VertexState& state : vertices_) x.push_back(place(state, 0.0));
  scene_.add_body({.positions = x, .triangles = triangles_});
}

std::uint32_t EditSheet::block_of_cell(std::uint32_t i, std::uint32_t j) const {
  const auto of = [&](std::uint32_t k) { return std::min(k * blocks_ / side_, blocks_ - 1); };
  return of(j) * blocks_ + of(i);
}

Vec3 EditSheet::place(const VertexState& state, double frame) const {
  Vec3 p{state.u, state.v, 0.03 * std::sin(9.0 * state.u + 0.05 * frame) * std::cos(7.0 * state.v - 0.04 * frame)};
  if (state.block == kNone || cut_frame_[state.block] < 0.0) return p;
  const double way = 0.005 * (frame - cut_frame_[state.block]);
  const Vec3& by = velocity_[state.block];
  return {p.x + way * by.x, p.y + way * by.y, p.z + way * by.z};
}

EditSheet::Step EditSheet::step(double frame) const {
  Step step;
  step.x_t0.reserve(vertices_.size());
  step.x_t1.reserve(vertices_.size());
  for (const VertexState& state : vertices_) {
    step.x_t0.push_back(place(state, frame));
    step.x_t1.push_back(place(state, frame + 0.5));
  }
  return step;
}

std::size_t EditSheet::tear(SceneEdit& edit, std::size_t k) {
  std::size_t changed = 0;
  while (changed < k) {
    if (column_ >= side_) {
      rows_.pop_back();
      column_ = 1;
    }
    const std::uint32_t i = column_;
    const std::uint32_t j = rows_.back();
    // The triangles at (i, j) that lie above the tear.
    const TriangleId right = 2 * (j * side_ + i);
    const TriangleId left = 2 * (j * side_ + i - 1);
    std::vector<TriangleId> above = {right, right + 1, left};
    above.resize(std::min(above.size(), k - changed));
    static_cast<void>(edit.split_vertex(vertex(i, j), above));
    // Opens a gap: coinciding edges would be contacts and dominate the query.
    VertexState copy = vertices_[vertex(i, j)];
    copy.v += 0.3 / side_;
    vertices_.push_back(copy);
    changed += above.size();
    ++column_;
  }
  return changed;
}

std::size_t EditSheet::exchange(SceneEdit& edit, std::size_t k) {
  std::vector<Triangle> returning;
  returning.swap(removed_);
  const std::size_t count = std::max<std::size_t>(1, k / 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = random_() % living_.size();
    const TriangleId t = living_[at];
    living_[at] = living_.back();
    living_.pop_back();
    edit.remove_triangle(t);
    removed_.push_back(triangles_[t]);
  }
  for (const Triangle& ids : returning) {
    living_.push_back(edit.add_triangle(ids));
    triangles_.push_back(ids);
  }
  return count + returning.size();
}

std::size_t EditSheet::cut_blocks(SceneEdit& edit, std::size_t count, double frame) {
  std::size_t changed = 0;
  for (; count > 0 && blocks_cut_ < block_count(); --count, ++blocks_cut_) {
    const std::uint32_t block = block_order_[blocks_cut_];
    cut_frame_[block] = frame;
    // The block's triangles by vertex. The ids in the grid are still valid, because each block is cut once.
    std::vector<std::pair<VertexId, TriangleId>> corners;
    for (std::uint32_t j = 0; j < side_; ++j) {
      if (block_of_cell(0, j) / blocks_ != block / blocks_) continue;
      for (std::uint32_t i = 0; i < side_; ++i) {
        if (block_of_cell(i, j) != block) continue;
        for (TriangleId t = 2 * (j * side_ + i), end = t + 2; t < end; ++t) {
          for (const VertexId v : triangles_[t]) corners.emplace_back(v, t);
        }
      }
    }
    std::sort(corners.begin(), corners.end());
    for (std::size_t first = 0; first < corners.size();) {
      const VertexId v = corners[first].first;
      std::vector<TriangleId> at;
      for (; first < corners.size() && corners[first].first == v; ++first) at.push_back(corners[first].second);
      if (--vertices_[v].blocks_left == 0) {
        vertices_[v].block = block;
        continue;
      }
      static_cast<void>(edit.split_vertex(v, at));
      changed += at.size();
      vertices_.push_back({vertices_[v].u, vertices_[v].v, block, 0});
    }
  }
  return changed;
}

std::size_t EditSheet::grow(SceneEdit& edit) {
  std::vector<VertexId> column;
  for (const VertexId v : right_side_) {
    const VertexState grown{vertices_[v].u + 1.0 / side_, vertices_[v].v, kNone, 0};
    column.push_back(edit.add_vertex(0, place(grown, 0.0)));
    vertices_.push_back(grown);
  }
  for (std::size_t j = 0; j + 1 < column.size(); ++j) {
    static_cast<void>(edit.add_triangle({right_side_[j], column[j], column[j + 1]}));
    static_cast<void>(edit.add_triangle({right_side_[j], column[j + 1], right_side_[j + 1]}));
  }
  right_side_ = std::move(column);
  return 2 * (right_side_.size() - 1);
}

}  // namespace graze::benchmarks
