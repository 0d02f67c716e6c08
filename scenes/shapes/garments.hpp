// Garments for figures (scenes/shapes/figures.hpp): open tubes of cloth around the body at time 0 that touch
// neither the body nor each other. Cost: linear in the vertices of body and cloth.
#pragma once

#include <cstddef>
#include <vector>

#include <graze/types.hpp>

#include "scenes/shapes.hpp"
#include "scenes/shapes/figures.hpp"

namespace graze::scenes {

/// Cloth, and the vertices of its upper rim, which hold it up when the figure carries them.
struct Garment {
  Shape shape;
  std::vector<VertexId> held;
};

/// An open tube about the z axis, independent of a figure; the bottom is usually wider. Faces outward.
struct TubeOptions {
  double top_z = 1.0;
  double bottom_z = 0.0;
  double top_radius = 0.5;
  double bottom_radius = 0.5;
};
Garment make_tube(const TubeOptions& options, std::size_t triangles);

/// A tube that follows the body's outline with a clearance and never gets narrower downwards.
struct GarmentOptions {
  double top_z = 1.06;
  double bottom_z = 0.42;
  double clearance = 0.015;  ///< smallest distance from the body's outline
  double flare = 0.35;       ///< additional width per unit of length
};
Garment make_garment(const Figure& figure, const GarmentOptions& options, std::size_t triangles);

/// Nested skirts, the innermost first: `layers` of them, `triangles` in total.
std::vector<Garment> make_skirts(const Figure& figure, std::size_t layers, std::size_t triangles);

/// A strapless dress, from under the arms to the knees.
Garment make_dress(const Figure& figure, std::size_t triangles);

}  // namespace graze::scenes
