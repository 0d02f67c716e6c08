// The chain of kernels of a query, its memory, and its CUDA graphs (engine.hpp).
#include "cuda/engine.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "core/tasks.hpp"
#include "cuda/device_clusters.cuh"
#include "cuda/device_filter.cuh"
#include "cuda/elementary.cuh"
#include "cuda/order.cuh"
#include "cuda/pairs.cuh"
#include "cuda/proofs.cuh"
#include "cuda/runtime/buffer.cuh"
#include "cuda/runtime/gpu.hpp"
#include "cuda/runtime/stage_clock.cuh"
#include "cuda/runtime/streams.cuh"
#include "cuda/tables.cuh"
#include "cuda/traversal.cuh"

namespace graze::cuda {

namespace {

/// What a query leaves in pinned memory for the host.
struct Report {
  StepControl control;
  Counters counters;
  double measures[3];
  Impact earliest;
};

__global__ void reset_kernel(Counters* counters) {
  *counters = {};
  counters->best_toi = ~0ULL;
}

__global__ void publish_kernel(const StepControl* control, const Counters* counters, const double* measures,
                               Report* report) {
  report->control = *control;
  report->counters = *counters;
  for (int k = 0; k < 3; ++k) report->measures[k] = measures[k];
}

/// Appends impacts that the host has found.
__global__ void append_kernel(const Impact* from, std::uint32_t count, ScenesView scenes, Impact* impacts,
                              std::uint32_t* ranks, std::uint32_t* bucket_lengths, Counters* counters) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t place = atomicAdd(&counters->records, 1U);
  impacts[place] = from[i];
  const FeaturePair& pair = from[i].pair;
  const std::uint32_t bucket = scenes.bucket(pair.kind == FeatureKind::EdgeEdge, pair.vertices[0]);
  ranks[place] = atomicAdd(&bucket_lengths[bucket], 1U);
}

bool is_instant(Want want) {
  return want == Want::NearPairs || want == Want::EdgeFaces;
}
bool tests_pairs(Want want) {
  return !is_instant(want);
}
bool sorts(Want want) {
  return want == Want::Impacts || want == Want::DeviceImpacts;
}

/// The number of threads' multiprocessors of the GPU in use.
unsigned processor_count() {
  if (!why_no_gpu().empty()) throw ResourceError("GPU: " + why_no_gpu());
  int device = 0;
  int count = 0;
  check(cudaGetDevice(&device), "find the device");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "find the device");
  return static_cast<unsigned>(count);
}

}  // namespace

struct Engine::State {
  unsigned processors = processor_count();
  Stream stream;
  Stream beside;  ///< for work of a graph that nothing waits for until its end
  Event event;
  Event tables_done;
  Event measured;
  Usage usage;
  Graphs<Query> graphs;
  StageClock clock;

  DeviceClusters clusters{usage};
  DeviceFilter filter{usage};
  bool has_clusters = false;

  std::size_t vertex_count = 0;
  DeviceBuffer<Vec3> x_t0{usage};
  DeviceBuffer<Vec3> x_t1{usage};
  PinnedBuffer<Vec3> staging;

  DeviceBuffer<SummaryBlock> summary{usage};
  DeviceBuffer<std::uint32_t> ticket{usage};
  DeviceBuffer<StepControl> control{usage};
  DeviceBuffer<Counters> counters{usage};
  PinnedBuffer<Report> report;
  PinnedBuffer<double> until;
  PinnedBuffer<GivenPositions> given;

  DeviceBuffer<DevicePair> pairs{usage};
  DeviceBuffer<PairFrame> frames{usage};
  DeviceBuffer<OverlappingPair> overlaps{usage};
  DeviceBuffer<DeviceCandidate> vf{usage};
  DeviceBuffer<DeviceCandidate> ee{usage};
  DeviceBuffer<std::uint32_t> last{usage};
  DeviceBuffer<Impact> impacts{usage};
  DeviceBuffer<std::uint32_t> ranks{usage};
  DeviceBuffer<std::uint32_t> bucket_lengths{usage};
  PinnedBuffer<UndecidedPair> undecided;
  ImpactOrder order{usage};
  PinnedBuffer<Impact> sorted_on_host;
  DeviceBuffer<Impact> sorted_on_device{usage};
  PinnedBuffer<Impact> extra;
  PinnedBuffer<std::uint32_t> scene_begins;  ///< of a batch

