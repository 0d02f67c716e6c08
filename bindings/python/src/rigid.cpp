// graze/rigid.hpp in Python: graze.rigid. A pose is a 4 x 4 matrix, and the poses of a batch are n x 4 x 4.
#include <graze/rigid.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <graze/io.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "calls.hpp"
#include "objects.hpp"
#include "poses.hpp"

namespace graze::python {

namespace {

// Objects.

std::shared_ptr<RigidObject> make_object(py::handle given_positions, py::handle given_faces,
                                         const std::string& tree, const std::string& split, py::handle threads) {
  const Positions positions(given_positions, "positions");
  const Faces faces(given_faces, "faces");
  require_finite(positions.span(), "positions");
  require_ids(faces.span(), positions.span().size(), "faces");
  const RigidObjectOptions options{
      .tree = from_name<RigidTree>(tree), .split = from_name<BoxtreeSplit>(split), .threads = threads_of(threads)};
  const GilReleased released;
  return std::make_shared<RigidObject>(positions.span(), faces.span(), options);
}

py::dict memory_of(const RigidObject& self) {
  const RigidMemory memory = self.memory();
  py::dict result;
  result["nodes"] = memory.nodes;
  result["bytes_per_node"] = memory.bytes_per_node;
  result["tree_bytes"] = memory.tree_bytes;
  result["group_bytes"] = memory.group_bytes;
  result["mesh_bytes"] = memory.mesh_bytes;
  result["distance_bytes"] = memory.distance_bytes;
  result["depth"] = memory.depth;
  return result;
}

void bind_object(py::module_& module) {
  py::class_<RigidObject, std::shared_ptr<RigidObject>>(module, "Object", "A polygon soup with its tree.")
      .def(py::init(&make_object), py::arg("positions"), py::arg("faces"), py::kw_only(),
           py::arg("tree") = "boxtree", py::arg("split") = "free", py::arg("threads") = 0)
      .def_property_readonly(
          "positions",
          [](const py::object& self) {
            const auto x = self.cast<const RigidObject&>().positions();
            return view_of<double>(x.empty() ? nullptr : &x.front().x, {static_cast<py::ssize_t>(x.size()), 3},
                                   sizeof(Vec3), self);
          },
          "Positions of the object's own copy of the mesh, n x 3; vertices may be renumbered.")
      .def_property_readonly(
          "triangles",
          [](const py::object& self) {
            const auto triangles = self.cast<const RigidObject&>().triangles();
            return view_of<VertexId>(triangles.empty() ? nullptr : triangles.front().data(),
                                     {static_cast<py::ssize_t>(triangles.size()), 3}, sizeof(Triangle), self);
          },
          "Triangles in their original order, m x 3, in rows of `positions`.")
      .def_property_readonly(
          "tree", [](const RigidObject& self) { return std::string(name_of(self.tree())); }, "Kind of the tree.")
      .def_property_readonly("memory", &memory_of, "Size of the tree: nodes, bytes and depth.")
      .def("validate", &RigidObject::validate, "An empty string, or the first error of the tree: for tests.")
      .def(
          "save", [](const RigidObject& self, const std::filesystem::path& file) { write_rigid(file, self); },
          py::arg("file"), "Writes a .boxtree file.")
      .def_static(
          "load", [](const std::filesystem::path& file) { return std::make_shared<RigidObject>(read_rigid(file)); },
          py::arg("file"), "Reads a .boxtree file.")
      .def("__repr__", [](const RigidObject& self) {
        return fmt::format("Object({} triangles, {})", self.triangles().size(), name_of(self.tree()));
      });
}

// Results.

void bind_stats_and_hits(py::module_& module) {
  py::class_<RigidStats>(module, "RigidStats", "Work of a rigid query.")
      .def_readonly("node_tests", &RigidStats::node_tests, "Pairs of nodes whose volumes were tested for overlap.")
      .def_readonly("triangle_tests", &RigidStats::triangle_tests, "Pairs of triangles that were tested.")
      .def_property_readonly(
          "tiers",
          [](const RigidStats& self) {
            return py::make_tuple(self.tiers.filter, self.tiers.interval, self.tiers.exact);
          },
          "Tests decided by the filter, by intervals and in exact arithmetic.");
  py::class_<FirstHit>(module, "FirstHit", "Whether two objects intersect; true in a condition if they do.")
      .def("__bool__", &FirstHit::hit)
      .def_property_readonly(
          "pair", [](const FirstHit& self) { return pair_of(self.pair); },
          "Triangles of a and b that intersect; None if there are none.")
      .def_readonly("stats", &FirstHit::stats, "Work of the query.")
      .def("__repr__", [](const FirstHit& self) { return "FirstHit(" + text_of(pair_of(self.pair)) + ")"; });
  py::class_<RigidImpact>(module, "FirstContact", "The first contact of two motions.")
      .def_readonly("toi", &RigidImpact::toi, "Time of impact in [0, 1]; 1 if there is no contact.")
      .def_property_readonly(
          "pair", [](const RigidImpact& self) { return pair_of(self.pair); },
          "Triangles of a and b in contact; None if there is no contact.")
      .def_readonly("distance", &RigidImpact::distance,
                    "Upper bound on the distance of the pair at `toi`; 0 if there is no contact.")
      .def_readonly("stats", &RigidImpact::stats, "Work of the query.")
      .def("__repr__", [](const RigidImpact& self) { return fmt::format("FirstContact(toi {:.17g})", self.toi); });
}

void bind_pairs(py::module_& module) {
  py::class_<TrianglePairs, std::shared_ptr<TrianglePairs>>(module, "TrianglePairs",
                                                            "All pairs of triangles that intersect, sorted.")
      .def("__len__", [](const TrianglePairs& self) { return self.pairs.size(); })
      .def_property_readonly(
          "pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const TrianglePairs&>().pairs;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().a, 2, self);
          },
          "Triangles of a and b, n x 2.")
      .def_readonly("stats", &TrianglePairs::stats, "Work of the query.")
      .def("hash", &TrianglePairs::hash, "Hash of the pairs.")
      .def("__repr__",
           [](const TrianglePairs& self) { return fmt::format("TrianglePairs({})", self.pairs.size()); });
  py::class_<RigidContacts, std::shared_ptr<RigidContacts>>(module, "Contacts",
                                                            "All intersections of triangles, with their shapes.")
      .def("__len__", [](const RigidContacts& self) { return self.contacts.size(); })
      .def_property_readonly(
          "pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidContacts&>().contacts;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().pair.a, 2, self);
          },
          "Triangles of a and b, n x 2.")
      .def_property_readonly(
          "shape",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidContacts&>().contacts;
            const auto* shape = rows.empty() ? nullptr : reinterpret_cast<const std::uint8_t*>(&rows.front().shape);
            return column_of<std::uint8_t>(rows, shape, 0, self);
          },
          "graze.SEGMENT, graze.POINT or graze.AREA, n.")
      .def_property_readonly(
          "segment",
          [](const py::object& self) {
            const auto& rows = self.cast<const RigidContacts&>().contacts;
            static_assert(offsetof(RigidContact, q) == offsetof(RigidContact, p) + sizeof(Vec3));
            return view_of<double>(rows.empty() ? nullptr : &rows.front().p.x,
                                   {static_cast<py::ssize_t>(rows.size()), 2, 3}, sizeof(RigidContact), self);
          },
          "Both ends of each intersection, n x 2 x 3.")
      .def_readonly("stats", &RigidContacts::stats, "Work of finding the pairs.")
      .def("__repr__", [](const RigidContacts& self) { return fmt::format("Contacts({})", self.contacts.size()); });
}

