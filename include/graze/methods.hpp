// The methods, with their names on the command line. Choices within them are in graze/research.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <graze/export.hpp>
#include <graze/types.hpp>

namespace graze {

/// How candidates are found. All methods return the same impacts, bit for bit.
enum class Method : std::uint8_t {
  Auto,      ///< "auto": the fastest; clusters of triangles with bounds linear in time
  Brute,     ///< "brute": all pairs of features; quadratic
  RTri,      ///< "r-tri": hierarchy, representative triangles, bounds of features before each test (R-TRI)
  Iccd,      ///< "iccd": normal cones and contours, orphan sets, two-level hierarchy of patches (ICCD)
  Adaptive,  ///< "adaptive": temporal coherence; sessions of steps that share one traversal (ADAPTIVE)
  Hash,      ///< "hash": spatial hashing with culling inside voxels; no tree, nothing made beforehand (HASH)
};

/// The name on the command line.
[[nodiscard]] GRAZE_API std::string_view name_of(Method method);
/// One line on what a method does.
[[nodiscard]] GRAZE_API std::string_view summary_of(Method method);
template <>
[[nodiscard]] GRAZE_API Method from_name<Method>(std::string_view name);
template <>
[[nodiscard]] GRAZE_API std::span<const Method> all_values<Method>();

namespace research {
struct Options;
}  // namespace research

/// Choices within the methods, for those who compare them; a default-constructed one leaves each method its own.
/// A value type: a copy has its own choices. Include graze/research.hpp to make some.
class GRAZE_API ResearchOptions {
 public:
  ResearchOptions() noexcept;
  ResearchOptions(const research::Options& options);  // NOLINT(google-explicit-constructor)
  ResearchOptions(const ResearchOptions& other);
  ResearchOptions(ResearchOptions&& other) noexcept;
  ResearchOptions& operator=(const ResearchOptions& other);
  ResearchOptions& operator=(ResearchOptions&& other) noexcept;
  ~ResearchOptions();

  [[nodiscard]] const research::Options& operator*() const;
  [[nodiscard]] const research::Options* operator->() const { return &**this; }
  /// For changes; the first one makes a copy of the defaults.
  [[nodiscard]] research::Options* operator->();

 private:
  research::Options* options_ = nullptr;  ///< owned; null: defaults
};

}  // namespace graze
