// Results as VTK files (graze/vtk.hpp): the arrays of contacts and of meshes.
//
// Vertices and triangles that an edit removed are left out of the mesh, since their positions mean nothing; arrays
// keep the ids that the scene has for the rest. A triangle counts a contact once if one of the two features is part
// of it: a vertex of all triangles around it, an edge of the triangles beside it. Cost: O(vertices + triangles),
// and for each contact the triangles around its features.
#include <graze/vtk.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include <graze/features.hpp>

#include <fmt/format.h>

#include "io/input.hpp"
#include "io/vtk_file.hpp"
#include "scene/input_checks.hpp"

namespace graze {

using namespace io;

namespace {

using Counts = std::vector<std::uint32_t>;  ///< contacts by triangle

void require_vertices(const std::filesystem::path& file, const Scene& scene, std::span<const VertexId> vertices) {
  for (const VertexId v : vertices) {
    if (!scene.has_vertex(v)) fail(file.string(), fmt::format("the scene has no vertex {} of a contact", v));
  }
}

/// The difference of two positions. Two huge ones of opposite signs have none that a double can hold: the largest
/// double stands for it, because drawing programs cannot place an infinite arrow.
double difference(double from, double to) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return std::clamp(to - from, -kMost, kMost);
}

Vec3 displacement(const Vec3& from, const Vec3& to) {
  return {difference(from.x, to.x), difference(from.y, to.y), difference(from.z, to.z)};
}

Vec3 middle(const std::array<Vec3, 2>& ends) {
  const auto& [p, q] = ends;
  return {0.5 * p.x + 0.5 * q.x, 0.5 * p.y + 0.5 * q.y, 0.5 * p.z + 0.5 * q.z};
}

/// The points of a mesh, with their ids; returns the point of each vertex.
std::vector<std::size_t> add_vertices(VtkPolyData& data, const Scene& scene, std::span<const Vec3> x) {
  std::vector<std::size_t> point_of(x.size());
  VtkColumn<std::uint32_t> vertex("vertex");
  VtkColumn<std::uint32_t> body("body");
  for (VertexId v = 0; v < x.size(); ++v) {
    if (!scene.has_vertex(v)) continue;
    point_of[v] = vertex.size();
    data.points.add(x[v]);
    vertex.add(v);
    body.add(scene.body_of(v));
  }
  data.point_data.add(std::move(vertex));
  data.point_data.add(std::move(body));
  return point_of;
}

void add_triangles(VtkPolyData& data, const Scene& scene, const std::vector<std::size_t>& point_of,
                   const Counts& counts) {
  VtkColumn<std::uint32_t> triangle("triangle");
  VtkColumn<std::uint32_t> body("body");
  VtkColumn<std::uint32_t> contacts("contacts");
  for (TriangleId t = 0; t < counts.size(); ++t) {
    if (!scene.has_triangle(t)) continue;
    const auto [a, b, c] = scene.triangles()[t];
    data.polys.add({point_of[a], point_of[b], point_of[c]});
    triangle.add(t);
    body.add(scene.body_of(a));
    contacts.add(counts[t]);
  }
  data.cell_data = {.scalars = "contacts"};
  data.cell_data.add(std::move(triangle));
  data.cell_data.add(std::move(body));
  data.cell_data.add(std::move(contacts));
}

VtkPolyData mesh_data(const Scene& scene, std::span<const Vec3> x, const Counts& counts) {
  VtkPolyData data;
  add_triangles(data, scene, add_vertices(data, scene, x), counts);
  return data;
}

void add_displacements(VtkPolyData& mesh, const Scene& scene, std::span<const Vec3> x_t0,
                       std::span<const Vec3> x_t1) {
  VtkColumn<double> column("displacement", 3);
  for (VertexId v = 0; v < x_t0.size(); ++v) {
    if (scene.has_vertex(v)) column.add(displacement(x_t0[v], x_t1[v]));
  }
  mesh.point_data.vectors = "displacement";
  mesh.point_data.add(std::move(column));
}

/// What rows of pairs have in common: kinds, vertices, bodies, triangles, weights, normals. Counts the contacts of
/// each triangle.
template <class Row>
void add_pairs(VtkData& data, const Scene& scene, std::span<const Row> rows, Counts& counts) {
  VtkColumn<std::uint8_t> kind("kind");
  VtkColumn<std::uint32_t> vertices("vertices", 4);
  VtkColumn<std::uint32_t> body("body", 2);
  VtkColumn<std::uint32_t> triangle("triangle", 2);
  VtkColumn<double> weights("weights", 4);
  VtkColumn<double> normal("normal", 3);
  const FeatureTriangles triangles(scene);
  for (const Row& row : rows) {
    kind.add(static_cast<std::uint8_t>(row.pair.kind));
    vertices.add_all(row.pair.vertices);
    body.add_all(bodies_of(scene, row.pair));
    triangle.add_all(triangles.of(row.pair));
    weights.add_all(row.weights);
    normal.add(row.normal);
    for (const auto& feature : features_of(row.pair)) {
      for (const TriangleId t : triangles.all(feature)) ++counts[t];
    }
  }
  data.add(std::move(kind));
  data.add(std::move(vertices));
  data.add(std::move(body));
  data.add(std::move(triangle));
  data.add(std::move(weights));
  data.add(std::move(normal));
  data.vectors = "normal";
}

/// Each point also is a cell: points that no cell has are not drawn.
void make_vertices_of_points(VtkPolyData& data) {
  for (std::size_t point = 0; point < data.points.size() / 3; ++point) data.verts.add({point});
}

void write_both(const std::filesystem::path& file, const VtkPolyData& contacts, const VtkPolyData& mesh) {
  write_poly_data(vtk_mesh_file(file), mesh);
  write_poly_data(file, contacts);
}

template <class Row>
void require_rows(const std::filesystem::path& file, const Scene& scene, std::span<const Row> rows) {
  require_extension(file, ".vtp", "VTK data of one step");
  for (const Row& row : rows) require_vertices(file, scene, row.pair.vertices);
}

}  // namespace

