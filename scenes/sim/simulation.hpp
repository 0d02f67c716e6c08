// A small deterministic simulator of cloth, soft bodies, rigid bodies and obstacles, whose collision detection is
// graze itself.
//
// Each frame is divided into steps. A step predicts positions, then iterates inner constraints
// (scenes/sim/elastic.hpp) and contacts (scenes/sim/contacts.hpp), and is accepted only if Detector::impacts finds
// no impact on the linear paths from the old positions to the new ones (scenes/sim/safe_step.cpp). By induction
// from a first frame without intersections there never is one: not because contacts are solved well, but because
// each step is proved free of impacts. Results are bit-identical for any number of threads: the detector's answers
// do not depend on it, and the rest is sequential.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <graze/detector.hpp>

#include "scenes/animation.hpp"
#include "scenes/shapes.hpp"
#include "scenes/sim/contacts.hpp"
#include "scenes/sim/elastic.hpp"
#include "scenes/sim/model.hpp"

namespace graze::scenes::sim {

struct SimulationOptions {
  double frame_time = 1.0 / 30.0;  ///< seconds, with lengths in metres if gravity is the Earth's
  unsigned substeps = 8;           ///< steps per frame
  unsigned iterations = 10;        ///< constraint iterations per step
  double thickness = 0.01;         ///< distance that contacts keep where possible
  double friction = 0.4;           ///< Coulomb's coefficient
  double damping = 0.3;            ///< damping of velocities per second
  double air = 0.0;                ///< pressure of moving air on a particle's share of the cloth
  Vec3 gravity = {0.0, 0.0, -9.8};
  std::function<Vec3(double)> wind = {};  ///< velocity of the air as a function of time; empty: still air
  unsigned threads = 0;                   ///< threads of the detector; 0: all cores
  /// Polled regularly; if it returns false, the frame in progress is abandoned with Interrupted. The state is then
  /// lost.
  std::function<bool()> keep_going = {};
};

/// Writes the positions at a time; the span has one entry for each vertex that the path moves.
using Path = std::function<void(double time, std::span<Vec3> positions)>;

/// Counters of the work to keep bodies separated.
struct SafetyCounts {
  std::uint64_t steps = 0;
  std::uint64_t queries = 0;    ///< impact queries
  std::uint64_t repaired = 0;   ///< steps whose first solution had impacts
  std::uint64_t held = 0;       ///< steps in which some particles had to be held back
  std::uint64_t shortened = 0;  ///< steps that had to be truncated, so that the clock advanced less
};

class Simulation {
 public:
  explicit Simulation(const SimulationOptions& options) : options_(options) {}

  PartId add_static(const Shape& shape);
  PartId add_kinematic(const Shape& shape, Path path);  ///< the path must give the shape's positions at time 0
  PartId add_cloth(const Shape& shape, const Material& material);
  PartId add_soft(const Shape& shape, const Material& material);
  PartId add_rigid(const Shape& shape, const Material& material);
  /// Makes vertices of the body added last follow a path instead of forces.
  void pin(std::span<const VertexId> own_ids, Path path);
  /// Defines where the body added last may break: the triangles of a piece stay together. Bodies that break must be
  /// added last.
  void set_pieces(std::span<const std::uint32_t> piece_of_triangle);
  void set_velocity(const Vec3& velocity);  ///< sets the velocity of the body added last
  /// Ends the setup. Throws InputError if bodies intersect at the start.
  void start();

  /// Advances by one frame. Parts break before the first step; the topology change is returned.
  std::optional<TopologyChange> advance();

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] std::vector<BodyRange> bodies() const;
  [[nodiscard]] const SafetyCounts& counts() const { return counts_; }
  void set_keep_going(std::function<bool()> keep_going) { options_.keep_going = std::move(keep_going); }

  /// Saves the state between frames, bit for bit. load expects a simulation with the same setup and throws
  /// InputError otherwise.
  void save(std::ostream& stream) const;
  void load(std::istream& stream);

 private:
  PartId add_body(const Shape& shape, Kind kind, const Material& material);
  void rebuild_detector();
  void edit_detector(const Model& before);
  void rebuild_rigid_members();
  void predict(double dt);
  void add_air(double dt);
  void move_kinematic(double time, std::span<Vec3> y) const;
  void place_rigid();
  void solve_step(double dt);
  double make_safe(double dt);
  bool repair();
  bool hold_back();
  double truncate_step(double dt);
  void find_carry();
  [[nodiscard]] std::vector<Impact> find_impacts();
  void accept(double dt);
  std::optional<TopologyChange> break_parts();
  bool split_part(PartId id, const Vec3& where, TopologyChange& change);

  struct Follower {
    std::vector<VertexId> vertices;
    Path path;
  };

  SimulationOptions options_;
  Model model_;
  Elastic elastic_;
  Contacts contacts_;
  std::vector<Follower> followers_;
  std::vector<BodyRange> bodies_;
  std::size_t first_breaking_ = 0;                    ///< first body that breaks; equals the number of bodies if
                                                      ///< none does
  std::vector<std::vector<VertexId>> rigid_members_;  ///< for each part; empty for parts that are not rigid
  std::unique_ptr<Detector> detector_;
  double clock_ = 0.0;
  std::uint64_t frame_ = 0;
  SafetyCounts counts_;
  std::vector<Contacts::Push> hits_;  ///< hardest hit of the last frame for each part; size in length/time

  // State of the step in progress.
  std::vector<Vec3> y_;
  std::vector<Pose> poses_;
  std::vector<Vec3> solved_y_;
  std::vector<Pose> solved_poses_;
  std::vector<double> scale_;       ///< for each particle
  std::vector<double> part_scale_;  ///< for each part; rigid parts are held back as a whole
  std::vector<Vec3> carry_;         ///< displacement of the obstacle that a particle touches
  std::vector<Impact> last_impacts_;
};

}  // namespace graze::scenes::sim