  Query query;            ///< the last one
  std::size_t found = 0;  ///< impacts of the last query

  State() {
    summary.reserve(kSummaryBlocks, "the summary");
    ticket.reserve(1, "the summary");
    control.reserve(1, "parameters");
    counters.reserve(1, "counters");
    report.reserve(1, "the report");
    until.reserve(1, "the report");
    given.reserve(1, "the report");
    *given.data() = {};
    check(cudaMemsetAsync(ticket.data(), 0, sizeof(std::uint32_t), stream), "clear a counter");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { static_cast<void>(cudaStreamSynchronize(stream)); }

  void wait(const char* what) const { check(cudaStreamSynchronize(stream), what); }

  static std::uint32_t capacity_of(std::size_t count) {
    return static_cast<std::uint32_t>(std::min<std::size_t>(count, 0xfffffff0U));
  }

  template <typename Buffer>
  void reserve(Buffer& buffer, std::size_t count, const char* what) {
    if (count <= buffer.capacity()) return;
    graphs.clear();  // they have the address of the old memory
    buffer.reserve(count, what);
  }

  /// Lengths of the lists; a list that is too short grows by what a query counts.
  void reserve_pairs(std::size_t count) {
    reserve(pairs, count, "pairs of clusters");
    reserve(frames, pairs.capacity(), "pairs of clusters");
  }
  void reserve_overlaps(std::size_t count) { reserve(overlaps, count, "pairs of features"); }
  void reserve_vf(std::size_t count) { reserve(vf, count, "vertex-face candidates"); }
  void reserve_ee(std::size_t count) {
    reserve(ee, count, "edge-edge candidates");
    if (query.want == Want::EdgeFaces) reserve(last, ee.capacity(), "edge-face candidates");
  }
  void reserve_impacts(std::size_t count) {
    reserve(impacts, count, "impacts");
    if (query.want == Want::First) return;
    reserve(ranks, impacts.capacity(), "order of impacts");
    if (query.want == Want::Impacts) reserve(sorted_on_host, impacts.capacity(), "impacts");
    if (query.want == Want::DeviceImpacts) reserve(sorted_on_device, impacts.capacity(), "impacts");
    if (bucket_lengths.capacity() < 2 * vertex_count) graphs.clear();
    bucket_lengths.reserve(2 * vertex_count, "order of impacts");
    order.reserve(static_cast<std::uint32_t>(vertex_count), capacity_of(impacts.capacity()));
  }
  void reserve_undecided(std::size_t count) { reserve(undecided, count, "undecided candidates"); }

  /// Room for what is usual.
  void reserve_all() {
    const std::size_t cluster_count = clusters.tree().cluster_count;
    reserve_pairs(std::max(pairs.capacity(), 12 * cluster_count));
    reserve_overlaps(std::max(overlaps.capacity(), 256 * cluster_count));
    if (query.want != Want::EdgeFaces) reserve_vf(std::max(vf.capacity(), 64 * cluster_count));
    reserve_ee(std::max(ee.capacity(), 64 * cluster_count));
    if (!tests_pairs(query.want)) return;
    constexpr std::size_t kUsual = 4096;
    reserve_impacts(
        std::max({impacts.capacity(), kUsual, query.want == Want::First ? kUsual : 16 * cluster_count}));
    reserve_undecided(std::max<std::size_t>(undecided.capacity(), 1024));
  }

  /// Copies positions to the GPU, from the host's memory through pinned memory, piece by piece.
  void copy_positions(std::span<const Vec3> from, DeviceBuffer<Vec3>& to, std::size_t at, bool on_device) {
    if (from.empty()) return;
    if (on_device) {
      check(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyDeviceToDevice, stream),
            "copy positions");
      return;
    }
    constexpr std::size_t kPiece = std::size_t{1} << 14U;
    parallel_for(0, (from.size() + kPiece - 1) / kPiece, 1, [&](std::size_t first, std::size_t end) {
      const std::size_t begin = first * kPiece;
      const std::size_t count = std::min(end * kPiece, from.size()) - begin;
      Vec3* const room = staging.data() + at + begin;
      std::copy_n(from.data() + begin, count, room);
      check(cudaMemcpyAsync(to.data() + begin, room, count * sizeof(Vec3), cudaMemcpyHostToDevice, stream),
            "copy positions");
    });
  }

