// Lists of items per row, like Rows in mesh/topology.hpp, but with rows that can be replaced one by one.
//
// A row that does not fit in its old place moves to the end of the item array and leaves a gap. The array is
// compacted when gaps are more than half of it and outnumber the rows. Cost: amortised O(row) per replacement; 8
// bytes per row and, at worst, 8 per item.
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

  /// Adds empty rows up to this number; never removes rows.
  void grow(std::size_t row_count) { rows_.resize(std::max(row_count, rows_.size())); }
  /// Replaces a row. Invalidates all views of rows; `items` must not be one of them.
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

  /// Makes row i the old row from[i]; no row may be taken twice. Row i becomes empty if from[i] is not a row.
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
  std::size_t garbage_ = 0;  // number of items in no row
};

}  // namespace graze::mesh
