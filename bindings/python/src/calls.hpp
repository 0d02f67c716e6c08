// Calls of queries: the GIL is released while graze works, Ctrl-C and callables of the user stop a query, and one
// detector runs one query at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include <graze/error.hpp>

#include "gil.hpp"

namespace graze::python {

namespace py = pybind11;

/// What the progress callback of a query does: looks for signals (Ctrl-C) every few milliseconds, and calls the
/// user's callable, if there is one. An exception from either stops the query and is thrown by rethrow().
class CallWatch {
 public:
  explicit CallWatch(py::object progress) : progress_(std::move(progress)) {}

  /// The callback that graze calls, on any thread, without the GIL; `watch` must outlive it.
  static std::function<bool(double)> callback(CallWatch& watch) {
    return [&watch](double share) { return watch.look(share); };
  }

  /// Runs a callable of the user with the GIL. Returns false, and keeps the exception, if it throws; false also if
  /// it returns False.
  template <typename Call>
  bool ask(const Call& call) {
    const GilHeld gil;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const py::object answer = call();
      return answer.is_none() || py::bool_(answer);
    } catch (...) {
      raised_ = std::current_exception();
      return false;
    }
  }

  /// Throws the exception that stopped the query, if there is one. Needs the GIL.
  void rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }
  /// Forgets the exception of an earlier query. Needs the GIL.
  void reset() { raised_ = nullptr; }
  /// Keeps the exception that is being handled.
  void keep_exception() { raised_ = std::current_exception(); }
  /// Also stops queries when this flag is set; null: no flag.
  void stop_with(const std::atomic<bool>* flag) { stop_ = flag; }

 private:
  bool look(double share);

  py::object progress_;  ///< None or a callable
  std::exception_ptr raised_;
  const std::atomic<bool>* stop_ = nullptr;
  std::chrono::steady_clock::time_point last_;
};

/// Throws InputError unless an argument is None or can be called.
void require_callable(py::handle given, const char* name);

/// Runs a batch on a thread of its own. A batch calls its progress on any thread, but signals reach Python on its
/// main thread alone; this thread, which asks for the batch, looks for them meanwhile.
class BatchWatch {
 public:
  explicit BatchWatch(py::object progress) : watch_(std::move(progress)), watches_{&watch_} {}
  BatchWatch(const BatchWatch&) = delete;
  BatchWatch& operator=(const BatchWatch&) = delete;
  /// Detectors outlive the batch: they do not look at its flag from now on.
  ~BatchWatch() {
    for (CallWatch* watch : watches_) watch->stop_with(nullptr);
  }

  /// Makes the callback of a detector, whose exceptions run() throws as well, stop the batch.
  void add(CallWatch& watch) {
    watch.reset();
    watch.stop_with(&stopped_);
    watches_.push_back(&watch);
  }
  /// The callback for the options of a batch; the watch must outlive it.
  std::function<bool(double)> callback() {
    watch_.stop_with(&stopped_);
    return CallWatch::callback(watch_);
  }

  /// Returns what `work` returns. Releases the GIL while it runs; throws what stopped it.
  template <typename Work>
  auto run(const Work& work) {
    auto answer = std::async(std::launch::async, work);
    wait([&](std::chrono::milliseconds time) { return answer.wait_for(time) == std::future_status::ready; });
    try {
      return answer.get();
    } catch (const Interrupted&) {
      for (CallWatch* watch : watches_) watch->rethrow();
      throw;
    }
  }

 private:
  /// Waits until the work is done, and tells it to stop when a signal has raised an exception.
  void wait(const std::function<bool(std::chrono::milliseconds)>& is_done);

  std::atomic<bool> stopped_ = false;
  CallWatch watch_;
  std::vector<CallWatch*> watches_;
};

/// Marks a detector or a collider as busy; throws Error if it is already.
class BusyMark {
 public:
  BusyMark(std::atomic<bool>& flag, const char* what) : flag_(&flag) {
    if (flag.exchange(true)) {
      flag_ = nullptr;
      throw Error(std::string(what) + " is running a query: make one call at a time, or use one for each thread");
    }
  }
  BusyMark(BusyMark&& other) noexcept : flag_(std::exchange(other.flag_, nullptr)) {}
  BusyMark(const BusyMark&) = delete;
  BusyMark& operator=(const BusyMark&) = delete;
  BusyMark& operator=(BusyMark&&) = delete;
  ~BusyMark() {
    if (flag_ != nullptr) *flag_ = false;
  }

 private:
  std::atomic<bool>* flag_;
};

/// Returns what `work` returns. Releases the GIL while it runs; throws what stopped it.
template <typename Work>
auto run_query(CallWatch& watch, const Work& work) {
  watch.reset();
  try {
    const GilReleased released;
    return work();
  } catch (const Interrupted&) {
    watch.rethrow();
    throw;
  }
}

}  // namespace graze::python
