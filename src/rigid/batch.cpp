// Batches of rigid queries in parallel: many poses, or many obstacles. See graze/rigid.hpp.
//
// The number of queries alone determines how they are cut into runs. With temporal coherence each run has its own
// collider, so answers and counters do not depend on the number of threads. Progress is reported between queries, a
// few times a second, by any thread.
#include <graze/rigid.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <graze/detector.hpp>
#include <graze/error.hpp>

#include "rigid/collide.hpp"
#include "rigid/query_runs.hpp"
#include "rigid/work_spaces.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

void take(const RigidWork& work, FirstHit& result) {
  if (!work.found.empty()) result.pair = work.found.front();
}
void take(const RigidWork& work, TrianglePairs& result) {
  result.pairs = sorted_pairs(work.found);
}

/// Runs independent queries; places(i) returns the objects and poses of query i.
template <typename Result, typename Places>
std::vector<Result> search_all(std::size_t count, const BatchOptions& options, const Places& places) {
  const RigidSearch search{.overlap = options.collider.overlap,
                           .lift = options.collider.lift,
                           .first = std::is_same_v<Result, FirstHit>};
  WorkSpaces<RigidWork> pool;
  std::vector<Result> results(count);
  in_runs(count, options.threads, options.progress,
          [&](std::size_t first, std::size_t last, QueryProgress& progress) {
            std::unique_ptr<RigidWork> work = pool.take();
            for (std::size_t i = first; i < last; ++i) {
              results[i].stats = collide(places(i), search, *work).stats;
              take(*work, results[i]);
              if (!progress.go_on()) break;
            }
            pool.give_back(std::move(work));
          });
  return results;
}

FirstHit one_query(Collider& collider, const PosePair& poses, const FirstHit* /*kind*/) {
  return collider.first_hit(poses.a, poses.b);
}
TrianglePairs one_query(Collider& collider, const PosePair& poses, const TrianglePairs* /*kind*/) {
  return collider.triangle_pairs(poses.a, poses.b);
}

template <typename Result>
std::vector<Result> many_poses(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                               const BatchOptions& options) {
  check_kinds(a, b);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    numbered("query", i, [&] {
      check_pose(ObjectAccess::state(a), poses[i].a, "pose of a");
      check_pose(ObjectAccess::state(b), poses[i].b, "pose of b");
    });
  }
  if (!options.collider.coherence) {
    return search_all<Result>(poses.size(), options, [&](std::size_t i) {
      return PosedObjects{ObjectAccess::state(a), ObjectAccess::state(b), poses[i].a, poses[i].b};
    });
  }
  std::vector<Result> results(poses.size());
  in_runs(poses.size(), options.threads, options.progress,
          [&](std::size_t first, std::size_t last, QueryProgress& progress) {
            Collider collider(a, b, options.collider);
            for (std::size_t i = first; i < last; ++i) {
              results[i] = one_query(collider, poses[i], static_cast<const Result*>(nullptr));
              if (!progress.go_on()) break;
            }
          });
  return results;
}

template <typename Result>
std::vector<Result> many_obstacles(const PosedObject& object, std::span<const PosedObject> obstacles,
                                   const BatchOptions& options) {
  if (object.object == nullptr) throw InputError("the object of a batch is a null pointer");
  check_pose(ObjectAccess::state(*object.object), object.pose, "pose of the object");
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    if (obstacles[i].object == nullptr) throw InputError(fmt::format("obstacle {} is a null pointer", i));
    if (obstacles[i].object->tree() != object.object->tree())
      throw InputError(fmt::format("obstacle {} has a tree of kind {}, the object one of kind {}", i,
                                   name_of(obstacles[i].object->tree()), name_of(object.object->tree())));
    numbered("obstacle", i,
             [&] { check_pose(ObjectAccess::state(*obstacles[i].object), obstacles[i].pose, "its pose"); });
  }
  return search_all<Result>(obstacles.size(), options, [&](std::size_t i) {
    return PosedObjects{ObjectAccess::state(*object.object), ObjectAccess::state(*obstacles[i].object), object.pose,
                        obstacles[i].pose};
  });
}

}  // namespace

std::vector<FirstHit> first_hits(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                                 const BatchOptions& options) {
  return many_poses<FirstHit>(a, b, poses, options);
}
std::vector<TrianglePairs> triangle_pairs(const RigidObject& a, const RigidObject& b,
                                          std::span<const PosePair> poses, const BatchOptions& options) {
  return many_poses<TrianglePairs>(a, b, poses, options);
}
std::vector<FirstHit> first_hits(const PosedObject& object, std::span<const PosedObject> obstacles,
                                 const BatchOptions& options) {
  return many_obstacles<FirstHit>(object, obstacles, options);
}
std::vector<TrianglePairs> triangle_pairs(const PosedObject& object, std::span<const PosedObject> obstacles,
                                          const BatchOptions& options) {
  return many_obstacles<TrianglePairs>(object, obstacles, options);
}

}  // namespace graze
