// Benchmark of method auto on a GPU beside the host: time of a step, its stages, and memory.
//
// Inputs: pairs of frames, the scenes of graze_bench_auto, and batches of many small scenes. Rows of one input
// alternate, and all must have the same impacts; a difference fails.
//
//   device        positions and sorted impacts in GPU memory
//   view          positions and sorted impacts in the host's memory, transfers included: a sink has a view of them
//   host          the same, and a copy of the impacts in a vector
//   first         the earliest impact, positions in GPU memory
//   first host    the earliest impact, positions in the host's memory
//   cpu N         method auto on N threads of the host
//
// "median" and "min" are ms of wall time over the runs. "MB": GPU memory that the detector holds; "growth": what
// the GPU's free memory has lost from the second run to the last, in MB. Below the rows: the stages of a query in
// us, the medians over as many runs, with positions in GPU memory; the clock costs about a microsecond a stage.
//
//   graze_bench_gpu [--frames START,END]... [--scene NAME]... [--sizes N,N,...] [--batch SCENES,TRIANGLES]
//                   [--thickness D] [--runs N] [--cpu-runs N] [--threads N] [--json FILE]
//
// Defaults: scene sheets, sizes 1000000, 101 runs, 5 runs of each row on the host, all threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <graze/detector_batch.hpp>
#include <graze/graze.hpp>
#include <graze/io.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "auto_scenes.hpp"
#include "core/memory_budget.hpp"
#include "cuda/cuda_method.hpp"
#include "row_settings.hpp"

namespace graze::benchmarks {
namespace {

using cuda::StageTimes;

struct Settings : RowSettings {
  std::vector<std::pair<std::string, std::string>> frames;
  std::vector<std::pair<std::size_t, std::size_t>> batches;
  double thickness = 0.0;
  std::size_t runs = 101;
  std::size_t cpu_runs = 5;
};

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Positions in GPU memory.
class GpuArray {
 public:
  explicit GpuArray(const std::vector<Vec3>& x) : count_(x.size()) {
    check(cudaMalloc(&data_, x.size() * sizeof(Vec3)));
    check(cudaMemcpy(data_, x.data(), x.size() * sizeof(Vec3), cudaMemcpyHostToDevice));
  }
  GpuArray(GpuArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
  GpuArray& operator=(GpuArray&&) = delete;
  GpuArray(const GpuArray&) = delete;
  GpuArray& operator=(const GpuArray&) = delete;
  ~GpuArray() { cudaFree(data_); }
  [[nodiscard]] const Vec3* data() const { return static_cast<const Vec3*>(data_); }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  void* data_ = nullptr;
  std::size_t count_ = 0;
};

/// A scene, or many, and the positions of its frames.
struct Input {
  std::string name;
  std::vector<Scene> scenes;
  std::vector<std::vector<Vec3>> frames;

