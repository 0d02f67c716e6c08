// A list of items for each row, as mesh/topology.hpp's Rows, but rows can be replaced one by one.
//
// A row that does not fit in its old place goes to the end of the items, and leaves garbage behind. When garbage is
// more than half of the items, and enough to pay for a walk over the rows, everything is put together again. Cost:
// amortised O(row) to replace one; 8 bytes a row and, at worst, 8 an item.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/topology.hpp"

namespace graze::mesh {

class RowPool {
 public:
  RowPool() = default;
  explicit RowPool(Rows rows) : items_(std::move(rows.items)) {
    rows_.reserve(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) rows_.push_back({rows.offsets[r], rows.length(r)});
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::uint32_t length(std::size_t row) const { return rows_[row].length; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return {items_.data() + rows_[row].begin, rows_[row].length};
  }

  /// More rows, empty ones. Never less.
  void grow(std::size_t row_count) { rows_.resize(std::max(row_count, rows_.size())); }
  /// Views of rows are no longer valid; `items` must not be one.
  void replace(std::size_t row, std::span<const std::uint32_t> items) {
    Place& place = rows_[row];
    if (items.size() <= place.length) {
      garbage_ += place.length - items.size();
      std::copy(items.begin(), items.end(), items_.begin() + place.begin);
    } else {
      const auto begin = static_cast<std::uint32_t>(items_.size());
      items_.insert(items_.end(), items.begin(), items.end());
      garbage_ += place.length;
      place.begin = begin;
    }
    place.length = static_cast<std::uint32_t>(items.size());
    if (2 * garbage_ > items_.size() && garbage_ > rows_.size()) compact();
  }

  /// Row i becomes what row from[i] is, none of them taken twice; empty where from[i] is no row.
  void permute(std::span<const std::uint32_t> from) {
    std::vector<Place> rows(from.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] < rows_.size()) rows[i] = rows_[from[i]];
      used += rows[i].length;
    }
    rows_ = std::move(rows);
    garbage_ = items_.size() - used;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return rows_.capacity() * sizeof(Place) + items_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct Place {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
  };

  void compact() {
    std::vector<std::uint32_t> items;
    items.reserve(items_.size() - garbage_);
    for (Place& place : rows_) {
      const auto begin = static_cast<std::uint32_t>(items.size());
      const auto first = items_.begin() + place.begin;
      items.insert(items.end(), first, first + place.length);
      place.begin = begin;
    }
    items_ = std::move(items);
    garbage_ = 0;
  }

  std::vector<Place> rows_;
  std::vector<std::uint32_t> items_;
  std::size_t garbage_ = 0;  // items of no row
};

}  // namespace graze::mesh
