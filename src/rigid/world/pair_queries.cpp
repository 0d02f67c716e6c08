// Queries about pairs of objects. See the header.
//
// Candidates are sorted by slots, and cut into blocks by their number alone; a block has results of its own. So
// results and counters do not depend on threads. The first hit is that of the first candidate that intersects: a
// block is skipped only if an earlier one has a hit, so all candidates before the first hit are tested, and their
// counters are those that are reported.
#include "rigid/world/pair_queries.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/tasks.hpp"
#include "narrow/triangle_contact.hpp"
#include "rigid/collide.hpp"
#include "rigid/query_runs.hpp"

namespace graze::rigid {

namespace {

/// Candidates that are tested together, and those for which no other thread is woken.
constexpr std::size_t kPairsPerBlock = 8;
constexpr std::size_t kMinPairsForThreads = 16;
/// Stored pairs whose boxes are compared together.
constexpr std::size_t kKeysPerBlock = 4096;

constexpr std::uint32_t kProbe = 0xffffffffU;

/// Two slots, or the probe and a slot.
struct Candidate {
  std::uint32_t a;
  std::uint32_t b;
};

struct Candidates {
  std::vector<Candidate> pairs;
  std::uint64_t box_tests = 0;
};

/// An object of the world, or the probe.
struct Side {
  const ObjectState& state;
  const Pose& pose;
  ObjectId id;
};

class PairQuery {
 public:
  PairQuery(const WorldState& world, const PairScope& scope, const WorldOptions& options)
      : world_(world), scope_(scope), options_(options) {}

  [[nodiscard]] Candidates candidates() const { return scope_.slot || scope_.probe ? of_one() : of_all(); }

  [[nodiscard]] Side side(std::uint32_t slot) const {
    if (slot == kProbe) return {ObjectAccess::state(*scope_.probe->object), scope_.probe->pose, kNoObject};
    const WorldSlot& object = world_.objects()[slot];
    return {object.state(), object.pose, world_.objects().id(slot)};
  }

  [[nodiscard]] const WorldState& world() const { return world_; }
  [[nodiscard]] const WorldOptions& options() const { return options_; }
  [[nodiscard]] RigidSearch search(bool first) const {
    return {.overlap = options_.collider.overlap, .lift = options_.collider.lift, .first = first};
  }

 private:
  [[nodiscard]] bool in_groups(std::uint32_t a, std::uint32_t b) const {
    return ((a & options_.groups_a) != 0 && (b & options_.groups_b) != 0) ||
           ((b & options_.groups_a) != 0 && (a & options_.groups_b) != 0);
  }

  [[nodiscard]] Candidates of_one() const {
    const ObjectTable& objects = world_.objects();
    Candidates found;
    WorldBox box;
    GroupMasks masks;
    if (scope_.slot) {
      const WorldSlot& object = objects[*scope_.slot];
      if (object.leaf == DynamicTree::kNone) return found;
      box = object.box;
      masks = object.masks;
    } else {
      const ObjectState& state = ObjectAccess::state(*scope_.probe->object);
      const LocalBounds& bounds = state.mesh_data.bounds(state);
      if (bounds.empty) return found;
      box = posed_box(bounds, scope_.probe->pose);
      masks = {scope_.probe->groups, scope_.probe->meets};
    }
    const std::uint32_t one = scope_.slot.value_or(kProbe);
    const std::uint32_t self = scope_.slot ? one : scope_.probe->instead_of.slot;
    const bool known = self != kNoObject.slot;
    found.box_tests = world_.trees().for_overlaps(box, [&](std::uint32_t other) {
      const WorldSlot& object = objects[other];
      if (other == self || !object.box.overlaps(box) || !masks.meet(object.masks) ||
          !in_groups(masks.groups, object.masks.groups) || (known && objects.ignores(self, other)))
        return;
      found.pairs.push_back({one, other});
    });
    std::sort(found.pairs.begin(), found.pairs.end(),
              [](const Candidate& x, const Candidate& y) { return x.b < y.b; });
    return found;
  }

  [[nodiscard]] Candidates of_all() const {
    const ObjectTable& objects = world_.objects();
    Candidates found;
    const std::span<const std::uint64_t> keys = world_.pairs(found.box_tests);
    std::vector<std::vector<Candidate>> blocks((keys.size() + kKeysPerBlock - 1) / kKeysPerBlock);
    parallel_for(0, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (const std::uint64_t key :
             keys.subspan(i * kKeysPerBlock, std::min(kKeysPerBlock, keys.size() - i * kKeysPerBlock))) {
          const Candidate pair{first_of(key), second_of(key)};
          const WorldSlot& a = objects[pair.a];
          const WorldSlot& b = objects[pair.b];
          if (a.box.overlaps(b.box) && in_groups(a.masks.groups, b.masks.groups) &&
              !objects.ignores(pair.a, pair.b))
            blocks[i].push_back(pair);
        }
      }
    });
    if (blocks.size() == 1) {
      found.pairs = std::move(blocks[0]);
      return found;
    }
    for (const std::vector<Candidate>& block : blocks)
      found.pairs.insert(found.pairs.end(), block.begin(), block.end());
    return found;
  }

  const WorldState& world_;
  const PairScope& scope_;
  const WorldOptions& options_;
};

/// Runs fn() on the threads of the options. Queries about one object find few candidates in a microsecond, and wake
/// nobody for that.
template <typename Fn>
void on_threads(const PairScope& scope, const WorldOptions& options, const Fn& fn) {
  if (scope.slot || scope.probe) return fn();
  with_threads(options.threads, fn);
}

