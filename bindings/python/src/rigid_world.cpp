// graze/rigid_world.hpp in Python: graze.rigid.World. An id is one integer, slot + 2^32 generation; ids of results
// are arrays of uint64. A world runs one call at a time.
#include <graze/rigid_world.hpp>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
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

/// graze.rigid.World.
struct MarkedWorld {
  RigidWorld world;
  std::atomic<bool> busy = false;

  [[nodiscard]] BusyMark mark() { return BusyMark(busy, "this world"); }
};

using WorldPointer = std::shared_ptr<MarkedWorld>;

std::uint64_t number_of_id(ObjectId id) {
  return std::uint64_t{id.generation} << 32U | id.slot;
}
ObjectId id_of_number(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32U)};
}
ObjectId id_of(py::handle given, const std::string& name = "id") {
  return id_of_number(count_of(given, name, std::numeric_limits<std::uint64_t>::max()));
}
std::uint32_t mask_of(py::handle given, const char* name) {
  return static_cast<std::uint32_t>(count_of(given, name, 0xffffffffU));
}

/// One id for each row.
template <typename Row, typename Id>
py::array ids_of_rows(const std::vector<Row>& rows, const Id& id) {
  std::vector<std::uint64_t> ids;
  ids.reserve(rows.size());
  for (const Row& row : rows) ids.push_back(number_of_id(id(row)));
  return read_only(owning_array<std::uint64_t>(std::move(ids), 0));
}

// Edits.

void move_objects(MarkedWorld& self, py::handle ids, py::handle poses) {
  std::vector<ObjectId> objects;
  std::vector<Pose> targets;
  if (!py::isinstance<py::iterable>(ids)) {
    objects.push_back(id_of(ids));
    targets.push_back(pose_of(poses, "poses"));
  } else {
    for (const py::handle id : ids) objects.push_back(id_of(id, fmt::format("ids[{}]", objects.size())));
    targets = poses_of(poses, "poses");
  }
  const BusyMark mark = self.mark();
  self.world.move(objects, targets);
}

void def_edits(py::class_<MarkedWorld, WorldPointer>& world) {
  world
      .def(
          "add",
          [](MarkedWorld& self, const RigidObject& object, py::handle given, bool is_static, py::handle groups,
             py::handle meets) {
            const Pose pose = given.is_none() ? Pose{} : pose_of(given, "pose");
            const WorldObjectOptions options{.motion = is_static ? Motion::Static : Motion::Rigid,
                                             .groups = mask_of(groups, "groups"),
                                             .meets = mask_of(meets, "meets")};
            const BusyMark mark = self.mark();
            return number_of_id(self.world.add(object, pose, options));
          },
          py::arg("object"), py::arg("pose") = py::none(), py::kw_only(), py::arg("static") = false,
          py::arg("groups") = 1, py::arg("meets") = 0xffffffffU, "Adds an object and returns its id.")
      .def(
          "remove",
          [](MarkedWorld& self, py::handle id) {
            const BusyMark mark = self.mark();
            self.world.remove(id_of(id));
          },
          py::arg("id"), "Removes an object; its id becomes invalid for ever.")
      .def(
          "set_pose",
          [](MarkedWorld& self, py::handle id, py::handle given) {
            const Pose pose = pose_of(given, "pose");
            const BusyMark mark = self.mark();
            self.world.set_pose(id_of(id), pose);
          },
          py::arg("id"), py::arg("pose"), "Places an object anywhere.")
      .def("move", &move_objects, py::arg("ids"), py::arg("poses"),
           "Moves one object, or many at once, to their next poses.")
      .def(
          "set_static",
          [](MarkedWorld& self, py::handle id, bool is_static) {
            const BusyMark mark = self.mark();
            self.world.set_motion(id_of(id), is_static ? Motion::Static : Motion::Rigid);
          },
          py::arg("id"), py::arg("static"), "Makes an object static or moving.")
      .def(
          "set_groups",
          [](MarkedWorld& self, py::handle id, py::handle groups, py::handle meets) {
            const BusyMark mark = self.mark();
            self.world.set_groups(id_of(id), mask_of(groups, "groups"), mask_of(meets, "meets"));
          },
          py::arg("id"), py::arg("groups"), py::arg("meets") = 0xffffffffU,
          "Changes the collision groups of an object.")
      .def(
          "ignore_pair",
          [](MarkedWorld& self, py::handle a, py::handle b) {
            const BusyMark mark = self.mark();
            self.world.ignore_pair(id_of(a, "a"), id_of(b, "b"));
          },
          py::arg("a"), py::arg("b"), "Excludes a pair of objects from all queries about pairs.")
      .def(
          "allow_pair",
          [](MarkedWorld& self, py::handle a, py::handle b) {
            const BusyMark mark = self.mark();
            self.world.allow_pair(id_of(a, "a"), id_of(b, "b"));
          },
          py::arg("a"), py::arg("b"), "Takes ignore_pair back.");
}

