// Sequences of ordinary sheets in motions that are difficult to predict.
#include "support/adaptive_sequences.hpp"

#include <array>
#include <cmath>

namespace graze::testing {

namespace {

using Move = Story::Move;

Vec3 sum(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vec3 times(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// Moves body 1 by `displacement` and every vertex by a little noise.
Move upper(const Vec3& displacement, double jitter, std::uint64_t step) {
  return [=](const Vec3& x, VertexId v, BodyId body) {
    const Vec3 own = noise3(step, v, jitter);
    return body == 1 ? sum(x, sum(displacement, own)) : sum(x, own);
  };
}

Move same() {
  return [](const Vec3& x, VertexId, BodyId) { return x; };
}

/// Moves vertex `moved` by `displacement` and the others by noise.
Move one_vertex(VertexId moved, const Vec3& displacement, double jitter, std::uint64_t step) {
  return [=](const Vec3& x, VertexId v, BodyId) {
    return sum(x, v == moved ? displacement : noise3(step, v, jitter));
  };
}

Move about_z(double angle) {
  return [=](const Vec3& x, VertexId, BodyId) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return Vec3{c * x.x - s * x.y, s * x.x + c * x.y, x.z};
  };
}

constexpr VertexId kOfSheet = 49;
constexpr VertexId kMiddle = 24;

Sequence all_vertices_static() {
  Scene scene = wavy_sheets(0.1, true);
  Story story(scene);
  // The centres of both sheets coincide: contact from the start and at every step.
  story.put(
      [&](const Vec3& x, VertexId v, BodyId) { return v == kOfSheet + kMiddle ? scene.positions()[kMiddle] : x; });
  for (int i = 0; i < 10; ++i) story.go(same());
  return story.end();
}

Sequence static_then_moves() {
  Story story(wavy_sheets(0.1, true));
  for (int i = 0; i < 5; ++i) story.go(same());
  for (std::uint64_t i = 0; i < 10; ++i) story.go(upper({0, 0.003, -0.02}, 0.002, i));
  for (int i = 0; i < 3; ++i) story.go(same());
  return story.end();
}

Sequence slow_crossing() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 25; ++i) story.go(upper({0.001, 0, -0.008}, 0.002, i));
  return story.end();
}

Sequence one_vertex_jumps() {
  Story story(wavy_sheets(0.1, true));
  const VertexId jumper = kOfSheet + kMiddle;
  const std::array<Vec3, 12> displacements = {{{0, 0, 0},
                                               {0.001, 0, 0},
                                               {0, 0, -0.4},
                                               {0, 0, 0.4},
                                               {0.7, 0.4, -0.15},
                                               {-0.7, -0.4, 0.15},
                                               {0, 0, 500},
                                               {0, 0, -500},
                                               {0, 0, -0.101},
                                               {0, 0, 0.002},
                                               {1e6, 1e6, -1e6},
                                               {-1e6, -1e6, 1e6}}};
  for (std::uint64_t i = 0; i < 2 * displacements.size(); ++i) {
    story.go(one_vertex(jumper, displacements[i % displacements.size()], 0.002, i));
  }
  return story.end();
}

/// Leaves the range of floats and of squares of doubles, and returns.
Sequence one_vertex_jumps_very_far() {
  Story story(wavy_sheets(0.1, true));
  const VertexId jumper = kOfSheet + kMiddle;
  std::uint64_t step = 0;
  for (const double far : {1e39, 1e300}) {
    const Vec3 reference = story.x(jumper);
    for (const Vec3& to : {Vec3{far, 0, -far}, Vec3{far, far, far}, reference, reference}) {
      story.go(
          [&](const Vec3& x, VertexId v, BodyId) { return v == jumper ? to : sum(x, noise3(step, v, 0.001)); });
      ++step;
    }
  }
  return story.end();
}

/// x_t0 is elsewhere, x_t1 is not: the path in between matters.
Sequence starts_elsewhere() {
  Story story(wavy_sheets(0.1, true));
  const VertexId jumper = kOfSheet + kMiddle;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Vec3 reference = story.x(jumper);
    const Vec3 away = i % 4 == 1 ? Vec3{0, 0, -0.3} : i % 4 == 3 ? Vec3{0.9, -0.4, 0.3} : Vec3{};
    story.put([&](const Vec3& x, VertexId v, BodyId) { return v == jumper ? sum(x, away) : x; });
    story.go(
        [&](const Vec3& x, VertexId v, BodyId) { return v == jumper ? reference : sum(x, noise3(i, v, 0.001)); });
  }
  return story.end();
}

Sequence triangle_jumps_between() {
  Story story(three_triangles(0.5));
  const std::array<double, 10> heights = {9, 0.01, -9.75, 0.02, -0.5, 0.5, 9.75, -19, 9.25, 0.5};
  for (const double by : heights) {
    story.go([&](const Vec3& x, VertexId, BodyId body) {
      return body == 2 ? sum(x, {0.01, 0, by}) : sum(x, {0, 0.001, 0});
    });
  }
  return story.end();
}

