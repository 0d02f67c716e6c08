// graze/research.hpp in Python: variants of the methods, by the names of the fields of research::Options.
#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "arrays.hpp"
#include "bind.hpp"

namespace graze::python {

namespace {

/// An option: how it is set from a Python object, and read as one.
struct Option {
  const char* name;
  void (*set)(research::Options&, py::handle, const char* name);
  py::object (*get)(const research::Options&);
};

template <typename Value>
void assign(Value& to, py::handle from, const char* name) {
  if constexpr (std::is_enum_v<Value>) {
    if (!py::isinstance<py::str>(from)) throw InputError(fmt::format("{}: {} is no name", name, text_of(from)));
    to = from_name<Value>(std::string(py::str(from)));
  } else if constexpr (std::is_same_v<Value, bool>) {
    if (!py::isinstance<py::bool_>(from)) throw InputError(fmt::format("{}: {} is no bool", name, text_of(from)));
    to = from.cast<bool>();
  } else if constexpr (std::is_same_v<Value, unsigned>) {
    to = static_cast<unsigned>(count_of(from, name, std::numeric_limits<unsigned>::max()));
  } else {
    to = number_of(from, name);
  }
}

template <typename Value>
void assign(std::optional<Value>& to, py::handle from, const char* name) {
  if (from.is_none()) {
    to.reset();
  } else {
    assign(to.emplace(), from, name);
  }
}

template <typename Value>
py::object object_of(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return py::str(std::string(name_of(value)));
  } else {
    return py::cast(value);
  }
}

template <typename Value>
py::object object_of(const std::optional<Value>& value) {
  return value ? object_of(*value) : py::none();
}

template <auto kGroup, auto kMember>
constexpr Option option(const char* name) {
  return {name,
          [](research::Options& options, py::handle value, const char* said) {
            assign(options.*kGroup.*kMember, value, said);
          },
          [](const research::Options& options) { return object_of(options.*kGroup.*kMember); }};
}

using research::AdaptiveOptions;
using research::HashOptions;
using research::HierarchyOptions;
constexpr auto kHierarchy = &research::Options::hierarchy;
constexpr auto kAdaptive = &research::Options::adaptive;
constexpr auto kHash = &research::Options::hash;

constexpr std::array kOptions{
    option<kHierarchy, &HierarchyOptions::volume>("volume"),
    option<kHierarchy, &HierarchyOptions::builder>("builder"),
    option<kHierarchy, &HierarchyOptions::edge_bounds>("edge_bounds"),
    option<kHierarchy, &HierarchyOptions::cones>("cones"),
    option<kAdaptive, &AdaptiveOptions::skip>("skip"),
    option<kAdaptive, &AdaptiveOptions::frames>("frames"),
    option<kAdaptive, &AdaptiveOptions::alpha>("alpha"),
    option<kAdaptive, &AdaptiveOptions::beta>("beta"),
    option<kAdaptive, &AdaptiveOptions::gamma>("gamma"),
    option<kAdaptive, &AdaptiveOptions::by_work>("by_work"),
    option<kAdaptive, &AdaptiveOptions::low_curvature>("low_curvature"),
    option<kHash, &HashOptions::cells>("cells"),
    option<kHash, &HashOptions::voxels>("voxels"),
    option<kHash, &HashOptions::neighbours>("neighbours"),
    option<kHash, &HashOptions::normal_threshold>("normal_threshold"),
    option<kHash, &HashOptions::representatives>("representatives"),
};

ResearchOptions make_options(const py::kwargs& given) {
  ResearchOptions options;
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    const auto* const found =
        std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& known) { return known.name == name; });
    if (found == kOptions.end()) {
      std::string known;
      for (const Option& one : kOptions) known += (known.empty() ? "" : ", ") + std::string(one.name);
      throw InputError(fmt::format("there is no option \"{}\"; options are {}", name, known));
    }
    found->set(*options.operator->(), value, found->name);
  }
  return options;
}

py::dict to_dict(const ResearchOptions& options) {
  py::dict values;
  for (const Option& option : kOptions) values[option.name] = option.get(*options);
  return values;
}

}  // namespace

void bind_research(py::module_& module) {
  py::class_<ResearchOptions>(module, "ResearchOptions", "Variants of the methods, for comparisons.")
      .def(py::init(&make_options))
      .def("to_dict", &to_dict, "The options by name.")
      .def("__repr__", [](const ResearchOptions& options) {
        return "ResearchOptions(" + std::string(py::str(to_dict(options))) + ")";
      });
}

}  // namespace graze::python
