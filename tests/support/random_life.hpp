// What random lives of a detector have in common: a scene that a script edits, a detector that follows, one of
// r-tri that knows the answers, and queries that may be stopped half-way.
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

  /// The next start that is small, counted from `first`.
  static Scene small_start(std::uint64_t first, std::uint64_t seed) {
    const auto starts = edit_starts();
    for (std::uint64_t i = first;; ++i) {
      const EditStart& start = starts[i % starts.size()];
      if (start.most_triangles <= 200) return make_start(start, seed);
    }
  }

  /// The detector with a callback that stops it (stopped()), and that of r-tri.
  void make_detectors(DetectorOptions options, const DetectorOptions& reference) {
    options.progress = [this](double) { return allowed_-- > 0; };
    detector_ = std::make_unique<Detector>(scene_, options);
    reference_ = std::make_unique<Detector>(scene_, reference);
  }

  [[nodiscard]] bool is_static(VertexId v) const {
    return scene_.has_vertex(v) && scene_.motion(scene_.body_of(v)) == Motion::Static;
  }

  /// The next edit of the script, if there is one: carry(edit) takes positions along, before the scene and both
  /// detectors follow. Whether there was one.
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

  /// Whether a query was stopped; `calls` of its callback go on. It may also get through.
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

  /// Empty if both have the same first impact.
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
