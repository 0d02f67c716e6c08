// Rigid objects with their boxtrees in files. See graze/io.hpp.
#include <graze/error.hpp>
#include <graze/io.hpp>

namespace graze {

void write_rigid(const std::filesystem::path& /*file*/, const RigidObject& /*object*/) {
  throw InputError("files of boxtrees are not there yet");
}

RigidObject read_rigid(const std::filesystem::path& /*file*/) {
  throw InputError("files of boxtrees are not there yet");
}

}  // namespace graze
