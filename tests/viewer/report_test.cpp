// Contents of a report: which steps and contacts are kept within a budget, and how they are encoded.
#include "report/report.hpp"

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "report/data.hpp"

#include <gtest/gtest.h>

namespace graze::app {
namespace {

StepResult step_with(std::size_t step, std::size_t contacts) {
  StepResult result;
  result.row.step = step;
  result.row.ee = contacts;
  result.row.vf = 0;
  for (std::size_t i = 0; i < contacts; ++i) {
    Impact impact;
    impact.pair.vertices[0] = static_cast<VertexId>(i);
    impact.toi_lo = i == 7 ? 0.125 : 0.5;  // the earliest has an odd index, so that halving would drop it
    result.impacts.push_back(impact);
  }
  return result;
}

std::vector<std::size_t> shown_steps(const ReportRecorder& recorder) {
  std::vector<std::size_t> steps;
  for (const ShownStep& s : recorder.shown()) steps.push_back(s.step);
  return steps;
}

std::string base64(const std::string& bytes) {
  std::ostringstream stream;
  write_base64(stream, bytes);
  return stream.str();
}

TEST(ReportRecorder, keeps_every_step_that_fits) {
  ReportRecorder recorder(1000, 5);
  for (std::size_t step = 0; step < 5; ++step) recorder.add(step_with(step, 2));
  EXPECT_EQ(shown_steps(recorder), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(recorder.shown()[3].found, 2U);
}

TEST(ReportRecorder, keeps_even_steps_and_the_busiest_of_a_long_run) {
  ReportRecorder recorder(1000, 101,
                          {.position_bytes = std::size_t{12} * 6000});  // five steps of two frames, and the busiest
  for (std::size_t step = 0; step < 101; ++step) recorder.add(step_with(step, step == 33 ? 40 : step / 10));
  EXPECT_EQ(shown_steps(recorder), (std::vector<std::size_t>{0, 25, 33, 50, 75, 100}));
}

TEST(ReportRecorder, keeps_one_step_at_least_however_large_the_mesh) {
  ReportRecorder recorder(100'000'000, 10, {.position_bytes = 1});
  for (std::size_t step = 0; step < 10; ++step) recorder.add(step_with(step, step == 4 ? 3 : 1));
  EXPECT_EQ(shown_steps(recorder), (std::vector<std::size_t>{0, 4}));
}

TEST(ReportRecorder, thins_the_largest_step_evenly_and_keeps_the_earliest_contact) {
  ReportRecorder recorder(10, 2, {.contacts = 100});
  recorder.add(step_with(0, 20));
  recorder.add(step_with(1, 300));
  EXPECT_EQ(recorder.shown()[0].impacts.size(), 20U);
  const ShownStep& large = recorder.shown()[1];
  EXPECT_EQ(large.found, 300U);
  EXPECT_LE(large.impacts.size(), 80U);
  EXPECT_GE(large.impacts.size(), 75U);
  std::size_t earliest = 0;
  for (const Impact& impact : large.impacts) {
    const VertexId id = impact.pair.vertices[0];
    earliest += id == 7 ? 1 : 0;
    EXPECT_TRUE(id % 4 == 0 || id == 7 || id > 7) << id;
  }
  EXPECT_EQ(earliest, 1U);
  EXPECT_GE(large.impacts.back().pair.vertices[0], 290U);
}

TEST(ReportRecorder, asks_for_the_steps_of_an_earlier_run) {
  ReportRecorder recorder(1000, 4);
  std::vector<StepRow> rows;
  for (std::size_t step = 0; step < 4; ++step) rows.push_back(step_with(step, 4 - step).row);
  recorder.add(step_with(2, 2));
  recorder.add(step_with(3, 1));
  EXPECT_EQ(recorder.missing(rows), (std::vector<std::size_t>{0, 1}));
  for (const std::size_t step : recorder.missing(rows)) recorder.add(step_with(step, 4 - step));
  EXPECT_TRUE(recorder.missing(rows).empty());
  EXPECT_EQ(shown_steps(recorder), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(ReportData, base64_is_that_of_rfc_4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xFF\xFE\x00", 3)), "//4A");
  EXPECT_EQ(base64(std::string(200'001, 'x')).size(), 4U * 66'667U);
}

TEST(ReportData, positions_are_shares_of_the_box_little_end_first) {
  DisplayBox box;
  const std::vector<Vec3> corners = {{-1.0, 0.0, 5.0}, {1.0, 4.0, 5.0}};
  box.include(corners);
  const std::vector<Vec3> points = {{-1.0, 4.0, 5.0}, {0.0, 2.0, 5.0}};
  const ByteArray bytes = position_bytes(box, points, true);
  const std::string expected("\x00\x00\xFF\xFF\x00\x00\x00\x80\x00\x80\x00\x00", 12);
  EXPECT_EQ(bytes.bytes(), expected);
}

TEST(ReportData, the_widest_box_of_doubles_has_shares_too) {
  DisplayBox box;
  const std::vector<Vec3> corners = {{-1.7e308, 0.0, 0.0}, {1.7e308, 0.0, 1e-300}};
  box.include(corners);
  const std::vector<Vec3> points = {{1.7e308, 0.0, 1e-300}};
  EXPECT_EQ(position_bytes(box, points, true).bytes(), std::string("\xFF\xFF\x00\x00\xFF\xFF", 6));
}

TEST(ReportData, a_fine_mesh_under_a_giant_triangle_is_drawn_from_floats) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < 300; ++i) {
    positions.push_back({0.01 * i, i % 2 == 0 ? 0.0 : 0.01, 0.0});
    if (i >= 2) triangles.push_back({i - 2, i - 1, i});
  }
  DisplayBox near;
  near.include(positions);
  EXPECT_TRUE(sixteen_bits_suffice(near, positions, triangles));
  positions.push_back({5e5, 5e5, 0.0});
  DisplayBox far;
  far.include(positions);
  EXPECT_FALSE(sixteen_bits_suffice(far, positions, triangles));
  EXPECT_EQ(position_bytes(far, positions, false).bytes().size(), 12 * positions.size());
}

TEST(ReportData, ids_take_two_bytes_where_they_fit) {
  const std::vector<Triangle> triangles = {{0, 1, 65535}};
  EXPECT_EQ(triangle_bytes(triangles, 65536).bytes(), std::string("\x00\x00\x01\x00\xFF\xFF", 6));
  EXPECT_EQ(triangle_bytes(triangles, 65537).bytes().size(), 12U);
}

TEST(ReportData, an_impact_takes_62_bytes) {
  const std::vector<Impact> impacts = step_with(0, 3).impacts;
  EXPECT_EQ(impact_bytes(impacts).bytes().size(), 3U * 62U);
}

TEST(ReportData, parts_are_bodies_or_the_components_of_one) {
  const std::vector<Vec3> points(6);
  const std::vector<Triangle> two = {{0, 1, 2}, {3, 4, 5}};
  Scene one_body;
  one_body.add_body({.positions = points, .triangles = two});
  const Parts components = find_parts(one_body);
  EXPECT_EQ(components.count, 2U);
  EXPECT_FALSE(components.bodies);
  EXPECT_EQ(components.of_vertex, (std::vector<std::uint16_t>{0, 0, 0, 1, 1, 1}));

  Scene three_bodies;
  const std::vector<Triangle> single = {{0, 1, 2}};
  for (int i = 0; i < 3; ++i) three_bodies.add_body({.positions = points, .triangles = single});
  const Parts bodies = find_parts(three_bodies);
  EXPECT_EQ(bodies.count, 3U);
  EXPECT_TRUE(bodies.bodies);
  EXPECT_EQ(bodies.of_vertex[17], 2);
}

}  // namespace
}  // namespace graze::app