  [[nodiscard]] std::size_t step_count() const { return frames.size() - 1; }
  [[nodiscard]] std::size_t triangles() const {
    std::size_t sum = 0;
    for (const Scene& scene : scenes) sum += scene.triangle_count();
    return sum;
  }
};

Input frames_input(const std::pair<std::string, std::string>& paths) {
  const Mesh start = read_mesh(paths.first);
  const Mesh end = read_mesh(paths.second);
  Scene scene;
  scene.add_body({.positions = start.positions, .triangles = start.triangles});
  return {.name = paths.first.substr(paths.first.rfind('/') + 1),
          .scenes = {scene},
          .frames = {start.positions, end.positions}};
}

Input scene_input(const std::string& name, std::size_t triangles) {
  constexpr std::size_t kFrames = 4;
  AutoScene made = make_auto_scene(name, triangles);
  Input input{.name = name, .scenes = {made.scene}, .frames = {}};
  input.frames.resize(kFrames);
  for (std::size_t frame = 0; frame < kFrames; ++frame) made.positions(frame, input.frames[frame]);
  return input;
}

/// Copies of a small scene, each at another time of its motion.
Input batch_input(std::size_t count, std::size_t triangles) {
  const AutoScene made = make_auto_scene("sheets", triangles);
  Input input{.name = fmt::format("{} scenes", count), .scenes = {}, .frames = {}};
  input.scenes.assign(count, made.scene);
  input.frames.resize(3);
  std::vector<Vec3> x;
  for (std::size_t scene = 0; scene < count; ++scene) {
    for (std::size_t frame = 0; frame < input.frames.size(); ++frame) {
      made.positions(scene % 16 + frame, x);
      input.frames[frame].insert(input.frames[frame].end(), x.begin(), x.end());
    }
  }
  return input;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

double megabytes(std::size_t bytes) {
  return 1e-6 * static_cast<double>(bytes);
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaMemGetInfo(&free, &all));
  return free;
}

/// What a step of a row has found: hashes of the impacts, or the earliest time.
struct Found {
  std::size_t count = 0;
  std::uint64_t hash = 0;
  double toi = -1.0;
  Stats stats;
};

Found found_of(const Impacts& impacts) {
  return {.count = impacts.impacts.size(), .hash = impacts.toi_hash(), .toi = -1.0, .stats = impacts.stats};
}
Found found_of(const FirstImpact& first) {
  return {.count = first.impact ? 1U : 0U, .hash = 0, .toi = first.toi, .stats = first.stats};
}

struct Row {
  std::string name;
  std::size_t runs;
  /// Times the query of a step; when `look`, also says what it found, after the time was taken.
  std::function<double(std::size_t step, bool look, Found& found)> run;
  std::vector<double> ms = {};
  std::vector<Found> found = {};  ///< by step
  std::size_t free_after_warm_up = 0;
  std::size_t free_at_end = 0;
};

void run_rows(const Input& input, std::vector<Row>& rows) {
  std::size_t most = 0;
  for (Row& row : rows) {
    row.found.resize(input.step_count());
    for (std::size_t step = 0; step < input.step_count(); ++step) row.run(step, true, row.found[step]);
    row.free_after_warm_up = free_memory();
    most = std::max(most, row.runs);
  }
  for (std::size_t run = 0; run < most; ++run) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Row& row = rows[(r + run) % rows.size()];
      Found found;
      if (run < row.runs) row.ms.push_back(row.run(run % input.step_count(), false, found));
    }
  }
  for (Row& row : rows) row.free_at_end = free_memory();
}

/// Empty if all rows of one kind of query found the same; else the names of two that differ.
std::string difference(const std::vector<Row>& rows) {
  for (const bool first : {false, true}) {
    const Row* reference = nullptr;
    for (const Row& row : rows) {
      if ((row.found[0].toi >= 0.0) != first) continue;
      if (reference == nullptr) reference = &row;
      for (std::size_t step = 0; step < row.found.size(); ++step) {
        const Found& a = row.found[step];
        const Found& b = reference->found[step];
        if (a.count != b.count || a.hash != b.hash || a.toi != b.toi) return reference->name + " and " + row.name;
      }
    }
  }
  return {};
}

/// Medians of the stages of impacts and of first impact.
nlohmann::json stages_of(const Input& input, const std::vector<GpuArray>& frames, const Settings& settings) {
  const Scene& scene = input.scenes.front();
  const scene::BodyFilter filter{scene};
  const DetectorOptions options{.thickness = settings.thickness};
  const query::QueryContext context{scene, filter, options};
  cuda::CudaMethod method(scene);
  method.rebuild();
  query::DeviceQueries& queries = *method.device_queries();
  nlohmann::json all;
  for (const bool first : {false, true}) {
    std::vector<std::vector<double>> ms(cuda::kStageCount + 1);
    for (std::size_t run = 0; run < settings.runs + 2; ++run) {
      const std::size_t step = run % input.step_count();
      const DeviceStep x{
          .x_t0 = frames[step].data(), .x_t1 = frames[step + 1].data(), .count = frames[step].size()};
      method.record_stages(true);
      if (first) {
        static_cast<void>(queries.first_impact(context, x));
      } else {
        static_cast<void>(queries.impacts(context, x));
      }
      const std::optional<StageTimes> times = method.stage_times();
      if (run < 2 || !times) continue;
      for (std::size_t stage = 0; stage < cuda::kStageCount; ++stage) ms[stage].push_back(times->ms[stage]);
      ms[cuda::kStageCount].push_back(times->total_ms);
    }
    nlohmann::json stages;
    std::string line = first ? "  stages of first (us):" : "  stages of device (us):";
    for (std::size_t stage = 0; stage <= cuda::kStageCount; ++stage) {
      if (ms[stage].empty()) continue;
      const std::string name(stage < cuda::kStageCount ? cuda::kStageNames[stage] : "total");
      stages[name] = 1e3 * median(ms[stage]);
      line += fmt::format(" {} {:.1f},", name, 1e3 * median(ms[stage]));
    }
    fmt::print("{}\n", line);
    all[first ? "first" : "device"] = stages;
  }
  return all;
}

/// Times a call, and looks at its result afterwards.
template <typename Call, typename Look>
double timed(const Call& call, const Look& look) {
  const auto start = std::chrono::steady_clock::now();
  auto result = call();
  const double ms = since(start);
  look(result);
  return ms;
}

std::vector<Row> scene_rows(const Input& input, const std::vector<GpuArray>& frames, const Settings& settings) {
  const auto step_of = [&frames](std::size_t step) {
    return DeviceStep{.x_t0 = frames[step].data(), .x_t1 = frames[step + 1].data(), .count = frames[step].size()};
  };
  const DetectorOptions on_gpu{.thickness = settings.thickness, .device = Device::Cuda};
  const Scene& scene = input.scenes.front();
  const auto gpu = std::make_shared<Detector>(scene, on_gpu);
  std::vector<Row> rows;
  rows.push_back({"device", settings.runs, [gpu, step_of](std::size_t step, bool look, Found& found) {
                    return timed([&] { return gpu->impacts(step_of(step)); },
                                 [&](const DeviceImpacts& impacts) {
                                   if (!look) return;
                                   Impacts copied;
                                   copied.impacts = copy_to_host(impacts);
                                   copied.stats = impacts.stats;
                                   found = found_of(copied);
                                 });
                  }});
  rows.push_back({"first", settings.runs, [gpu, step_of](std::size_t step, bool look, Found& found) {
                    return timed([&] { return gpu->first_impact(step_of(step)); },
                                 [&](const FirstImpact& first) {
                                   if (look) found = found_of(first);
                                 });
                  }});
  const auto add_host = [&](const std::string& suffix, std::size_t runs, const DetectorOptions& options) {
    const auto detector = std::make_shared<Detector>(scene, options);
    const std::string all = options.device == Device::Cuda ? "host" : "cpu";
    if (options.device == Device::Cuda) {
      rows.push_back({"view", runs, [detector, &input](std::size_t step, bool look, Found& found) {
                        std::vector<Impact> copied;
                        const ImpactSink sink = [&](std::span<const Impact> impacts) {
                          if (look) copied.assign(impacts.begin(), impacts.end());
                          return true;
                        };
                        return timed(
                            [&] { return detector->impacts(input.frames[step], input.frames[step + 1], sink); },
                            [&](const Stats& stats) {
                              if (!look) return;
                              Impacts all_impacts;
                              all_impacts.impacts = copied;
                              all_impacts.stats = stats;
                              found = found_of(all_impacts);
                            });
                      }});
    }
    rows.push_back({all + suffix, runs, [detector, &input](std::size_t step, bool look, Found& found) {
                      return timed([&] { return detector->impacts(input.frames[step], input.frames[step + 1]); },
                                   [&](const Impacts& impacts) {
                                     if (look) found = found_of(impacts);
                                   });
                    }});
    rows.push_back({"first " + all + suffix, runs, [detector, &input](std::size_t step, bool look, Found& found) {
                      return timed(
                          [&] { return detector->first_impact(input.frames[step], input.frames[step + 1]); },
                          [&](const FirstImpact& first) {
                            if (look) found = found_of(first);
                          });
                    }});
  };
  add_host("", settings.runs, on_gpu);
  if (settings.cpu_runs == 0) return rows;
  for (const unsigned threads : {1U, settings.threads}) {
    add_host(fmt::format(" {}", threads), settings.cpu_runs, {.thickness = settings.thickness, .threads = threads});
    if (settings.threads == 1) break;
  }
  return rows;
}

std::vector<Row> batch_rows(const Input& input, const std::vector<GpuArray>& frames, const Settings& settings) {
  std::vector<Row> rows;
  const auto gpu = std::make_shared<DetectorBatch>(
      input.scenes, DetectorOptions{.thickness = settings.thickness, .device = Device::Cuda});
  rows.push_back({"device", settings.runs, [gpu, &frames](std::size_t step, bool look, Found& found) {
                    const DeviceStep x{
                        .x_t0 = frames[step].data(), .x_t1 = frames[step + 1].data(), .count = frames[step].size()};
                    return timed([&] { return gpu->impacts(x); },
                                 [&](const DeviceBatchImpacts& batch) {
                                   if (!look) return;
                                   Impacts copied;
                                   copied.impacts = copy_to_host(
                                       {.impacts = batch.impacts, .count = batch.begins.back(), .stats = {}});
                                   copied.stats = batch.stats;
                                   found = found_of(copied);
                                 });
                  }});
  const auto add_host = [&](const std::string& name, std::size_t runs, const DetectorOptions& options) {
    const auto detector = std::make_shared<DetectorBatch>(input.scenes, options);
    rows.push_back({name, runs, [detector, &input](std::size_t step, bool look, Found& found) {
                      return timed([&] { return detector->impacts(input.frames[step], input.frames[step + 1]); },
                                   [&](BatchImpacts& batch) {
                                     if (!look) return;
                                     Impacts copied;
                                     copied.impacts = std::move(batch.impacts);
                                     copied.stats = batch.stats;
                                     found = found_of(copied);
                                   });
                    }});
  };
  add_host("host", settings.runs, {.thickness = settings.thickness, .device = Device::Cuda});
  if (settings.cpu_runs > 0) {
    add_host(fmt::format("cpu {}", settings.threads), settings.cpu_runs,
             {.thickness = settings.thickness, .threads = settings.threads});
  }
  return rows;
}

nlohmann::json measure(const Input& input, const Settings& settings, bool& all_right) {
  std::vector<GpuArray> frames;
  for (const std::vector<Vec3>& x : input.frames) frames.emplace_back(x);
  std::vector<Row> rows =
      input.scenes.size() == 1 ? scene_rows(input, frames, settings) : batch_rows(input, frames, settings);
  run_rows(input, rows);
  nlohmann::json result = {
      {"input", input.name}, {"triangles", input.triangles()}, {"thickness", settings.thickness}};
  for (const Row& row : rows) {
    const Found& found = row.found.front();
    const double least = *std::min_element(row.ms.begin(), row.ms.end());
    const double growth = megabytes(row.free_after_warm_up) - megabytes(row.free_at_end);
    fmt::print("{:<24} {:>10} {:<14} {:>9} {:>10.4f} {:>10.4f} {:>8.1f} {:>8.1f}\n", input.name, input.triangles(),
               row.name, found.count, median(row.ms), least, megabytes(found.stats.device_bytes), growth);
    result["rows"].push_back({{"row", row.name},
                              {"impacts", found.count},
                              {"median_ms", median(row.ms)},
                              {"min_ms", least},
                              {"device_bytes", found.stats.device_bytes},
                              {"cluster_pairs", found.stats.cluster.pairs},
                              {"feature_tests", found.stats.cluster.feature_tests},
                              {"candidates", found.stats.vf_tests + found.stats.ee_tests}});
  }
  const std::string different = difference(rows);
  if (!different.empty()) {
    all_right = false;
    fmt::print("WRONG: {}: {} have different answers\n", input.name, different);
  }
  if (input.scenes.size() == 1) result["stages_us"] = stages_of(input, frames, settings);
  std::fflush(stdout);
  return result;
}

int run(const Settings& settings) {
  if (const std::string why = why_no_cuda(); !why.empty()) throw std::runtime_error("no GPU: " + why);
  fmt::print("{:<24} {:>10} {:<14} {:>9} {:>10} {:>10} {:>8} {:>8}\n", "input", "triangles", "row", "impacts",
             "median", "min", "MB", "growth");
  bool all_right = true;
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& frames : settings.frames) rows.push_back(measure(frames_input(frames), settings, all_right));
  for (const std::string& scene : settings.scenes) {
    for (const std::size_t size : settings.sizes) {
      rows.push_back(measure(scene_input(scene, size), settings, all_right));
    }
  }
  for (const auto& [count, triangles] : settings.batches) {
    rows.push_back(measure(batch_input(count, triangles), settings, all_right));
  }
  return finish_rows(settings, all_right, rows);
}