  void take_positions(const Positions& x) {
    const Range range("graze: positions");
    *given.data() = {};
    if (x.on_device) event.order(x.stream, stream);
    if (x.x_t0.size() != vertex_count) graphs.clear();
    vertex_count = x.x_t0.size();
    if (vertex_count >= std::size_t{1} << 31U) throw ResourceError("GPU: too many vertices");
    reserve(x_t0, vertex_count, "positions");
    if (!is_instant(query.want)) reserve(x_t1, vertex_count, "positions");
    if (!x.on_device) staging.reserve(2 * vertex_count, "positions");
    if (x.on_device && filter.view().removed_count == 0) {  // the first kernel copies them
      *given.data() = {x.x_t0.data(), is_instant(query.want) ? nullptr : x.x_t1.data()};
      return;
    }
    copy_positions(x.x_t0, x_t0, 0, x.on_device);
    if (!is_instant(query.want)) copy_positions(x.x_t1, x_t1, vertex_count, x.on_device);
    if (!x.on_device) return;  // the host has placed removed vertices
    place_removed(filter.view(), x_t0.data(), stream);
    if (!is_instant(query.want)) place_removed(filter.view(), x_t1.data(), stream);
  }

  [[nodiscard]] OwnPositions own_positions() const {
    return {x_t0.data(), is_instant(query.want) ? x_t0.data() : x_t1.data(),
            static_cast<std::uint32_t>(vertex_count)};
  }
  [[nodiscard]] PositionsView positions() const {
    const OwnPositions own = own_positions();
    return {own.x_t0, own.x_t1, own.count};
  }

  [[nodiscard]] Candidates candidates() const {
    if (query.want == Want::EdgeFaces) return Candidates::EdgeFaces;
    return query.elementary.thickness > 0.0 || query.distance > 0.0 ? Candidates::WithinGap : Candidates::Touching;
  }

  [[nodiscard]] CandidateLists lists() const {
    return {vf.data(), ee.data(), last.data(), query.want == Want::EdgeFaces ? 0 : capacity_of(vf.capacity()),
            capacity_of(ee.capacity())};
  }

  [[nodiscard]] Impact* sorted() const {
    return query.want == Want::Impacts ? sorted_on_host.data() : sorted_on_device.data();
  }

  /// The kernels of a query, up to its candidates.
  void enqueue_candidates() {
    clock.start_graph(stream);
    reset_kernel<<<1, 1, 0, stream>>>(counters.data());
    const SummaryRequest request{.given = given.data(),
                                 .thickness = query.elementary.thickness,
                                 .tolerance = query.elementary.tolerance,
                                 .distance = query.distance,
                                 .cluster_size = query.cluster_size,
                                 .is_static = filter.view().is_static,
                                 .until = until.data()};
    const TreeView& tree = clusters.tree();
    summarize(own_positions(), request, summary.data(), ticket.data(), control.data(), stream);
    clock.end(Stage::Summary, stream);
    fill_tables(clusters.shapes(), tree, clusters.scenes(), positions(), control.data(),
                candidates() != Candidates::WithinGap, clusters.tables(), stream);
    clock.end(Stage::Tables, stream);
    tables_done.order(stream, beside);
    measure(clusters.tables(), tree, clusters.sums(), beside);
    if (sorts(query.want)) {
      check(cudaMemsetAsync(bucket_lengths.data(), 0, 2 * vertex_count * sizeof(std::uint32_t), beside),
            "clear counters");
    }
    traverse(tree, clusters.scenes(), control.data(), 0, tree.cluster_count, pairs.data(),
             capacity_of(pairs.capacity()), counters.data(), stream);
    clock.end(Stage::BroadPhase, stream);
    const PairInput input{.shapes = clusters.shapes(),
                          .tables = clusters.tables(),
                          .x = positions(),
                          .control = control.data(),
                          .pairs = pairs.data(),
                          .pair_capacity = capacity_of(pairs.capacity())};
    const OverlapList list{overlaps.data(), capacity_of(overlaps.capacity()), frames.data()};
    compare_pairs(candidates(), input, list, counters.data(), processors, stream);
    clock.end(Stage::Bounds, stream);
    prove_pairs(candidates(), input, list, filter.view(), lists(), counters.data(), processors, stream);
    clock.end(Stage::Proofs, stream);
    measured.order(beside, stream);
  }

