// Capture files of a run: writes them, and compares a run of a capture with the answer that it keeps.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <graze/detector.hpp>
#include <graze/io.hpp>

#include "frames/frames.hpp"
#include "frames/step_rows.hpp"

namespace graze::app {

/// Thrown if a run finds other contacts than the capture keeps; the message names both.
class WrongAnswer : public std::runtime_error {
 public:
  explicit WrongAnswer(const std::string& message) : std::runtime_error(message) {}
};

/// True if the extension is .graze, in any case.
bool is_capture(const std::string& file);

/// Throws WrongAnswer unless the row has the hashes that the capture keeps.
void require_same_answer(const Capture& capture, const std::string& file, const StepRow& row);

/// The target of a run's captures: one file, or a folder with one file per step, created if it does not exist.
class CaptureTarget {
 public:
  /// With an empty target nothing is written. Throws InputError if the target cannot be written.
  CaptureTarget(std::string target, bool is_sequence);
  /// The file of a single step; empty for a sequence.
  [[nodiscard]] std::string file() const { return is_sequence_ ? std::string() : target_; }
  /// Writes the capture of a step. Precondition: the runner ran this step last.
  void write(std::size_t step, const StepRunner& runner, const DetectorOptions& options,
             const StepResult& result) const;

 private:
  std::string target_;
  bool is_sequence_;
};

}  // namespace graze::app
