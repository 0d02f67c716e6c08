// Writes and compares captures (capture_files.hpp).
#include "frames/capture_files.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <graze/error.hpp>

#include "output/output.hpp"

#include <fmt/format.h>

namespace graze::app {

bool is_capture(const std::string& file) {
  return lower_extension(file) == ".graze";
}

void require_same_answer(const Capture& capture, const std::string& file, const StepRow& row) {
  const std::string hash = hex16(capture.hash);
  const std::string toi_hash = hex16(capture.toi_hash);
  if (row.hash != hash) {
    throw WrongAnswer(fmt::format(
        "{}: contacts differ from the capture: {} vf + {} ee of hash {} now, {} vf + {} ee of hash "
        "{} in the file",
        file, row.vf.value_or(0), row.ee.value_or(0), row.hash, capture.vf_count, capture.ee_count, hash));
  }
  if (row.toi_hash != toi_hash) {
    throw WrongAnswer(fmt::format("{}: times of impact differ from the capture: toi hash {} now, {} in the file",
                                  file, row.toi_hash, toi_hash));
  }
}

CaptureTarget::CaptureTarget(std::string target, bool is_sequence)
    : target_(std::move(target)), is_sequence_(is_sequence) {
  if (target_.empty()) return;
  if (!is_sequence_) {
    if (!is_capture(target_)) throw InputError(target_ + ": a capture's name ends in .graze");
    require_writable(target_);
    return;
  }
  std::error_code error;
  if (std::filesystem::exists(target_, error) && !std::filesystem::is_directory(target_, error)) {
    throw InputError(target_ + ": captures of a sequence need a folder, and this is a file");
  }
}

void CaptureTarget::write(std::size_t step, const StepRunner& runner, const DetectorOptions& options,
                          const StepResult& result) const {
  if (target_.empty()) return;
  Impacts impacts;
  impacts.impacts = result.impacts;
  const Capture capture =
      make_capture(runner.scene(), runner.positions_t0(), runner.positions_t1(), options, impacts);
  const std::filesystem::path target(target_);
  std::error_code error;  // if the folder cannot be created, writing fails below
  if (is_sequence_) std::filesystem::create_directories(target, error);
  write_capture(is_sequence_ ? target / fmt::format("step_{:05}.graze", step) : target, capture);
}

}  // namespace graze::app
