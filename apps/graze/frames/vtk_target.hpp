// The VTK files of a run (--vtk): of one step FILE.vtp, of a sequence FILE.pvd with the files of each step.
//
// The files of a step are written before the journal commits it, so that a resumed run finds them; it writes again
// what is missing. They have nothing that depends on earlier steps: a resumed run ends with the same files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <graze/vtk.hpp>

#include "frames/step_rows.hpp"

namespace graze::app {

class VtkTarget {
 public:
  /// With an empty target nothing is written. Throws InputError if the target cannot be written.
  VtkTarget(std::string target, bool is_sequence);
  /// The two files that are named by the target; empty without one.
  [[nodiscard]] const std::string& file() const { return target_; }
  [[nodiscard]] std::string mesh_file() const;
  /// Takes over the files of the steps that an earlier run did, and runs again the steps whose files are missing.
  void resume(std::size_t done, StepRunner& runner);
  /// Writes the files of a step. Precondition: the runner ran this step last, and steps come in order.
  void write(std::size_t step, const StepRunner& runner, const StepResult& result);
  /// Writes the files that name all steps.
  void finish() const;

 private:
  std::string target_;
  std::optional<VtkSequence> sequence_;  ///< none for a single step
};

/// Throws InputError unless --vtk of a command on one instant is a .vtp file that can be written. Returns the file
/// of the mesh; both are empty if the option is not given.
std::string vtk_mesh_target(const std::string& target);

}  // namespace graze::app
