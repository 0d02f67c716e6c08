// Writes the data of a report into the viewer's page: one JSON document, and one base64 element per array. Frames
// are read twice: for their bounding box, and to be written. If triangles change, there is a list of triangles for
// each change among the shown steps. Cost: linear in rows, contacts and positions of the shown frames.
#include "report/report.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <graze/error.hpp>
#include <graze/version.hpp>

#include "frames/step_cursor.hpp"
#include "output/funnel.hpp"
#include "report/data.hpp"
#include "report/viewer_page.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

void write_array(std::ostream& stream, const std::string& id, const ByteArray& array) {
  stream << fmt::format("<script type=\"application/octet-stream\" id=\"graze-{}\">", id);
  write_base64(stream, array.bytes());
  stream << "</script>\n";
}

// Escapes '<', so that no text of the document closes its HTML element or opens a comment.
void write_document(std::ostream& stream, const Json& document) {
  stream << "<script type=\"application/json\" id=\"graze-report\">";
  for (const char c : json_text(document)) {
    if (c == '<') {
      stream << "\\u003c";
    } else {
      stream << c;
    }
  }
  stream << "</script>\n";
}

void write_page(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write_data) {
  std::string page;
  for (const std::string_view piece : viewer_page()) page += piece;
  const std::size_t mark = page.find(kDataMark);
  if (mark == std::string::npos) throw InputError("this program was built without a report page");
  write_whole_file(file, [&](std::ostream& stream) {
    stream << std::string_view(page).substr(0, mark);
    write_data(stream);
    stream << std::string_view(page).substr(mark + kDataMark.size());
  });
}

// Frames that the shown steps begin or end with, ascending.
std::vector<std::size_t> frames_shown(const std::vector<ShownStep>& shown) {
  std::vector<std::size_t> result;
  for (const ShownStep& s : shown) {
    if (result.empty() || result.back() != s.step) result.push_back(s.step);
    result.push_back(s.step + 1);
  }
  return result;
}

Json vector_json(const Vec3& v) {
  return Json::array({v.x, v.y, v.z});
}

