// Streams of animations and of simulations (scenes/stream.hpp). Cost: linear in vertices per frame, apart from the
// simulation.
#include "scenes/stream.hpp"

#include <cstdint>
#include <istream>
#include <ostream>
#include <utility>

#include <graze/error.hpp>

#include "scenes/sim/simulation.hpp"

namespace graze::scenes {

namespace {

class AnimationStream final : public SceneStream {
 public:
  explicit AnimationStream(Animation animation) : animation_(std::move(animation)) {}

  [[nodiscard]] std::span<const Vec3> positions() const override { return animation_.frames.at(frame()); }
  [[nodiscard]] std::span<const Triangle> triangles() const override {
    return changes_done_ == 0 ? animation_.triangles : animation_.changes[changes_done_ - 1].triangles;
  }
  [[nodiscard]] std::vector<BodyRange> bodies() const override {
    std::vector<BodyRange> result = animation_.bodies;
    if (!result.empty()) result.back().last_vertex = positions().size();
    return result;
  }

 protected:
  std::optional<TopologyChange> make_next() override {
    if (changes_done_ == animation_.changes.size() || animation_.changes[changes_done_].frame != frame()) {
      return std::nullopt;
    }
    return animation_.changes[changes_done_++];
  }
  void save_state(std::ostream& /*stream*/) const override {}
  void load_state(std::istream& /*stream*/, std::size_t frame) override {
    if (frame >= animation_.frames.size()) throw InputError("the saved state belongs to a longer scene");
    changes_done_ = 0;
    for (const TopologyChange& change : animation_.changes) changes_done_ += change.frame < frame ? 1U : 0U;
  }

 private:
  Animation animation_;
  std::size_t changes_done_ = 0;  ///< changes before the current frame
};

class SimulationStream final : public SceneStream {
 public:
  explicit SimulationStream(std::unique_ptr<sim::Simulation> simulation) : simulation_(std::move(simulation)) {
    simulation_->start();
  }

  [[nodiscard]] std::span<const Vec3> positions() const override { return simulation_->model().x; }
  [[nodiscard]] std::span<const Triangle> triangles() const override { return simulation_->model().triangles; }
  [[nodiscard]] std::vector<BodyRange> bodies() const override { return simulation_->bodies(); }
  void set_keep_going(const std::function<bool()>& keep_going) override { simulation_->set_keep_going(keep_going); }

 protected:
  std::optional<TopologyChange> make_next() override { return simulation_->advance(); }
  void save_state(std::ostream& stream) const override { simulation_->save(stream); }
  void load_state(std::istream& stream, std::size_t /*frame*/) override { simulation_->load(stream); }

 private:
  std::unique_ptr<sim::Simulation> simulation_;
};

}  // namespace

void SceneStream::save(std::ostream& stream) const {
  const auto frame = static_cast<std::uint64_t>(frame_);
  stream.write(reinterpret_cast<const char*>(&frame), sizeof frame);
  save_state(stream);
}

void SceneStream::load(std::istream& stream) {
  std::uint64_t frame = 0;
  stream.read(reinterpret_cast<char*>(&frame), sizeof frame);
  if (!stream) throw InputError("the saved state is truncated");
  load_state(stream, static_cast<std::size_t>(frame));
  frame_ = static_cast<std::size_t>(frame);
}

std::unique_ptr<SceneStream> stream_of(Animation animation) {
  return std::make_unique<AnimationStream>(std::move(animation));
}

std::unique_ptr<SceneStream> stream_of(std::unique_ptr<sim::Simulation> simulation) {
  return std::make_unique<SimulationStream>(std::move(simulation));
}

Animation collect(SceneStream& stream, std::size_t frames) {
  Animation animation;
  animation.triangles.assign(stream.triangles().begin(), stream.triangles().end());
  animation.bodies = stream.bodies();
  for (std::size_t frame = 0; frame < frames; ++frame) {
    if (frame > 0) {
      std::optional<TopologyChange> change = stream.advance();
      if (change) animation.changes.push_back(std::move(*change));
    }
    const std::span<const Vec3> positions = stream.positions();
    animation.frames.emplace_back(positions.begin(), positions.end());
  }
  return animation;
}

}  // namespace graze::scenes
