// A scene made frame by frame: only the present frame is in memory, so long simulations of large meshes can be
// written as they are made, stopped, and taken up again.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scenes/animation.hpp"

namespace graze::scenes {

namespace sim {
class Simulation;
}

class SceneStream {
 public:
  SceneStream() = default;
  virtual ~SceneStream() = default;
  SceneStream(const SceneStream&) = delete;
  SceneStream& operator=(const SceneStream&) = delete;

  /// Of the present frame; views are good until the next advance. Frame 0 is there from the start.
  [[nodiscard]] virtual std::span<const Vec3> positions() const = 0;
  [[nodiscard]] virtual std::span<const Triangle> triangles() const = 0;
  [[nodiscard]] virtual std::vector<BodyRange> bodies() const = 0;
  [[nodiscard]] std::size_t frame() const { return frame_; }

  /// Makes the next frame. A change applies to the step that leads to it.
  std::optional<TopologyChange> advance() {
    std::optional<TopologyChange> change = make_next();
    ++frame_;
    return change;
  }

  /// Asked now and then while a frame is made; false ends that with Interrupted.
  virtual void set_keep_going(const std::function<bool()>& /*keep_going*/) {}

  /// The state at the present frame: a stream of the same scene that loads it goes on with the same bits. load
  /// throws InputError for a state that is broken or of another scene.
  void save(std::ostream& stream) const;
  void load(std::istream& stream);

 protected:
  virtual std::optional<TopologyChange> make_next() = 0;
  virtual void save_state(std::ostream& stream) const = 0;
  virtual void load_state(std::istream& stream, std::size_t frame) = 0;

 private:
  std::size_t frame_ = 0;
};

/// The frames of an animation that is written down. It must have frames for as long as advance is called.
std::unique_ptr<SceneStream> stream_of(Animation animation);

/// The frames of a simulation that is set up but not started.
std::unique_ptr<SceneStream> stream_of(std::unique_ptr<sim::Simulation> simulation);

/// Collects frames of a stream, from the present one on, with the changes of their triangles.
Animation collect(SceneStream& stream, std::size_t frames);

}  // namespace graze::scenes
