// Captures in the program: writing those of a run, and holding a run of one against the answer it keeps.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <graze/detector.hpp>
#include <graze/io.hpp>

#include "frames/frames.hpp"
#include "frames/step_rows.hpp"

namespace graze::app {

/// Thrown where a run gives other contacts than a capture says; the message names both.
class WrongAnswer : public std::runtime_error {
 public:
  explicit WrongAnswer(const std::string& message) : std::runtime_error(message) {}
};

/// Is it a capture by its extension?
bool is_capture(const std::string& file);

/// Throws WrongAnswer unless the row has the hashes that the capture keeps.
void require_same_answer(const Capture& capture, const std::string& file, const StepRow& row);

/// Where the captures of a run go: one file, or one a step in a folder, which is made if need be.
class CaptureTarget {
 public:
  /// No target: nothing is written. Throws InputError if nothing can be written there.
  CaptureTarget(std::string target, bool is_sequence);
  /// The file of a single step; empty otherwise.
  [[nodiscard]] std::string file() const { return is_sequence_ ? std::string() : target_; }
  /// After runner.run(step).
  void write(std::size_t step, const StepRunner& runner, const DetectorOptions& options,
             const StepResult& result) const;

 private:
  std::string target_;
  bool is_sequence_;
};

}  // namespace graze::app
