// The rigid benchmark's measuring loop (benchmarks/rigid_race.hpp). Reads the clock once per pose (about 20 ns,
// included).
#include "rigid_race.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/hash.hpp"

namespace graze::benchmarks {

using namespace core;
namespace {

/// Processor time of this process, to the nanosecond where the system has such a clock.
double processor_us() {
#ifdef CLOCK_PROCESS_CPUTIME_ID
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
#else
  return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

constexpr std::size_t kTurn = 100;  // poses of a contestant before the next one's turn

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t not_in(const std::vector<TrianglePair>& these, const std::vector<TrianglePair>& those) {
  std::vector<TrianglePair> rest;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(rest));
  return rest.size();
}

/// Compares the answers of all contestants with those of the first.
void compare(const Contestants& contestants, RigidQuery query, std::span<const PosePair> poses,
             std::vector<RaceRow>& rows) {
  std::vector<Hash64> hashes(contestants.size());
  for (const PosePair& pose : poses) {
    std::size_t truth = 0;
    std::vector<TrianglePair> true_pairs;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      RaceRow& row = rows[i];
      const std::size_t answer = contestants[i]->ask(query, pose);
      std::vector<TrianglePair> pairs;
      if (query == RigidQuery::TrianglePairs) pairs = contestants[i]->last_pairs();
      row.hits += answer > 0 ? 1 : 0;
      row.pairs += answer;
      hashes[i].add(static_cast<std::uint64_t>(answer));
      for (const TrianglePair& pair : pairs) hashes[i].add(pair.b, pair.a);
      if (i == 0) {
        truth = answer;
        true_pairs = std::move(pairs);
        continue;
      }
      row.false_hits += answer > 0 && truth == 0 ? 1 : 0;
      row.missed_hits += answer == 0 && truth > 0 ? 1 : 0;
      row.false_pairs += not_in(pairs, true_pairs);
      row.missed_pairs += not_in(true_pairs, pairs);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].hash = hashes[i].value();
}

}  // namespace

std::vector<RaceRow> race(const Contestants& contestants, RigidQuery query, std::span<const PosePair> poses,
                          std::size_t rounds) {
  using RaceClock = std::chrono::steady_clock;
  if (contestants.empty() || !contestants.front()->exact() || rounds == 0 || poses.empty()) {
    throw std::runtime_error("a race needs an exact contestant to begin with, poses and rounds");
  }
  std::vector<RaceRow> rows(contestants.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name = contestants[i]->name();
    rows[i].exact = contestants[i]->exact();
  }
  compare(contestants, query, poses, rows);

  std::vector<std::vector<double>> means(rows.size());
  std::vector<std::vector<double>> medians(rows.size());
  std::vector<std::vector<double>> times(rows.size());
  std::vector<std::vector<double>> cpu(rows.size(), std::vector<double>(poses.size() / kTurn + 1, 0.0));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (auto& list : times) list.clear();
    std::vector<std::uint64_t> answers(rows.size(), 0);
    for (std::size_t first = 0; first < poses.size(); first += kTurn) {
      const std::span<const PosePair> turn = poses.subspan(first, std::min(kTurn, poses.size() - first));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::clock_t cpu_before = std::clock();
        auto before = RaceClock::now();
        for (const PosePair& pose : turn) {
          answers[i] += contestants[i]->ask(query, pose);
          const auto now = RaceClock::now();
          times[i].push_back(std::chrono::duration<double, std::micro>(now - before).count());
          before = now;
        }
        const double cpu_us = 1e6 * static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
        double& least = cpu[i][first / kTurn];
        if (round == 0 || cpu_us < least) least = cpu_us;
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (answers[i] != rows[i].pairs) {
        throw std::runtime_error(rows[i].name + ": a second run of the same poses gives other answers");
      }
      means[i].push_back(mean_of(times[i]));
      medians[i].push_back(median_of(times[i]));
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double sum = 0.0;
    for (const double turn_us : cpu[i]) sum += turn_us;
    rows[i].cpu_us = sum / static_cast<double>(poses.size());
    rows[i].mean_us = median_of(means[i]);
    rows[i].median_us = median_of(medians[i]);
  }
  return rows;
}

void find_worst_poses(const Contestants& contestants, RigidQuery query, std::span<const PosePair> poses,
                      std::size_t rounds, std::vector<RaceRow>& rows) {
  std::vector<std::vector<double>> least(rows.size(), std::vector<double>(poses.size(), 0.0));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t pose = 0; pose < poses.size(); ++pose) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double before = processor_us();
        (void)contestants[i]->ask(query, poses[pose]);
        const double us = processor_us() - before;
        if (round == 0 || us < least[i][pose]) least[i][pose] = us;
      }
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].worst = 0.0;
    for (std::size_t pose = 0; pose < poses.size(); ++pose) {
      if (least[i][pose] <= 0.0) continue;  // shorter than the clock's tick
      const double ratio = least[0][pose] / least[i][pose];
      if (ratio <= rows[i].worst) continue;
      rows[i].worst = ratio;
      rows[i].worst_pose = pose;
    }
  }
}

}  // namespace graze::benchmarks