// Motions.

MotionPath path_of(const std::string& name) {
  if (name == "straight") return MotionPath::Straight;
  if (name == "screw") return MotionPath::Screw;
  throw InputError(fmt::format("path \"{}\" is unknown: straight or screw", name));
}

RigidMotion make_motion(py::handle start, py::handle end, const std::string& path, py::handle centre) {
  RigidMotion motion = stationary(pose_of(start, "start"));
  if (!end.is_none()) motion.end = pose_of(end, "end");
  motion.path = path_of(path);
  motion.centre = point_of(centre, "centre");
  return motion;
}

/// A motion, or the pose of an object that stays there.
RigidMotion motion_argument(py::handle given, const std::string& name) {
  if (py::isinstance<RigidMotion>(given)) return given.cast<RigidMotion>();
  return stationary(pose_of(given, name));
}

void bind_motion(py::module_& module) {
  py::class_<RigidMotion>(module, "Motion", "The motion of an object from time 0 to time 1.")
      .def(py::init(&make_motion), py::arg("start"), py::arg("end") = py::none(), py::kw_only(),
           py::arg("path") = "straight", py::arg("centre") = py::make_tuple(0.0, 0.0, 0.0))
      .def(
          "pose_at",
          [](const RigidMotion& self, py::handle t) { return matrix_of(pose_at(self, number_of(t, "t"))); },
          py::arg("t"), "The pose at a time in [0, 1].");
  module.def(
      "posed",
      [](py::handle given_pose, py::handle given) {
        const Pose pose = pose_of(given_pose, "pose");
        const Positions positions(given, "positions");
        std::vector<Vec3> result;
        result.reserve(positions.span().size());
        for (const Vec3& x : positions.span()) result.push_back(posed(pose, x));
        return positions_array(std::move(result));
      },
      py::arg("pose"), py::arg("positions"), "The posed positions, to the bit as all queries use them.");
  module.def(
      "pose_from_axis_angle",
      [](py::handle axis, py::handle angle, py::handle translation) {
        return matrix_of(graze::pose_from_axis_angle(point_of(axis, "axis"), number_of(angle, "angle"),
                                                     point_of(translation, "translation")));
      },
      py::arg("axis"), py::arg("angle"), py::arg("translation") = py::make_tuple(0.0, 0.0, 0.0),
      "The pose that rotates about an axis by an angle in radians, then translates.");
  module.def(
      "pose_from_quaternion",
      [](py::handle wxyz, py::handle translation) {
        const py::array_t<double> q = numbers_of(wxyz, "wxyz");
        if (q.ndim() != 1 || q.shape(0) != 4) throw InputError("wxyz must be four numbers");
        return matrix_of(graze::pose_from_quaternion({q.at(0), q.at(1), q.at(2), q.at(3)},
                                                     point_of(translation, "translation")));
      },
      py::arg("wxyz"), py::arg("translation") = py::make_tuple(0.0, 0.0, 0.0),
      "The pose that rotates by a quaternion (w, x, y, z), then translates.");
  module.def(
      "compose",
      [](py::handle outer, py::handle inner) {
        return matrix_of(graze::compose(pose_of(outer, "outer"), pose_of(inner, "inner")));
      },
      py::arg("outer"), py::arg("inner"), "The pose that applies inner first.");
  module.def(
      "inverse", [](py::handle pose) { return matrix_of(graze::inverse(pose_of(pose, "pose"))); }, py::arg("pose"),
      "The inverse of a pose.");
}

