// The viewer, as built from apps/viewer: the page into which a report's data goes.
#pragma once

#include <span>
#include <string_view>

namespace graze::app {

/// Where the data belongs.
inline constexpr std::string_view kDataMark = "<!--graze-data-->";

/// The page in pieces, to be joined; none if the program was built with GRAZE_VIEWER=OFF.
std::span<const std::string_view> viewer_page();

}  // namespace graze::app
