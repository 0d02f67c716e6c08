// The interpreter's lock (GIL): given back while graze works, and taken for callables of the user.
//
// pybind11's guards do the same, but end the process when the interpreter ends while another thread works: Python
// then unwinds a thread that asks for the lock, and a destructor must not be unwound through. Such a thread waits
// here until the process has ended, as threads do in Python 3.14.
#pragma once

#include <chrono>
#include <thread>

#include <pybind11/pybind11.h>

namespace graze::python {

namespace py = pybind11;

/// Calls `take`, which takes the lock; never returns if the interpreter is ending.
template <typename Take>
auto take_gil(const Take& take) noexcept {
  try {
    return take();
  } catch (...) {  // also the unwinding of a thread by pthread_exit, which must not go on from here
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// Gives the lock back for its lifetime.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    take_gil([this] {
      PyEval_RestoreThread(state_);
      return true;
    });
  }

 private:
  PyThreadState* state_;
};

/// Holds the lock for its lifetime, on any thread.
class GilHeld {
 public:
  GilHeld() : state_(take_gil([] { return PyGILState_Ensure(); })) {}
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;
  ~GilHeld() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

}  // namespace graze::python
