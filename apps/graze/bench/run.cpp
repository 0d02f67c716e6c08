// Runs contestants and reads the clocks (run.hpp). Hashes and sums are computed while no clock runs.
#include "bench/run.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <graze/error.hpp>

#include "benchmarks/peers/peer.hpp"
#include "commands/detector_options.hpp"
#include "output/answer_hash.hpp"
#include "output/interrupt.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

using Clock = std::chrono::steady_clock;

bool is_peer(const std::string& name) {
  return name.starts_with(peers::kPeerPrefix);
}

BenchQuery query_of_peer(const std::string& name) {
  const auto peer = peers::make_peer(name.substr(peers::kPeerPrefix.size()), 1);
  return peer->answers() == peers::PeerAnswer::Intersections ? BenchQuery::Intersections : BenchQuery::Impacts;
}

/// Wall-clock time, and processor time of all threads together.
struct Elapsed {
  double ms = 0.0;
  double cpu_ms = 0.0;
};

/// The answer of a step. A peer that gives the pairs of graze has a hash; others only count.
struct StepAnswer {
  QueryAnswer query;
  bool hashed = false;
  bool toi_hashed = false;
  std::optional<std::uint64_t> memory_bytes;
};

class Runner {
 public:
  Runner() = default;
  virtual ~Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  /// Edits the scene for the next step; adds the time of the edit to `time`.
  virtual void edit(const BenchChange& change, Elapsed& time) = 0;
  /// Adds the time of the query to `time`.
  virtual StepAnswer step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Elapsed& time) = 0;
};

template <typename Query>
void timed(const Query& query, Elapsed& time) {
  const auto start = Clock::now();
  const std::clock_t cpu_start = std::clock();
  query();
  time.cpu_ms += 1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  time.ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class MethodRunner final : public Runner {
 public:
  MethodRunner(const Scene& scene, const DetectorOptions& options, BenchQuery query, double distance)
      : detector_(scene, options), query_(query), distance_(distance) {}

  void edit(const BenchChange& change, Elapsed& time) override {
    timed(
        [&] {
          SceneEdit edit = detector_.begin_edit();
          change.edit.fill(edit);
          detector_.apply(edit);
        },
        time);
    frame_ids_ = change.frame_ids;
  }

  StepAnswer step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Elapsed& time) override {
    StepAnswer answer;
    answer.query = run_query(detector_, query_, x_t0, x_t1, distance_, frame_ids_,
                             [&](const std::function<void()>& query) { timed(query, time); });
    answer.hashed = answer.toi_hashed = true;
    answer.memory_bytes = answer.query.stats.memory_bytes;
    return answer;
  }

 private:
  Detector detector_;
  BenchQuery query_;
  double distance_;
  std::vector<VertexId> frame_ids_;  ///< by scene id; empty if both ids are the same
};

class PeerRunner final : public Runner {
 public:
  PeerRunner(const Scene& scene, std::unique_ptr<peers::Peer> peer) : peer_(std::move(peer)) {
    peer_->prepare(scene);
  }

  void edit(const BenchChange& /*change*/, Elapsed& /*time*/) override {}  // run_bench refuses peers on such scenes

  StepAnswer step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Elapsed& time) override {
    if (interrupted()) throw Interrupted();
    peers::PeerCounts counts;
    timed([&] { counts = peer_->run(x_t0, x_t1); }, time);
    StepAnswer answer;
    if (peer_->answers() == peers::PeerAnswer::Intersections) {
      answer.query.triangle_pairs = counts.triangle_pairs;
      answer.query.hash = hash_of(peer_->triangle_pairs());
      answer.hashed = true;
    } else {
      answer.query.vf = counts.vf;
      answer.query.ee = counts.ee;
    }
    answer.memory_bytes = peer_->memory_bytes();
    return answer;
  }

 private:
  std::unique_ptr<peers::Peer> peer_;
};

