// Random sequences of method auto in which much is static: some vertices move, return, jump, zeros change their
// sign, the scene grows by a factor of a million, pieces exchange positions; static bodies; edits, single and
// several in a row; all queries in any order, some of them stopped. Every answer is compared with that of r-tri, to
// the last bit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <graze/graze.hpp>

#include "oracle/random.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/hash_check.hpp"
#include "support/random_life.hpp"

namespace graze::testing {

/// What random sequences did.
struct LifeCounts {
  std::size_t steps = 0;
  std::size_t contacts = 0;
  std::size_t kept = 0;  ///< kept clusters
  std::size_t stopped = 0;
  std::size_t edits = 0;
};

/// A random sequence of a detector with method auto, beside one with r-tri.
class StillLife : RandomLife {
 public:
  StillLife(std::uint64_t seed, LifeCounts& counts, Device device = Device::Cpu)
      : RandomLife(seed, 71, start_of(seed), 32, 120),
        counts_(counts),
        x_(scene_.positions().begin(), scene_.positions().end()) {
    lattice_ = random_.below(3) != 0;
    if (lattice_) {
      for (Vec3& p : x_) p = rounded(p);
    }
    reference_x_ = x_;
    options_.threads = std::array{1U, 1U, 1U, 1U, 2U, 7U}[random_.below(6)];
    if (random_.below(3) == 0) options_.thickness = 0.03;
    reference_options_ = options_;
    reference_options_.method = Method::RTri;
    options_.device = device;
    make_detectors(options_, reference_options_);
  }

  /// Empty if the answer was right.
  std::string step(std::size_t index) {
    ++counts_.steps;
    const std::uint32_t edits = std::array{0U, 0U, 0U, 0U, 1U, 2U}[random_.below(6)];
    for (std::uint32_t k = 0; k < edits; ++k) edit();
    const std::string what = place();
    std::vector<Vec3> x_t0 = given(x_);
    move();
    std::vector<Vec3> x_t1 = given(x_);
    const std::string text = ask_one(x_t0, x_t1);
    if (text.empty()) return {};
    return fmt::format("seed {}, step {}, {}, thickness {}, {} threads: {}", seed_, index, what, options_.thickness,
                       options_.threads, text);
  }

 private:
  static Scene start_of(std::uint64_t seed) {
    if (seed % 4 == 0) return wavy_sheets(0.05, true, Motion::Deforming, 8);
    return small_start(seed, seed);
  }
  static Vec3 rounded(const Vec3& p) {
    constexpr double kCells = 8.0;
    return {std::round(kCells * p.x) / kCells, std::round(kCells * p.y) / kCells,
            std::round(kCells * p.z) / kCells};
  }

  void shift(VertexId v, double size) {
    Vec3& p = x_[v];
    p = {p.x + size * random_.symmetric(), p.y + size * random_.symmetric(), p.z + size * random_.symmetric()};
    if (lattice_) p = rounded(p);
  }

  /// Sets the start positions of the step: mostly where the last step ended.
  std::string place() {
    switch (random_.below(12)) {
      case 0:
        for (std::size_t v = 0; v < x_.size(); ++v) x_[v] = reference_x_[v];
        return "back at the reference positions";
      case 1:
        for (Vec3& p : x_) p = {p.x == 0.0 ? -p.x : p.x, p.y == 0.0 ? -p.y : p.y, p.z == 0.0 ? -p.z : p.z};
        // A new r-tri detector, because r-tri reuses its results for static bodies where zeros differ only in sign.
        reference_ = std::make_unique<Detector>(scene_, reference_options_);
        return "other zeros";
      case 2:  // moves a body, possibly a static one
        if (scene_.body_count() > 0) {
          const BodyId body = random_.below(static_cast<std::uint32_t>(scene_.body_count()));
          const Vec3 by = rounded({0.5 * random_.symmetric(), 0.5 * random_.symmetric(), random_.symmetric()});
          for (VertexId v = 0; v < x_.size(); ++v) {
            if (scene_.body_of(v) == body) x_[v] = {x_[v].x + by.x, x_[v].y + by.y, x_[v].z + by.z};
          }
        }
        return "a body elsewhere";
      case 3:
        reference_x_ = x_;
        return "new reference positions";
      case 4:  // changes the local frame of the floats
        // With a thickness the scene does not shrink: all pairs would be within the thickness.
        if (random_.coin()) {
          scale_ =
              std::array{1.0, 0x1p20, 0x1p300, 0x1p-20, 0x1p-700}[random_.below(options_.thickness > 0.0 ? 3 : 5)];
        }
        return fmt::format("scale {}", scale_);
      case 5:
        if (random_.coin() && x_.size() > 1) {
          for (std::size_t i = x_.size() - 1; i > 0; --i) {
            std::swap(x_[i], x_[random_.below(static_cast<std::uint32_t>(i + 1))]);
          }
        }
        return "shuffled";
      default:
        return "where it was";
    }
  }