void write_vtk(const std::filesystem::path& file, const Scene& scene, std::span<const Vec3> x_t0,
               std::span<const Vec3> x_t1, std::span<const Impact> impacts) {
  require_rows(file, scene, impacts);
  validate_positions(scene, x_t0, "x_t0");
  validate_positions(scene, x_t1, "x_t1");
  VtkPolyData contacts;
  VtkColumn<double> toi("toi");
  VtkColumn<double> toi_hi("toi_hi");
  VtkColumn<std::int32_t> side("side");
  for (const Impact& impact : impacts) {
    contacts.points.add(contact_point(impact, x_t0, x_t1));
    toi.add(impact.toi_lo);
    toi_hi.add(impact.toi_hi);
    side.add(impact.side);
  }
  make_vertices_of_points(contacts);
  contacts.point_data.scalars = "toi";
  contacts.point_data.add(std::move(toi));
  contacts.point_data.add(std::move(toi_hi));
  contacts.point_data.add(std::move(side));
  Counts counts(scene.triangle_count());
  add_pairs(contacts.point_data, scene, impacts, counts);
  VtkPolyData mesh = mesh_data(scene, x_t0, counts);
  add_displacements(mesh, scene, x_t0, x_t1);
  write_both(file, contacts, mesh);
}

void write_vtk(const std::filesystem::path& file, const Scene& scene, std::span<const Vec3> x,
               std::span<const Proximity> proximities) {
  require_rows(file, scene, proximities);
  validate_positions(scene, x, "x");
  VtkPolyData contacts;
  VtkColumn<double> distance("distance");
  VtkColumn<double> first("point_0", 3);
  VtkColumn<double> second("point_1", 3);
  for (const Proximity& near : proximities) {
    const std::array<Vec3, 2> ends = closest_points(near.pair, near.weights, x);
    contacts.points.add(middle(ends));
    distance.add(near.distance);
    first.add(ends[0]);
    second.add(ends[1]);
  }
  make_vertices_of_points(contacts);
  contacts.point_data.scalars = "distance";
  contacts.point_data.add(std::move(distance));
  contacts.point_data.add(std::move(first));
  contacts.point_data.add(std::move(second));
  Counts counts(scene.triangle_count());
  add_pairs(contacts.point_data, scene, proximities, counts);
  write_both(file, contacts, mesh_data(scene, x, counts));
}

void write_vtk(const std::filesystem::path& file, const Scene& scene, std::span<const Vec3> x,
               const Intersections& intersections) {
  require_extension(file, ".vtp", "VTK data of one instant");
  validate_positions(scene, x, "x");
  if (intersections.overlaps.size() != intersections.triangle_pairs.size()) {
    fail(file.string(), "the intersections do not have what their triangles share; ask for overlaps in the query");
  }
  VtkPolyData contacts;
  VtkColumn<std::uint32_t> triangle("triangle", 2);
  VtkColumn<std::uint32_t> body("body", 2);
  VtkColumn<std::uint8_t> shape("shape");
  Counts counts(scene.triangle_count());
  for (std::size_t i = 0; i < intersections.overlaps.size(); ++i) {
    const auto& [a, b] = intersections.triangle_pairs[i];
    const TriangleOverlap& overlap = intersections.overlaps[i];
    for (const TriangleId t : {a, b}) {
      if (!scene.has_triangle(t)) fail(file.string(), fmt::format("the scene has no triangle {} of a pair", t));
      triangle.add(t);
      body.add(scene.body_of(scene.triangles()[t][0]));
      ++counts[t];
    }
    shape.add(static_cast<std::uint8_t>(overlap.shape));
    contacts.points.add(overlap.p);
    contacts.points.add(overlap.q);
    contacts.lines.add({2 * i, 2 * i + 1});
  }
  contacts.cell_data = {.scalars = "shape"};
  contacts.cell_data.add(std::move(triangle));
  contacts.cell_data.add(std::move(body));
  contacts.cell_data.add(std::move(shape));
  write_both(file, contacts, mesh_data(scene, x, counts));
}

std::filesystem::path vtk_mesh_file(const std::filesystem::path& file) {
  std::filesystem::path name = file.stem();
  name += "_mesh";
  name += file.extension();
  return file.parent_path() / name;
}

}  // namespace graze
