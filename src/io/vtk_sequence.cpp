// Time series of VTK files (VtkSequence in graze/vtk.hpp).
#include <graze/vtk.hpp>

#include <cmath>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "io/input.hpp"
#include "io/vtk_file.hpp"

namespace graze {

using namespace io;

namespace {

std::filesystem::path name_of_step(std::size_t step) {
  return fmt::format("step_{:05}.vtp", step);
}

bool is_file(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error);
}

}  // namespace

VtkSequence::VtkSequence(std::filesystem::path file) : file_(std::move(file)) {
  require_extension(file_, ".pvd", "VTK data of a sequence");
}

std::filesystem::path VtkSequence::folder() const {
  std::filesystem::path name = file_.stem();
  name += "_vtk";
  return file_.parent_path() / name;
}

/// Checks the time of the next step and creates the folder; returns the file of the step.
std::filesystem::path VtkSequence::prepare(double time) const {
  if (!std::isfinite(time)) fail(file_.string(), fmt::format("the time {} of a step is not finite", time));
  if (!times_.empty() && time <= times_.back()) {
    fail(file_.string(),
         fmt::format("the time {} of a step is not after {}, that of the step before", time, times_.back()));
  }
  std::error_code error;
  std::filesystem::create_directories(folder(), error);
  if (error) fail(folder().string(), "this folder cannot be created: " + error.message());
  return folder() / name_of_step(times_.size());
}

bool VtkSequence::keep(double time) {
  const std::filesystem::path file = prepare(time);
  if (!is_file(file) || !is_file(vtk_mesh_file(file))) return false;
  times_.push_back(time);
  return true;
}

void VtkSequence::write() const {
  std::vector<VtkTimedFile> contacts;
  std::vector<VtkTimedFile> meshes;
  for (std::size_t step = 0; step < times_.size(); ++step) {
    const std::filesystem::path file = folder().filename() / name_of_step(step);
    contacts.push_back({times_[step], file});
    meshes.push_back({times_[step], vtk_mesh_file(file)});
  }
  write_collection(vtk_mesh_file(file_), meshes);
  write_collection(file_, contacts);
}

}  // namespace graze
