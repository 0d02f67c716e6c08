// How many steps a session should have: the rules.
//
// Factors here are choices, not bounds of anything: they were taken so that a session that pays is found within a
// few steps, one that does not costs little, and an odd cost, as clocks have them, is forgotten soon.
#include "methods/adaptive/skip_controller.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"

namespace graze::methods {
namespace {

constexpr double kPays = 0.97;          ///< of a plain step's cost: sessions must be so much better
constexpr double kBetter = 0.97;        ///< of the last session's mean
constexpr double kTooDear = 1.2;        ///< of a plain step's cost: later steps that end the session
constexpr double kMaxFirstCost = 4.0;   ///< of a plain step's cost: what a first step counts at most
constexpr double kMaxLaterCost = 2.0;   ///< and a later one
constexpr double kLaterGrowth = 3.0;    ///< a later step's over the mean of those before, at most
constexpr double kOther = 1.5;          ///< a plain step's cost that is looked at again
constexpr double kCalmed = 0.8;         ///< of a plain step's cost when sessions were disabled: worth a trial
constexpr double kCheapLater = 0.85;    ///< of a plain step's cost: a longer session may still pay
constexpr unsigned kShortPause = 8;     ///< plain steps before the first trial
constexpr unsigned kLongPause = 128;    ///< and at most
constexpr unsigned kFairPause = 24;     ///< before trials that cost next to nothing
constexpr double kTrialShare = 0.04;    ///< of all cost, for trials that fail
constexpr unsigned kLongestTrial = 16;  ///< steps of a session that is tried though two did not pay
constexpr unsigned kLeastPlain = 64;    ///< steps between plain ones
constexpr unsigned kMaxPlainSteps = 1024;
constexpr unsigned kSame = 8;           ///< sessions of one cost, before a longer one is tried
constexpr unsigned kLeastPatience = 4;  ///< sessions before a length that failed is tried again
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
    if (plain_cost() < kCalmed * refused_cost_) {
      plain_wanted_ = 0;
      pause_ = kShortPause;
    }
    if (plain_wanted_ == 0) frames_ = 2;
  } else if (plain_wanted_ == 0 && (cost > kOther * expected || expected > kOther * cost)) {
    plain_wanted_ = 1;  // an odd cost, or another level: the next one tells
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
  dear_ = cost > kTooDear * plain ? dear_ + 1 : 0;
  // One dear step may be the clock's; after a failure, at the end, or where no session has come yet, it counts.
  const bool is_forgiven = failures_ == 0 && ran_ < frames_ && ran_ <= paid_frames_;
  const bool is_too_dear = dear_ > (is_forgiven ? 1U : 0U);
  // What the session comes to if it goes on like this; not by one later step alone.
  const double ahead = later_cost_ / (ran_ - 1) * (frames_ - 1);
  if (is_too_dear || (ran_ > 2 && ran_ < frames_ && first_cost_ + ahead > kTooDear * plain * frames_)) {
    fail(ran_ - std::max(dear_, 1U));
    close();
  } else if (ran_ == frames_) {
    judge((first_cost_ + later_cost_) / ran_);
    close();
  }
}

/// A session came to its planned end.
void SkipController::judge(double mean) {
  const double plain = plain_cost();
  if (!(mean < kPays * plain)) {
    const double later = later_cost_ / (ran_ - 1);
    if (frames_ == 2 && !is_rescue_ && later < kCheapLater * plain) {
      // Its first step is what made it dear: twice the length at which it would be even.
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
    // Worse; the second time in a row it is believed.
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

/// A session, of frames_ steps, paid.
void SkipController::paid() {
  failures_ = 0;
  excess_ = 0.0;
  pause_ = kShortPause;
  is_rescue_ = false;
  paid_frames_ = frames_;
  ++under_ceiling_;
  if (frames_ > ceiling_) {
    ceiling_ = kMaxFrames;
    patience_ = kLeastPatience;
  }
}

/// A session cost more than plain steps. Where none has paid there are none for a while. Else a length that was new
/// is taken back, or the first time is only noted, then sessions get shorter, then there are none.
void SkipController::fail(unsigned shorter) {
  ++failures_;
  if (frames_ == 2 || failures_ > 2 || paid_frames_ == 0) {
    disable();
  } else if (failures_ == 2) {
    frames_ = std::max(shorter, 2U);
  } else if (paid_frames_ > 0 && frames_ > paid_frames_) {
    if (shorter >= paid_frames_) failures_ = 0;  // the length's fault, not the scene's
    frames_ = std::max(shorter, paid_frames_);
    stop_growth();
  }
}

/// No longer sessions than frames_ for a while.
void SkipController::stop_growth() {
  ceiling_ = frames_;
  under_ceiling_ = 0;
  is_ramp_ = false;
  same_ = 0;
  worse_ = 0;
  patience_ = std::min(2 * patience_, kMaxPatience);
}

void SkipController::disable() {
  // What failed sessions cost over plain steps says how often a trial may be.
  const double plain = plain_cost();
  const double excess = plain > 0.0 ? excess_ / plain : 0.0;
  const double fair = std::clamp(excess / kTrialShare, double{kFairPause}, double{kLongPause});
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
  patience_ = kLeastPatience;
  failures_ = 0;
  cut_short_ = 0;
}

/// After a session with this mean cost.
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

/// No session is running. A plain step, if the last was long ago: the cheaper sessions are, the longer.
void SkipController::close() {
  ran_ = 0;
  dear_ = 0;
  const double saving = last_mean_ > 0.0 ? plain_cost() / last_mean_ : 1.0;
  const double interval = std::clamp(0.5 * kLeastPlain * saving, double{kLeastPlain}, double{kMaxPlainSteps});
  if (since_plain_ >= interval) plain_wanted_ = std::max(plain_wanted_, 1U);
}

/// The median; of two the lesser, as the very first step of a detector may do more than others.
double SkipController::plain_cost() const {
  const auto [a, b, c] = plain_;
  if (plain_known_ < 2) return a;
  if (plain_known_ == 2) return std::min(a, b);
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace graze::methods
