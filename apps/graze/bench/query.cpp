// See query.hpp.
#include "bench/query.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/hash.hpp"

namespace graze::app {
namespace {

constexpr std::array<std::pair<BenchQuery, std::string_view>, 6> kNames = {{
    {BenchQuery::Impacts, "impacts"},
    {BenchQuery::First, "first"},
    {BenchQuery::SafeStep, "safe-step"},
    {BenchQuery::Thickness, "thickness"},
    {BenchQuery::Intersections, "intersections"},
    {BenchQuery::Proximities, "proximities"},
}};

/// Renumbers pairs to the ids of the frame.
void to_frame_ids(const std::vector<VertexId>& frame_ids, std::vector<Impact>& impacts) {
  if (frame_ids.empty()) return;
  for (Impact& impact : impacts) {
    for (VertexId& id : impact.pair.vertices) id = frame_ids[id];
  }
}

QueryAnswer answer_of(Impacts all, const std::vector<VertexId>& frame_ids, bool counted) {
  to_frame_ids(frame_ids, all.impacts);
  QueryAnswer answer;
  if (counted) {
    answer.vf = all.vf_count();
    answer.ee = all.ee_count();
  }
  answer.hash = all.hash();
  answer.toi_hash = all.toi_hash();
  answer.funnel = make_funnel(all.stats, all.impacts.size());
  answer.stats = all.stats;
  return answer;
}

}  // namespace

std::uint64_t hash_of(std::span<const TrianglePair> pairs) {
  core::Hash64 hash;
  for (const TrianglePair& pair : pairs) hash.add(pair.a, pair.b);
  return hash.value();
}

namespace {

QueryAnswer answer_of(const Intersections& found) {
  QueryAnswer answer;
  answer.triangle_pairs = found.triangle_pairs.size();
  core::Hash64 hash;
  for (const Intersection& hit : found.edge_face) {
    for (const VertexId v : hit.edge) hash.add(std::uint64_t{v});
    for (const VertexId v : hit.face) hash.add(std::uint64_t{v});
  }
  answer.hash = hash_of(found.triangle_pairs);
  hash.add(answer.hash);
  answer.toi_hash = hash.value();
  answer.stats = found.stats;
  answer.funnel = make_funnel(found.stats, found.edge_face.size());
  return answer;
}

QueryAnswer answer_of(const SafeStep& safe) {
  QueryAnswer answer;
  core::Hash64 hash;
  hash.add(safe.step);
  for (const Vec3& x : safe.positions) {
    for (const double coordinate : {x.x, x.y, x.z}) hash.add(coordinate);
  }
  answer.hash = answer.toi_hash = hash.value();
  answer.stats = safe.stats;
  answer.funnel = make_funnel(safe.stats, safe.limit ? 1 : 0);
  return answer;
}

}  // namespace

std::string_view name_of(BenchQuery query) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == query; })
      ->second;
}

BenchQuery bench_query_from_name(std::string_view name) {
  const auto found =
      std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.second == name; });
  if (found != kNames.end()) return found->first;
  std::string known;
  for (const auto& entry : kNames) known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.second);
  throw InputError(fmt::format("--query: unknown query '{}'; use {}", name, known));
}

QueryAnswer run_query(Detector& detector, BenchQuery query, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                      double distance, const std::vector<VertexId>& frame_ids, const Measure& measure) {
  switch (query) {
    case BenchQuery::Impacts:
    case BenchQuery::Thickness: {
      Impacts all;
      measure([&] { all = detector.impacts(x_t0, x_t1); });
      return answer_of(std::move(all), frame_ids, true);
    }
    case BenchQuery::First: {
      FirstImpact first;
      measure([&] { first = detector.first_impact(x_t0, x_t1); });
      Impacts all;
      all.stats = first.stats;
      if (first.impact) all.impacts.push_back(*first.impact);
      return answer_of(std::move(all), frame_ids, false);
    }
    case BenchQuery::SafeStep: {
      SafeStep safe;
      measure([&] { safe = detector.safe_step(x_t0, x_t1); });
      return answer_of(safe);
    }
    case BenchQuery::Intersections: {
      static_cast<void>(detector.intersections(x_t1));  // so that little is known of the start of the step
      Intersections found;
      measure([&] { found = detector.intersections(x_t0, {.adjacent = true}); });
      return answer_of(found);
    }
    case BenchQuery::Proximities: {
      static_cast<void>(detector.proximities(x_t1, distance));
      Proximities found;
      measure([&] { found = detector.proximities(x_t0, distance); });
      Impacts all;
      all.stats = found.stats;
      for (const Proximity& proximity : found.proximities) {
        all.impacts.push_back({.pair = proximity.pair, .toi_lo = proximity.distance, .toi_hi = proximity.distance});
      }
      return answer_of(std::move(all), frame_ids, true);
    }
  }
  return {};
}

}  // namespace graze::app