  /// Moves nothing, some vertices, a body, or all vertices during the step.
  void move() {
    const std::uint32_t kind = random_.below(6);
    if (kind < 2 || x_.empty()) return;
    const double size = std::array{0.01, 0.2, 0.6}[random_.below(3)];
    const BodyId body = random_.below(static_cast<std::uint32_t>(std::max<std::size_t>(scene_.body_count(), 1)));
    const std::uint32_t one_in = std::array{3U, 16U, 64U}[random_.below(3)];
    for (VertexId v = 0; v < x_.size(); ++v) {
      const bool goes = kind == 2 ? scene_.body_of(v) == body : kind == 3 || random_.below(one_in) == 0;
      if (goes && !is_static(v)) shift(v, size);
    }
  }

  [[nodiscard]] std::vector<Vec3> given(const std::vector<Vec3>& x) const {
    std::vector<Vec3> all = x;
    for (VertexId v = 0; v < all.size(); ++v) {
      if (scene_.has_vertex(v)) {
        all[v] = {scale_ * all[v].x, scale_ * all[v].y, scale_ * all[v].z};
      } else {
        all[v].y = std::numeric_limits<double>::quiet_NaN();
      }
    }
    return all;
  }

  void edit() {
    const bool done = edit_next([&](SceneEdit& edit) {
      x_ = edit.carry(x_);
      reference_x_ = edit.carry(reference_x_);
    });
    counts_.edits += done ? 1 : 0;
  }

  void ask_and_stop(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
    const auto calls = static_cast<int>(random_.below(4));
    const bool was = stopped(calls, [&] {
      switch (random_.below(3)) {
        case 0: {
          std::uint32_t sinks = random_.below(3);
          detector_->impacts(x_t0, x_t1, [&](std::span<const Impact>) { return sinks-- > 0; });
          break;
        }
        case 1:
          static_cast<void>(detector_->first_impact(x_t0, x_t1));
          break;
        default:
          static_cast<void>(detector_->impacts(x_t0, x_t1));
      }
    });
    counts_.stopped += was ? 1 : 0;
  }

  std::string ask_one(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
    if (random_.below(5) == 0) ask_and_stop(x_t0, x_t1);
    const std::uint32_t question = random_.below(9);
    if (question == 0) return {};  // no query
    if (question == 1) {
      const Answers expected = ask(*reference_, x_t0, x_t1, 0.01 * scale_);
      return difference(ask(*detector_, x_t0, x_t1, 0.01 * scale_), expected);
    }
    if (question == 2) return first_difference(x_t0, x_t1);
    const Impacts expected = reference_->impacts(x_t0, x_t1);
    counts_.contacts += expected.impacts.size();
    const Impacts actual = question == 3 ? streamed(*detector_, x_t0, x_t1) : detector_->impacts(x_t0, x_t1);
    counts_.kept += actual.stats.cluster.kept;
    std::string text = difference(actual, expected);
    if (text.empty() && question == 4) text = detector_->validate();
    return text;
  }

  LifeCounts& counts_;
  std::vector<Vec3> x_;
  std::vector<Vec3> reference_x_;
  bool lattice_ = false;
  double scale_ = 1.0;
  DetectorOptions options_;
  DetectorOptions reference_options_;
};

}  // namespace graze::testing
