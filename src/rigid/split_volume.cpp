// See rigid/polygon_set.hpp.
#include "rigid/polygon_set.hpp"

namespace graze::rigid {

VolumeSplit split_volume(const PolygonSet& /*set*/, const NodeBox& /*box*/, bool /*longest*/) {
  return {};
}

}  // namespace graze::rigid
