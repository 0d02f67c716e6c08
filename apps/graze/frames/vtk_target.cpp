// VTK files of a run (vtk_target.hpp).
#include "frames/vtk_target.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <graze/error.hpp>

#include "output/output.hpp"

namespace graze::app {
namespace {

void require_both_writable(const std::string& target) {
  require_writable(target);
  require_writable(vtk_mesh_file(target).string());
}

// Times of a sequence count steps, as the column of its table does.
double time_of(std::size_t step) {
  return static_cast<double>(step);
}

}  // namespace

std::string vtk_mesh_target(const std::string& target) {
  if (target.empty()) return {};
  if (lower_extension(target) != ".vtp")
    throw InputError(target + ": --vtk of one step or instant needs a .vtp file");
  require_both_writable(target);
  return vtk_mesh_file(target).string();
}

VtkTarget::VtkTarget(std::string target, bool is_sequence) : target_(std::move(target)) {
  if (!is_sequence || target_.empty()) {
    (void)vtk_mesh_target(target_);
    return;
  }
  if (lower_extension(target_) != ".pvd") throw InputError(target_ + ": --vtk of a sequence needs a .pvd file");
  require_both_writable(target_);
  sequence_.emplace(target_);
  std::error_code error;
  const std::filesystem::path folder = sequence_->folder();
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error)) {
    throw InputError(folder.string() + ": the steps of " + target_ + " need a folder, and this is a file");
  }
}

std::string VtkTarget::mesh_file() const {
  return target_.empty() ? std::string() : vtk_mesh_file(target_).string();
}

void VtkTarget::resume(std::size_t done, StepRunner& runner) {
  if (!sequence_) return;
  for (std::size_t step = 0; step < done; ++step) {
    if (!sequence_->keep(time_of(step))) write(step, runner, runner.run(step));
  }
}

void VtkTarget::write(std::size_t step, const StepRunner& runner, const StepResult& result) {
  if (target_.empty()) return;
  const Scene scene = runner.scene();
  const std::span<const Impact> impacts(result.impacts);
  if (sequence_) {
    sequence_->add(time_of(step), scene, runner.positions_t0(), runner.positions_t1(), impacts);
  } else {
    write_vtk(target_, scene, runner.positions_t0(), runner.positions_t1(), impacts);
  }
}

void VtkTarget::finish() const {
  if (sequence_) sequence_->write();
}

}  // namespace graze::app
