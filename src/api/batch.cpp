// Batches: many scenes in one call (graze/batch.hpp).
//
// Free threads take scenes from one list, the largest first, so that the last scenes are small and threads finish
// at about the same time. A small scene stays on its thread and does not use the scheduler; threads that find no
// more scenes join the loops of large ones. A scene that fails stops scenes with higher numbers that have not
// begun, never one with a lower number: the error that is thrown is that of the lowest number. Cost beside the
// scenes: sorting their sizes.
#include <graze/batch.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "api/option_checks.hpp"
#include "core/nested_tasks.hpp"
#include "core/shared_progress.hpp"
#include "core/tasks.hpp"
#include "query/sort_pairs.hpp"
#include "scene/input_checks.hpp"

namespace graze {

using namespace api;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace hash;
using namespace query;
using namespace methods;

namespace {

/// A scene with fewer triangles takes less time than other threads need to join in.
constexpr std::size_t kLargeScene = 500;

using Progress = std::function<bool(double)>;

/// Reports the share of finished scenes, and records whether the callback stopped the batch.
class BatchProgress {
 public:
  BatchProgress(const Progress& callback, std::size_t count)
      : shared_(callback), count_(count), step_(std::max<std::size_t>(1, count / kMaxProgressCalls)) {}

  /// Reports a share on the calling thread, before and after the batch.
  void report(double share) {
    shared_.tell([share] { return share; });
    shared_.rethrow();
  }

  /// Counts a finished scene, on any thread. If another thread is reporting, the next report includes this scene.
  void scene_done() {
    if (!shared_) return;
    ++done_;
    tell_from(told_ + step_);
  }

  /// Asks the callback in the middle of a scene: a batch of large scenes can be stopped before one of them ends.
  /// Returns false if the batch is to stop.
  bool go_on() {
    tell_from(told_);
    return !stopped();
  }

  [[nodiscard]] bool stopped() const { return shared_.stopped(); }
  void rethrow() const { shared_.rethrow(); }

 private:
  static constexpr std::size_t kMaxProgressCalls = 128;

  /// Reports the share of finished scenes if there are at least `least`, but not all.
  void tell_from(std::size_t least) {
    shared_.tell([&] {
      const std::size_t done = done_;
      if (done < least || done >= count_) return -1.0;
      told_ = done;
      return static_cast<double>(done) / static_cast<double>(count_);
    });
  }

  SharedProgress shared_;
  std::size_t count_;
  std::size_t step_;  // scenes between two reports
  std::atomic<std::size_t> told_{0};
  std::atomic<std::size_t> done_{0};
};

[[noreturn]] void throw_numbered(std::size_t scene, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const InputError& refused) {
    throw InputError(fmt::format("scene {}: {}", scene, refused.what()));
  } catch (const ResourceError& refused) {
    throw ResourceError(fmt::format("scene {}: {}", scene, refused.what()));
  }
}

/// Numbers of scenes by descending size.
std::vector<std::size_t> largest_first(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::is_sorted(sizes.begin(), sizes.end(), std::greater<>())) return order;  // e.g. copies of one world
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

/// Calls run(i) for every scene on the available threads, until one fails; returns the exception of each scene. All
/// scenes before the first error in the list have been run.
template <typename Run>
std::vector<std::exception_ptr> run_scenes(const std::vector<std::size_t>& sizes, BatchProgress& progress,
                                           const Run& run) {
  const std::size_t count = sizes.size();
  const std::vector<std::size_t> order = largest_first(sizes);
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> lowest_failed{count};
  // As many tasks as there may be threads; each takes scenes until the list is empty.
  constexpr std::size_t kMaxTasks = 512;
  parallel_for(0, std::min(count, kMaxTasks), 1, [&](std::size_t, std::size_t) {
    for (std::size_t place = next++; place < count; place = next++) {
      const std::size_t scene = order[place];
      if (scene > lowest_failed || progress.stopped()) continue;
      // An exception that leaves the task would cancel running loops of other scenes.
      try {
        run_nested(sizes[scene] < kLargeScene, [&] { run(scene); });
        progress.scene_done();
      } catch (...) {
        errors[scene] = std::current_exception();
        std::size_t lowest = lowest_failed;
        while (scene < lowest && !lowest_failed.compare_exchange_weak(lowest, scene)) {
        }
      }
    }
  });
  return errors;
}

/// Rethrows the error of the lowest scene number, if any.
void throw_lowest(const std::vector<std::exception_ptr>& errors) {
  const auto failed =
      std::find_if(errors.begin(), errors.end(), [](const auto& error) { return error != nullptr; });
  if (failed != errors.end()) throw_numbered(static_cast<std::size_t>(failed - errors.begin()), *failed);
}

/// Bytes of a scene's answer, and bytes that the query used besides.
struct Bytes {
  std::uint64_t kept = 0;
  std::uint64_t work = 0;
};
Bytes bytes_of(const Impacts& result) {
  return {result.impacts.size() * sizeof(Impact),
          result.stats.memory_bytes + result.impacts.size() * kSortBytes<Impact>};
}
Bytes bytes_of(const FirstImpact& result) {
  return {0, result.stats.memory_bytes};
}
void drop(Impacts& result) {
  result.impacts = {};
}
void drop(FirstImpact&) {}

/// The memory cap of a whole batch, as if scenes ran one after the other: answers of earlier scenes count.
class BatchBudget {
 public:
  BatchBudget(std::uint64_t cap, std::size_t count) : cap_(cap), bytes_(cap == 0 ? 0 : count) {}