Sequence teleports() {
  Story story(wavy_sheets(0.1, true));
  const std::array<Vec3, 6> places = {
      {{0, 0, -0.12}, {0, 0, 0.12}, {40, 0, 0}, {-40, 0, -0.09}, {0.3, 0.1, 0.06}, {-0.3, -0.1, 0.03}}};
  for (std::uint64_t i = 0; i < 24; ++i) {
    const Vec3 by = places[i / 3 % places.size()];
    if (i % 3 == 2) {
      story.put([&](const Vec3& x, VertexId, BodyId body) { return body == i % 2 ? sum(x, by) : x; });
    }
    story.go(upper({0, 0, i % 2 == 0 ? 0.02 : -0.02}, 0.002, i));
  }
  return story.end();
}

Sequence stops_and_goes() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) {
    const bool goes = i / 4 % 2 == 0;
    story.go(upper({0, 0, goes ? -0.03 : 0.0}, goes ? 0.002 : 0.0, i));
  }
  return story.end();
}

Sequence oscillates() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) {
    const double amplitude = 0.02 * static_cast<double>(1 + i / 4);
    story.go(upper({0, 0, i % 2 == 0 ? -amplitude : amplitude}, 0.001, i));
  }
  return story.end();
}

Sequence grows_faster() {
  Story story(wavy_sheets(0.1, true));
  double displacement = 1e-5;
  for (std::uint64_t i = 0; i < 22; ++i, displacement *= 1.6)
    story.go(upper({0, 0, i % 7 < 5 ? -displacement : displacement}, displacement / 4, i));
  return story.end();
}

Sequence grows_slower() {
  Story story(wavy_sheets(0.1, true));
  double displacement = 0.4;
  for (std::uint64_t i = 0; i < 22; ++i, displacement *= 0.7)
    story.go(upper({0, 0, i % 3 < 2 ? -displacement : displacement}, displacement / 20, i));
  return story.end();
}

Sequence turns_back() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) story.go(upper({0.004, 0, i / 8 % 2 == 0 ? -0.03 : 0.03}, 0.002, i));
  return story.end();
}

Sequence suddenly_fast() {
  Story story(wavy_sheets(0.1, true));
  story.go(upper({0, 0, -0.001}, 0.0005, 0));
  for (std::uint64_t i = 1; i < 14; ++i) story.go(upper({0, 0, i % 2 == 1 ? -0.1 : 0.11}, 0.05, i));
  return story.end();
}

Sequence one_body_moves() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) {
    const BodyId mover = i < 12 ? 1 : 0;
    story.go([&](const Vec3& x, VertexId, BodyId body) { return body == mover ? sum(x, {0, 0.01, -0.012}) : x; });
  }
  return story.end();
}

/// All vertices share one drift, plus a little individual motion.
Sequence drift(bool with_static, const Vec3& displacement, double fall) {
  Story story(wavy_sheets(0.1, with_static));
  for (std::uint64_t i = 0; i < 20; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(sum(x, displacement), sum(noise3(i, v, 0.0015), {0, 0, body == 1 ? -fall : 0.0}));
    });
  }
  return story.end();
}

Sequence drifts() {
  return drift(false, {0.5, 0.25, 0.1}, 0.008);
}
Sequence drifts_over_static() {
  return drift(true, {0.03, 0.01, 0}, 0.008);
}
Sequence drifts_into_static() {
  return drift(true, {0, 0, -0.013}, 0.004);
}
Sequence drifts_very_fast() {
  return drift(true, {1e5, -3e5, 2e5}, 0.008);
}

Sequence drift_stops() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) {
    const double speed = i < 4 ? 0.02 : i < 8 ? 0.0 : i < 14 ? -0.05 : i < 16 ? 0.3 : i < 20 ? 0.0 : -0.2;
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(x, sum({speed, 0, -speed}, sum(noise3(i, v, 0.001), {0, 0, body == 1 ? -0.006 : 0.0})));
    });
  }
  return story.end();
}

/// All but one vertex drift: relative to the drift that vertex is the one that moves.
Sequence one_stays_behind() {
  Story story(wavy_sheets(0.1, true));
  const VertexId left = kOfSheet + kMiddle;
  for (std::uint64_t i = 0; i < 12; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId) { return v == left ? x : sum(x, {0, 0.002, 0.03}); });
  }
  return story.end();
}

Sequence drift_apart() {
  Story story(wavy_sheets(0.02, true));
  for (std::uint64_t i = 0; i < 20; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(
          x, sum({body == 1 ? 0.06 : -0.06, 0, (body == 1) == (i % 2 == 0) ? -0.01 : 0.01}, noise3(i, v, 0.002)));
    });
  }
  return story.end();
}

