// Runs the passes and reads the clock (sequence.hpp). Hashes and sums are computed while the clock does not run.
#include "bench/sequence.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "bench/rows.hpp"
#include "output/answer_hash.hpp"
#include "output/interrupt.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

using Clock = std::chrono::steady_clock;

/// The answer of a step, for comparing contestants.
struct SequenceStepAnswer {
  std::uint64_t hash = 0;
  std::size_t impacts = 0;
};

struct Pass {
  SequenceRow row;
  std::vector<SequenceStepAnswer> answers;
};

void add_coherence(SequenceRow& row, const CoherenceCounts& c) {
  if (c.session_step > 1) ++row.skipped_steps;
  if (c.session_step == 1) ++row.sessions;
  row.dangling_triangles += static_cast<double>(c.dangling_triangles);
  row.measured += static_cast<double>(c.measured);
  row.admissible += static_cast<double>(c.admissible);
  row.pairs += static_cast<double>(c.pairs);
  row.pair_bytes += static_cast<double>(c.pair_bytes);
}

void divide(SequenceRow& row, double timed_steps, double steps) {
  for (double SequenceRow::*time :
       {&SequenceRow::ms, &SequenceRow::update_ms, &SequenceRow::traverse_ms, &SequenceRow::narrow_ms}) {
    row.*time /= timed_steps;
  }
  for (double SequenceRow::*count :
       {&SequenceRow::vf_tests, &SequenceRow::ee_tests, &SequenceRow::impacts, &SequenceRow::dangling_triangles,
        &SequenceRow::measured, &SequenceRow::admissible, &SequenceRow::pairs, &SequenceRow::pair_bytes}) {
    row.*count /= steps;
  }
}

template <typename Show>
Pass run_pass(const BenchScene& steps, const Scene& scene, const Contestant& contestant, const Show& show) {
  DetectorOptions options = contestant.options;
  options.progress = [](double) { return !interrupted(); };
  Detector detector(scene, options);
  Pass pass;
  SequenceRow& row = pass.row;
  const std::size_t count = steps.steps_before_change();
  const std::size_t first_timed = count > 1 ? 1 : 0;
  for (std::size_t step = 0; step < count; ++step) {
    show(step);
    const auto start = Clock::now();
    const Impacts all = detector.impacts(steps.x_t0(step), steps.x_t1(step));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (step >= first_timed) {
      row.ms += ms;
      row.update_ms += all.stats.update_ms;
      row.traverse_ms += all.stats.traverse_ms;
      row.narrow_ms += all.stats.narrow_ms;
    }
    row.vf_tests += static_cast<double>(all.stats.vf_tests);
    row.ee_tests += static_cast<double>(all.stats.ee_tests);
    row.impacts += static_cast<double>(all.impacts.size());
    row.memory_bytes = std::max(row.memory_bytes, all.stats.memory_bytes);
    add_coherence(row, all.stats.coherence);
    pass.answers.push_back({.hash = all.toi_hash(), .impacts = all.impacts.size()});
  }
  AnswerHash hash;
  for (const SequenceStepAnswer& answer : pass.answers) hash.add(answer.hash);
  row.hash = hash.combined();
  divide(row, static_cast<double>(count - first_timed), static_cast<double>(count));
  return pass;
}

/// A line about the first step in which two contestants differ; none if they agree.
std::optional<std::string> difference(const BenchScene& steps, const Pass& right, const Pass& other) {
  for (std::size_t step = 0; step < right.answers.size(); ++step) {
    const SequenceStepAnswer& a = right.answers[step];
    const SequenceStepAnswer& b = other.answers[step];
    if (a.hash == b.hash) continue;
    return fmt::format("{}: step {}: {} finds {} impacts, {} finds {}, hashes differ", steps.name, step,
                       right.row.method, a.impacts, other.row.method, b.impacts);
  }
  return std::nullopt;
}

}  // namespace

std::vector<SequenceRow> run_sequence(const BenchScene& steps, const Scene& scene,
                                      std::span<const Contestant> contestants, unsigned passes, Progress& progress,
                                      std::vector<std::string>& wrong) {
  const std::size_t count = contestants.size();
  std::vector<std::vector<SequenceRow>> rows(count);
  std::optional<Pass> right;  // the first pass of the first contestant: the reference
  std::vector<bool> named(count, false);
  const auto all_steps = static_cast<double>(steps.steps_before_change() * count * passes);
  std::size_t done = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t i = (turn + pass) % count;
      Pass result = run_pass(steps, scene, contestants[i], [&](std::size_t step) {
        progress.show(fmt::format("{} {} step {}", steps.title, contestants[i].name, step),
                      static_cast<double>(done++) / all_steps);
      });
      result.row.method = contestants[i].name;
      rows[i].push_back(result.row);
      if (!right)
        right = std::move(result);
      else if (std::optional<std::string> line = difference(steps, *right, result); line && !named[i]) {
        wrong.push_back(std::move(*line));
        named[i] = true;
      }
    }
  }
  std::vector<SequenceRow> result;
  for (std::vector<SequenceRow>& own : rows) {
    SequenceRow last = own.back();
    std::sort(own.begin(), own.end(), [](const SequenceRow& a, const SequenceRow& b) { return a.ms < b.ms; });
    const SequenceRow& middle = own[(own.size() - 1) / 2];
    std::vector<double> times;
    times.reserve(own.size());
    for (const SequenceRow& row : own) times.push_back(row.ms);
    last.ms = median(times);
    last.update_ms = middle.update_ms;
    last.traverse_ms = middle.traverse_ms;
    last.narrow_ms = middle.narrow_ms;
    result.push_back(std::move(last));
  }
  return result;
}

}  // namespace graze::app
