// Shared objects of the module (objects.hpp).
#include "objects.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/methods.hpp>

namespace graze::python {

namespace {

/// N of the name "body N".
std::optional<BodyId> number_in(const std::string& name) {
  constexpr std::string_view kPrefix = "body ";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  BodyId number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

void BodyNames::require_free(const std::string& name, BodyId body) const {
  if (const auto taken = find(name)) throw InputError(fmt::format("name \"{}\" is taken by body {}", name, *taken));
  const auto number = number_in(name);
  if (number && *number != body) {
    throw InputError(fmt::format("name \"{}\" is for body {}, this is body {}", name, *number, body));
  }
}

void BodyNames::add(BodyId body, const std::string& name) {
  require_free(name, body);
  if (!table_) {
    table_ = std::make_shared<Table>();
  } else if (table_.use_count() > 1) {
    table_ = std::make_shared<Table>(*table_);
  }
  table_->bodies.emplace(name, body);
  table_->names.emplace(body, name);
}

std::string BodyNames::of(BodyId body) const {
  if (table_) {
    if (const auto found = table_->names.find(body); found != table_->names.end()) return found->second;
  }
  return fmt::format("body {}", body);
}

std::optional<BodyId> BodyNames::find(const std::string& name) const {
  if (!table_) return std::nullopt;
  const auto found = table_->bodies.find(name);
  if (found == table_->bodies.end()) return std::nullopt;
  return found->second;
}

namespace {

/// The body that is called "body N" because it has no name of its own.
std::optional<BodyId> find_unnamed(const std::string& name, const Scene& scene, const BodyNames& names) {
  const auto body = number_in(name);
  if (!body || *body >= scene.body_count() || names.of(*body) != name) return std::nullopt;
  return body;
}

}  // namespace

BodyId body_of(py::handle given, const Scene& scene, const BodyNames& names) {
  if (py::isinstance<py::str>(given)) {
    const std::string name = py::str(given);
    if (const auto body = names.find(name)) return *body;
    if (const auto body = find_unnamed(name, scene, names)) return *body;
    throw InputError(fmt::format("there is no body \"{}\"", text_of(given)));
  }
  if (PyIndex_Check(given.ptr()) == 0) {
    throw InputError(fmt::format("{} is no body: give its number or its name", text_of(given)));
  }
  const py::int_ number = py::reinterpret_steal<py::int_>(PyNumber_Index(given.ptr()));
  int overflow = 0;
  const long long body = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || body < 0 || std::cmp_greater_equal(body, scene.body_count())) {
    throw InputError(
        fmt::format("body {} is out of range, the scene has {} bodies", text_of(given), scene.body_count()));
  }
  return static_cast<BodyId>(body);
}

Motion motion_of(const std::optional<std::string>& motion, bool is_static) {
  if (is_static && motion && *motion != "static") {
    throw InputError(fmt::format("static=True and motion=\"{}\" contradict each other", *motion));
  }
  if (is_static) return Motion::Static;
  if (!motion || *motion == "deforming") return Motion::Deforming;
  if (*motion == "rigid") return Motion::Rigid;
  if (*motion == "static") return Motion::Static;
  throw InputError(fmt::format("motion \"{}\" is unknown: deforming, rigid or static", *motion));
}

const char* motion_name(Motion motion) {
  switch (motion) {
    case Motion::Rigid:
      return "rigid";
    case Motion::Static:
      return "static";
    case Motion::Deforming:
      break;
  }
  return "deforming";
}

ContextPointer context_of(const NamedDetector& detector, py::object x_t0, py::object x_t1, bool is_part) {
  return std::make_shared<ResultContext>(ResultContext{.scene = {detector.detector.scene(), detector.names},
                                                       .thickness = detector.options.thickness,
                                                       .tolerance = detector.options.tolerance,
                                                       .x_t0 = std::move(x_t0),
                                                       .x_t1 = std::move(x_t1),
                                                       .is_part = is_part});
}

ImpactRows impact_rows(Impacts&& impacts, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                       ContextPointer context) {
  ImpactRows result{std::move(impacts), {}, std::move(context), {}};
  result.points.reserve(result.rows.impacts.size());
  for (const Impact& impact : result.rows.impacts) result.points.push_back(contact_point(impact, x_t0, x_t1));
  return result;
}

FirstRow first_row(const FirstImpact& first, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                   const ContextPointer& context) {
  FirstRow row{first.toi, std::nullopt, first.stats, context};
  if (first.impact) row.impact = ImpactRow{*first.impact, contact_point(*first.impact, x_t0, x_t1), context};
  return row;
}

ProximityRows proximity_rows(std::vector<Proximity>&& rows, std::span<const Vec3> x, const Stats& stats,
                             ContextPointer context) {
  ProximityRows result{std::move(rows), {}, stats, std::move(context), {}};
  result.points.reserve(result.rows.size());
  for (const Proximity& row : result.rows) result.points.push_back(closest_points(row.pair, row.weights, x));
  return result;
}

unsigned threads_of(py::handle given) {
  return static_cast<unsigned>(count_of(given, "threads", std::numeric_limits<unsigned>::max()));
}

DetectorOptions detector_options(const std::string& method, py::handle thickness, py::handle tolerance,
                                 py::handle threads, py::handle memory_cap, const std::string& device) {
  DetectorOptions options;
  options.method = from_name<Method>(method);
  options.thickness = number_of(thickness, "thickness");
  options.tolerance = number_of(tolerance, "tolerance");
  options.threads = threads_of(threads);
  options.memory_cap = count_of(memory_cap, "memory_cap", std::numeric_limits<std::uint64_t>::max());
  options.device = from_name<Device>(device);
  return options;
}

}  // namespace graze::python