// What is in the world.

void def_contents(py::class_<MarkedWorld, WorldPointer>& world) {
  world.def("__len__", [](const MarkedWorld& self) { return self.world.size(); })
      .def("__contains__", [](const MarkedWorld& self, py::handle id) { return self.world.has(id_of(id)); })
      .def_property_readonly(
          "ids",
          [](const MarkedWorld& self) { return ids_of_rows(self.world.ids(), [](ObjectId id) { return id; }); },
          "Ids of all objects, n.")
      .def(
          "object",
          [](const MarkedWorld& self, py::handle id) {
            return std::make_shared<RigidObject>(self.world.object(id_of(id)));
          },
          py::arg("id"), "The object; it shares mesh and tree.")
      .def(
          "pose", [](const MarkedWorld& self, py::handle id) { return matrix_of(self.world.pose(id_of(id))); },
          py::arg("id"), "The pose of an object.")
      .def(
          "is_static",
          [](const MarkedWorld& self, py::handle id) { return self.world.motion(id_of(id)) == Motion::Static; },
          py::arg("id"), "Whether an object is static.")
      .def(
          "groups", [](const MarkedWorld& self, py::handle id) { return self.world.groups(id_of(id)); },
          py::arg("id"), "Collision groups of an object.")
      .def(
          "meets", [](const MarkedWorld& self, py::handle id) { return self.world.meets(id_of(id)); },
          py::arg("id"), "Collision groups that an object is tested against.")
      .def(
          "tests_pair",
          [](const MarkedWorld& self, py::handle a, py::handle b) {
            return self.world.tests_pair(id_of(a, "a"), id_of(b, "b"));
          },
          py::arg("a"), py::arg("b"), "Whether queries test a pair of objects.")
      .def(
          "validate", [](const MarkedWorld& self) { return self.world.validate(); },
          "An empty string, or the first error of the broad phase: for tests.")
      .def_property_readonly(
          "memory_bytes", [](const MarkedWorld& self) { return self.world.memory_bytes(); },
          "Bytes of the world without meshes and trees.")
      .def("__repr__", [](const MarkedWorld& self) { return fmt::format("World({} objects)", self.world.size()); });
}

// Queries about pairs.

/// What a query is about: everything, an object by its id, or an Object at a pose.
struct Subject {
  std::optional<ObjectId> id;
  std::shared_ptr<RigidObject> object;
  WorldProbe probe;
};

Subject subject_of(py::handle what, py::handle pose, py::handle groups, py::handle meets, py::handle instead_of) {
  Subject subject;
  const bool is_object = py::isinstance<RigidObject>(what);
  if (!is_object && !(pose.is_none() && instead_of.is_none()))
    throw InputError("pose and instead_of are for an Object that is not in the world");
  if (is_object) {
    subject.object = what.cast<std::shared_ptr<RigidObject>>();
    subject.probe = {.object = subject.object.get(),
                     .pose = pose.is_none() ? Pose{} : pose_of(pose, "pose"),
                     .groups = mask_of(groups, "groups"),
                     .meets = mask_of(meets, "meets")};
    if (!instead_of.is_none()) subject.probe.instead_of = id_of(instead_of, "instead_of");
  } else if (!what.is_none()) {
    subject.id = id_of(what, "what");
  }
  return subject;
}

WorldOptions options_of(const std::string& overlap, py::handle groups_a, py::handle groups_b, py::handle threads,
                        BatchWatch& watch) {
  return {.collider = {.overlap = from_name<BoxOverlap>(overlap)},
          .groups_a = mask_of(groups_a, "groups_a"),
          .groups_b = mask_of(groups_b, "groups_b"),
          .threads = threads_of(threads),
          .progress = watch.callback()};
}