  /// Records the bytes of a scene. False: the answers together exceed the cap, so the batch will fail and the
  /// answer need not be kept.
  bool note(std::size_t scene, const Bytes& bytes) {
    if (cap_ == 0) return true;
    bytes_[scene] = bytes;
    return kept_.fetch_add(bytes.kept) + bytes.kept <= cap_;
  }

  /// Throws if a scene with a number below `end` exceeds the cap together with the answers before it.
  void check(std::size_t end) const {
    std::uint64_t kept = 0;
    for (std::size_t scene = 0; scene < std::min(end, bytes_.size()); ++scene) {
      kept += bytes_[scene].kept;
      if (kept + bytes_[scene].work > cap_) {
        throw ResourceError(
            fmt::format("scene {}: memory cap exceeded: this scene and the results of earlier scenes need "
                        "more than {} bytes",
                        scene, cap_));
      }
    }
  }

 private:
  std::uint64_t cap_;
  std::atomic<std::uint64_t> kept_{0};
  std::vector<Bytes> bytes_;  // by scene; empty without a cap
};

template <typename Result, typename Answer>
std::vector<Result> soups_batch(std::span<const SoupStep> soups, const DetectorOptions& options,
                                const Answer& answer) {
  validate_options(options);
  DetectorOptions each = options;  // includes the cap: no single scene may exceed it
  std::vector<Result> results(soups.size());
  BatchBudget budget(options.memory_cap, soups.size());
  BatchProgress progress(options.progress, soups.size());
  // A small scene reports its begin and its end alone, which would be too many calls for a batch of thousands.
  each.progress = [&progress](double share) {
    return share > 0.0 && share < 1.0 ? progress.go_on() : !progress.stopped();
  };
  progress.report(0.0);
  std::vector<std::size_t> sizes(soups.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = soups[i].triangles.size();
  std::vector<std::exception_ptr> errors;
  with_threads(options.threads, [&] {
    errors = run_scenes(sizes, progress, [&](std::size_t i) {
      results[i] = answer(soups[i], each);
      if (!budget.note(i, bytes_of(results[i]))) drop(results[i]);
    });
  });
  progress.rethrow();
  const auto failed =
      std::find_if(errors.begin(), errors.end(), [](const auto& error) { return error != nullptr; });
  budget.check(static_cast<std::size_t>(failed - errors.begin()));
  throw_lowest(errors);
  progress.report(1.0);
  return results;
}

/// For each step the lowest number of a step with the same detector.
std::vector<std::size_t> first_places(std::span<const DetectorStep> steps) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::less<>()(steps[a].detector, steps[b].detector);
  });
  std::vector<std::size_t> first(steps.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool again = k > 0 && steps[order[k]].detector == steps[order[k - 1]].detector;
    first[order[k]] = again ? first[order[k - 1]] : order[k];
  }
  return first;
}

void check_step(std::span<const DetectorStep> steps, std::size_t i, std::size_t first_place) {
  const DetectorStep& step = steps[i];
  if (step.detector == nullptr) throw InputError("the detector is a null pointer");
  if (first_place != i) {
    throw InputError(
        fmt::format("scene {} has the same detector; a detector runs one step at a time", first_place));
  }
  validate_step(step.detector->scene(), step.x_t0, step.x_t1);
}

template <typename Result, typename Answer>
std::vector<Result> detectors_batch(std::span<const DetectorStep> steps, unsigned threads, const Answer& answer) {
  const std::vector<std::size_t> first_place = first_places(steps);
  std::vector<Result> results(steps.size());
  const Progress none;
  BatchProgress untold(none, steps.size());
  std::vector<std::size_t> sizes(steps.size());
  with_threads(threads, [&] {
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = steps[i].x_t0.size();
    throw_lowest(run_scenes(sizes, untold, [&](std::size_t i) { check_step(steps, i, first_place[i]); }));
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = steps[i].detector->scene().triangle_count();
    throw_lowest(run_scenes(sizes, untold, [&](std::size_t i) { results[i] = answer(steps[i]); }));
  });
  return results;
}

}  // namespace

std::vector<Impacts> find_impacts(std::span<const SoupStep> soups, const DetectorOptions& options) {
  return soups_batch<Impacts>(soups, options, [](const SoupStep& soup, const DetectorOptions& each) {
    return find_impacts(soup.triangles, soup.x_t0, soup.x_t1, each);
  });
}

std::vector<FirstImpact> first_impacts(std::span<const SoupStep> soups, const DetectorOptions& options) {
  return soups_batch<FirstImpact>(soups, options, [](const SoupStep& soup, const DetectorOptions& each) {
    Scene scene;
    scene.add_body({.positions = soup.x_t0, .triangles = soup.triangles});
    return Detector(scene, each).first_impact(soup.x_t0, soup.x_t1);
  });
}

std::vector<Impacts> find_impacts(std::span<const DetectorStep> steps, unsigned threads) {
  return detectors_batch<Impacts>(
      steps, threads, [](const DetectorStep& step) { return step.detector->impacts(step.x_t0, step.x_t1); });
}

std::vector<FirstImpact> first_impacts(std::span<const DetectorStep> steps, unsigned threads) {
  return detectors_batch<FirstImpact>(
      steps, threads, [](const DetectorStep& step) { return step.detector->first_impact(step.x_t0, step.x_t1); });
}

}  // namespace graze