  void enqueue_tests() {
    const bool first = query.want == Want::First;
    const ElementaryInput input{positions(), clusters.scenes(), lists(), thick_limits(query.elementary), first};
    const ImpactLists out{.impacts = impacts.data(),
                          .capacity = capacity_of(impacts.capacity()),
                          .ranks = first ? nullptr : ranks.data(),
                          .bucket_lengths = bucket_lengths.data(),
                          .undecided = undecided.data(),
                          .undecided_capacity = capacity_of(undecided.capacity())};
    test_candidates(input, out, counters.data(), processors, stream);
    if (first) find_earliest(impacts.data(), out.capacity, counters.data(), &report.data()->earliest, stream);
  }

  void enqueue_order() {
    const std::uint32_t capacity = capacity_of(impacts.capacity());
    order.sort(impacts.data(), ranks.data(), bucket_lengths.data(), clusters.scenes(), capacity, counters.data(),
               sorted(), stream);
    if (is_batch()) order.find_scenes(clusters.scenes(), counters.data(), capacity, scene_begins.data(), stream);
  }

  [[nodiscard]] bool is_batch() const { return clusters.scenes().of_cluster != nullptr; }

  void enqueue_report() {
    publish_kernel<<<1, 1, 0, stream>>>(control.data(), counters.data(), clusters.results(), report.data());
  }

  void enqueue() {
    enqueue_candidates();
    if (tests_pairs(query.want)) enqueue_tests();
    clock.end(Stage::NarrowPhase, stream);
    if (sorts(query.want)) enqueue_order();
    clock.end(Stage::Order, stream);
    enqueue_report();
    clock.end(Stage::Report, stream);
    check_launch("run a query");
  }

  /// Grows the lists that were too short; returns whether there were any.
  bool grow() {
    const Counters& counted = report.data()->counters;
    constexpr unsigned long long kMost = 0xffffffffULL;
    // Half of the places in the list of overlapping pairs may be empty.
    if (counted.overlapping >= kMost || counted.feature_pairs >= kMost / 2 - (1U << 24U)) {
      throw ResourceError("GPU: more than 2^32 candidates in a step");
    }
    const auto room = [](std::uint32_t count) { return std::size_t{count} + count / 4; };
    bool short_of = false;
    const auto need = [&](std::uint32_t count, std::size_t capacity, auto&& reserve_more) {
      if (count <= capacity) return;
      reserve_more(room(count));
      short_of = true;
    };
    need(counted.pairs, pairs.capacity(), [&](std::size_t count) { reserve_pairs(count); });
    need(counted.overlaps, overlaps.capacity(), [&](std::size_t count) { reserve_overlaps(count); });
    if (query.want != Want::EdgeFaces) {
      need(counted.vf, vf.capacity(), [&](std::size_t count) { reserve_vf(count); });
    }
    need(counted.ee, ee.capacity(), [&](std::size_t count) { reserve_ee(count); });
    if (tests_pairs(query.want)) {
      need(counted.records, impacts.capacity(), [&](std::size_t count) { reserve_impacts(count); });
      need(counted.undecided, undecided.capacity(), [&](std::size_t count) { reserve_undecided(count); });
    }
    return short_of;
  }

  /// Puts impacts in order where buckets are too long for the usual way.
  void order_by_radix(std::uint32_t count) {
    graphs.clear();  // the order may take new memory
    order.sort_by_radix(impacts.data(), count, clusters.scenes(), sorted(), stream);
    wait("sort impacts");
  }

  [[nodiscard]] std::size_t bytes() const { return usage.bytes; }
};

Engine::Engine() : state_(std::make_unique<State>()) {}
Engine::~Engine() = default;