Sequence rotates() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Move turn = about_z(i < 10 ? 0.05 : 0.7);
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(turn(x, v, body), {0, 0, body == 1 ? -0.01 : 0.0});
    });
  }
  return story.end();
}

Sequence grows_and_shrinks() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) {
    const double by = i % 12 < 6 ? 1.15 : 1 / 1.15;
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(times(by, x), sum(noise3(i, v, 0.002), {0, 0, body == 1 ? -0.01 : 0.0}));
    });
  }
  return story.end();
}

Sequence static_body_is_elsewhere() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 20; ++i) {
    if (i % 3 == 2) {
      const double by = i % 2 == 0 ? 0.11 : -0.08;
      story.put([&](const Vec3& x, VertexId, BodyId body) { return body == 2 ? sum(x, {0.01, 0, by}) : x; });
    }
    story.go(upper({0, 0, i % 2 == 0 ? -0.015 : 0.01}, 0.003, i));
  }
  return story.end();
}

Sequence rigid_bodies_pass() {
  Scene scene = wavy_sheets(0.1, true, Motion::Rigid);
  Story story(scene);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Move turn = about_z(0.03);
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return body == 1 ? sum(turn(x, v, body), {0, 0, -0.012}) : sum(x, {0, 0.002, -0.002});
    });
  }
  return story.end();
}

/// Vertices of both sheets leave their displacement bounds in the same step, towards each other.
Sequence both_sides_spike() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 20; ++i) {
    const double spike = i % 4 == 2 ? 0.07 : i % 4 == 3 ? -0.07 : 0.0;
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      const bool spikes = v % kOfSheet == kMiddle || v % kOfSheet == kMiddle + 1;
      return sum(x, sum(noise3(i, v, 0.002), {0, 0, spikes ? (body == 1 ? -spike : spike) : 0.0}));
    });
  }
  return story.end();
}

/// One vertex leaves its bound, then two, four, ...: handled by one query per leaf, then a part of the tree, then a
/// new session.
Sequence more_and_more_leave() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 24; ++i) {
    const std::uint64_t count = i % 8 == 0 ? 0 : std::uint64_t{1} << (i % 8 - 1);
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      const bool leaves = (31 * v + i) % 128 < count;
      const double displacement = (body == 1) == (i / 8 % 2 == 0) ? -0.12 : 0.12;
      return sum(x, leaves ? Vec3{0.01, 0, displacement} : noise3(i, v, 0.001));
    });
  }
  return story.end();
}

/// A vertex creeps in small steps in one direction: displacements add up.
Sequence creeps() {
  Story story(wavy_sheets(0.1, true));
  for (std::uint64_t i = 0; i < 40; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId) {
      return v == kOfSheet + kMiddle ? sum(x, {0, 0, -0.006}) : v == kMiddle ? sum(x, {0.001, 0, 0.001}) : x;
    });
  }
  return story.end();
}

constexpr std::array kMotions = {
    SequenceEntry{"all_vertices_static", all_vertices_static},
    SequenceEntry{"static_then_moves", static_then_moves},
    SequenceEntry{"slow_crossing", slow_crossing},
    SequenceEntry{"one_vertex_jumps", one_vertex_jumps},
    SequenceEntry{"one_vertex_jumps_very_far", one_vertex_jumps_very_far},
    SequenceEntry{"starts_elsewhere", starts_elsewhere},
    SequenceEntry{"triangle_jumps_between", triangle_jumps_between},
    SequenceEntry{"teleports", teleports},
    SequenceEntry{"stops_and_goes", stops_and_goes},
    SequenceEntry{"oscillates", oscillates},
    SequenceEntry{"grows_faster", grows_faster},
    SequenceEntry{"grows_slower", grows_slower},
    SequenceEntry{"turns_back", turns_back},
    SequenceEntry{"suddenly_fast", suddenly_fast},
    SequenceEntry{"one_body_moves", one_body_moves},
    SequenceEntry{"drifts", drifts},
    SequenceEntry{"drifts_over_static", drifts_over_static},
    SequenceEntry{"drifts_into_static", drifts_into_static},
    SequenceEntry{"drifts_very_fast", drifts_very_fast},
    SequenceEntry{"drift_stops", drift_stops},
    SequenceEntry{"one_stays_behind", one_stays_behind},
    SequenceEntry{"drift_apart", drift_apart},
    SequenceEntry{"rotates", rotates},
    SequenceEntry{"grows_and_shrinks", grows_and_shrinks},
    SequenceEntry{"static_body_is_elsewhere", static_body_is_elsewhere},
    SequenceEntry{"rigid_bodies_pass", rigid_bodies_pass},
    SequenceEntry{"both_sides_spike", both_sides_spike},
    SequenceEntry{"more_and_more_leave", more_and_more_leave},
    SequenceEntry{"creeps", creeps},
};

}  // namespace

std::span<const SequenceEntry> motion_sequences() {
  return kMotions;
}

}  // namespace graze::testing
