// Sequences of steps that are hard on a method which remembers: vertices that jump, bodies that are elsewhere at
// the start of the next step, motion that stops, turns, grows, everything in one drift, sizes from 1e-300 to 1e300.
//
// Made by hand and by seeds; the same on every machine up to the last bits of sin and cos. Small: some hundred
// triangles, some dozen steps. What is right is not written here: another method knows.
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
  double scale = 1.0;  ///< how large the scene is, about
};

/// Writes a sequence step by step.
class Story {
 public:
  /// Where a vertex goes from x.
  using Way = std::function<Vec3(const Vec3& x, VertexId v, BodyId body)>;

  explicit Story(const Scene& scene, double scale = 1.0);

  /// A step; static bodies stay.
  void go(const Way& way);
  /// Puts everything, static bodies too, where the next step begins.
  void put(const Way& way);
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
  bool touches = true;  ///< there are impacts
};

std::span<const SequenceEntry> motion_sequences();
std::span<const SequenceEntry> odd_sequences();
/// Both.
std::span<const SequenceEntry> adaptive_sequences();
/// One of them, made once. Not for several threads.
const Sequence& sequence_named(std::string_view name);

/// Two wavy sheets of 2 * side * side triangles, the second one a gap above the first, and (if asked for) a static
/// one the same gap below. Bodies 0, 1 and 2; 49 vertices each with the usual side.
Scene wavy_sheets(double gap, bool with_static, Motion motion = Motion::Deforming, std::uint32_t side = 6);

/// Three bodies of a triangle each, one over the other.
Scene three_triangles(double apart);

/// A number in [-1, 1) for each pair of arguments.
double noise(std::uint64_t a, std::uint64_t b);
Vec3 noise3(std::uint64_t a, std::uint64_t b, double scale);

}  // namespace graze::testing