void Engine::take_clusters(std::span<const SceneClusters> scenes) {
  State& s = *state_;
  s.has_clusters = false;
  s.graphs.clear();
  s.clusters.take(scenes, s.stream);
  s.scene_begins.reserve(scenes.size() + 1, "scenes");
  s.has_clusters = true;
}

void Engine::take_filter(std::span<const Scene* const> scenes) {
  state_->graphs.clear();
  state_->filter.take(scenes, state_->stream);
}

Answer Engine::run(const Positions& x, const Query& query, std::uint64_t memory_cap) {
  State& s = *state_;
  s.query = query;
  s.query.until = 0.0;  // it is not part of the graph
  s.found = 0;
  Answer answer;
  std::fill_n(s.scene_begins.data(), s.scene_begins.capacity(), 0U);
  s.clock.start_positions(s.stream);
  if (!x.again) s.take_positions(x);
  s.clock.end_positions(s.stream);
  if (!s.has_clusters || s.vertex_count == 0) return answer;
  s.reserve_all();
  *s.until.data() = query.until;
  while (true) {
    if (memory_cap != 0 && s.bytes() > memory_cap) {
      throw ResourceError("GPU: a query needs " + std::to_string(s.bytes()) +
                          " bytes, more than the memory cap of " + std::to_string(memory_cap));
    }
    {
      const Range range("graze: step");
      s.graphs.launch(s.query, s.stream, [&] { s.enqueue(); });
      s.wait("run a query");
    }
    if (!s.grow()) break;
  }
  s.clock.complete();
  const Report& report = *s.report.data();
  const Counters& counted = report.counters;
  answer.refused = report.control.wrong != kNoWrong;
  s.found = tests_pairs(query.want) ? counted.records : 0;
  if (s.found > 0 && sorts(query.want) && counted.most_in_bucket > kMaxBucket) {
    s.order_by_radix(counted.records);
  }
  answer.impact_count = s.found;
  if (query.want == Want::First && s.found > 0) answer.earliest = report.earliest;
  answer.until = report.control.until;
  answer.cluster_sizes = report.measures[0];
  answer.node_sizes = report.measures[1];
  answer.own_frames = report.measures[2];
  Stats& stats = answer.stats;
  stats.bv_tests = counted.bv_tests;
  stats.device_bytes = s.bytes();
  stats.cluster.clusters = s.clusters.tree().cluster_count;
  stats.cluster.pairs = counted.cluster_pairs;
  stats.cluster.feature_tests = counted.feature_tests;
  stats.cluster.feature_pairs = counted.feature_pairs;
  if (tests_pairs(query.want)) {
    stats.vf_tests = counted.vf;
    stats.ee_tests = counted.ee;
    stats.tiers.filter = counted.settled_by_filter;
    stats.tiers.exact = counted.settled_exactly;
    stats.tiers.interval = std::uint64_t{counted.vf} + counted.ee - counted.undecided - counted.settled_by_filter -
                           counted.settled_exactly;
  }
  return answer;
}

std::vector<Undecided> Engine::undecided() const {
  const State& s = *state_;
  std::vector<Undecided> all;
  if (!tests_pairs(s.query.want) || !s.has_clusters || s.clusters.tree().cluster_count == 0) return all;
  for (const UndecidedPair& pair : s.undecided.first(s.report.data()->counters.undecided)) {
    Undecided left;
    left.pair.kind = pair.edge_edge != 0 ? FeatureKind::EdgeEdge : FeatureKind::VertexFace;
    left.pair.vertices = {pair.vertices.x, pair.vertices.y, pair.vertices.z, pair.vertices.w};
    for (std::size_t i = 0; i < 4; ++i) {
      left.points.t0[i] = {pair.points.x[0][i][0], pair.points.x[0][i][1], pair.points.x[0][i][2]};
      left.points.t1[i] = {pair.points.x[1][i][0], pair.points.x[1][i][1], pair.points.x[1][i][2]};
    }
    all.push_back(left);
  }
  std::sort(all.begin(), all.end(), [](const Undecided& a, const Undecided& b) { return a.pair < b.pair; });
  return all;
}

