// The name of the shape of two triangles' intersection, in tables and CSV files.
#pragma once

#include <string_view>

#include <graze/types.hpp>

namespace graze::app {

inline std::string_view shape_name(ContactShape shape) {
  switch (shape) {
    case ContactShape::Segment:
      return "segment";
    case ContactShape::Point:
      return "point";
    case ContactShape::Area:
      break;
  }
  return "area";
}

}  // namespace graze::app
