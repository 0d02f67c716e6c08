// Contestants of the rigid benchmark (benchmarks/rigid_contestant.hpp). Objects are built once, on one thread, and
// timed.
#include "rigid_contestant.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "benchmarks/peers/rigid_peer.hpp"

namespace graze::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Graze final : public RigidContestant {
 public:
  /// `other` is null if both objects are the same mesh.
  Graze(const GrazeVariant& variant, const scenes::Shape& mesh, const scenes::Shape* other)
      : name_(benchmarks::name_of(variant)),
        start_(Clock::now()),
        object_(mesh.positions, mesh.triangles, variant.object),
        other_(other != nullptr ? RigidObject(other->positions, other->triangles, variant.object) : object_),
        build_ms_(ms_since(start_)),
        collider_(object_, other_, variant.collider) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool exact() const override { return true; }
  [[nodiscard]] double build_ms() const override { return build_ms_; }
  [[nodiscard]] std::uint64_t tree_bytes() const override { return object_.memory().tree_bytes; }
  [[nodiscard]] std::uint64_t total_bytes() const override {
    const RigidMemory memory = object_.memory();
    return memory.tree_bytes + memory.group_bytes + memory.mesh_bytes;
  }

  std::size_t ask(RigidQuery query, const PosePair& poses) override {
    if (query == RigidQuery::FirstHit) return collider_.first_hit(poses.a, poses.b).hit() ? 1 : 0;
    found_ = collider_.triangle_pairs(poses.a, poses.b);
    return found_.pairs.size();
  }

  [[nodiscard]] std::vector<TrianglePair> last_pairs() const override { return found_.pairs; }

 private:
  std::string name_;
  Clock::time_point start_;
  RigidObject object_;
  RigidObject other_;
  double build_ms_;
  Collider collider_;
  TrianglePairs found_;
};

class PeerContestant final : public RigidContestant {
 public:
  PeerContestant(std::string_view name, const scenes::Shape& mesh, const scenes::Shape* other)
      : peer_(peers::make_rigid_peer(name)) {
    const auto start = Clock::now();
    peer_->prepare(mesh.positions, mesh.triangles);
    if (other != nullptr) peer_->prepare_other(other->positions, other->triangles);
    build_ms_ = ms_since(start);
  }

  [[nodiscard]] std::string_view name() const override { return peer_->name(); }
  [[nodiscard]] bool exact() const override { return false; }
  [[nodiscard]] double build_ms() const override { return build_ms_; }
  [[nodiscard]] std::uint64_t tree_bytes() const override { return 0; }
  [[nodiscard]] std::uint64_t total_bytes() const override { return peer_->memory_bytes(); }

  std::size_t ask(RigidQuery query, const PosePair& poses) override {
    if (query == RigidQuery::FirstHit) return peer_->first_hit(poses) ? 1 : 0;
    return peer_->triangle_pairs(poses);
  }

  [[nodiscard]] std::vector<TrianglePair> last_pairs() const override {
    std::vector<TrianglePair> pairs = peer_->last_pairs();
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  std::unique_ptr<peers::RigidPeer> peer_;
  double build_ms_ = 0.0;
};

}  // namespace

std::string name_of(const GrazeVariant& variant) {
  std::string name(graze::name_of(variant.object.tree));
  if (variant.object.tree == RigidTree::Boxtree) {
    if (variant.object.split != BoxtreeSplit::Free) name.append(":").append(graze::name_of(variant.object.split));
    name.append("/").append(graze::name_of(variant.collider.overlap));
    if (!variant.collider.lift) name += "-unlifted";
  }
  if (variant.collider.coherence) name += "+coherence";
  return name;
}

std::unique_ptr<RigidContestant> make_graze(const GrazeVariant& variant, const scenes::Shape& mesh) {
  return std::make_unique<Graze>(variant, mesh, nullptr);
}
std::unique_ptr<RigidContestant> make_graze(const GrazeVariant& variant, const scenes::Shape& a,
                                            const scenes::Shape& b) {
  return std::make_unique<Graze>(variant, a, &b);
}

std::unique_ptr<RigidContestant> make_peer(std::string_view name, const scenes::Shape& mesh) {
  return std::make_unique<PeerContestant>(name, mesh, nullptr);
}
std::unique_ptr<RigidContestant> make_peer(std::string_view name, const scenes::Shape& a, const scenes::Shape& b) {
  return std::make_unique<PeerContestant>(name, a, &b);
}

}  // namespace graze::benchmarks
