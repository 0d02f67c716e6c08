// Streams of work for the GPU: their order, ranges for profilers, and graphs of the work of a query.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include "cuda/runtime/error.cuh"

namespace graze::cuda {

/// Marks a range of the host's time for profilers.
class Range {
 public:
  explicit Range(const char* name) { nvtxRangePushA(name); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() { nvtxRangePop(); }
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaStream_t stream_ = nullptr;
};

/// Makes the work of one stream wait for that of another.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "make an event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  /// What `later` does from now on follows what `earlier` has been given so far.
  void order(void* earlier, cudaStream_t later) const {
    check(cudaEventRecord(event_, static_cast<cudaStream_t>(earlier)), "record an event");
    check(cudaStreamWaitEvent(later, event_, 0), "wait for a stream");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// The CUDA graphs of the last few kinds of queries.
template <typename Query>
class Graphs {
 public:
  Graphs() = default;
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;
  ~Graphs() { clear(); }

  void clear() {
    for (const Entry& entry : entries_) cudaGraphExecDestroy(entry.graph);
    entries_.clear();
  }

  /// Launches the graph of a query; enqueue() is captured if there is none.
  template <typename Enqueue>
  void launch(const Query& query, cudaStream_t stream, const Enqueue& enqueue) {
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.query == query; });
    if (known != entries_.end()) {
      check(cudaGraphLaunch(known->graph, stream), "launch a graph");
      return;
    }
    constexpr std::size_t kMost = 8;
    if (entries_.size() == kMost) {
      cudaGraphExecDestroy(entries_.front().graph);
      entries_.erase(entries_.begin());
    }
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture a graph");
    cudaGraph_t graph = nullptr;
    try {
      enqueue();
    } catch (...) {
      static_cast<void>(cudaStreamEndCapture(stream, &graph));
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "capture a graph");
    cudaGraphExec_t exec = nullptr;
    const cudaError_t status = cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "make a graph");
    entries_.push_back({query, exec});
    check(cudaGraphLaunch(exec, stream), "launch a graph");
  }

 private:
  struct Entry {
    Query query;
    cudaGraphExec_t graph;
  };
  std::vector<Entry> entries_;
};

}  // namespace graze::cuda
