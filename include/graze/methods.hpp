// Methods: the algorithms that find candidates (broad phase), with their names on the command line. Variants of the
// methods, for comparisons, are in graze/research.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <graze/export.hpp>
#include <graze/types.hpp>

namespace graze {

/// Algorithm that finds candidates. All methods return the same impacts, bit for bit, apart from
/// Impact::remembered_side and the lossy variant research::NeighbourTest::LossyNormals.
enum class Method : std::uint8_t {
  Auto,      ///< "auto": the fastest; clusters of triangles, bounds linear in time, cached static contacts
  Brute,     ///< "brute": all feature pairs; quadratic cost, the reference for the other methods
  RTri,      ///< "r-tri": BVH, representative triangles, feature bounds before each elementary test (R-TRI)
  Iccd,      ///< "iccd": two-level k-DOP tree, self-collision culling by normal cones, orphan sets (ICCD)
  Adaptive,  ///< "adaptive": temporal coherence; sessions of steps share one refit and traversal (ADAPTIVE)
  Hash,      ///< "hash": spatial hash with culling inside voxels; no tree, no precomputation (HASH)
};

/// Returns the name of a method on the command line. Throws InputError for a value that is no method.
[[nodiscard]] GRAZE_API std::string_view name_of(Method method);
/// Returns one line that describes a method. Throws InputError for a value that is no method.
[[nodiscard]] GRAZE_API std::string_view summary_of(Method method);
/// Returns the method with this name, methods for comparison included. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API Method from_name<Method>(std::string_view name);
/// Returns the methods of the enumeration Method; research::all_methods() adds those for comparison.
template <>
[[nodiscard]] GRAZE_API std::span<const Method> all_values<Method>();

namespace research {
struct Options;
}  // namespace research

/// Variants of the methods, for comparisons: owns a research::Options, or none, which means the defaults. A value
/// type: copies are independent. Include graze/research.hpp to read or set the options.
class GRAZE_API ResearchOptions {
 public:
  /// The defaults.
  ResearchOptions() noexcept;
  /// A copy of these options.
  ResearchOptions(const research::Options& options);         // NOLINT(google-explicit-constructor)
  ResearchOptions(const ResearchOptions& other);             ///< Copies the options.
  ResearchOptions(ResearchOptions&& other) noexcept;         ///< Moves the options; `other` has the defaults then.
  ResearchOptions& operator=(const ResearchOptions& other);  ///< Copies the options.
  ResearchOptions& operator=(ResearchOptions&& other) noexcept;  ///< Moves the options by swapping.
  ~ResearchOptions();

  /// The options, for reading.
  [[nodiscard]] const research::Options& operator*() const;
  /// The options, for reading.
  [[nodiscard]] const research::Options* operator->() const { return &**this; }
  /// The options, for changes. The first call allocates a copy of the defaults.
  [[nodiscard]] research::Options* operator->();

 private:
  research::Options* options_ = nullptr;  ///< owned; null: the defaults
};

}  // namespace graze
