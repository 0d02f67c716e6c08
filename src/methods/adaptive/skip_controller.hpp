// Chooses the number of steps of a session: how many frames skip the hierarchy update (temporal coherence;
// ADAPTIVE, section 7).
//
// The choice follows the mean cost of a step. While the mean falls, the session length keeps changing in the same
// direction, by a fraction of itself; when the mean rises, the direction reverses. (The paper always shortens
// sessions when the mean rises. That runs down to one step: short sessions cost more per step, which shortens them
// further.) A session whose steps cost more than plain steps ends. If this repeats, or a short session does not pay
// off, sessions are disabled for a while, longer each time, and then a session of two steps is tried. Occasional
// plain steps measure the cost without sessions. Outliers change little: plain costs enter by their median, other
// costs are clamped, and a first failure is only recorded. The cost is what the caller measures: time, or counted
// work, which gives identical sessions in every run. Constant cost per step.
#pragma once

#include <array>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::methods {

/// Deterministic: its state is a function of the calls made so far.
class SkipController {
 public:
  /// Kind of the next step: without a session, the first of a session, or a later one of the running session.
  enum class Step : std::uint8_t { Plain, First, Later };

  /// Always plans sessions of `fixed` steps; 0: adapts the length. Precondition: fixed <= kMaxFrames.
  explicit SkipController(unsigned fixed = 0) : fixed_(fixed) {}

  static constexpr unsigned kMaxFrames = 1024;

  [[nodiscard]] Step next() const;
  /// Planned length n_f, in steps, of the running session, or of a session that begins now; at least 1.
  [[nodiscard]] unsigned frames() const;
  /// Records that a step of the kind that next() returned was made at this cost (>= 0).
  void done(Step step, double cost);
  /// The running session can't continue: the next step is plain or begins another session. `too_long`: vertices
  /// left their bounds, so shorter sessions are better; otherwise the scene changed. Does nothing if no session is
  /// running.
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

  // State of the running session.
  unsigned ran_ = 0;              ///< steps so far; 0: no session is running
  double first_cost_ = 0.0;       ///< clamped cost of the first step
  double later_cost_ = 0.0;       ///< sum of the clamped costs of the later steps
  unsigned expensive_steps_ = 0;  ///< most recent consecutive steps that cost more than kTooExpensive plain steps

  // Cost of plain steps.
  std::array<double, 3> plain_{};  ///< costs of the last plain steps, newest first
  unsigned plain_known_ = 0;       ///< valid entries of plain_
  unsigned plain_wanted_ = 2;      ///< plain steps to make before the next session
  unsigned since_plain_ = 0;       ///< steps since the last plain step
  double refused_cost_ = 0.0;      ///< cost of a plain step when sessions were last disabled

  // Session length and its history.
  unsigned frames_ = 4;       ///< session length in steps; 1: sessions are disabled
  double last_mean_ = 0.0;    ///< mean step cost of the session that last changed the length; 0: none since
                              ///< sessions were enabled
  unsigned paid_frames_ = 0;  ///< length of the last session that paid off; 0: none since sessions were enabled
  bool goes_longer_ = true;
  bool is_ramp_ = true;     ///< no session was worse than the one before: the length grows faster
  bool is_rescue_ = false;  ///< a short session did not pay off, but its later steps were cheap: a longer one is
                            ///< tried
  unsigned same_ = 0;       ///< sessions whose cost was about last_mean_
  unsigned worse_ = 0;      ///< consecutive sessions that cost more than last_mean_
  unsigned ceiling_ = kMaxFrames;  ///< session length beyond which sessions failed
  unsigned under_ceiling_ = 0;     ///< sessions that paid off since ceiling_ was set
  unsigned patience_ = 4;          ///< value of under_ceiling_ at which longer sessions are tried again
  unsigned failures_ = 0;          ///< failed sessions since the last one that paid off
  double excess_ = 0.0;            ///< cost of the failed sessions in excess of plain steps
  unsigned cut_short_ = 0;         ///< consecutive sessions that a scene change ended after one step
  unsigned pause_ = 8;             ///< plain steps to make when sessions are disabled next
};

}  // namespace graze::methods
