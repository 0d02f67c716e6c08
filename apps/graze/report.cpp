// Writes the data of a report into the viewer's page: one JSON document, and an element of base64 for each array.
// Linear in rows, contacts, and the positions of the frames shown, which are read twice: for their box, then to
// be written.
#include "report.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <graze/error.hpp>
#include <graze/version.hpp>

#include "report_data.hpp"
#include "viewer_page.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

void write_array(std::ostream& stream, const std::string& id, const ByteArray& array) {
  stream << fmt::format("<script type=\"application/octet-stream\" id=\"graze-{}\">", id);
  write_base64(stream, array.bytes());
  stream << "</script>\n";
}

// A document inside HTML: no text of it may close the element or open a comment.
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

// Frames that the shown steps begin and end with, ascending.
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
    steps.push_back(std::move(step));
  }
  return steps;
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
  const Scene& scene = frames.scene();
  const std::vector<std::size_t> frame_ids = frames_shown(recorder.shown());
  const auto read = [&](std::size_t frame) {
    std::vector<Vec3> positions = frames.read(frame);
    place_removed(scene, positions);
    return positions;
  };
  DisplayBox box;
  bool sixteen_bits = true;
  for (const std::size_t frame : frame_ids) {
    const std::vector<Vec3> positions = read(frame);
    box.include(positions);
    if (frame == frame_ids.back()) sixteen_bits = sixteen_bits_suffice(box, positions, scene.triangles());
  }
  const Parts parts = find_parts(scene);

  Json document;
  document["graze"] = version();
  document["title"] = head.title;
  document["method"] = head.method;
  document["threads"] = head.threads;
  document["thickness"] = head.thickness;
  document["tolerance"] = head.tolerance;
  document["mesh"] = {{"vertices", scene.vertex_count()},
                      {"triangles", scene.triangle_count()},
                      {"min", vector_json(box.min)},
                      {"max", vector_json(box.max)},
                      {"bits", sixteen_bits ? 16 : 32},
                      {"frames", frame_ids},
                      {"parts", parts.count},
                      {"parts_are", parts.bodies ? "body" : "component"}};
  document["shown"] = Json::array();
  for (const ShownStep& s : recorder.shown()) {
    document["shown"].push_back({{"step", s.step}, {"found", s.found}, {"kept", s.impacts.size()}});
  }
  document["steps"] = steps_json(rows);

  write_page(file, [&](std::ostream& stream) {
    write_document(stream, document);
    write_array(stream, "triangles", triangle_bytes(scene.triangles(), scene.vertex_count()));
    if (parts.count > 1) {
      ByteArray array;
      for (const std::uint16_t part : parts.of_vertex) array.add(part);
      write_array(stream, "parts", array);
    }
    for (const std::size_t frame : frame_ids) {
      write_array(stream, fmt::format("frame-{}", frame), position_bytes(box, read(frame), sixteen_bits));
    }
    for (const ShownStep& s : recorder.shown()) {
      write_array(stream, fmt::format("impacts-{}", s.step), impact_bytes(s.impacts));
    }
  });
}

void write_bench_report(const std::filesystem::path& file, const std::string& title, const Json& bench) {
  Json document;
  document["graze"] = version();
  document["title"] = title;
  document["bench"] = bench;
  write_page(file, [&](std::ostream& stream) { write_document(stream, document); });
}

}  // namespace graze::app