// Colliders.

/// graze.rigid.Collider.
struct MarkedCollider {
  MarkedCollider(const RigidObject& a, const RigidObject& b, const ColliderOptions& options)
      : collider(a, b, options) {}
  /// Returns what a query returns; the GIL is released while it runs.
  template <typename Query>
  auto ask(const Query& query) {
    const BusyMark mark(busy, "this collider");
    const GilReleased released;
    return query(collider);
  }

  Collider collider;
  std::atomic<bool> busy = false;
};

using ColliderClass = py::class_<MarkedCollider, std::shared_ptr<MarkedCollider>>;

void bind_collider(py::module_& module) {
  ColliderClass(module, "Collider", "Queries between two objects with the same kind of tree.")
      .def(py::init([](const RigidObject& a, const RigidObject& b, const std::string& overlap, bool lift,
                       bool coherence) {
             return std::make_shared<MarkedCollider>(
                 a, b,
                 ColliderOptions{.overlap = from_name<BoxOverlap>(overlap), .lift = lift, .coherence = coherence});
           }),
           py::arg("a"), py::arg("b"), py::kw_only(), py::arg("overlap") = "sat", py::arg("lift") = true,
           py::arg("coherence") = false)
      .def(
          "first_hit",
          [](MarkedCollider& self, py::handle given_a, py::handle given_b) {
            const Pose a = pose_of(given_a, "pose_a");
            const Pose b = pose_of(given_b, "pose_b");
            return self.ask([&](Collider& collider) { return collider.first_hit(a, b); });
          },
          py::arg("pose_a"), py::arg("pose_b"), "Decides whether the objects intersect in these poses.")
      .def(
          "triangle_pairs",
          [](MarkedCollider& self, py::handle given_a, py::handle given_b) {
            const Pose a = pose_of(given_a, "pose_a");
            const Pose b = pose_of(given_b, "pose_b");
            return std::make_shared<TrianglePairs>(
                self.ask([&](Collider& collider) { return collider.triangle_pairs(a, b); }));
          },
          py::arg("pose_a"), py::arg("pose_b"), "Finds all pairs of intersecting triangles.")
      .def(
          "contacts",
          [](MarkedCollider& self, py::handle given_a, py::handle given_b) {
            const Pose a = pose_of(given_a, "pose_a");
            const Pose b = pose_of(given_b, "pose_b");
            return std::make_shared<RigidContacts>(
                self.ask([&](Collider& collider) { return collider.contacts(a, b); }));
          },
          py::arg("pose_a"), py::arg("pose_b"), "Finds all intersections, with their segments, points and areas.")
      .def(
          "first_contact",
          [](MarkedCollider& self, py::handle given_a, py::handle given_b, py::handle tolerance) {
            const RigidMotion a = motion_argument(given_a, "motion_a");
            const RigidMotion b = motion_argument(given_b, "motion_b");
            const AdvanceOptions options{.tolerance = number_of(tolerance, "tolerance")};
            return self.ask([&](Collider& collider) { return collider.first_contact(a, b, options); });
          },
          py::arg("motion_a"), py::arg("motion_b"), py::kw_only(), py::arg("tolerance") = 1e-6,
          "Finds the first contact of two motions; a pose is the motion of an object that stays.");
}

