// Calls of queries (calls.hpp).
#include "calls.hpp"

#include "arrays.hpp"

namespace graze::python {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks(20);

}  // namespace

bool CallWatch::look(double share) {
  if (stop_ != nullptr) {
    if (*stop_) return false;
    return progress_.is_none() || ask([&] { return progress_(share); });
  }
  if (!progress_.is_none()) return ask([&] { return progress_(share); });
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kBetweenLooks) return true;
  last_ = now;
  return ask([] { return py::none(); });
}

void BatchWatch::wait(const std::function<bool(std::chrono::milliseconds)>& is_done) {
  while (true) {
    {
      const GilReleased released;
      if (is_done(kBetweenLooks)) return;
    }
    if (stopped_) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (const py::error_already_set&) {
      watch_.keep_exception();
      stopped_ = true;
    }
  }
}

void require_callable(py::handle given, const char* name) {
  if (given.is_none() || PyCallable_Check(given.ptr()) != 0) return;
  throw InputError(std::string(name) + ": " + text_of(given) + " cannot be called");
}

}  // namespace graze::python
