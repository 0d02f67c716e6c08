// Takes the times of the stages of a query (stage_times.hpp) with events of CUDA between the stages.
//
// All stages after the positions are one graph: their events are nodes of the graph, which record anew in each
// launch. A clock that is off adds no node. A node of an event costs the GPU about a microsecond.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include <cuda_runtime.h>

#include "cuda/runtime/error.cuh"
#include "cuda/stage_times.hpp"

namespace graze::cuda {

class StageClock {
 public:
  StageClock() = default;
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;
  ~StageClock() {
    for (const cudaEvent_t event : events_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  /// Switches the clock. Graphs that were made before do not follow.
  void turn(bool on) {
    on_ = on;
    is_complete_ = false;
    if (!on) return;
    for (cudaEvent_t& event : events_) {
      if (event == nullptr) check(cudaEventCreateWithFlags(&event, cudaEventDefault), "make an event");
    }
  }
  [[nodiscard]] bool is_on() const { return on_; }

  /// Marks the start and the end of Stage::Positions, outside of a capture.
  void start_positions(cudaStream_t stream) {
    is_complete_ = false;
    record(kPositionsStart, stream, cudaEventRecordDefault);
  }
  void end_positions(cudaStream_t stream) const { record(kPositionsEnd, stream, cudaEventRecordDefault); }
  /// Marks the start of the graph, and the end of each of its stages, while it is captured.
  void start_graph(cudaStream_t stream) const { record(kGraphStart, stream, cudaEventRecordExternal); }
  void end(Stage stage, cudaStream_t stream) const {
    record(kGraphStart + static_cast<std::size_t>(stage), stream, cudaEventRecordExternal);
  }
  /// Notes that all stages have run, and the host has waited for them.
  void complete() { is_complete_ = on_; }

  /// The times of the last query; empty if it was not recorded or has not run to its end.
  [[nodiscard]] std::optional<StageTimes> times() const {
    if (!is_complete_) return std::nullopt;
    StageTimes times;
    times.ms[0] = between(kPositionsStart, kPositionsEnd);
    for (std::size_t stage = 1; stage < kStageCount; ++stage) {
      times.ms[stage] = between(kGraphStart + stage - 1, kGraphStart + stage);
    }
    times.total_ms = between(kPositionsStart, events_.size() - 1);
    return times;
  }

 private:
  static constexpr std::size_t kPositionsStart = 0;
  static constexpr std::size_t kPositionsEnd = 1;
  static constexpr std::size_t kGraphStart = 2;  ///< followed by the ends of the stages after Stage::Positions

  void record(std::size_t event, cudaStream_t stream, unsigned flags) const {
    if (on_) check(cudaEventRecordWithFlags(events_[event], stream, flags), "record an event");
  }
  [[nodiscard]] double between(std::size_t first, std::size_t second) const {
    float ms = 0.0F;
    check(cudaEventElapsedTime(&ms, events_[first], events_[second]), "take the time of a stage");
    return static_cast<double>(ms);
  }

  bool on_ = false;
  bool is_complete_ = false;
  std::array<cudaEvent_t, kGraphStart + kStageCount> events_{};
};

}  // namespace graze::cuda