/// A query about one object is too short for a thread of its own.
template <typename Query>
auto ask(MarkedWorld& self, const Subject& subject, WorldOptions options, BatchWatch& watch, const Query& query) {
  const BusyMark mark = self.mark();
  if (!subject.id && !subject.object) return watch.run([&] { return query(self.world, options); });
  options.progress = {};
  const GilReleased released;
  return query(self.world, options);
}

/// Defines the method `name` of which the overloads of `query` are the three kinds.
template <typename Query>
void def_query(py::class_<MarkedWorld, WorldPointer>& world, const char* name, const char* text,
               const Query& query) {
  world.def(
      name,
      [query](MarkedWorld& self, py::handle what, py::handle pose, py::handle groups, py::handle meets,
              py::handle instead_of, const std::string& overlap, py::handle groups_a, py::handle groups_b,
              py::handle threads, const py::object& progress) {
        require_callable(progress, "progress");
        const Subject subject = subject_of(what, pose, groups, meets, instead_of);
        BatchWatch watch(progress);
        const WorldOptions options = options_of(overlap, groups_a, groups_b, threads, watch);
        using Result = decltype(query(self.world, subject, options));
        return std::make_shared<Result>(
            ask(self, subject, options, watch,
                [&](const RigidWorld& all, const WorldOptions& chosen) { return query(all, subject, chosen); }));
      },
      py::arg("what") = py::none(), py::arg("pose") = py::none(), py::kw_only(), py::arg("groups") = 1,
      py::arg("meets") = 0xffffffffU, py::arg("instead_of") = py::none(), py::arg("overlap") = "sat",
      py::arg("groups_a") = 0xffffffffU, py::arg("groups_b") = 0xffffffffU, py::arg("threads") = 0,
      py::arg("progress") = py::none(), text);
}

/// Calls the overload for the subject.
template <typename Call>
auto about(const Subject& subject, const Call& call) {
  if (subject.object) return call(subject.probe);
  if (subject.id) return call(*subject.id);
  return call();
}

void def_queries(py::class_<MarkedWorld, WorldPointer>& world) {
  def_query(world, "first_hit", "Decides whether anything intersects: all, an object, or an Object at a pose.",
            [](const RigidWorld& all, const Subject& subject, const WorldOptions& options) {
              return about(subject, [&](const auto&... one) { return all.first_hit(one..., options); });
            });
  def_query(world, "hits", "Finds the pairs of objects that intersect, with a pair of triangles of each.",
            [](const RigidWorld& all, const Subject& subject, const WorldOptions& options) {
              return about(subject, [&](const auto&... one) { return all.hits(one..., options); });
            });
  def_query(world, "triangle_pairs", "Finds all pairs of intersecting triangles of different objects.",
            [](const RigidWorld& all, const Subject& subject, const WorldOptions& options) {
              return about(subject, [&](const auto&... one) { return all.triangle_pairs(one..., options); });
            });
  def_query(world, "contacts", "Finds all pairs of intersecting triangles, with what they share.",
            [](const RigidWorld& all, const Subject& subject, const WorldOptions& options) {
              return about(subject, [&](const auto&... one) { return all.contacts(one..., options); });
            });
}

// Rays.

/// graze.rigid.WorldRayHits: one row for each ray, or for each hit of one ray.
struct RayRows {
  std::vector<RayHit> rows;
  WorldStats stats;
};
constexpr RayHit kNoHit{kNoObject, 0xffffffffU, std::numeric_limits<double>::infinity()};

