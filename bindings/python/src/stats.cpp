// graze/stats.hpp in Python: objects with the fields of the C++ structures, and to_dict() for tables.
#include <string>

#include <graze/stats.hpp>

#include "bind.hpp"

namespace graze::python {

namespace py = pybind11;

namespace {

/// Binds a structure of counters: its fields, to_dict() and a repr with all fields that are not zero.
template <typename Struct>
class Fields {
 public:
  Fields(py::module_& module, const char* name, const char* text) : class_(module, name, text), name_(name) {}

  template <typename Member>
  Fields& field(const char* name, Member Struct::*member) {
    class_.def_readonly(name, member);
    names_.append(name);
    return *this;
  }

  void finish() {
    const py::list names = names_;
    const auto to_dict = [names](const py::object& self) {
      py::dict values;
      for (const py::handle name : names) {
        py::object value = self.attr(name);
        if (py::hasattr(value, "to_dict")) value = value.attr("to_dict")();
        values[name] = value;
      }
      return values;
    };
    class_.def("to_dict", to_dict, "The fields as a dictionary, groups as dictionaries in it.");
    class_.def("__repr__", [to_dict, name = std::string(name_)](const py::object& self) {
      std::string text;
      for (const auto& [field, value] : to_dict(self)) {
        if (!py::bool_(py::reinterpret_borrow<py::object>(value))) continue;
        text += (text.empty() ? "" : ", ") + std::string(py::str(field)) + "=" + std::string(py::str(value));
      }
      return name + "(" + text + ")";
    });
  }

 private:
  py::class_<Struct> class_;
  const char* name_;
  py::list names_;
};

}  // namespace

void bind_stats(py::module_& module) {
  Fields<TierCounts>(module, "TierCounts", "Elementary tests by the tier that decided them.")
      .field("filter", &TierCounts::filter)
      .field("interval", &TierCounts::interval)
      .field("exact", &TierCounts::exact)
      .finish();
  Fields<CullCounts>(module, "CullCounts", "Normal cones, contours and orphan sets.")
      .field("cone_tests", &CullCounts::cone_tests)
      .field("contour_tests", &CullCounts::contour_tests)
      .field("planar_tests", &CullCounts::planar_tests)
      .field("exact_planar_tests", &CullCounts::exact_planar_tests)
      .field("free_patches", &CullCounts::free_patches)
      .field("free_triangles", &CullCounts::free_triangles)
      .field("vertex_adjacent", &CullCounts::vertex_adjacent)
      .field("edge_adjacent", &CullCounts::edge_adjacent)
      .field("orphans", &CullCounts::orphans)
      .field("orphans_free", &CullCounts::orphans_free)
      .finish();
  Fields<CoherenceCounts>(module, "CoherenceCounts", "Sessions and stored pairs of method adaptive.")
      .field("session_frames", &CoherenceCounts::session_frames)
      .field("session_step", &CoherenceCounts::session_step)
      .field("dangling_vertices", &CoherenceCounts::dangling_vertices)
      .field("dangling_triangles", &CoherenceCounts::dangling_triangles)
      .field("violating_triangles", &CoherenceCounts::violating_triangles)
      .field("pairs", &CoherenceCounts::pairs)
      .field("pair_bytes", &CoherenceCounts::pair_bytes)
      .field("measured", &CoherenceCounts::measured)
      .field("admissible", &CoherenceCounts::admissible)
      .field("remembered", &CoherenceCounts::remembered)
      .finish();
  Fields<HashCounts>(module, "HashCounts", "Cells and voxels of method hash.")
      .field("levels", &HashCounts::levels)
      .field("voxels", &HashCounts::voxels)
      .field("used_voxels", &HashCounts::used_voxels)
      .field("entries", &HashCounts::entries)
      .field("voxel_pairs", &HashCounts::voxel_pairs)
      .field("repeated", &HashCounts::repeated)
      .field("box_pairs", &HashCounts::box_pairs)
      .field("neighbours", &HashCounts::neighbours)
      .field("neighbours_out", &HashCounts::neighbours_out)
      .field("element_pairs", &HashCounts::element_pairs)
      .finish();
  Fields<ClusterCounts>(module, "ClusterCounts", "Clusters of method auto.")
      .field("clusters", &ClusterCounts::clusters)
      .field("kept", &ClusterCounts::kept)
      .field("pairs", &ClusterCounts::pairs)
      .field("feature_tests", &ClusterCounts::feature_tests)
      .field("feature_pairs", &ClusterCounts::feature_pairs)
      .field("kept_contacts", &ClusterCounts::kept_contacts)
      .finish();
  Fields<Stats>(module, "Stats", "Work, time and memory of one query. Counters are deterministic, times are not.")
      .field("bv_tests", &Stats::bv_tests)
      .field("triangle_pairs", &Stats::triangle_pairs)
      .field("vf_tests", &Stats::vf_tests)
      .field("ee_tests", &Stats::ee_tests)
      .field("tiers", &Stats::tiers)
      .field("culled", &Stats::culled)
      .field("coherence", &Stats::coherence)
      .field("hash", &Stats::hash)
      .field("cluster", &Stats::cluster)
      .field("update_ms", &Stats::update_ms)
      .field("traverse_ms", &Stats::traverse_ms)
      .field("narrow_ms", &Stats::narrow_ms)
      .field("total_ms", &Stats::total_ms)
      .field("memory_bytes", &Stats::memory_bytes)
      .field("device_bytes", &Stats::device_bytes)
      .finish();
}

}  // namespace graze::python
