// Inner forces as position-based constraints: links (stretch, shear, bend) by XPBD, the volume of soft bodies, and
// shape matching (Mueller, Heidelberger, Teschner, Gross 2005).
//
// A soft body is its surface: links along edges, bend links across them, one constraint on the enclosed volume and
// one fit of the whole to its rest shape. Tetrahedra would give better interiors, which are invisible here, and
// need a mesher; the fit can't invert, so it survives any compression, and only the surface collides. Cloth also
// has long links, over eight and over 32 edges on a straight line: they keep the ends within the length along the
// edges, which short links alone enforce on fine cloth only after hundreds of iterations. Links are coloured
// greedily and solved colour by colour: no two links of a colour share a particle, so their order does not matter
// and no direction is preferred. Cost: linear in links, triangles and particles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scenes/sim/model.hpp"

namespace graze::scenes::sim {

class Elastic {
 public:
  /// Builds all constraints from the rest shapes; call it after the setup and after each break.
  void rebuild(Model& model);
  /// Resets the multipliers; call it before the first iteration of a step.
  void begin_step();
  /// Runs one iteration on candidate positions for a step of dt.
  void solve(Model& model, std::span<Vec3> y, double dt);

 private:
  struct Link {
    VertexId a = 0;
    VertexId b = 0;
    double rest = 0.0;
    double compliance = 0.0;
    double lambda = 0.0;
    bool one_sided = false;  ///< resists only elongation
  };
  /// A soft part; its particles and triangles are ranges of the arrays below.
  struct Body {
    PartId part = 0;
    std::size_t first_member = 0;
    std::size_t last_member = 0;
    std::size_t first_triangle = 0;
    std::size_t last_triangle = 0;
    double rest_volume = 0.0;
    bool closed = false;
    double lambda = 0.0;
  };
  void add_links(const Model& model);
  void add_long_links(const Model& model);
  void add_bodies(Model& model);
  void order_links(std::size_t vertex_count);
  void solve_volume(const Model& model, std::span<Vec3> y, Body& body, double dt);
  void solve_shape(Model& model, std::span<Vec3> y, const Body& body);

  std::vector<Link> links_;
  std::vector<Body> bodies_;
  std::vector<VertexId> members_;
  std::vector<Vec3> member_rest_;  ///< relative to the body's rest centre
  std::vector<Triangle> triangles_;
  std::vector<Vec3> gradient_;
};

}  // namespace graze::scenes::sim
