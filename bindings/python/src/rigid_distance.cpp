// graze/rigid_distance.hpp in Python: distances, pairs within a distance, solids and contact patches of
// graze.rigid.
#include <graze/rigid_distance.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "calls.hpp"
#include "objects.hpp"
#include "poses.hpp"

namespace graze::python {

namespace {

DistanceOptions distance_options(py::handle relative, py::handle absolute, py::handle limit) {
  return {.relative = number_of(relative, "relative"),
          .absolute = number_of(absolute, "absolute"),
          .limit = number_of(limit, "limit")};
}

// Results.

void bind_distances(py::module_& module) {
  py::class_<RigidDistance>(module, "Distance", "Proved bounds of the distance of two objects, and closest points.")
      .def_readonly("lo", &RigidDistance::lo, "Lower bound of the distance.")
      .def_readonly("hi", &RigidDistance::hi, "Upper bound; 0 if and only if the objects intersect.")
      .def_property_readonly(
          "points",
          [](const RigidDistance& self) {
            return positions_array({self.point_a, self.point_b});
          },
          "Closest points of a and b, 2 x 3, rounded.")
      .def_property_readonly(
          "normal", [](const RigidDistance& self) { return point_array(self.normal); },
          "Unit vector from the point of a to that of b; zero if the objects intersect.")
      .def_property_readonly(
          "pair", [](const RigidDistance& self) { return pair_of(self.pair); },
          "Triangles of a and b at this distance; None without triangles or beyond the limit.")
      .def_property_readonly("intersects", &RigidDistance::intersects, "Whether the objects intersect.")
      .def_readonly("stats", &RigidDistance::stats, "Work of the query.")
      .def("__repr__",
           [](const RigidDistance& self) { return fmt::format("Distance({:.17g} to {:.17g})", self.lo, self.hi); });
  py::class_<WithinDistance>(module, "Within", "Whether two objects come within a distance; true in a condition.")
      .def("__bool__", &WithinDistance::within)
      .def_property_readonly(
          "pair", [](const WithinDistance& self) { return pair_of(self.pair); },
          "Triangles of a and b within the distance; None if there are none.")
      .def_readonly("stats", &WithinDistance::stats, "Work of the query.")
      .def("__repr__", [](const WithinDistance& self) { return "Within(" + text_of(pair_of(self.pair)) + ")"; });
  py::class_<RigidProximities, std::shared_ptr<RigidProximities>>(
      module, "Proximities", "All pairs of triangles within a distance, sorted.")
      .def("__len__", [](const RigidProximities& self) { return self.proximities.size(); })
      .def_property_readonly(
          "pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidProximities&>().proximities;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().pair.a, 2, self);
          },
          "Triangles of a and b, n x 2.")
      .def_property_readonly(
          "bounds",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidProximities&>().proximities;
            static_assert(offsetof(RigidProximity, hi) == offsetof(RigidProximity, lo) + sizeof(double));
            return column_of<double>(rows, rows.empty() ? nullptr : &rows.front().lo, 2, self);
          },
          "Lower and upper bound of each distance, n x 2.")
      .def_property_readonly(
          "points",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidProximities&>().proximities;
            static_assert(offsetof(RigidProximity, point_b) == offsetof(RigidProximity, point_a) + sizeof(Vec3));
            return view_of<double>(rows.empty() ? nullptr : &rows.front().point_a.x,
                                   {static_cast<py::ssize_t>(rows.size()), 2, 3}, sizeof(RigidProximity), self);
          },
          "Closest points of each pair, n x 2 x 3.")
      .def_property_readonly(
          "normal",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidProximities&>().proximities;
            return column_of<double>(rows, rows.empty() ? nullptr : &rows.front().normal.x, 3, self);
          },
          "Unit vectors from a to b, n x 3; zero where triangles intersect.")
      .def_readonly("stats", &RigidProximities::stats, "Work of the query.")
      .def("__repr__",
           [](const RigidProximities& self) { return fmt::format("Proximities({})", self.proximities.size()); });
}

// Queries.

/// graze.rigid.DistanceQuery.
struct MarkedDistanceQuery {
  MarkedDistanceQuery(const RigidObject& a, const RigidObject& b, bool coherence)
      : query(a, b, {.coherence = coherence}) {}
  /// Returns what a query returns; the GIL is released while it runs.
  template <typename Ask>
  auto ask(const Ask& question) {
    const BusyMark mark(busy, "this distance query");
    const GilReleased released;
    return question(query);
  }

