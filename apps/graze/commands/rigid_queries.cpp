// Runs the poses and sums up their answers (rigid_queries.hpp).
#include "commands/rigid_queries.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <graze/detector.hpp>

#include "output/answer_hash.hpp"
#include "output/interrupt.hpp"

namespace graze::app {
namespace {

constexpr std::size_t kBlock = 4096;  // poses per block: their pairs are in memory together

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

std::uint64_t hash_of(bool hit) {
  AnswerHash hash;
  hash.add(hit ? 1 : 0);
  return hash.combined();
}

std::optional<TrianglePair> first_of(std::span<const TrianglePair> pairs) {
  return pairs.empty() ? std::nullopt : std::optional(pairs.front());
}

/// Sums up the answers in the order of poses, and hands each on to the sink.
class Totals {
 public:
  explicit Totals(const RigidAnswerSink& sink) : sink_(sink) {}

  void add(const RigidAnswer& answer) {
    if (sink_) sink_(totals_.poses, answer);
    ++totals_.poses;
    totals_.hits += answer.hit() ? 1U : 0U;
    totals_.pairs += answer.pairs.size();
    totals_.stats += answer.stats;
    if (answer.us) {
      totals_.total_us += *answer.us;
      totals_.max_us = std::max(totals_.max_us.value_or(0.0), *answer.us);
    }
    hash_.add(answer.hash);
  }
  void add_time(double us) { totals_.total_us += us; }

  [[nodiscard]] RigidTotals finish() {
    totals_.hash = hash_.value().value_or(hash_.combined());
    return totals_;
  }

 private:
  const RigidAnswerSink& sink_;
  RigidTotals totals_;
  AnswerHash hash_;
};

void ask_alone(Collider& collider, const PosePair& poses, RigidQueryKind kind, Totals& totals) {
  const auto start = Clock::now();
  if (kind == RigidQueryKind::First) {
    const FirstHit hit = collider.first_hit(poses.a, poses.b);
    const double us = microseconds_since(start);
    totals.add({hit.pair, {}, {}, hash_of(hit.hit()), hit.stats, us});
    return;
  }
  TrianglePairs pairs;
  RigidContacts contacts;
  if (kind == RigidQueryKind::Contacts) {
    contacts = collider.contacts(poses.a, poses.b);
    pairs.stats = contacts.stats;
  } else {
    pairs = collider.triangle_pairs(poses.a, poses.b);
  }
  const double us = microseconds_since(start);
  for (const RigidContact& contact : contacts.contacts) pairs.pairs.push_back(contact.pair);
  totals.add({first_of(pairs.pairs), pairs.pairs, contacts.contacts, pairs.hash(), pairs.stats, us});
}

void ask_block(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses, RigidQueryKind kind,
               const BatchOptions& options, Totals& totals) {
  const auto start = Clock::now();
  if (kind == RigidQueryKind::First) {
    const std::vector<FirstHit> hits = first_hits(a, b, poses, options);
    totals.add_time(microseconds_since(start));
    for (const FirstHit& hit : hits) totals.add({hit.pair, {}, {}, hash_of(hit.hit()), hit.stats, std::nullopt});
    return;
  }
  const std::vector<TrianglePairs> all = triangle_pairs(a, b, poses, options);
  totals.add_time(microseconds_since(start));
  for (const TrianglePairs& pairs : all) {
    totals.add({first_of(pairs.pairs), pairs.pairs, {}, pairs.hash(), pairs.stats, std::nullopt});
  }
}

}  // namespace

RigidTotals run_poses(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                      const RigidQuery& query, const std::string& label, Progress& progress,
                      const RigidAnswerSink& sink) {
  Totals totals(sink);
  const auto share_of = [&](double done) {
    return done / static_cast<double>(std::max<std::size_t>(1, poses.size()));
  };
  if (query.threads == 1 || poses.size() == 1 || query.kind == RigidQueryKind::Contacts) {
    Collider collider(a, b, query.collider);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      if (interrupted()) throw Interrupted();
      progress.show(label, share_of(static_cast<double>(i)));
      ask_alone(collider, poses[i], query.kind, totals);
    }
    return totals.finish();
  }
  for (std::size_t begin = 0; begin < poses.size(); begin += kBlock) {
    const std::span<const PosePair> block = poses.subspan(begin, std::min(kBlock, poses.size() - begin));
    const BatchOptions options{
        .collider = query.collider, .threads = query.threads, .progress = [&](double share) {
          progress.show(label, share_of(static_cast<double>(begin) + share * static_cast<double>(block.size())));
          return !interrupted();
        }};
    if (interrupted()) throw Interrupted();
    ask_block(a, b, block, query.kind, options, totals);
  }
  return totals.finish();
}

Json rigid_counters_json(const RigidStats& stats) {
  return {{"node_tests", stats.node_tests}, {"triangle_tests", stats.triangle_tests}, {"exact", stats.tiers.exact}};
}

Json rigid_times_json(const RigidTotals& totals) {
  const auto us = [](double value) { return to_microsecond(value); };
  return {{"mean", us(totals.mean_us())},
          {"max", totals.max_us ? Json(us(*totals.max_us)) : Json(nullptr)},
          {"total", us(totals.total_us)}};
}

Json triangle_pair_json(const std::optional<TrianglePair>& pair) {
  return pair ? Json::array({pair->a, pair->b}) : Json(nullptr);
}

}  // namespace graze::app
