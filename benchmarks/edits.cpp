// Benchmark of edits: the cost of editing a detector in use relative to a new detector, and the slowdown after many
// edits.
//
// Costs: collecting and applying an edit of k triangles plus the extra time of the next query (compared with the
// same query again), over the construction of a new detector plus the extra time of its first query. Wear: the time
// of a query after a hundred frames with an edit each, over that of a new detector on the same scene. Processor
// time on one thread, medians, ratios within the run. Answers are checked: a different hash fails.
//
//   graze_bench_edits [--costs N]... [--wear N]... [--frames F] [--method r-tri|iccd]...
//
// N: triangles. Defaults: --costs 25000 --costs 250000 --costs 1000000 --wear 250000.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>

#include "benchmarks/edit_sheet.hpp"

namespace graze::benchmarks {
namespace {

bool all_right = true;

void check(bool right, const char* what) {
  if (right) return;
  all_right = false;
  std::printf("WRONG: %s\n", what);
}

/// Processor time of a call, in ms.
template <typename Fn>
double cost(const Fn& fn) {
  const std::clock_t start = std::clock();
  fn();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

DetectorOptions options_of(Method method) {
  return {.method = method, .threads = 1};
}

using Collect = std::function<std::size_t(SceneEdit&)>;

/// Costs of several edits of one kind. Medians of each part, because a query varies by more than an edit costs.
struct EditCosts {
  std::vector<double> collect_ms;
  std::vector<double> apply_ms;
  std::vector<double> next_query_ms;
  std::vector<double> other_query_ms;

  [[nodiscard]] double collect() const { return median(collect_ms); }
  [[nodiscard]] double apply() const { return median(apply_ms); }
  /// The extra time of the query after an edit.
  [[nodiscard]] double query() const { return median(next_query_ms) - median(other_query_ms); }
  [[nodiscard]] double all() const { return collect() + apply() + query(); }
};

/// Makes one edit, the query after it, and the same query again.
void edit_once(Detector& detector, EditSheet& sheet, const Collect& collect, EditCosts& costs) {
  {
    double begin_ms = 0.0;
    SceneEdit edit = [&] {
      std::optional<SceneEdit> made;
      begin_ms = cost([&] {
        made.emplace(detector.begin_edit());
        collect(*made);
      });
      return std::move(*made);
    }();
    costs.collect_ms.push_back(begin_ms);
    costs.apply_ms.push_back(cost([&] { detector.apply(edit); }));
  }
  const EditSheet::Step step = sheet.step(0.0);
  std::uint64_t hash = 0;
  costs.next_query_ms.push_back(cost([&] { hash = detector.impacts(step.x_t0, step.x_t1).toi_hash(); }));
  for (int i = 0; i < 3; ++i) {
    costs.other_query_ms.push_back(cost([&] {
      check(detector.impacts(step.x_t0, step.x_t1).toi_hash() == hash, "the same query again has another answer");
    }));
  }
}

/// The cost of a new detector plus the extra time of its first query.
double cost_of_new(const Scene& scene, Method method, const EditSheet::Step& step, std::uint64_t expected) {
  std::vector<double> makes;
  std::vector<double> first_queries;
  std::vector<double> other_queries;
  for (int i = 0; i < 3; ++i) {
    std::optional<Detector> detector;
    std::uint64_t hash = 0;
    makes.push_back(cost([&] { detector.emplace(scene, options_of(method)); }));
    first_queries.push_back(cost([&] { hash = detector->impacts(step.x_t0, step.x_t1).toi_hash(); }));
    check(hash == expected, "an edited detector and a new one differ");
    for (int k = 0; k < 3; ++k) {
      other_queries.push_back(cost([&] { (void)detector->impacts(step.x_t0, step.x_t1).toi_hash(); }));
    }
  }
  return median(makes) + median(first_queries) - median(other_queries);
}

void measure_costs(std::size_t triangles, Method method) {
  struct Kind {
    const char* name;
    std::size_t (EditSheet::*collect)(SceneEdit&, std::size_t);
  };
  for (const Kind kind : {Kind{"tear", &EditSheet::tear}, Kind{"exchange", &EditSheet::exchange}}) {
    EditSheet sheet(triangles);
    Detector detector(sheet.scene(), options_of(method));
    const EditSheet::Step start = sheet.step(0.0);
    (void)detector.impacts(start.x_t0, start.x_t1);
    const auto measure = [&](std::size_t k, int times) {
      EditCosts costs;
      for (int i = 0; i < times; ++i) {
        edit_once(
            detector, sheet, [&](SceneEdit& edit) { return (sheet.*kind.collect)(edit, k); }, costs);
      }
      return costs;
    };
    const EditCosts first = measure(2, 1);
    const EditSheet::Step step = sheet.step(0.0);
    const double fresh =
        cost_of_new(detector.scene(), method, step, detector.impacts(step.x_t0, step.x_t1).toi_hash());
    const auto row = [&](const std::string& size, const EditCosts& costs) {
      std::printf("%9zu %-6s %-9s %6s %9.3f %9.3f %9.3f %9.3f %9.1f %7.2f%% %9.1f\n", triangles,
                  std::string(name_of(method)).c_str(), kind.name, size.c_str(), costs.collect(), costs.apply(),
                  costs.query(), costs.all(), fresh, 100.0 * costs.all() / fresh, median(costs.other_query_ms));
      std::fflush(stdout);
    };
    row("first", first);
    for (const std::size_t k : {1UL, 10UL, 100UL, 1000UL, 2500UL}) row(std::to_string(k), measure(k, 9));
    const EditSheet::Step end = sheet.step(0.0);
    (void)cost_of_new(detector.scene(), method, end, detector.impacts(end.x_t0, end.x_t1).toi_hash());
  }
}

void measure_wear(std::size_t triangles, Method method, int frames) {
  constexpr std::uint32_t kBlocks = 20;
  struct Story {
    const char* name;
    std::uint32_t blocks;
    std::function<void(EditSheet&, SceneEdit&, int)> frame;
  };
  const auto per_frame = static_cast<std::size_t>((static_cast<int>(kBlocks * kBlocks) + frames - 1) / frames);
  const std::vector<Story> stories = {
      {"breaking", kBlocks,
       [&](EditSheet& sheet, SceneEdit& edit, int frame) { sheet.cut_blocks(edit, per_frame, frame); }},
      {"growing", 0, [](EditSheet& sheet, SceneEdit& edit, int) { sheet.grow(edit); }},
      {"exchange", 0, [&](EditSheet& sheet, SceneEdit& edit, int) { sheet.exchange(edit, triangles / 100); }},
  };
  for (const Story& story : stories) {
    EditSheet sheet(triangles, story.blocks);
    Detector detector(sheet.scene(), options_of(method));
    EditSheet::Step step = sheet.step(0.0);
    const std::uint64_t bytes_before = detector.impacts(step.x_t0, step.x_t1).stats.memory_bytes;
    for (int frame = 1; frame <= frames; ++frame) {
      SceneEdit edit = detector.begin_edit();
      story.frame(sheet, edit, frame);
      detector.apply(edit);
      step = sheet.step(frame);
      (void)detector.impacts(step.x_t0, step.x_t1);
    }
    Detector fresh(detector.scene(), options_of(method));
    (void)fresh.impacts(step.x_t0, step.x_t1);
    std::vector<double> edited_ms;
    std::vector<double> fresh_ms;
    Impacts by_edited;
    Impacts by_fresh;
    for (int i = 0; i < 5; ++i) {
      edited_ms.push_back(cost([&] { by_edited = detector.impacts(step.x_t0, step.x_t1); }));
      fresh_ms.push_back(cost([&] { by_fresh = fresh.impacts(step.x_t0, step.x_t1); }));
    }
    check(by_edited.toi_hash() == by_fresh.toi_hash(), "after the frames the answers differ");
    constexpr double kMega = 1e-6;
    std::printf(
        "%9zu %-6s %-9s %8zu %9.1f %9.1f %6.2f %7.2f %9.1f %9.1f %9.1f\n", triangles,
        std::string(name_of(method)).c_str(), story.name, by_fresh.impacts.size(), median(edited_ms),
        median(fresh_ms), median(edited_ms) / median(fresh_ms),
        static_cast<double>(by_edited.stats.bv_tests + 1) / static_cast<double>(by_fresh.stats.bv_tests + 1),
        kMega * static_cast<double>(bytes_before), kMega * static_cast<double>(by_edited.stats.memory_bytes),
        kMega * static_cast<double>(by_fresh.stats.memory_bytes));
    std::fflush(stdout);
  }
}

int run(const std::vector<std::string>& arguments) {
  std::vector<std::size_t> costs;
  std::vector<std::size_t> wear;
  std::vector<Method> methods;
  int frames = 100;
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string& value = arguments[i + 1];
    if (arguments[i] == "--costs") costs.push_back(std::stoul(value));
    if (arguments[i] == "--wear") wear.push_back(std::stoul(value));
    if (arguments[i] == "--frames") frames = std::stoi(value);
    if (arguments[i] == "--method") methods.push_back(from_name<Method>(value));
  }
  if (methods.empty()) methods = {Method::RTri, Method::Iccd};
  if (costs.empty() && wear.empty()) {
    costs = {25'000, 250'000, 1'000'000};
    wear = {250'000};
  }
  if (!costs.empty()) {
    std::printf("%9s %-6s %-9s %6s %9s %9s %9s %9s %9s %8s %9s\n", "triangles", "method", "edit", "k", "collect",
                "apply", "query +", "ms", "new ms", "ratio", "a query");
  }
  for (const std::size_t n : costs) {
    for (const Method method : methods) measure_costs(n, method);
  }
  if (!wear.empty()) {
    std::printf("%9s %-6s %-9s %8s %9s %9s %6s %7s %9s %9s %9s\n", "triangles", "method", "frames", "impacts",
                "edited ms", "new ms", "ratio", "bv", "MB before", "MB after", "MB new");
  }
  for (const std::size_t n : wear) {
    for (const Method method : methods) measure_wear(n, method, frames);
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  try {
    return graze::benchmarks::run(std::vector<std::string>(arguments + 1, arguments + count));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_edits: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
