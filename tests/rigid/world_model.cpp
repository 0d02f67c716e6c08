// A world beside all pairs (rigid/world_model.hpp).
#include "rigid/world_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "geometry/vec.hpp"
#include "refusal.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;

namespace {

/// The first hit of each pair of objects must be one of the expected ones, and no pair may be missing.
std::string compare_hits(const std::vector<WorldHit>& hits, const std::vector<WorldHit>& expected,
                         const char* query) {
  std::vector<std::pair<ObjectId, ObjectId>> pairs;
  for (const WorldHit& hit : expected) {
    if (pairs.empty() || pairs.back() != std::pair(hit.a, hit.b)) pairs.emplace_back(hit.a, hit.b);
  }
  if (hits.size() != pairs.size())
    return fmt::format("{}: {} pairs of objects, not {}", query, hits.size(), pairs.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (std::pair(hits[i].a, hits[i].b) != pairs[i]) return fmt::format("{}: hit {} is of another pair", query, i);
    if (!std::binary_search(expected.begin(), expected.end(), hits[i]))
      return fmt::format("{}: the witness of hit {} does not intersect", query, i);
  }
  return {};
}

std::string compare_contacts(const WorldContacts& contacts, const std::vector<WorldHit>& expected) {
  std::vector<WorldHit> pairs;
  pairs.reserve(contacts.contacts.size());
  for (const WorldContact& contact : contacts.contacts)
    pairs.push_back({contact.a, contact.b, contact.contact.pair});
  return pairs == expected ? "" : fmt::format("contacts: {} of {}", pairs.size(), expected.size());
}

}  // namespace

bool same_work(const WorldStats& a, const WorldStats& b) {
  return a.box_tests == b.box_tests && a.object_pairs == b.object_pairs &&
         a.narrow.node_tests == b.narrow.node_tests && a.narrow.triangle_tests == b.narrow.triangle_tests &&
         a.narrow.tiers.filter == b.narrow.tiers.filter && a.narrow.tiers.exact == b.narrow.tiers.exact;
}

WorldModel::WorldModel(std::span<const Soup> soups, RigidTree tree, Judge judge) : soups_(soups), judge_(judge) {
  for (const Soup& soup : soups)
    rigid_.emplace_back(soup.positions, soup.triangles, RigidObjectOptions{.tree = tree});
}

void WorldModel::add(std::size_t soup, const Pose& pose, const WorldObjectOptions& options) {
  const ObjectId id = world_.add(rigid_[soup], pose, options);
  objects_.push_back({id, soup, pose, options.groups, options.meets, options.motion});
  std::sort(objects_.begin(), objects_.end(), [](const Object& a, const Object& b) { return a.id < b.id; });
}

void WorldModel::remove(std::size_t index) {
  const ObjectId id = objects_[index].id;
  world_.remove(id);
  removed_.push_back(id);
  objects_.erase(objects_.begin() + static_cast<std::ptrdiff_t>(index));
  const auto names = [&](const auto& pair) { return pair.first == id || pair.second == id; };
  std::erase_if(ignored_, names);
  std::erase_if(known_, [&](const auto& entry) { return names(entry.first); });
}

void WorldModel::set_pose(std::size_t index, const Pose& pose) {
  world_.set_pose(objects_[index].id, pose);
  const ObjectId id = objects_[index].id;
  objects_[index].pose = pose;
  std::erase_if(known_, [&](const auto& entry) { return entry.first.first == id || entry.first.second == id; });
}

void WorldModel::move(std::size_t index, const Pose& pose) {
  world_.move(objects_[index].id, pose);
  const ObjectId id = objects_[index].id;
  objects_[index].pose = pose;
  std::erase_if(known_, [&](const auto& entry) { return entry.first.first == id || entry.first.second == id; });
}

void WorldModel::move(std::span<const std::size_t> indices, std::span<const Pose> poses) {
  std::vector<ObjectId> ids;
  ids.reserve(indices.size());
  for (const std::size_t index : indices) ids.push_back(objects_[index].id);
  world_.move(ids, poses);
  for (std::size_t i = 0; i < indices.size(); ++i) objects_[indices[i]].pose = poses[i];
  const std::set<ObjectId> moved(ids.begin(), ids.end());
  std::erase_if(known_, [&](const auto& entry) {
    return moved.contains(entry.first.first) || moved.contains(entry.first.second);
  });
}

void WorldModel::set_motion(std::size_t index, Motion motion) {
  world_.set_motion(objects_[index].id, motion);
  objects_[index].motion = motion;
}

