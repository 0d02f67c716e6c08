// The version of the library. The macros of the header must agree with the version in CMakeLists.txt.
#include <graze/version.hpp>

#define GRAZE_TEXT_OF(x) #x
#define GRAZE_TEXT(x) GRAZE_TEXT_OF(x)

namespace graze {

namespace {

constexpr std::string_view kVersion =
    GRAZE_TEXT(GRAZE_VERSION_MAJOR) "." GRAZE_TEXT(GRAZE_VERSION_MINOR) "." GRAZE_TEXT(GRAZE_VERSION_PATCH);
static_assert(kVersion == GRAZE_VERSION);

}  // namespace

std::string_view version() {
  return kVersion;
}

}  // namespace graze
