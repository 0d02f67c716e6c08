// The version, from the one place that knows it: CMakeLists.txt.
#include <graze/version.hpp>

namespace graze {

std::string_view version() {
  return GRAZE_VERSION;
}

}  // namespace graze
