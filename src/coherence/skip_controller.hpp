// How many steps a session should have (ADAPTIVE, section 7).
//
// The mean cost of a step says it: while it falls, sessions get longer by a step (long ones by a part of their
// length); when it rises they get shorter, and the current one ends. At one step there are no sessions for a while,
// longer each time; then one is tried again. Now and then a plain step is made, to know what steps cost without.
// The cost is whatever the caller measures: time, or counted work for the same sessions in every run. Constant
// cost.
#pragma once

#include <cstdint>

namespace graze {

class SkipController {
 public:
  /// What the next step is to be: as without sessions; the first of a session; a later one of the running session.
  enum class Step : std::uint8_t { Plain, First, Later };

  /// Sessions of `fixed` steps, always; 0: adapted. Precondition: fixed <= kMostFrames.
  explicit SkipController(unsigned fixed = 0) : fixed_(fixed) {}

  static constexpr unsigned kMostFrames = 1024;

  [[nodiscard]] Step next() const;
  /// Steps that a session which begins now is planned for, or the running one is: n_f; at least 1.
  [[nodiscard]] unsigned frames() const;
  /// A step was made as next() asked for, at this cost (>= 0).
  void done(Step step, double cost);
  /// The running session can't go on: the next step is the first of another, or plain. `too_long`: because vertices
  /// left their bounds, so that shorter ones are better; else the scene changed.
  void end_session(bool too_long);

 private:
  unsigned fixed_ = 0;
  // ... state
};

}  // namespace graze