std::pair<std::string, std::string> halves(const std::string& name, const std::string& value) {
  const std::size_t comma = value.find(',');
  if (comma == std::string::npos) throw std::runtime_error(name + " " + value + ": two values are needed, A,B");
  return {value.substr(0, comma), value.substr(comma + 1)};
}

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  settings.threads = 0;
  take_arguments(arguments, settings, [&](const std::string& name, const std::string& value) {
    if (name == "--frames") {
      settings.frames.push_back(halves(name, value));
    } else if (name == "--batch") {
      const auto [count, triangles] = halves(name, value);
      settings.batches.emplace_back(std::stoul(count), std::stoul(triangles));
    } else if (name == "--thickness") {
      settings.thickness = std::stod(value);
    } else if (name == "--runs") {
      settings.runs = std::max(1UL, std::stoul(value));
    } else if (name == "--cpu-runs") {
      settings.cpu_runs = std::stoul(value);
    } else {
      return false;
    }
    return true;
  });
  if (settings.scenes.empty() && settings.frames.empty() && settings.batches.empty()) settings.scenes = {"sheets"};
  if (settings.sizes.empty()) settings.sizes = {1'000'000};
  return settings;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  return graze::benchmarks::run_benchmark("graze_bench_gpu", count, arguments,
                                          [](const std::vector<std::string>& given) {
                                            return graze::benchmarks::run(graze::benchmarks::settings_from(given));
                                          });
}