void WorldModel::set_groups(std::size_t index, std::uint32_t groups, std::uint32_t meets) {
  world_.set_groups(objects_[index].id, groups, meets);
  objects_[index].groups = groups;
  objects_[index].meets = meets;
}

void WorldModel::ignore_pair(std::size_t a, std::size_t b) {
  world_.ignore_pair(objects_[a].id, objects_[b].id);
  ignored_.insert(std::minmax(objects_[a].id, objects_[b].id));
}

void WorldModel::allow_pair(std::size_t a, std::size_t b) {
  world_.allow_pair(objects_[a].id, objects_[b].id);
  ignored_.erase(std::minmax(objects_[a].id, objects_[b].id));
}

void WorldModel::edit(Random& random, double size) {
  const auto any = [&] { return random.below(static_cast<std::uint32_t>(objects_.size())); };
  const auto any_pose = [&] {
    Pose pose = random_rotation(random);
    pose.translation = size * random_vec(random);
    return pose;
  };
  const auto near_pose = [&](const Pose& from) {
    Pose pose =
        compose(from, pose_from_axis_angle({1, random.symmetric(), random.symmetric()}, 0.1 * random.symmetric()));
    pose.translation = pose.translation + (0.05 * size) * random_vec(random);
    return pose;
  };
  const auto masks = [&] { return 1U << random.below(3) | 1U << random.below(3); };
  if (objects_.size() < 4) {
    add(random.below(static_cast<std::uint32_t>(soups_.size())), any_pose());
    return;
  }
  switch (random.below(12)) {
    case 0:
      add(random.below(static_cast<std::uint32_t>(soups_.size())), any_pose(),
          {.motion = random.coin() ? Motion::Static : Motion::Rigid});
      break;
    case 1:
      add(random.below(static_cast<std::uint32_t>(soups_.size())), objects_[any()].pose, {.groups = masks()});
      break;
    case 2:
      remove(any());
      break;
    case 3:
      set_pose(any(), any_pose());
      break;
    case 4:
      set_motion(any(), random.coin() ? Motion::Static : Motion::Rigid);
      break;
    case 5:
      set_groups(any(), masks(), random.coin() ? 0xffffffffU : masks());
      break;
    case 6: {
      const std::uint32_t a = any();
      const std::uint32_t b = any();
      if (a == b) break;
      if (random.coin()) {
        ignore_pair(a, b);
      } else {
        allow_pair(a, b);
      }
      break;
    }
    case 7: {  // all at once, some twice; sometimes so far that the tree is rebuilt
      const bool far = random.below(4) == 0;
      std::vector<std::size_t> indices;
      std::vector<Pose> poses;
      for (std::size_t i = 0; i < objects_.size(); ++i) {
        if (objects_[i].motion == Motion::Static) continue;
        for (std::uint32_t k = 0; k <= random.below(2); ++k) {
          indices.push_back(i);
          poses.push_back(far ? any_pose() : near_pose(objects_[i].pose));
        }
      }
      move(indices, poses);
      break;
    }
    default: {
      const std::uint32_t i = any();
      if (objects_[i].motion == Motion::Static) {
        set_pose(i, near_pose(objects_[i].pose));
      } else {
        move(i, near_pose(objects_[i].pose));
      }
    }
  }
}

const std::vector<TrianglePair>& WorldModel::pairs_of(const Object& a, const Object& b) {
  const auto [place, is_new] = known_.try_emplace(std::pair(a.id, b.id));
  if (is_new) place->second = intersecting_pairs(soups_[a.soup], a.pose, soups_[b.soup], b.pose, judge_);
  return place->second;
}

bool WorldModel::tested(const Object& a, const Object& b) const {
  return (a.groups & b.meets) != 0 && (b.groups & a.meets) != 0 && !ignored_.contains(std::minmax(a.id, b.id));
}

template <typename Wanted>
std::vector<WorldHit> WorldModel::expected(const Wanted& wanted) {
  std::vector<WorldHit> hits;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    for (std::size_t k = i + 1; k < objects_.size(); ++k) {
      if (!tested(objects_[i], objects_[k]) || !wanted(objects_[i], objects_[k])) continue;
      for (const TrianglePair& pair : pairs_of(objects_[i], objects_[k]))
        hits.push_back({objects_[i].id, objects_[k].id, pair});
    }
  }
  return hits;
}

