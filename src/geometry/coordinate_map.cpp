// Builds coordinate maps from samples of the features of a scene. coordinate_map.hpp has the proof.
#include "geometry/coordinate_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze::geometry {

namespace {

/// Units on each side of a feature that have the feature's slope, if empty space follows: a feature that is not
/// sampled may reach beyond those that are. More units would widen large features next to small ones.
constexpr double kPad = 1.0;
/// Units that a merge of segments may add to its range, beside the range itself.
constexpr double kMergeUnits = 8.0;

/// An end of a sample's interval, halved, with the sample's halved size.
struct End {
  double at = 0.0;
  double size = 0.0;

  [[nodiscard]] double slope() const { return 1.0 / size; }

  bool operator<(const End& other) const { return at != other.at ? at < other.at : size < other.size; }
};

/// A part of a direction with a constant slope; `units` is the range that it needs, at most that of its slope.
struct Piece {
  double begin = 0.0;
  double end = 0.0;
  double slope = 0.0;
  double units = 0.0;

  [[nodiscard]] double range() const { return (end - begin) * slope; }
};

/// A size whose reciprocal is a finite, normal double.
double invertible(double size) {
  return std::clamp(size, 0x1p-1000, 0x1p1022);
}

/// Appends a piece, or extends the last one by it where the larger slope of the two costs little range.
void append(std::vector<Piece>& pieces, double begin, double end, double slope) {
  if (!(begin < end)) return;
  Piece piece{begin, end, slope, (end - begin) * slope};
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    const Piece both{last.begin, end, std::max(last.slope, slope), last.units + piece.units};
    if (both.range() <= 2.0 * both.units + kMergeUnits) {
      last = both;
      return;
    }
  }
  pieces.push_back(piece);
}

/// Divides the gap between two ends: near each of them by its own size, empty space between in one unit.
void append_gap(std::vector<Piece>& pieces, const End& a, const End& b) {
  const double half = 0.5 * (b.at - a.at);
  const double first = a.at + std::min(half, kPad * a.size);
  const double second = std::max(first, b.at - std::min(half, kPad * b.size));
  append(pieces, a.at, first, a.slope());
  append(pieces, first, second, std::min({a.slope(), b.slope(), 1.0 / invertible(second - first)}));
  append(pieces, second, b.at, b.slope());
}

std::vector<Piece> make_pieces(std::span<const End> ends) {
  std::vector<Piece> pieces;
  for (std::size_t i = 1; i < ends.size(); ++i) append_gap(pieces, ends[i - 1], ends[i]);
  return pieces;
}

}  // namespace

CoordinateMap::CoordinateMap(std::span<const Sample> samples) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool sized = std::any_of(samples.begin(), samples.end(), [](const Sample& s) { return s.size > 0.0; });
  double lo = kInfinity;
  double hi = -kInfinity;
  for (const Sample& sample : samples) {
    lo = std::min(lo, halved(sample.lo));
    hi = std::max(hi, halved(sample.hi));
  }
  // Features without a size are about as large as their share of the range.
  const double mean = lo < hi ? (hi - lo) / static_cast<double>(samples.size()) : 1.0;
  std::vector<End> ends;
  ends.reserve(2 * samples.size());
  for (const Sample& sample : samples) {
    if (sized && !(sample.size > 0.0)) continue;
    const double size = invertible(sized ? halved(sample.size) : mean);
    ends.push_back({halved(sample.lo), size});
    ends.push_back({halved(sample.hi), size});
  }
  std::sort(ends.begin(), ends.end());
  std::vector<Piece> pieces = make_pieces(ends);
  if (pieces.empty()) {
    const End only = ends.empty() ? End{0.0, 1.0} : ends.front();
    pieces.push_back({only.at, only.at, only.slope(), 0.0});
  }
  double range = 0.0;
  for (const Piece& piece : pieces) range += piece.range();
  double value = std::max(-kLimit, -0.5 * range);
  segments_.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const double begin = i == 0 ? -kInfinity : piece.begin;
    const double end = i + 1 == pieces.size() ? kInfinity : piece.end;
    segments_.push_back({begin, end, piece.begin, value, piece.slope});
    value = segments_.back().map(piece.end);
  }
}

std::uint32_t CoordinateMap::find(double half) const {
  const auto after = std::upper_bound(segments_.begin() + 1, segments_.end(), half,
                                      [](double x, const Segment& segment) { return x < segment.begin; });
  return static_cast<std::uint32_t>(after - segments_.begin() - 1);
}

std::size_t CoordinateMaps::memory_bytes() const {
  std::size_t bytes = directions.capacity() * sizeof(CoordinateMap);
  for (const CoordinateMap& map : directions) bytes += map.memory_bytes();
  return bytes;
}

CoordinateMaps make_coordinate_maps(const MotionBounds& at, std::span<const Triangle> triangles,
                                    std::size_t directions) {
  CoordinateMaps maps;
  maps.directions.resize(directions);
  parallel_for(0, directions, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<CoordinateMap::Sample> samples(triangles.size());
    for (std::size_t k = begin; k < end; ++k) {
      const auto& direction = kDopDirections[k];
      const auto project = [&](const Vec3& p) {
        return direction[0] * p.x + direction[1] * p.y + direction[2] * p.z;
      };
      for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        Vec3 low = at.position(t[0]);
        Vec3 high = low;
        CoordinateMap::Sample& sample = samples[i];
        sample.lo = sample.hi = project(low);
        const auto include = [&](const Vec3& p) {
          sample.lo = std::min(sample.lo, project(p));
          sample.hi = std::max(sample.hi, project(p));
        };
        for (const VertexId v : t) {
          const Vec3& p = at.position(v);
          low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
          high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
          include(p);
          if (!at.has_reference_points()) include(at.x_t1[v]);
        }
        sample.size = max_abs(high - low);
      }
      maps.directions[k] = CoordinateMap(samples);
    }
  });
  return maps;
}

}  // namespace graze::geometry
