// Shared code of random sequences of a detector: a scene edited by a script, a detector that follows it, an r-tri
// detector as reference, and queries that may be stopped half-way.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "oracle/random.hpp"
#include "support/edit_script.hpp"
#include "support/random_edits.hpp"

namespace graze::testing {

class RandomLife {
 protected:
  RandomLife(std::uint64_t seed, std::uint64_t stream, Scene scene, std::size_t edits, std::size_t most_triangles)
      : seed_(seed),
        random_(seed, stream),
        scene_(std::move(scene)),
        script_(random_script(scene_, seed, edits, most_triangles)) {}
  RandomLife(const RandomLife&) = delete;
  RandomLife& operator=(const RandomLife&) = delete;
  ~RandomLife() = default;

  /// The next small starting scene, counted from `first`.
  static Scene small_start(std::uint64_t first, std::uint64_t seed) {
    const auto starts = edit_starts();
    for (std::uint64_t i = first;; ++i) {
      const EditStart& start = starts[i % starts.size()];
      if (start.most_triangles <= 200) return make_start(start, seed);
    }
  }

  /// Makes the detector, with a callback that can stop it (see stopped()), and the r-tri reference.
  void make_detectors(DetectorOptions options, const DetectorOptions& reference) {
    options.progress = [this](double) { return allowed_-- > 0; };
    detector_ = std::make_unique<Detector>(scene_, options);
    reference_ = std::make_unique<Detector>(scene_, reference);
  }

  [[nodiscard]] bool is_static(VertexId v) const {
    return scene_.has_vertex(v) && scene_.motion(scene_.body_of(v)) == Motion::Static;
  }

  /// Applies the next edit of the script to the scene and both detectors, after carry(edit) has updated the
  /// positions. Returns whether there was an edit.
  template <typename Carry>
  bool edit_next(const Carry& carry) {
    if (next_edit_ == script_.size()) return false;
    SceneEdit edit = scene_.begin_edit();
    for (const EditOp& op : script_[next_edit_].ops) perform(edit, op);
    ++next_edit_;
    carry(edit);
    scene_.apply(edit);
    detector_->apply(edit);
    reference_->apply(edit);
    return true;
  }

  /// Runs a query whose callback requests a stop after `calls` calls. Returns whether it was stopped; it may also
  /// complete.
  template <typename Query>
  bool stopped(int calls, const Query& query) {
    bool was = false;
    allowed_ = calls;
    try {
      query();
    } catch (const Interrupted&) {
      was = true;
    }
    allowed_ = std::numeric_limits<int>::max();
    return was;
  }

  /// Empty if both detectors have the same first impact.
  [[nodiscard]] std::string first_difference(const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) const {
    const FirstImpact first = detector_->first_impact(x_t0, x_t1);
    const FirstImpact known = reference_->first_impact(x_t0, x_t1);
    if (first.toi != known.toi || first.impact.has_value() != known.impact.has_value()) return "first impact";
    return first.impact && first.impact->pair != known.impact->pair ? "another first impact" : "";
  }

  std::uint64_t seed_;
  oracle::Random random_;
  Scene scene_;
  std::unique_ptr<Detector> detector_;
  std::unique_ptr<Detector> reference_;

 private:
  EditScript script_;
  std::size_t next_edit_ = 0;
  int allowed_ = std::numeric_limits<int>::max();
};

}  // namespace graze::testing