std::string WorldModel::check(unsigned threads) {
  if (std::string wrong = world_.validate(); !wrong.empty()) return wrong;
  std::vector<ObjectId> ids;
  for (const Object& object : objects_) ids.push_back(object.id);
  if (world_.ids() != ids || world_.size() != ids.size()) return "ids differ";
  std::vector<ObjectPair> ignored;
  for (const auto& [a, b] : ignored_) ignored.push_back({a, b});
  if (world_.ignored_pairs() != ignored) return "ignored pairs differ";
  for (const ObjectId id : removed_) {
    if (world_.has(id)) return "a removed id names an object";
  }
  for (const Object& object : objects_) {
    if (world_.pose(object.id) != object.pose || world_.motion(object.id) != object.motion ||
        world_.groups(object.id) != object.groups || world_.meets(object.id) != object.meets)
      return fmt::format("properties of the object in slot {} differ", object.id.slot);
    for (const Object& other : objects_) {
      if (world_.tests_pair(object.id, other.id) != (object.id != other.id && tested(object, other)))
        return "tests_pair differs";
    }
  }
  const WorldOptions options{.threads = threads};
  const std::vector<WorldHit> all = expected([](const Object&, const Object&) { return true; });
  expected_hits_ += all.size();
  if (world_.triangle_pairs(options).hits != all) return "triangle pairs differ";
  const WorldHits hits = world_.hits(options);
  if (std::string wrong = compare_hits(hits.hits, all, "hits"); !wrong.empty()) return wrong;
  const WorldFirstHit first = world_.first_hit(options);
  if (first.hit() == all.empty() || (first.hit() && *first.first != hits.hits.front())) return "first_hit differs";
  if (std::string wrong = compare_contacts(world_.contacts(options), all); !wrong.empty()) return wrong;
  const ObjectPairs boxes = world_.box_pairs(options);
  if (!std::is_sorted(boxes.pairs.begin(), boxes.pairs.end())) return "box pairs are not sorted";
  for (const WorldHit& hit : all) {
    if (!std::binary_search(boxes.pairs.begin(), boxes.pairs.end(), ObjectPair{hit.a, hit.b}))
      return "a pair that intersects is not in box_pairs";
  }
  const WorldOptions between{.groups_a = 1, .groups_b = 6, .threads = threads};
  const auto one_way = [](const Object& a, const Object& b) {
    return (a.groups & 1U) != 0 && (b.groups & 6U) != 0;
  };
  if (world_.triangle_pairs(between).hits !=
      expected([&](const Object& a, const Object& b) { return one_way(a, b) || one_way(b, a); }))
    return "group against group differs";
  return {};
}

std::string WorldModel::check_one(std::size_t index, unsigned threads) {
  const Object one = objects_[index];
  const WorldOptions options{.threads = threads};
  std::vector<WorldHit> of_one;
  std::vector<WorldHit> of_probe;
  for (const Object& other : objects_) {
    if (other.id == one.id) continue;
    const bool forward = one.id < other.id;
    const auto& pairs = forward ? pairs_of(one, other) : pairs_of(other, one);
    std::vector<TrianglePair> turned;
    for (const TrianglePair& pair : pairs) turned.push_back(forward ? pair : TrianglePair{pair.b, pair.a});
    std::sort(turned.begin(), turned.end());
    const bool groups = (one.groups & other.meets) != 0 && (other.groups & one.meets) != 0;
    for (const TrianglePair& pair : turned) {
      if (tested(one, other)) of_one.push_back({one.id, other.id, pair});
      if (groups) of_probe.push_back({kNoObject, other.id, pair});
    }
  }
  if (world_.triangle_pairs(one.id, options).hits != of_one) return "triangle pairs of one object differ";
  if (std::string wrong = compare_hits(world_.hits(one.id, options).hits, of_one, "hits of one"); !wrong.empty())
    return wrong;
  if (world_.first_hit(one.id, options).hit() == of_one.empty()) return "first_hit of one object differs";
  if (std::string wrong = compare_contacts(world_.contacts(one.id, options), of_one); !wrong.empty()) return wrong;

  const WorldProbe stand_in{&rigid_[one.soup], one.pose, one.groups, one.meets, one.id};
  std::vector<WorldHit> instead = world_.triangle_pairs(stand_in, options).hits;
  for (WorldHit& hit : instead) hit.a = one.id;
  if (instead != of_one) return "triangle pairs of a probe instead of an object differ";
  const WorldProbe probe{.object = &rigid_[one.soup], .pose = one.pose, .groups = one.groups, .meets = one.meets};
  std::vector<WorldHit> found = world_.triangle_pairs(probe, options).hits;
  std::erase_if(found, [&](const WorldHit& hit) { return hit.b == one.id; });  // a probe meets the object itself
  return found == of_probe ? "" : "triangle pairs of a probe differ";
}

}  // namespace graze::testing
