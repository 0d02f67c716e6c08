// First contacts of many motions and of many obstacles, in parallel. See graze/rigid_motion.hpp.
//
// Among obstacles: those whose root boxes are proved separated are left out; the others are searched in the order
// of the times until which their roots are proved separated, in waves of a fixed number, each with the best contact
// of the waves before it as horizon. So results and counters do not depend on the number of threads. The search
// ends when the next obstacle's roots are separated until the best contact.
#include <graze/rigid_motion.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/shared_progress.hpp"
#include "core/tasks.hpp"
#include "rigid/motion/advance.hpp"
#include "rigid/work_spaces.hpp"

namespace graze {

using namespace rigid;
using namespace core;

namespace {

/// Obstacles that are searched with one horizon.
constexpr std::size_t kWave = 16;

/// Calls query(i, work) for all i in [first, last) in parallel; `done` counts queries of `all` for the progress.
template <typename Query>
void each(std::size_t first, std::size_t last, WorkSpaces<RigidWork>& works, SharedProgress& progress,
          std::atomic<std::size_t>& done, std::size_t all, const Query& query) {
  parallel_for(first, last, 1, [&](std::size_t from, std::size_t to) {
    std::unique_ptr<RigidWork> work = works.take();
    for (std::size_t i = from; i < to && !progress.stopped(); ++i) {
      query(i, *work);
      ++done;
      progress.tell([&] { return static_cast<double>(done) / static_cast<double>(all); });
    }
    works.give_back(std::move(work));
  });
  progress.rethrow();
}

/// Runs count independent queries with the threads and the progress of a batch.
template <typename Query>
std::vector<RigidImpact> all_of(std::size_t count, const BatchOptions& batch, const Query& query) {
  std::vector<RigidImpact> results(count);
  WorkSpaces<RigidWork> works;
  SharedProgress progress(batch.progress);
  std::atomic<std::size_t> done{0};
  with_threads(batch.threads, [&] {
    progress.tell([&] { return count == 0 ? 1.0 : 0.0; });
    progress.rethrow();
    each(0, count, works, progress, done, count,
         [&](std::size_t i, RigidWork& work) { results[i] = query(i, work); });
    progress.tell([] { return 1.0; });
    progress.rethrow();
  });
  return results;
}

void check_objects(const ObjectMotion& object, std::span<const ObjectMotion> obstacles,
                   const AdvanceOptions& options) {
  check_tolerance(options.tolerance);
  if (object.object == nullptr) throw InputError("the moving object is a null pointer");
  check_motion(ObjectAccess::state(*object.object), object.motion, "motion of the object");
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    if (obstacles[i].object == nullptr) throw InputError(fmt::format("obstacle {} is a null pointer", i));
    check_motion(ObjectAccess::state(*obstacles[i].object), obstacles[i].motion,
                 fmt::format("motion of obstacle {}", i).c_str());
  }
}

}  // namespace

std::vector<RigidImpact> first_contacts(const RigidObject& a, const RigidObject& b,
                                        std::span<const MotionPair> motions, const AdvanceOptions& options,
                                        const BatchOptions& batch) {
  check_tolerance(options.tolerance);
  const ObjectState& state_a = ObjectAccess::state(a);
  const ObjectState& state_b = ObjectAccess::state(b);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    check_motion(state_a, motions[i].a, fmt::format("query {}: motion of a", i).c_str());
    check_motion(state_b, motions[i].b, fmt::format("query {}: motion of b", i).c_str());
  }
  return all_of(motions.size(), batch, [&](std::size_t i, RigidWork& work) {
    return advance(state_a, {motions[i].a}, state_b, {motions[i].b}, {.tolerance = options.tolerance}, work);
  });
}

std::vector<RigidImpact> first_contacts(const ObjectMotion& object, std::span<const ObjectMotion> obstacles,
                                        const AdvanceOptions& options, const BatchOptions& batch) {
  check_objects(object, obstacles, options);
  const ObjectState& state = ObjectAccess::state(*object.object);
  return all_of(obstacles.size(), batch, [&](std::size_t i, RigidWork& work) {
    return advance(state, {object.motion}, ObjectAccess::state(*obstacles[i].object), {obstacles[i].motion},
                   {.tolerance = options.tolerance}, work);
  });
}

ObstacleImpact first_contact(const ObjectMotion& object, std::span<const ObjectMotion> obstacles,
                             const AdvanceOptions& options, const BatchOptions& batch) {
  check_objects(object, obstacles, options);
  const ObjectState& state = ObjectAccess::state(*object.object);
  const auto state_of = [&](std::size_t i) -> const ObjectState& {
    return ObjectAccess::state(*obstacles[i].object);
  };
  ObstacleImpact result;
  SharedProgress progress(batch.progress);
  std::atomic<std::size_t> done{0};
  WorkSpaces<RigidWork> works;
  with_threads(batch.threads, [&] {
    progress.tell([&] { return obstacles.empty() ? 1.0 : 0.0; });
    progress.rethrow();
    std::vector<double> until(obstacles.size());
    parallel_for(0, obstacles.size(), 64, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        until[i] = separated_until(state, {object.motion}, state_of(i), {obstacles[i].motion});
    });
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
      if (until[i] <= 1.0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return until[i] < until[j]; });
    std::array<RigidImpact, kWave> wave;
    for (std::size_t first = 0; first < order.size() && until[order[first]] <= result.impact.toi; first += kWave) {
      const std::size_t last = std::min(order.size(), first + kWave);
      const double horizon = result.impact.toi;
      each(first, last, works, progress, done, order.size(), [&](std::size_t n, RigidWork& work) {
        const std::size_t i = order[n];
        wave[n - first] = advance(state, {object.motion}, state_of(i), {obstacles[i].motion},
                                  {.tolerance = options.tolerance, .horizon = horizon}, work);
      });
      for (std::size_t n = first; n < last; ++n) {
        RigidImpact& impact = wave[n - first];
        impact.stats += result.impact.stats;
        const bool earlier = impact.toi < result.impact.toi ||
                             (impact.toi == result.impact.toi && (!result.obstacle || order[n] < *result.obstacle));
        if (impact.pair && earlier) {
          result.impact = impact;
          result.obstacle = order[n];
        }
        result.impact.stats = impact.stats;
      }
    }
    progress.tell([] { return 1.0; });
    progress.rethrow();
  });
  return result;
}

}  // namespace graze
