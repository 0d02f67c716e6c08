// The page of the viewer, built from apps/viewer, into which a report's data is written.
#pragma once

#include <span>
#include <string_view>

namespace graze::app {

/// The mark that the data replaces.
inline constexpr std::string_view kDataMark = "<!--graze-data-->";

/// The page in consecutive pieces; none if the program was built with GRAZE_VIEWER=OFF.
std::span<const std::string_view> viewer_page();

}  // namespace graze::app