void def_rays(py::class_<MarkedWorld, WorldPointer>& world) {
  world
      .def(
          "cast",
          [](MarkedWorld& self, py::handle given_origins, py::handle given_directions, py::handle most,
             py::handle groups_b, py::handle threads, const py::object& progress) {
            require_callable(progress, "progress");
            const Positions origins(given_origins, "origins");
            const Positions directions(given_directions, "directions", origins.span().size());
            const double max = number_of(most, "max");
            std::vector<Ray> rays;
            rays.reserve(origins.span().size());
            for (std::size_t i = 0; i < origins.span().size(); ++i)
              rays.push_back({origins.span()[i], directions.span()[i], max});
            BatchWatch watch(progress);
            const WorldOptions options = options_of("sat", py::int_(0xffffffffU), groups_b, threads, watch);
            const BusyMark mark = self.mark();
            auto rows = std::make_shared<RayRows>();
            for (const RayFirstHit& hit : watch.run([&] { return self.world.ray_first_hits(rays, options); })) {
              rows->rows.push_back(hit.first.value_or(kNoHit));
              rows->stats += hit.stats;
            }
            return rows;
          },
          py::arg("origins"), py::arg("directions"), py::kw_only(),
          py::arg("max") = std::numeric_limits<double>::infinity(), py::arg("groups_b") = 0xffffffffU,
          py::arg("threads") = 0, py::arg("progress") = py::none(),
          "The first hit of each of many rays, in parallel.")
      .def(
          "ray_hits",
          [](MarkedWorld& self, py::handle origin, py::handle direction, py::handle most, py::handle groups_b) {
            const Ray ray{point_of(origin, "origin"), point_of(direction, "direction"), number_of(most, "max")};
            const WorldOptions options{.groups_b = mask_of(groups_b, "groups_b")};
            const BusyMark mark = self.mark();
            const GilReleased released;
            RayHits hits = self.world.ray_hits(ray, options);
            return std::make_shared<RayRows>(RayRows{std::move(hits.hits), hits.stats});
          },
          py::arg("origin"), py::arg("direction"), py::kw_only(),
          py::arg("max") = std::numeric_limits<double>::infinity(), py::arg("groups_b") = 0xffffffffU,
          "All triangles along a ray, in order.")
      .def(
          "segment_hits",
          [](MarkedWorld& self, py::handle p, py::handle q, py::handle groups_b) {
            const Segment segment{point_of(p, "p"), point_of(q, "q")};
            const WorldOptions options{.groups_b = mask_of(groups_b, "groups_b")};
            const BusyMark mark = self.mark();
            const GilReleased released;
            RayHits hits = self.world.segment_hits(segment, options);
            return std::make_shared<RayRows>(RayRows{std::move(hits.hits), hits.stats});
          },
          py::arg("p"), py::arg("q"), py::kw_only(), py::arg("groups_b") = 0xffffffffU,
          "All triangles along a segment, in order; p = q is a point.");
}

// Results.

void bind_results_of_pairs(py::module_& module) {
  py::class_<WorldStats>(module, "WorldStats", "Work of a query of a world.")
      .def_readonly("box_tests", &WorldStats::box_tests, "Overlap tests of boxes.")
      .def_readonly("object_pairs", &WorldStats::object_pairs, "Pairs of objects whose boxes overlap.")
      .def_readonly("narrow", &WorldStats::narrow, "Work on trees and triangles.");
  py::class_<WorldFirstHit, std::shared_ptr<WorldFirstHit>>(
      module, "WorldFirstHit", "Whether any objects intersect; true in a condition if they do.")
      .def("__bool__", &WorldFirstHit::hit)
      .def_property_readonly(
          "objects",
          [](const WorldFirstHit& self) -> py::object {
            if (!self.first) return py::none();
            return py::make_tuple(number_of_id(self.first->a), number_of_id(self.first->b));
          },
          "Ids of the first two objects that intersect; None if there are none.")
      .def_property_readonly(
          "pair",
          [](const WorldFirstHit& self) -> py::object {
            if (!self.first) return py::none();
            return py::make_tuple(self.first->pair.a, self.first->pair.b);
          },
          "Triangles of them that intersect; None if there are none.")
      .def_readonly("stats", &WorldFirstHit::stats, "Work of the query.")
      .def("__repr__", [](const WorldFirstHit& self) { return fmt::format("WorldFirstHit({})", self.hit()); });
  py::class_<WorldHits, std::shared_ptr<WorldHits>>(module, "WorldHits", "Objects and triangles that intersect.")
      .def("__len__", [](const WorldHits& self) { return self.hits.size(); })
      .def_property_readonly(
          "a",
          [](const WorldHits& self) { return ids_of_rows(self.hits, [](const WorldHit& hit) { return hit.a; }); },
          "Ids of the first objects, n; 2**32 - 1 for an Object that is not in the world.")
      .def_property_readonly(
          "b",
          [](const WorldHits& self) { return ids_of_rows(self.hits, [](const WorldHit& hit) { return hit.b; }); },
          "Ids of the second objects, n.")
      .def_property_readonly(
          "pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const WorldHits&>().hits;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().pair.a, 2, self);
          },
          "Triangles of a and b, n x 2.")
      .def_readonly("stats", &WorldHits::stats, "Work of the query.")
      .def("hash", &WorldHits::hash, "Hash of the hits.")
      .def("__repr__", [](const WorldHits& self) { return fmt::format("WorldHits({})", self.hits.size()); });
  py::class_<WorldContacts, std::shared_ptr<WorldContacts>>(module, "WorldContacts",
                                                            "All intersections of triangles, with their shapes.")
      .def("__len__", [](const WorldContacts& self) { return self.contacts.size(); })
      .def_property_readonly(
          "a",
          [](const WorldContacts& self) {
            return ids_of_rows(self.contacts, [](const WorldContact& contact) { return contact.a; });
          },
          "Ids of the first objects, n; 2**32 - 1 for an Object that is not in the world.")
      .def_property_readonly(
          "b",
          [](const WorldContacts& self) {
            return ids_of_rows(self.contacts, [](const WorldContact& contact) { return contact.b; });
          },
          "Ids of the second objects, n.")
      .def_property_readonly(
          "pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const WorldContacts&>().contacts;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().contact.pair.a, 2, self);
          },
          "Triangles of a and b, n x 2.")
      .def_property_readonly(
          "shape",
          [](const py::object& self) {
            const auto& rows = self.cast<const WorldContacts&>().contacts;
            const auto* shape =
                rows.empty() ? nullptr : reinterpret_cast<const std::uint8_t*>(&rows.front().contact.shape);
            return column_of<std::uint8_t>(rows, shape, 0, self);
          },
          "graze.SEGMENT, graze.POINT or graze.AREA, n.")
      .def_property_readonly(
          "segment",
          [](const py::object& self) {
            const auto& rows = self.cast<const WorldContacts&>().contacts;
            static_assert(offsetof(RigidContact, q) == offsetof(RigidContact, p) + sizeof(Vec3));
            return view_of<double>(rows.empty() ? nullptr : &rows.front().contact.p.x,
                                   {static_cast<py::ssize_t>(rows.size()), 2, 3}, sizeof(WorldContact), self);
          },
          "Both ends of each intersection, n x 2 x 3.")
      .def_readonly("stats", &WorldContacts::stats, "Work of the query.")
      .def("__repr__",
           [](const WorldContacts& self) { return fmt::format("WorldContacts({})", self.contacts.size()); });
}