// Batches.

template <typename Result>
py::list list_of(std::vector<Result>&& results) {
  py::list list;
  for (Result& result : results) list.append(py::cast(std::move(result)));
  return list;
}

BatchOptions batch_options(const std::string& overlap, bool coherence, py::handle threads, BatchWatch& watch) {
  return {.collider = {.overlap = from_name<BoxOverlap>(overlap), .coherence = coherence},
          .threads = threads_of(threads),
          .progress = watch.callback()};
}

template <typename Result>
void def_poses(py::module_& module, const char* name, const char* text,
               std::vector<Result> (*query)(const RigidObject&, const RigidObject&, std::span<const PosePair>,
                                            const BatchOptions&)) {
  module.def(
      name,
      [query](const RigidObject& a, const RigidObject& b, py::handle given_a, py::handle given_b,
              const std::string& overlap, bool coherence, py::handle threads, const py::object& progress) {
        require_callable(progress, "progress");
        const std::vector<PosePair> poses = pose_pairs_of(given_a, given_b);
        BatchWatch watch(progress);
        const BatchOptions options = batch_options(overlap, coherence, threads, watch);
        return list_of(watch.run([&] { return query(a, b, poses, options); }));
      },
      py::arg("a"), py::arg("b"), py::arg("poses_a"), py::arg("poses_b"), py::kw_only(), py::arg("overlap") = "sat",
      py::arg("coherence") = false, py::arg("threads") = 0, py::arg("progress") = py::none(), text);
}

template <typename Result>
void def_obstacles(py::module_& module, const char* name, const char* text,
                   std::vector<Result> (*query)(const PosedObject&, std::span<const PosedObject>,
                                                const BatchOptions&)) {
  module.def(
      name,
      [query](const RigidObject& object, py::handle pose, const py::sequence& given, const std::string& overlap,
              py::handle threads, const py::object& progress) {
        require_callable(progress, "progress");
        std::vector<std::shared_ptr<RigidObject>> held;
        const std::vector<PosedObject> obstacles = obstacles_of(given, held);
        const PosedObject posed_object{&object, pose_of(pose, "pose")};
        BatchWatch watch(progress);
        const BatchOptions options = batch_options(overlap, false, threads, watch);
        return list_of(watch.run([&] { return query(posed_object, obstacles, options); }));
      },
      py::arg("object"), py::arg("pose"), py::arg("obstacles"), py::kw_only(), py::arg("overlap") = "sat",
      py::arg("threads") = 0, py::arg("progress") = py::none(), text);
}

void bind_batches(py::module_& module) {
  def_poses<FirstHit>(module, "first_hits", "Decides for many poses whether two objects intersect, in parallel.",
                      &graze::first_hits);
  def_poses<TrianglePairs>(module, "triangle_pairs",
                           "Finds all pairs of intersecting triangles in many poses, in parallel.",
                           &graze::triangle_pairs);
  def_obstacles<FirstHit>(
      module, "obstacle_first_hits",
      "Decides for many obstacles (object, pose) whether one object intersects them, in parallel.",
      &graze::first_hits);
  def_obstacles<TrianglePairs>(module, "obstacle_triangle_pairs",
                               "Finds all pairs of intersecting triangles with many obstacles, in parallel.",
                               &graze::triangle_pairs);
}

}  // namespace

void bind_rigid(py::module_& parent) {
  py::module_ module = parent.def_submodule("_rigid", "Posed polygon soups; import graze.rigid instead.");
  bind_object(module);
  bind_stats_and_hits(module);
  bind_pairs(module);
  bind_motion(module);
  bind_collider(module);
  bind_batches(module);
  bind_rigid_distance(module);
}

}  // namespace graze::python