Json steps_json(const std::vector<StepRow>& rows) {
  Json steps = Json::array();
  for (const StepRow& row : rows) {
    Json step = row_json(row);
    step["tiers"] = {{"filter", row.stats.tiers.filter},
                     {"interval", row.stats.tiers.interval},
                     {"exact", row.stats.tiers.exact}};
    step["funnel"] = funnel_json(row_funnel(row));
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Data of all shown steps that is needed before the first is written.
struct Survey {
  DisplayBox box;
  bool sixteen_bits = true;
  std::size_t vertices = 0;         ///< number of vertices of the largest frame
  std::vector<Triangle> triangles;  ///< triangles of the first shown step
  std::vector<std::pair<std::size_t, std::vector<Triangle>>>
      changes;  ///< shown steps whose triangles differ from the step before
};

/// Positions of a frame for display; removed vertices of a capture get the position of another vertex.
std::vector<Vec3> to_show(const Frames& frames, std::vector<Vec3> positions) {
  const Scene& scene = frames.scene();
  bool removed = false;
  for (VertexId v = 0; v < scene.vertex_count() && !removed; ++v) removed = !scene.has_vertex(v);
  if (removed) place_removed(scene, positions);
  return positions;
}

Survey look_at(const Frames& frames, StepCursor& cursor, const std::vector<ShownStep>& shown) {
  Survey result;
  for (const ShownStep& s : shown) {
    const StepCursor::Change change = cursor.go_to(s.step);
    const std::vector<Triangle>& triangles = cursor.topology().triangles;
    if (s.step == shown.front().step) {
      result.triangles = triangles;
    } else if (change != StepCursor::Change::Same) {
      result.changes.emplace_back(s.step, triangles);
    }
    const std::vector<Vec3> end = to_show(frames, cursor.frame_t1());
    result.box.include(to_show(frames, cursor.frame_t0()));
    result.box.include(end);
    result.vertices = std::max(result.vertices, end.size());
    result.sixteen_bits = sixteen_bits_suffice(result.box, end, triangles);  // the last step decides
  }
  return result;
}

/// Writes the frames that the shown steps begin or end with. Each is padded to the vertices of the largest: a
/// vertex that a step adds is at its start position, a vertex that no step at the frame has is at the first vertex.
void write_frames(std::ostream& stream, const Frames& frames, StepCursor& cursor,
                  const std::vector<ShownStep>& shown, const Survey& survey) {
  const auto write = [&](std::size_t frame, std::vector<Vec3> positions) {
    positions.resize(survey.vertices, positions.empty() ? survey.box.min : Vec3(positions.front()));
    write_array(stream, fmt::format("frame-{}", frame), position_bytes(survey.box, positions, survey.sixteen_bits));
  };
  std::optional<std::size_t> pending;  // the last frame of the step before, not written yet
  std::vector<Vec3> end;
  for (const ShownStep& s : shown) {
    if (pending && *pending != s.step) write(*pending, end);
    const bool follows = pending == s.step;
    cursor.go_to(s.step);
    std::vector<Vec3> start = to_show(frames, cursor.frame_t0());
    // Vertices that this step removes: the step before still has them.
    for (std::size_t i = start.size(); follows && i < end.size(); ++i) start.push_back(end[i]);
    write(s.step, std::move(start));
    pending = s.step + 1;
    end = to_show(frames, cursor.frame_t1());
  }
  if (pending) write(*pending, std::move(end));
}

}  // namespace

bool has_viewer() {
  return !viewer_page().empty();
}

void require_viewer(const std::string& option) {
  if (!has_viewer()) {
    throw InputError(option +
                     ": this program was built without the viewer (GRAZE_VIEWER=OFF), so it writes no report");
  }
}

void write_report(const std::filesystem::path& file, const ReportHead& head, const std::vector<StepRow>& rows,
                  Frames& frames, const ReportRecorder& recorder) {
  const std::vector<std::size_t> frame_ids = frames_shown(recorder.shown());
  StepCursor cursor(frames);
  const Survey survey = look_at(frames, cursor, recorder.shown());
  const Parts parts = find_parts(cursor.scene());  // of the last step: after all breaks

  Json document;
  document["graze"] = version();
  document["title"] = head.title;
  document["method"] = head.method;
  document["threads"] = head.threads;
  document["thickness"] = head.thickness;
  document["tolerance"] = head.tolerance;
  document["mesh"] = {{"vertices", survey.vertices},
                      {"triangles", cursor.topology().triangles.size()},
                      {"min", vector_json(survey.box.min)},
                      {"max", vector_json(survey.box.max)},
                      {"bits", survey.sixteen_bits ? 16 : 32},
                      {"frames", frame_ids},
                      {"parts", parts.count},
                      {"parts_are", parts.bodies ? "body" : "component"}};
  if (!survey.changes.empty()) {
    Json& changes = document["mesh"]["changes"] = Json::array();
    for (const auto& [step, triangles] : survey.changes) changes.push_back(step);
  }
  document["shown"] = Json::array();
  for (const ShownStep& s : recorder.shown()) {
    document["shown"].push_back({{"step", s.step}, {"found", s.found}, {"kept", s.impacts.size()}});
  }
  document["stages"] = stages_json();
  document["steps"] = steps_json(rows);

  write_page(file, [&](std::ostream& stream) {
    write_document(stream, document);
    write_array(stream, "triangles", triangle_bytes(survey.triangles, survey.vertices));
    for (const auto& [step, triangles] : survey.changes) {
      write_array(stream, fmt::format("triangles-{}", step), triangle_bytes(triangles, survey.vertices));
    }
    if (parts.count > 1) {
      ByteArray array;
      for (std::size_t i = 0; i < survey.vertices; ++i) {
        array.add(i < parts.of_vertex.size() ? parts.of_vertex[i] : std::uint16_t{0});
      }
      write_array(stream, "parts", array);
    }
    write_frames(stream, frames, cursor, recorder.shown(), survey);
    for (const ShownStep& s : recorder.shown()) {
      write_array(stream, fmt::format("impacts-{}", s.step), impact_bytes(s.impacts));
    }
  });
}

void write_bench_report(const std::filesystem::path& file, const std::string& title, const Json& bench) {
  Json document;
  document["graze"] = version();
  document["title"] = title;
  document["stages"] = stages_json();
  document["bench"] = bench;
  write_page(file, [&](std::ostream& stream) { write_document(stream, document); });
}

}  // namespace graze::app
