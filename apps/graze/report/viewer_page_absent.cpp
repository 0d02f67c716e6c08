// The viewer of a program that was built without it (GRAZE_VIEWER=OFF).
#include "report/viewer_page.hpp"

namespace graze::app {

std::span<const std::string_view> viewer_page() {
  return {};
}

}  // namespace graze::app
