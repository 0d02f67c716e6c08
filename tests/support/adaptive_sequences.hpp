// Sequences of steps that are difficult for methods with temporal coherence: vertices that jump, bodies that are
// elsewhere at the start of the next step, motion that stops, turns and grows, a common drift, sizes from 1e-300 to
// 1e300.
//
// Made by hand and from seeds; the same on every machine up to the last bits of sin and cos. Small: some hundred
// triangles, some dozen steps. The expected answers come from another method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/scene.hpp>

namespace graze::testing {

struct SequenceStep {
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
};

struct Sequence {
  Scene scene;
  std::vector<SequenceStep> steps;
  double scale = 1.0;  ///< approximate size of the scene
};

/// Builds a sequence step by step.
class Story {
 public:
  /// Maps the position x of a vertex to its next position.
  using Move = std::function<Vec3(const Vec3& x, VertexId v, BodyId body)>;

  explicit Story(const Scene& scene, double scale = 1.0);

  /// Adds a step; static bodies stay.
  void go(const Move& move);
  /// Sets the start of the next step for all bodies, including static ones.
  void put(const Move& move);
  [[nodiscard]] const Vec3& x(VertexId v) const { return x_[v]; }
  [[nodiscard]] std::size_t step_count() const { return sequence_.steps.size(); }
  [[nodiscard]] Sequence end() const { return sequence_; }

 private:
  Sequence sequence_;
  std::vector<Vec3> x_;
};

struct SequenceEntry {
  std::string_view name;
  Sequence (*make)();
  bool touches = true;  ///< the sequence has impacts
};

std::span<const SequenceEntry> motion_sequences();
std::span<const SequenceEntry> odd_sequences();
/// The sequences of motion_sequences and odd_sequences.
std::span<const SequenceEntry> adaptive_sequences();
/// A sequence by name, made once. Not thread-safe.
const Sequence& sequence_named(std::string_view name);

/// Two wavy sheets of 2 * side * side triangles, the second at `gap` above the first, and optionally a static one
/// at `gap` below. Bodies 0, 1 and 2; 49 vertices each with the default side.
Scene wavy_sheets(double gap, bool with_static, Motion motion = Motion::Deforming, std::uint32_t side = 6);

/// Three bodies of one triangle each, at distance `apart` above each other.
Scene three_triangles(double apart);

/// A deterministic number in [-1, 1) for each pair of arguments.
double noise(std::uint64_t a, std::uint64_t b);
Vec3 noise3(std::uint64_t a, std::uint64_t b, double scale);

}  // namespace graze::testing