  DistanceQuery query;
  std::atomic<bool> busy = false;
};

void bind_query(py::module_& module) {
  py::class_<MarkedDistanceQuery, std::shared_ptr<MarkedDistanceQuery>>(module, "DistanceQuery",
                                                                        "Distance queries between two objects.")
      .def(py::init([](const RigidObject& a, const RigidObject& b, bool coherence) {
             const GilReleased released;
             return std::make_shared<MarkedDistanceQuery>(a, b, coherence);
           }),
           py::arg("a"), py::arg("b"), py::kw_only(), py::arg("coherence") = false)
      .def(
          "distance",
          [](MarkedDistanceQuery& self, py::handle given_a, py::handle given_b, py::handle relative,
             py::handle absolute, py::handle limit) {
            const Pose a = pose_of(given_a, "pose_a");
            const Pose b = pose_of(given_b, "pose_b");
            const DistanceOptions options = distance_options(relative, absolute, limit);
            return self.ask([&](DistanceQuery& query) { return query.distance(a, b, options); });
          },
          py::arg("pose_a"), py::arg("pose_b"), py::kw_only(), py::arg("relative") = 1e-6,
          py::arg("absolute") = 0.0, py::arg("limit") = std::numeric_limits<double>::infinity(),
          "Finds bounds of the distance and closest points.")
      .def(
          "within",
          [](MarkedDistanceQuery& self, py::handle given_a, py::handle given_b, py::handle given_d) {
            const Pose a = pose_of(given_a, "pose_a");
            const Pose b = pose_of(given_b, "pose_b");
            const double d = number_of(given_d, "d");
            return self.ask([&](DistanceQuery& query) { return query.within(a, b, d); });
          },
          py::arg("pose_a"), py::arg("pose_b"), py::arg("d"), "Decides exactly whether the distance is at most d.")
      .def(
          "proximities",
          [](MarkedDistanceQuery& self, py::handle given_a, py::handle given_b, py::handle given_d) {
            const Pose a = pose_of(given_a, "pose_a");
            const Pose b = pose_of(given_b, "pose_b");
            const double d = number_of(given_d, "d");
            return std::make_shared<RigidProximities>(
                self.ask([&](DistanceQuery& query) { return query.proximities(a, b, d); }));
          },
          py::arg("pose_a"), py::arg("pose_b"), py::arg("d"), "Finds all pairs of triangles within d.");
  module.def(
      "distance",
      [](const RigidObject& a, py::handle given_a, const RigidObject& b, py::handle given_b, py::handle relative,
         py::handle absolute, py::handle limit) {
        const Pose pose_a = pose_of(given_a, "pose_a");
        const Pose pose_b = pose_of(given_b, "pose_b");
        const DistanceOptions options = distance_options(relative, absolute, limit);
        const GilReleased released;
        return graze::distance({&a, pose_a}, {&b, pose_b}, options);
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(), py::arg("relative") = 1e-6,
      py::arg("absolute") = 0.0, py::arg("limit") = std::numeric_limits<double>::infinity(),
      "Finds bounds of the distance of two posed objects, and closest points.");
}

void bind_distance_batches(py::module_& module) {
  module.def(
      "distances",
      [](const RigidObject& a, const RigidObject& b, py::handle given_a, py::handle given_b, py::handle relative,
         py::handle absolute, py::handle limit, bool coherence, py::handle threads, const py::object& progress) {
        require_callable(progress, "progress");
        const std::vector<PosePair> poses = pose_pairs_of(given_a, given_b);
        BatchWatch watch(progress);
        const DistanceBatchOptions options{.distance = distance_options(relative, absolute, limit),
                                           .query = {.coherence = coherence},
                                           .threads = threads_of(threads),
                                           .progress = watch.callback()};
        return watch.run([&] { return graze::distances(a, b, poses, options); });
      },
      py::arg("a"), py::arg("b"), py::arg("poses_a"), py::arg("poses_b"), py::kw_only(), py::arg("relative") = 1e-6,
      py::arg("absolute") = 0.0, py::arg("limit") = std::numeric_limits<double>::infinity(),
      py::arg("coherence") = false, py::arg("threads") = 0, py::arg("progress") = py::none(),
      "Finds the distances of two objects in many poses, in parallel.");
  module.def(
      "obstacle_distances",
      [](const RigidObject& object, py::handle pose, const py::sequence& given, py::handle relative,
         py::handle absolute, py::handle limit, py::handle threads, const py::object& progress) {
        require_callable(progress, "progress");
        std::vector<std::shared_ptr<RigidObject>> held;
        const std::vector<PosedObject> obstacles = obstacles_of(given, held);
        const PosedObject posed_object{&object, pose_of(pose, "pose")};
        BatchWatch watch(progress);
        const DistanceBatchOptions options{.distance = distance_options(relative, absolute, limit),
                                           .threads = threads_of(threads),
                                           .progress = watch.callback()};
        return watch.run([&] { return graze::distances(posed_object, obstacles, options); });
      },
      py::arg("object"), py::arg("pose"), py::arg("obstacles"), py::kw_only(), py::arg("relative") = 1e-6,
      py::arg("absolute") = 0.0, py::arg("limit") = std::numeric_limits<double>::infinity(), py::arg("threads") = 0,
      py::arg("progress") = py::none(), "Finds the distances of one object from many obstacles, in parallel.");
}

// Solids and patches.

const char* side_name(PointSide side) {
  return side == PointSide::Inside ? "inside" : side == PointSide::Boundary ? "boundary" : "outside";
}

void bind_solids(py::module_& module) {
  py::class_<SolidRelationResult>(module, "Relation", "How two solids lie to each other.")
      .def_property_readonly(
          "relation", [](const SolidRelationResult& self) { return std::string(name_of(self.relation)); },
          "apart, touching, overlapping, a-in-b or b-in-a.")
      .def_property_readonly(
          "pair", [](const SolidRelationResult& self) { return pair_of(self.pair); },
          "Triangles of a and b that intersect; None if none do.")
      .def_readonly("stats", &SolidRelationResult::stats, "Work of finding pairs of triangles.")
      .def("__repr__",
           [](const SolidRelationResult& self) { return fmt::format("Relation({})", name_of(self.relation)); });
  module.def(
      "relate",
      [](const RigidObject& a, py::handle given_a, const RigidObject& b, py::handle given_b) {
        const Pose pose_a = pose_of(given_a, "pose_a");
        const Pose pose_b = pose_of(given_b, "pose_b");
        const GilReleased released;
        return graze::relate({&a, pose_a}, {&b, pose_b});
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
      "Decides how two solids lie to each other.");
  module.def(
      "locate",
      [](const RigidObject& solid, py::handle given, py::handle given_point) {
        const Pose pose = pose_of(given, "pose");
        const Vec3 point = point_of(given_point, "point");
        const GilReleased released;
        return std::string(side_name(graze::locate({&solid, pose}, point)));
      },
      py::arg("solid"), py::arg("pose"), py::arg("point"),
      "Decides where a point lies: outside, boundary or inside.");
}

void bind_patches(py::module_& module) {
  py::class_<ContactPatch>(module, "ContactPatch", "A connected part of the contact of two objects.")
      .def_property_readonly(
          "contacts",
          [](const ContactPatch& self) { return owning_array<std::uint32_t>(std::vector(self.contacts), 0); },
          "Rows of the contacts, ascending.")
      .def_property_readonly(
          "centre", [](const ContactPatch& self) { return point_array(self.centre); }, "Mean point, rounded.")
      .def_property_readonly(
          "normal", [](const ContactPatch& self) { return point_array(self.normal); }, "Unit vector from a to b.")
      .def_readonly("depth", &ContactPatch::depth,
                    "Local penetration depth: moved by it along the normal, the triangles are apart.")
      .def("__repr__", [](const ContactPatch& self) {
        return fmt::format("ContactPatch({} contacts, depth {:.3g})", self.contacts.size(), self.depth);
      });
  module.def(
      "contact_patches",
      [](const RigidObject& a, py::handle given_a, const RigidObject& b, py::handle given_b,
         const RigidContacts& contacts) {
        const Pose pose_a = pose_of(given_a, "pose_a");
        const Pose pose_b = pose_of(given_b, "pose_b");
        const GilReleased released;
        return graze::contact_patches({&a, pose_a}, {&b, pose_b}, contacts);
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("contacts"),
      "Groups contacts into connected patches.");
}

}  // namespace

void bind_rigid_distance(py::module_& rigid) {
  bind_distances(rigid);
  bind_query(rigid);
  bind_distance_batches(rigid);
  bind_solids(rigid);
  bind_patches(rigid);
}

}  // namespace graze::python