void Engine::add(std::span<const Impact> impacts, Answer& answer) {
  if (impacts.empty()) return;
  State& s = *state_;
  const std::size_t count = s.found + impacts.size();
  if (count > s.impacts.capacity()) {
    // Growing discards what is there: the impacts are computed once more.
    s.reserve_impacts(count + count / 4);
    s.graphs.launch(s.query, s.stream, [&] { s.enqueue(); });
    s.wait("run a query");
  }
  s.extra.reserve(impacts.size(), "impacts of the host");
  std::copy(impacts.begin(), impacts.end(), s.extra.data());
  constexpr unsigned kThreads = 128;
  const auto length = static_cast<std::uint32_t>(impacts.size());
  append_kernel<<<(length + kThreads - 1) / kThreads, kThreads, 0, s.stream>>>(
      s.extra.data(), length, s.clusters.scenes(), s.impacts.data(), s.ranks.data(), s.bucket_lengths.data(),
      s.counters.data());
  s.enqueue_order();
  s.enqueue_report();
  check_launch("add impacts");
  s.wait("add impacts");
  s.found = count;
  answer.impact_count = count;
  if (s.report.data()->counters.most_in_bucket > kMaxBucket) s.order_by_radix(static_cast<std::uint32_t>(count));
}

std::span<const Impact> Engine::impacts() const {
  const State& s = *state_;
  return {s.sorted(), s.found};
}

std::span<const std::uint32_t> Engine::scene_begins() const {
  const State& s = *state_;
  return {s.scene_begins.data(), s.clusters.scenes().count + std::size_t{1}};
}

std::vector<Vec3> Engine::copy_to_host(const Vec3* x, std::size_t count, void* stream) {
  State& s = *state_;
  std::vector<Vec3> all(count);
  s.event.order(stream, s.stream);
  check(cudaMemcpyAsync(all.data(), x, count * sizeof(Vec3), cudaMemcpyDeviceToHost, s.stream), "copy positions");
  s.wait("copy positions");
  return all;
}

void Engine::copy_from_host(std::span<const Vec3> x, Vec3* to, void* stream) {
  State& s = *state_;
  s.event.order(stream, s.stream);
  check(cudaMemcpyAsync(to, x.data(), x.size_bytes(), cudaMemcpyHostToDevice, s.stream), "copy positions");
  s.wait("copy positions");
}

std::vector<FeaturePair> Engine::near_pairs() const {
  const State& s = *state_;
  std::vector<FeaturePair> all;
  if (!s.has_clusters || s.clusters.tree().cluster_count == 0) return all;
  const Counters& counted = s.report.data()->counters;
  std::vector<uint4> some;
  for (const auto& [list, count, kind] : {std::tuple(s.vf.data(), counted.vf, FeatureKind::VertexFace),
                                          std::tuple(s.ee.data(), counted.ee, FeatureKind::EdgeEdge)}) {
    some.resize(count);
    if (count == 0) continue;
    check(cudaMemcpy(some.data(), list, count * sizeof(uint4), cudaMemcpyDeviceToHost), "copy candidates");
    for (const uint4& v : some) all.push_back({kind, {v.x, v.y, v.z, v.w}});
  }
  return all;
}

std::vector<EdgeFaceCandidate> Engine::edge_faces() const {
  const State& s = *state_;
  if (!s.has_clusters || s.clusters.tree().cluster_count == 0) return {};
  const std::size_t count = s.report.data()->counters.ee;
  std::vector<EdgeFaceCandidate> all(count);
  if (count == 0) return all;
  std::vector<uint4> some(count);
  std::vector<std::uint32_t> last(count);
  check(cudaMemcpy(some.data(), s.ee.data(), count * sizeof(uint4), cudaMemcpyDeviceToHost), "copy candidates");
  check(cudaMemcpy(last.data(), s.last.data(), count * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
        "copy candidates");
  parallel_for(0, count, 4096, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      all[i] = {{some[i].x, some[i].y}, {some[i].z, some[i].w, last[i]}};
    }
  });
  return all;
}

std::size_t Engine::memory_bytes() const {
  return state_->bytes();
}

void Engine::record_stages(bool on) {
  if (on == state_->clock.is_on()) return;
  state_->graphs.clear();  // they have the other events
  state_->clock.turn(on);
}

std::optional<StageTimes> Engine::stage_times() const {
  return state_->clock.times();
}

}  // namespace graze::cuda