/// Calls test(candidate, work, items, stats) for all candidates and concatenates the items. With `first`, stops
/// after the first candidate that yields an item.
template <typename Item, typename Test>
void test_all(const PairQuery& query, const Candidates& candidates, bool first, std::vector<Item>& items,
              WorldStats& stats, const Test& test) {
  struct Block {
    std::vector<Item> items;
    RigidStats stats;
    std::size_t tested = 0;
  };
  const std::span<const Candidate> pairs = candidates.pairs;
  const std::size_t length = pairs.size() < kMinPairsForThreads ? kMinPairsForThreads : kPairsPerBlock;
  std::vector<Block> blocks((pairs.size() + length - 1) / length);
  std::atomic<std::size_t> first_block{blocks.size()};
  QueryProgress progress(query.options().progress, pairs.size());
  const auto run = [&](std::size_t begin, std::size_t end) {
    std::unique_ptr<RigidWork> work = query.world().work().take();
    for (std::size_t i = begin; i < end; ++i) {
      if (first && first_block.load(std::memory_order_relaxed) < i) break;
      Block& block = blocks[i];
      for (const Candidate& pair : pairs.subspan(i * length, std::min(length, pairs.size() - i * length))) {
        test(pair, *work, block.items, block.stats);
        ++block.tested;
        if (!progress.go_on()) break;
        if (!first || block.items.empty()) continue;
        std::size_t least = first_block.load(std::memory_order_relaxed);
        while (i < least && !first_block.compare_exchange_weak(least, i, std::memory_order_relaxed)) {
        }
        break;
      }
    }
    query.world().work().give_back(std::move(work));
  };
  progress.report();
  if (blocks.size() == 1) {
    run(0, 1);
  } else {
    with_threads(query.options().threads, [&] { parallel_for(0, blocks.size(), 1, run); });
  }
  progress.report();
  std::size_t count = 0;
  for (const Block& block : blocks) count += block.items.size();
  items.reserve(count);
  for (Block& block : blocks) {
    stats.narrow += block.stats;
    stats.object_pairs += block.tested;
    items.insert(items.end(), block.items.begin(), block.items.end());
    if (first && !items.empty()) return;
  }
}

WorldHits hits_of(const WorldState& world, const PairScope& scope, const WorldOptions& options, bool first_pair,
                  bool first_triangles) {
  WorldHits result;
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    const Candidates candidates = query.candidates();
    result.stats.box_tests = candidates.box_tests;
    const RigidSearch search = query.search(first_triangles);
    test_all(query, candidates, first_pair, result.hits, result.stats,
             [&](const Candidate& pair, RigidWork& work, std::vector<WorldHit>& hits, RigidStats& stats) {
               const Side a = query.side(pair.a);
               const Side b = query.side(pair.b);
               stats += collide({a.state, b.state, a.pose, b.pose}, search, work).stats;
               const std::size_t before = hits.size();
               for (const TrianglePair& triangles : work.found) hits.push_back({a.id, b.id, triangles});
               std::sort(hits.begin() + static_cast<std::ptrdiff_t>(before), hits.end());
             });
  });
  return result;
}

}  // namespace

void check_probe(const WorldState& world, const WorldProbe& probe) {
  if (probe.object == nullptr) throw InputError("the object of the probe is a null pointer");
  const std::optional<RigidTree> kind = world.objects().kind();
  if (kind && probe.object->tree() != *kind)
    throw InputError(fmt::format("the probe has a tree of kind {}, the world's objects have trees of kind {}",
                                 name_of(probe.object->tree()), name_of(*kind)));
  check_pose(ObjectAccess::state(*probe.object), probe.pose, "the pose of the probe");
  if (probe.instead_of != kNoObject) world.objects().find(probe.instead_of, "instead_of of the probe");
}

WorldFirstHit find_first_hit(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  const WorldHits hits = hits_of(world, scope, options, true, true);
  WorldFirstHit result;
  if (!hits.hits.empty()) result.first = hits.hits.front();
  result.stats = hits.stats;
  return result;
}

WorldHits find_hits(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  return hits_of(world, scope, options, false, true);
}

WorldHits find_triangle_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  return hits_of(world, scope, options, false, false);
}

WorldContacts find_contacts(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  WorldContacts result;
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    const Candidates candidates = query.candidates();
    result.stats.box_tests = candidates.box_tests;
    const RigidSearch search = query.search(false);
    test_all(query, candidates, false, result.contacts, result.stats,
             [&](const Candidate& pair, RigidWork& work, std::vector<WorldContact>& contacts, RigidStats& stats) {
               const Side a = query.side(pair.a);
               const Side b = query.side(pair.b);
               stats += collide({a.state, b.state, a.pose, b.pose}, search, work).stats;
               for (const TrianglePair& triangles : sorted_pairs(work.found)) {
                 bool exact = false;
                 const narrow::TriangleContact contact =
                     narrow::triangle_contact(posed_triangle(a.state, a.pose, triangles.a),
                                              posed_triangle(b.state, b.pose, triangles.b), exact);
                 contacts.push_back({a.id, b.id, {triangles, contact.shape, contact.p, contact.q}});
               }
             });
  });
  return result;
}

ObjectPairs find_box_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  ObjectPairs result;
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    QueryProgress progress(options.progress, 1);
    progress.report();
    const Candidates candidates = query.candidates();
    result.stats.box_tests = candidates.box_tests;
    result.stats.object_pairs = candidates.pairs.size();
    result.pairs.reserve(candidates.pairs.size());
    for (const Candidate& pair : candidates.pairs)
      result.pairs.push_back({query.side(pair.a).id, query.side(pair.b).id});
    progress.go_on();
    progress.report();
  });
  return result;
}

}  // namespace graze::rigid