void bind_ray_rows(py::module_& module) {
  py::class_<RayRows, std::shared_ptr<RayRows>>(module, "WorldRayHits", "Triangles that rays hit.")
      .def("__len__", [](const RayRows& self) { return self.rows.size(); })
      .def_property_readonly(
          "object",
          [](const RayRows& self) { return ids_of_rows(self.rows, [](const RayHit& hit) { return hit.object; }); },
          "Ids of the objects, n; 2**32 - 1 for a ray that hits nothing.")
      .def_property_readonly(
          "triangle",
          [](const py::object& self) {
            const auto& rows = self.cast<const RayRows&>().rows;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().triangle, 0, self);
          },
          "Triangles of the objects, n.")
      .def_property_readonly(
          "t",
          [](const py::object& self) {
            const auto& rows = self.cast<const RayRows&>().rows;
            return column_of<double>(rows, rows.empty() ? nullptr : &rows.front().t, 0, self);
          },
          "Parameters, n; infinite for a ray that hits nothing.")
      .def_property_readonly(
          "hit",
          [](const RayRows& self) {
            std::vector<std::uint8_t> hits;
            hits.reserve(self.rows.size());
            for (const RayHit& row : self.rows) hits.push_back(row.object != kNoObject ? 1 : 0);
            return read_only(owning_array<std::uint8_t>(std::move(hits), 0).attr("view")("bool"));
          },
          "Whether there is a hit, n.")
      .def_readonly("stats", &RayRows::stats, "Work of the query.")
      .def("__repr__", [](const RayRows& self) { return fmt::format("WorldRayHits({})", self.rows.size()); });
}

}  // namespace

void bind_rigid_world(py::module_& parent) {
  py::module_ module = parent.attr("_rigid");
  bind_results_of_pairs(module);
  bind_ray_rows(module);
  py::class_<MarkedWorld, WorldPointer> world(module, "World", "Many posed objects, with a broad phase.");
  world.def(py::init([] { return std::make_shared<MarkedWorld>(); }));
  def_edits(world);
  def_contents(world);
  def_queries(world);
  def_rays(world);
}

}  // namespace graze::python
