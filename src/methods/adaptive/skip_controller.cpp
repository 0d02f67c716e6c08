// Rules that adapt the number of steps of a session. See skip_controller.hpp.
//
// The factors below are tuning choices, not proved bounds: a session that pays off is found within a few steps, a
// session that does not costs little, and an outlier of a clock is forgotten soon.
#include "methods/adaptive/skip_controller.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"

namespace graze::methods {
namespace {

constexpr double kPays = 0.97;           ///< fraction of a plain step's cost below which sessions pay off
constexpr double kBetter = 0.97;         ///< fraction of the last session's mean below which a mean is better
constexpr double kTooExpensive = 1.2;    ///< multiple of a plain step's cost at which later steps end the session
constexpr double kMaxFirstCost = 4.0;    ///< multiple of a plain step's cost at which a first step is clamped
constexpr double kMaxLaterCost = 2.0;    ///< multiple of a plain step's cost at which a later step is clamped
constexpr double kLaterGrowth = 3.0;     ///< multiple of the mean of earlier later steps at which a later step is
                                         ///< clamped
constexpr double kOutlierRatio = 1.5;    ///< ratio of plain costs beyond which another plain step is made
constexpr double kRetryCostRatio = 0.8;  ///< fraction of refused_cost_ below which sessions are tried early
constexpr double kCheapLater = 0.85;     ///< fraction of a plain step's cost below which a longer session may still
                                         ///< pay off
constexpr unsigned kShortPause = 8;      ///< plain steps before the first trial
constexpr unsigned kLongPause = 128;     ///< largest number of plain steps before a trial
constexpr unsigned kMinTrialPause = 24;  ///< plain steps before trials that cost next to nothing
constexpr double kTrialShare = 0.04;     ///< share of the total cost that failed trials may take
constexpr unsigned kLongestTrial = 16;   ///< largest length of a session that is tried although two steps did not
                                         ///< pay off
constexpr unsigned kMinPlainSteps = 64;  ///< smallest number of steps between plain steps
constexpr unsigned kMaxPlainSteps = 1024;
constexpr unsigned kSame = 8;         ///< sessions of equal cost before a longer one is tried
constexpr unsigned kMinPatience = 4;  ///< sessions before a length that failed is tried again
constexpr unsigned kMaxPatience = 64;

}  // namespace

SkipController::Step SkipController::next() const {
  if (ran_ > 0) return Step::Later;
  if (fixed_ > 0) return fixed_ > 1 ? Step::First : Step::Plain;
  return plain_wanted_ > 0 ? Step::Plain : Step::First;
}

unsigned SkipController::frames() const {
  return fixed_ > 0 ? fixed_ : frames_;
}

void SkipController::done(Step step, double cost) {
  GRAZE_ASSERT(step == next() && cost >= 0.0);
  if (fixed_ > 0) {
    if (step != Step::Plain && ++ran_ == fixed_) ran_ = 0;
    return;
  }
  ++since_plain_;
  switch (step) {
    case Step::Plain:
      plain_done(cost);
      break;
    case Step::First:
      ran_ = 1;
      first_cost_ = std::min(cost, kMaxFirstCost * plain_cost());
      later_cost_ = 0.0;
      excess_ = std::max(excess_, 0.0) + first_cost_ - plain_cost();
      break;
    case Step::Later:
      later_done(cost);
      break;
  }
}

void SkipController::end_session(bool too_long) {
  if (ran_ == 0) return;
  if (fixed_ > 0) {
    ran_ = 0;
    return;
  }
  if (ran_ == 1) {
    if (too_long || ++cut_short_ == 2) disable();
  } else if (too_long) {
    const double mean = (first_cost_ + later_cost_) / ran_;
    const bool is_news = ran_ >= paid_frames_;
    frames_ = ran_;
    if (mean < kPays * plain_cost()) {
      paid();
      last_mean_ = mean;
      goes_longer_ = true;
      is_ramp_ = true;
      if (is_news) stop_growth();
    } else {
      fail(ran_ / 2);
    }
  }
  close();
}

void SkipController::plain_done(double cost) {
  const double expected = plain_known_ > 0 ? plain_cost() : cost;
  plain_ = {cost, plain_[0], plain_[1]};
  plain_known_ = std::min(plain_known_ + 1, 3U);
  since_plain_ = 0;
  --plain_wanted_;
  if (frames_ == 1) {
    if (plain_cost() < kRetryCostRatio * refused_cost_) {
      plain_wanted_ = 0;
      pause_ = kShortPause;
    }
    if (plain_wanted_ == 0) frames_ = 2;
  } else if (plain_wanted_ == 0 && (cost > kOutlierRatio * expected || expected > kOutlierRatio * cost)) {
    plain_wanted_ = 1;  // an outlier, or the cost level has changed: the next plain step decides
  }
}

void SkipController::later_done(double cost) {
  const double plain = plain_cost();
  ++ran_;
  double counted = std::min(cost, kMaxLaterCost * plain);
  if (ran_ > 3) counted = std::min(counted, kLaterGrowth * later_cost_ / (ran_ - 2));
  later_cost_ += counted;
  excess_ += counted - plain;
  cut_short_ = 0;
  expensive_steps_ = cost > kTooExpensive * plain ? expensive_steps_ + 1 : 0;
  // One expensive step may be clock noise. It counts after a failure, at the end of the session, or if the session
  // is longer than the last one that paid off.
  const bool is_forgiven = failures_ == 0 && ran_ < frames_ && ran_ <= paid_frames_;
  const bool is_too_dear = expensive_steps_ > (is_forgiven ? 1U : 0U);
  // Extrapolated cost of the whole session, not from a single later step.
  const double ahead = later_cost_ / (ran_ - 1) * (frames_ - 1);
  if (is_too_dear || (ran_ > 2 && ran_ < frames_ && first_cost_ + ahead > kTooExpensive * plain * frames_)) {
    fail(ran_ - std::max(expensive_steps_, 1U));
    close();
  } else if (ran_ == frames_) {
    judge((first_cost_ + later_cost_) / ran_);
    close();
  }
}

/// Evaluates a session that reached its planned length.
void SkipController::judge(double mean) {
  const double plain = plain_cost();
  if (!(mean < kPays * plain)) {
    const double later = later_cost_ / (ran_ - 1);
    if (frames_ == 2 && !is_rescue_ && later < kCheapLater * plain) {
      // Only the first step was expensive: try twice the break-even length.
      is_rescue_ = true;
      failures_ = 1;
      const double even = std::ceil(2.0 * (first_cost_ - later) / (plain - later));
      frames_ = static_cast<unsigned>(std::clamp(even, 3.0, static_cast<double>(kLongestTrial)));
    } else {
      fail(frames_ / 2);
    }
    return;
  }
  paid();
  if (kBetter * mean > last_mean_ && last_mean_ > 0.0) {
    // The mean is worse: react when it is worse twice in a row.
    if (++worse_ == 2) {
      is_ramp_ = false;
      change_length(!goes_longer_, mean);
    }
  } else if (last_mean_ == 0.0 || mean < kBetter * last_mean_) {
    change_length(goes_longer_, mean);
  } else if (++same_ == kSame) {
    change_length(true, mean);
  } else {
    worse_ = 0;
  }
}

/// Records that a session of frames_ steps paid off.
void SkipController::paid() {
  failures_ = 0;
  excess_ = 0.0;
  pause_ = kShortPause;
  is_rescue_ = false;
  paid_frames_ = frames_;
  ++under_ceiling_;
  if (frames_ > ceiling_) {
    ceiling_ = kMaxFrames;
    patience_ = kMinPatience;
  }
}

/// Records that a session cost more than plain steps. Disables sessions if none has paid off yet. If one has, the
/// first failure reverts a newly tried length, or is only recorded; the second makes sessions shorter; the third
/// disables them.
void SkipController::fail(unsigned shorter) {
  ++failures_;
  if (frames_ == 2 || failures_ > 2 || paid_frames_ == 0) {
    disable();
  } else if (failures_ == 2) {
    frames_ = std::max(shorter, 2U);
  } else if (paid_frames_ > 0 && frames_ > paid_frames_) {
    if (shorter >= paid_frames_) failures_ = 0;  // the new length failed, not sessions on this scene
    frames_ = std::max(shorter, paid_frames_);
    stop_growth();
  }
}

/// Allows no sessions longer than frames_ for a while.
void SkipController::stop_growth() {
  ceiling_ = frames_;
  under_ceiling_ = 0;
  is_ramp_ = false;
  same_ = 0;
  worse_ = 0;
  patience_ = std::min(2 * patience_, kMaxPatience);
}

void SkipController::disable() {
  // The cost of failed sessions in excess of plain steps determines how often a trial is affordable.
  const double plain = plain_cost();
  const double excess = plain > 0.0 ? excess_ / plain : 0.0;
  const double fair = std::clamp(excess / kTrialShare, double{kMinTrialPause}, double{kLongPause});
  plain_wanted_ = std::min(pause_, static_cast<unsigned>(fair));
  pause_ = std::min(2 * pause_, kLongPause);
  refused_cost_ = plain;
  frames_ = 1;
  last_mean_ = 0.0;
  paid_frames_ = 0;
  excess_ = 0.0;
  ceiling_ = kMaxFrames;
  goes_longer_ = true;
  is_ramp_ = true;
  is_rescue_ = false;
  same_ = 0;
  worse_ = 0;
  patience_ = kMinPatience;
  failures_ = 0;
  cut_short_ = 0;
}

/// Changes the session length after a session with this mean cost.
void SkipController::change_length(bool longer, double mean) {
  last_mean_ = mean;
  same_ = 0;
  worse_ = 0;
  if (longer) {
    const unsigned more = std::max(1U, frames_ / (is_ramp_ ? 2U : 4U));
    const unsigned most = under_ceiling_ < patience_ ? std::max(ceiling_, frames_) : kMaxFrames;
    frames_ = std::min(frames_ + more, most);
  } else {
    frames_ = std::max(frames_ - std::max(1U, frames_ / 5), 2U);
  }
  goes_longer_ = longer;
}

/// Ends the session. Requests a plain step if the last one was long ago: the cheaper sessions are, the longer the
/// interval.
void SkipController::close() {
  ran_ = 0;
  expensive_steps_ = 0;
  const double saving = last_mean_ > 0.0 ? plain_cost() / last_mean_ : 1.0;
  const double interval = std::clamp(0.5 * kMinPlainSteps * saving, double{kMinPlainSteps}, double{kMaxPlainSteps});
  if (since_plain_ >= interval) plain_wanted_ = std::max(plain_wanted_, 1U);
}

/// The median; of two costs the smaller, as the very first step of a detector may do extra work.
double SkipController::plain_cost() const {
  const auto [a, b, c] = plain_;
  if (plain_known_ < 2) return a;
  if (plain_known_ == 2) return std::min(a, b);
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace graze::methods
