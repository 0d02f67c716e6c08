// A scene generated frame by frame: only the current frame is in memory, so long simulations of large meshes can be
// written while they run, stopped, and resumed.
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

  /// State of the current frame; views are valid until the next advance. Frame 0 exists from the start.
  [[nodiscard]] virtual std::span<const Vec3> positions() const = 0;
  [[nodiscard]] virtual std::span<const Triangle> triangles() const = 0;
  [[nodiscard]] virtual std::vector<BodyRange> bodies() const = 0;
  [[nodiscard]] std::size_t frame() const { return frame_; }

  /// Generates the next frame. A returned change applies to the step that leads to it.
  std::optional<TopologyChange> advance() {
    std::optional<TopologyChange> change = make_next();
    ++frame_;
    return change;
  }

  /// Sets a callback that is polled while a frame is generated; if it returns false, advance throws Interrupted.
  virtual void set_keep_going(const std::function<bool()>& /*keep_going*/) {}

  /// Saves the state at the current frame. Another stream of the same scene that loads it continues with identical
  /// bits. load throws InputError if the state is corrupt or belongs to another scene.
  void save(std::ostream& stream) const;
  void load(std::istream& stream);

 protected:
  virtual std::optional<TopologyChange> make_next() = 0;
  virtual void save_state(std::ostream& stream) const = 0;
  virtual void load_state(std::istream& stream, std::size_t frame) = 0;

 private:
  std::size_t frame_ = 0;
};

/// Streams the frames of an analytic animation. advance must not be called beyond its last frame.
std::unique_ptr<SceneStream> stream_of(Animation animation);

/// Streams the frames of a simulation that is set up but not started.
std::unique_ptr<SceneStream> stream_of(std::unique_ptr<sim::Simulation> simulation);

/// Collects frames of a stream, from the current one on, with their topology changes.
Animation collect(SceneStream& stream, std::size_t frames);

}  // namespace graze::scenes