void add_to(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

void add_stats(Stats& sum, const Stats& step) {
  sum.bv_tests += step.bv_tests;
  sum.triangle_pairs += step.triangle_pairs;
  sum.vf_tests += step.vf_tests;
  sum.ee_tests += step.ee_tests;
  sum.tiers += step.tiers;
  sum.culled += step.culled;
  sum.coherence += step.coherence;
  sum.hash += step.hash;
  sum.cluster += step.cluster;
  sum.update_ms += step.update_ms;
  sum.traverse_ms += step.traverse_ms;
  sum.narrow_ms += step.narrow_ms;
  sum.total_ms += step.total_ms;
  sum.memory_bytes = std::max(sum.memory_bytes, step.memory_bytes);
}

// Runs all steps of the scene once. The caller fills in the times of the row.
BenchRow run_once(const BenchScene& scene, Runner& runner, std::vector<Elapsed>& times) {
  BenchRow row;
  AnswerHash hash;
  AnswerHash toi_hash;
  std::optional<std::uint64_t> bytes;
  for (std::size_t step = 0; step < scene.step_count(); ++step) {
    Elapsed& time = times.emplace_back();
    if (const BenchChange* const change = scene.change_at(step)) {
      runner.edit(*change, time);
      row.edit_ms += time.ms;
    }
    const StepAnswer answer = runner.step(scene.x_t0(step), scene.x_t1(step), time);
    add_to(row.vf, answer.query.vf);
    add_to(row.ee, answer.query.ee);
    add_to(row.triangle_pairs, answer.query.triangle_pairs);
    if (answer.hashed) hash.add(answer.query.hash);
    if (answer.toi_hashed) toi_hash.add(answer.query.toi_hash);
    add_stats(row.stats, answer.query.stats);
    add_funnel(row.funnel, answer.query.funnel);
    if (answer.memory_bytes) bytes = std::max(bytes.value_or(0), *answer.memory_bytes);
  }
  row.steps = scene.step_count();
  row.edit_ms /= static_cast<double>(row.steps);
  row.hash = hash.value();
  row.toi_hash = toi_hash.value();
  if (bytes && scene.last_scene.triangle_count() > 0) {
    row.bytes_per_triangle = static_cast<double>(*bytes) / static_cast<double>(scene.last_scene.triangle_count());
  }
  return row;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double mean_ms(const std::vector<Elapsed>& steps) {
  const double sum = std::accumulate(steps.begin(), steps.end(), 0.0,
                                     [](double value, const Elapsed& time) { return value + time.ms; });
  return sum / static_cast<double>(steps.size());
}

void keep_least(std::vector<double>& least, const std::vector<Elapsed>& steps) {
  least.resize(steps.size(), std::numeric_limits<double>::infinity());
  for (std::size_t step = 0; step < steps.size(); ++step) least[step] = std::min(least[step], steps[step].cpu_ms);
}

}  // namespace

Contestant make_contestant(const std::string& name, unsigned threads) {
  Contestant result;
  result.name = name;
  result.options.threads = thread_count(threads);
  if (is_peer(name)) {
    // Refuses an unknown peer now, not after minutes of measuring.
    (void)peers::make_peer(name.substr(peers::kPeerPrefix.size()), threads);
  } else {
    result.options.method = from_name<Method>(name);
  }
  return result;
}

std::vector<BenchRow> run_bench(const BenchScene& scene, std::span<const Contestant> contestants,
                                const BenchRunOptions& options, Progress& progress) {
  for (const Contestant& contestant : contestants) {
    if (is_peer(contestant.name) && contestant.query != query_of_peer(contestant.name)) {
      throw InputError(fmt::format("{} does not support --query {}, only --query {}", contestant.name,
                                   name_of(contestant.query), name_of(query_of_peer(contestant.name))));
    }
    if (!scene.changes.empty() && is_peer(contestant.name)) {
      throw InputError(
          fmt::format("{} cannot run a scene whose triangles change, such as '{}'", contestant.name, scene.name));
    }
  }
  const std::size_t count = contestants.size();
  std::size_t done = 0;  // finished warm-ups and runs
  std::string label;
  const auto show = [&](double share) {
    const auto all = static_cast<double>(count * (options.runs + (scene.changes.empty() ? 1 : 0)));
    progress.show(label, (static_cast<double>(done) + share) / all);
    return !interrupted();
  };

  const auto warm_runner = [&](const Contestant& contestant) {
    std::unique_ptr<Runner> runner;
    if (is_peer(contestant.name)) {
      runner = std::make_unique<PeerRunner>(
          scene.scene,
          peers::make_peer(contestant.name.substr(peers::kPeerPrefix.size()), contestant.options.threads));
    } else {
      DetectorOptions detector = contestant.options;
      detector.progress = [&show](double) { return show(0.0); };
      runner = std::make_unique<MethodRunner>(scene.scene, detector, contestant.query, options.distance);
    }
    Elapsed not_measured;
    show(0.0);
    (void)runner->step(scene.x_t0(0), scene.x_t1(0), not_measured);
    return runner;
  };
  // One runner per contestant for all runs. Where triangles change, each run has a new one, and only one is in
  // memory.
  const bool stays = scene.changes.empty();
  std::vector<std::unique_ptr<Runner>> runners(count);
  for (std::size_t i = 0; stays && i < count; ++i) {
    label = fmt::format("{} {} warm-up", scene.title, contestants[i].name);
    runners[i] = warm_runner(contestants[i]);
    ++done;
  }

  std::vector<BenchRow> rows(count);
  std::vector<std::vector<double>> times(count);
  std::vector<std::vector<double>> least_cpu(count);  // by contestant and step: the least over the runs
  for (unsigned run = 0; run < options.runs; ++run) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t i = (turn + run) % count;
      label = fmt::format("{} {} run {}/{}", scene.title, contestants[i].name, run + 1, options.runs);
      show(0.0);
      std::vector<Elapsed> steps;
      if (!stays) runners[i] = warm_runner(contestants[i]);
      BenchRow row = run_once(scene, *runners[i], steps);
      if (!stays) runners[i].reset();
      times[i].push_back(mean_ms(steps));
      keep_least(least_cpu[i], steps);
      if (run > 0 && (row.toi_hash != rows[i].toi_hash || row.vf != rows[i].vf || row.ee != rows[i].ee)) {
        throw std::logic_error(fmt::format("{} gave two answers on {}", contestants[i].name, scene.name));
      }
      if (run > 0) row.edit_ms = std::min(row.edit_ms, rows[i].edit_ms);
      rows[i] = std::move(row);
      ++done;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].scene = scene.name;
    rows[i].method = contestants[i].name;
    rows[i].query = name_of(contestants[i].query);
    rows[i].threads = contestants[i].options.threads;
    rows[i].median_ms = median(times[i]);
    rows[i].min_ms = *std::min_element(times[i].begin(), times[i].end());
    rows[i].cpu_ms = mean(least_cpu[i]);
    rows[i].later_cpu_ms = least_cpu[i].size() < 2 ? rows[i].cpu_ms : mean(std::span(least_cpu[i]).subspan(1));
  }
  return rows;
}

}  // namespace graze::app
