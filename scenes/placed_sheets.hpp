// Pairs of sheets that pass through each other, at any place and of any size, for the cost and the answers of a
// query far from the origin and with sizes mixed.
//
// A pair is made on a lattice of 2^-10 around the origin, then scaled by a power of two and moved. Both are exact
// for the places of scale_cases(): all cases of a family have the same contacts, pair for pair. Cost: linear in
// vertices times frames.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "scenes/animation.hpp"

namespace graze::scenes {

/// Where a pair of sheets is: positions are scaled, a power of two, and then moved.
struct SheetPlace {
  double scale = 1.0;
  Vec3 offset = {};
};

/// Two sheets of side x side vertices for each place. The upper one sinks through the lower one while both wave; if
/// `lower` is Motion::Static, the lower one keeps its first shape. Sheets are about side / 64 wide before scaling.
Animation make_placed_sheets(std::size_t side, std::size_t frames, std::span<const SheetPlace> places,
                             Motion lower = Motion::Deforming);

/// Places of a scene that differ from those of its baseline in distance or size alone.
struct ScaleCase {
  std::string name;
  std::string baseline;  ///< the name of the case with the contacts and the cost that this one should have
  std::vector<SheetPlace> places;
};

/// Two pairs of sheets at the origin, offset by 10^3, 10^6, 10^9 and 10^12, and apart by as much; thirteen pairs of
/// size one, and of sizes from 10^-6 to 10^6 apart and nested (in the boxes of all larger ones). Baselines come
/// before their cases.
std::vector<ScaleCase> scale_cases();

}  // namespace graze::scenes
