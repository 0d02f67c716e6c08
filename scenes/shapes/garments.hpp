// Garments for figures (scenes/shapes/figures.hpp): open tubes of cloth round the body at time 0, touching neither
// it nor each other. Linear in the vertices of body and cloth.
#pragma once

#include <cstddef>
#include <vector>

#include <graze/types.hpp>

#include "scenes/shapes.hpp"
#include "scenes/shapes/figures.hpp"

namespace graze::scenes {

/// Cloth, and the vertices of its upper rim: what holds it up when they are carried by the figure.
struct Garment {
  Shape shape;
  std::vector<VertexId> held;
};

/// An open tube about the z axis, wide end below: a skirt for no one. Faces outward.
struct TubeOptions {
  double top_z = 1.0;
  double bottom_z = 0.0;
  double top_radius = 0.5;
  double bottom_radius = 0.5;
};
Garment make_tube(const TubeOptions& options, std::size_t triangles);

/// A tube that follows the body's outline with room to spare, and never gets narrower downwards.
struct GarmentOptions {
  double top_z = 1.06;
  double bottom_z = 0.42;
  double clearance = 0.015;  ///< at least this far outside the body's outline
  double flare = 0.35;       ///< how much wider each unit of length makes it, besides
};
Garment make_garment(const Figure& figure, const GarmentOptions& options, std::size_t triangles);

/// Skirts one over the other, the innermost first: `layers` of them, `triangles` in all.
std::vector<Garment> make_skirts(const Figure& figure, std::size_t layers, std::size_t triangles);

/// A dress without straps, from under the arms to the knees.
Garment make_dress(const Figure& figure, std::size_t triangles);

}  // namespace graze::scenes
