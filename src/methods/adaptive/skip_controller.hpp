// How many steps a session should have (ADAPTIVE, section 7).
//
// The mean cost of a step says it: while it falls, the length goes on the way it went, by a part of itself; when it
// rises, the other way. (Always shorter when it rises, as in the paper, runs down to one: short sessions cost more
// a step, which would make them shorter still.) A session whose steps cost more than plain ones ends; when that
// happens again and again, or a short session does not pay, there are none for a while, longer each time, and then
// one of two steps is tried. Now and then a plain step is made, to know what steps cost without. One odd cost
// changes little: plain costs go in by their median, others cut off, and a first failure is only noted. The cost is
// whatever the caller measures: time, or counted work for the same sessions in every run. Constant cost.
#pragma once

#include <array>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::methods {

/// A function of the calls made so far.
class SkipController {
 public:
  /// What the next step is to be: as without sessions; the first of a session; a later one of the running session.
  enum class Step : std::uint8_t { Plain, First, Later };

  /// Sessions of `fixed` steps, always; 0: adapted. Precondition: fixed <= kMostFrames.
  explicit SkipController(unsigned fixed = 0) : fixed_(fixed) {}

  static constexpr unsigned kMaxFrames = 1024;

  [[nodiscard]] Step next() const;
  /// Steps that a session which begins now is planned for, or the running one is: n_f; at least 1.
  [[nodiscard]] unsigned frames() const;
  /// A step was made as next() asked for, at this cost (>= 0).
  void done(Step step, double cost);
  /// The running session can't go on: the next step is the first of another, or plain. `too_long`: because vertices
  /// left their bounds, so that shorter ones are better; else the scene changed. Nothing if none is running.
  void end_session(bool too_long);

 private:
  void plain_done(double cost);
  void later_done(double cost);
  void judge(double mean);
  void paid();
  void fail(unsigned shorter);
  void stop_growth();
  void disable();
  void change_length(bool longer, double mean);
  void close();
  [[nodiscard]] double plain_cost() const;

  unsigned fixed_ = 0;

  // The running session.
  unsigned ran_ = 0;         ///< its steps so far; 0: none is running
  double first_cost_ = 0.0;  ///< of its first step, cut off
  double later_cost_ = 0.0;  ///< of the others together, likewise
  unsigned dear_ = 0;        ///< its last steps that cost more than a plain one

  // Plain steps.
  std::array<double, 3> plain_{};  ///< the last costs, the newest first
  unsigned plain_known_ = 0;       ///< how many of those
  unsigned plain_wanted_ = 2;      ///< steps to come before the next session
  unsigned since_plain_ = 0;       ///< steps since the last one
  double refused_cost_ = 0.0;      ///< of a plain step when sessions were disabled

  // The length, and how it came to be.
  unsigned frames_ = 4;       ///< 1: sessions are disabled
  double last_mean_ = 0.0;    ///< cost of a step in the session that the length was last judged by; 0: none since
                              ///< sessions are allowed
  unsigned paid_frames_ = 0;  ///< steps of the last session that paid, likewise
  bool goes_longer_ = true;
  bool is_ramp_ = true;     ///< no session was worse than the one before: lengths go up faster
  bool is_rescue_ = false;  ///< a short session did not pay, but its later steps were cheap: a longer one is tried
  unsigned same_ = 0;       ///< sessions that cost as much as the one that last_mean_ is of
  unsigned worse_ = 0;      ///< sessions in a row that cost more
  unsigned ceiling_ = kMaxFrames;  ///< longer ones failed
  unsigned under_ceiling_ = 0;     ///< sessions that paid since then
  unsigned patience_ = 4;          ///< how many of those before longer ones are tried again
  unsigned failures_ = 0;          ///< sessions since the last that paid
  double excess_ = 0.0;            ///< their cost over that of plain steps
  unsigned cut_short_ = 0;         ///< sessions in a row of which the scene's changes left one step
  unsigned pause_ = 8;             ///< plain steps when sessions are disabled next
};

}  // namespace graze::methods
