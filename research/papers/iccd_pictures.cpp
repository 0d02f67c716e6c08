// Drawings for ICCD, from our own data: the patches of a step that are proved free of self-collision, the contour
// of the patch that moves most at both ends of the step, the cone of its control normals, and two orphans.
//
// Patches come from the BVH of a query of iccd (methods/bvh/hierarchy.hpp). The projection is orthographic; far
// triangles are drawn first. Colours are literal, so that each file is self-contained. Cost: O(n log n) for a scene
// of n triangles.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tasks.hpp"
#include "cull/contour.hpp"
#include "cull/control_normals.hpp"
#include "cull/projection.hpp"
#include "geometry/path.hpp"
#include "geometry/vec.hpp"
#include "methods/bvh/hierarchy.hpp"
#include "research/papers/iccd.hpp"

#include <fmt/format.h>

namespace graze::papers::iccd {

namespace {

constexpr std::size_t kMaxTriangles = 8000;  // triangles of a drawing: about half a megabyte
constexpr std::uint32_t kMinLeaves = 24;     // leaves of a patch whose contour is worth drawing
constexpr double kMargin = 14.0;

/// Orthonormal axes of a picture: right, up, and towards the viewer.
struct View {
  Vec3 right;
  Vec3 up;
  Vec3 eye;

  [[nodiscard]] Vec2 at(const Vec3& p) const { return {dot(p, right), dot(p, up)}; }
};

Vec3 unit(const Vec3& v) {
  const double size = length(v);
  return size > 0.0 ? (1.0 / size) * v : Vec3{0.0, 0.0, 1.0};
}

View view_from(const Vec3& towards_eye) {
  const Vec3 eye = unit(towards_eye);
  const Vec3 other = std::abs(eye.z) < 0.9 ? Vec3{0.0, 0.0, 1.0} : Vec3{0.0, 1.0, 0.0};
  const Vec3 right = unit(cross(other, eye));
  return {right, cross(eye, right), eye};
}

/// Maps points of a plane to picture coordinates so that their extent fills a rectangle.
class Fit {
 public:
  void add(const Vec2& p) {
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
  }
  /// Fits the points into a rectangle of this width and at most this height.
  void into(double left, double width, double most_height) {
    const double extent_x = std::max(high_.x - low_.x, 1e-300);
    const double extent_y = std::max(high_.y - low_.y, 1e-300);
    scale_ = std::min(width / extent_x, most_height / extent_y);
    left_ = left + 0.5 * (width - scale_ * extent_x);
    height_ = scale_ * extent_y;
  }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] Vec2 operator()(const Vec2& p) const {
    return {left_ + scale_ * (p.x - low_.x), kMargin + scale_ * (high_.y - p.y)};
  }

 private:
  static constexpr double kHuge = std::numeric_limits<double>::max();
  Vec2 low_{kHuge, kHuge};
  Vec2 high_{-kHuge, -kHuge};
  double scale_ = 1.0;
  double left_ = 0.0;
  double height_ = 0.0;
};

std::string svg_head(double width, double height, const std::string& label) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n",
      width, height, label);
}

std::string text_at(double x, double y, const std::string& text) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#7d8790\">{}</text>\n", x, y, text);
}

std::string colour(double hue, double saturation, double light) {
  const auto channel = [&](double n) {
    const double k = std::fmod(n + 12.0 * hue, 12.0);
    const double value =
        light - saturation * std::min(light, 1.0 - light) * std::max(-1.0, std::min({k - 3.0, 9.0 - k, 1.0}));
    return static_cast<unsigned>(std::lround(255.0 * std::clamp(value, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0.0), channel(8.0), channel(4.0));
}

/// A step of a scene with its BVH, and the free patch of each leaf.
struct Step {
  const BenchScene* scene = nullptr;
  std::size_t index = 0;
  std::optional<Hierarchy> hierarchy;
  std::vector<VertexPath> paths;
  std::vector<FeaturePair> orphans;
  std::vector<std::uint32_t> free_patch;  // by moving leaf: the block, or kNoNode
  BodyId body = 0;                        // the drawn body: it has the most triangles in free patches

  [[nodiscard]] const PatchCulling& patches() const { return *hierarchy->moving_part().patches(); }
  [[nodiscard]] bool is_drawn(std::size_t leaf) const {
    const VertexId v = hierarchy->leaf(static_cast<std::uint32_t>(leaf)).vertices[0];
    return scene->scene.body_of(v) == body;
  }
  [[nodiscard]] Vec3 normal(const Triangle& t) const {
    return cross(paths[t[1]].t0 - paths[t[0]].t0, paths[t[2]].t0 - paths[t[0]].t0);
  }
};

/// Finds the patches that can be proved free; false if there is none.
bool prove_step(const BenchScene& scene, std::size_t index, Step& step) {
  step.scene = &scene;
  step.index = index;
  step.hierarchy.emplace(scene.scene, hierarchy_choices(Method::Iccd, {}));
  Hierarchy& hierarchy = *step.hierarchy;
  hierarchy.update(scene.x_t0(index), scene.x_t1(index), 0.0);
  make_paths(scene.x_t0(index), scene.x_t1(index), step.paths);
  CullCounts counts;
  for (const Orphan& orphan :
       hierarchy.open_orphans(Hierarchy::Scope::Moving, counts)) {  // all orphans: no patch is proved here
    step.orphans.push_back(hierarchy.feature_pair(orphan));
  }
  hierarchy.prepare_culling(step.paths, false, counts);
  if (counts.free_patches == 0) return false;
  const BvhTree& tree = hierarchy.moving_part().tree();
  const std::uint8_t* const is_free = step.patches().self_free();
  step.free_patch = hierarchy.moving_part().leaf_blocks(hierarchy.leaves().size());
  for (std::uint32_t& block : step.free_patch) {
    while (block != kNoNode && is_free[block] == 0) {
      const std::uint32_t parent = tree.parent[block];
      block = parent == kNoNode ? kNoNode : parent / 2;
    }
  }
  std::vector<std::size_t> proved(scene.scene.body_count(), 0);
  for (std::size_t i = 0; i < step.free_patch.size(); ++i) {
    if (step.free_patch[i] == kNoNode) continue;
    ++proved[scene.scene.body_of(hierarchy.leaf(static_cast<std::uint32_t>(i)).vertices[0])];
  }
  step.body = static_cast<BodyId>(std::max_element(proved.begin(), proved.end()) - proved.begin());
  return true;
}

std::string patches_svg(const Step& step) {
  constexpr double kWidth = 640.0;
  const View view = view_from({0.35, -0.75, 0.75});
  const auto leaves = step.hierarchy->leaves().first(step.free_patch.size());
  Fit fit;
  std::vector<std::pair<double, std::size_t>> order;
  std::map<std::uint32_t, std::size_t> number;  // number of a patch
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!step.is_drawn(i)) continue;
    double depth = 0.0;
    for (const VertexId v : leaves[i].vertices) {
      fit.add(view.at(step.paths[v].t0));
      depth += dot(step.paths[v].t0, view.eye);
    }
    order.emplace_back(depth, i);
    if (step.free_patch[i] != kNoNode) number.emplace(step.free_patch[i], number.size());
  }
  std::sort(order.begin(), order.end());
  fit.into(kMargin, kWidth - 2.0 * kMargin, 560.0);
  const double bottom = fit.height() + 2.0 * kMargin;
  std::string svg = svg_head(kWidth, bottom + 22.0, "Patches proved free of contacts with themselves");
  svg += "<g stroke=\"#00000030\" stroke-width=\"0.4\" stroke-linejoin=\"round\">\n";
  std::size_t free_count = 0;
  for (const auto& [depth, i] : order) {
    const Triangle& t = leaves[i].vertices;
    const double light = std::abs(dot(unit(step.normal(t)), unit({0.2, -0.3, 0.9})));
    std::string fill = colour(0.0, 0.0, 0.62 + 0.3 * light);
    if (step.free_patch[i] != kNoNode) {
      ++free_count;
      // The golden ratio gives consecutive patches distant hues.
      const double hue = std::fmod(0.08 + 0.618034 * static_cast<double>(number.at(step.free_patch[i])), 1.0);
      fill = colour(hue, 0.55, 0.36 + 0.3 * light);
    }
    std::array<Vec2, 3> at;
    for (std::size_t k = 0; k < 3; ++k) at[k] = fit(view.at(step.paths[t[k]].t0));
    fmt::format_to(std::back_inserter(svg),
                   "<path fill=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}z\"/>\n", fill, at[0].x,
                   at[0].y, at[1].x, at[1].y, at[2].x, at[2].y);
  }
  svg += "</g>\n";
  svg += text_at(kMargin, bottom + 8.0,
                 fmt::format("{}, step {}: {} of {} triangles in {} proved patches, a colour each; grey: in none",
                             step.scene->title, step.index, free_count, order.size(), number.size()));
  return svg + "</svg>\n";
}

/// Among the drawn, proved patches whose contour is simple along their own axis, the one whose contour moves most:
/// the block, and the axis.
std::optional<std::pair<std::uint32_t, ProjectionAxis>> showpiece(const Step& step) {
  const PatchCulling& patches = step.patches();
  std::map<std::uint32_t, double> travel;  // by block
  for (std::size_t i = 0; i < step.free_patch.size(); ++i) {
    const std::uint32_t block = step.free_patch[i];
    if (block == kNoNode || !step.is_drawn(i) || travel.contains(block)) continue;
    if (patches.contours().leaf_counts[block] < kMinLeaves) continue;
    double sum = 0.0;
    for (const VertexId v : patches.contours().loops[block]) sum += length(step.paths[v].t1 - step.paths[v].t0);
    travel[block] = sum;
  }
  std::vector<std::uint32_t> blocks;
  blocks.reserve(travel.size());
  for (const auto& [block, sum] : travel) blocks.push_back(block);
  std::stable_sort(blocks.begin(), blocks.end(),
                   [&](std::uint32_t one, std::uint32_t other) { return travel[one] > travel[other]; });
  for (const std::uint32_t block : blocks) {
    const auto axis = projection_axis(patches.cones()[block]);
    if (!axis) continue;
    ContourTest contour;
    contour.start(step.paths, *axis);
    if (contour.test(patches.contours().loops[block]) == ContourTest::Answer::Simple) return {{block, *axis}};
  }
  return std::nullopt;
}

std::string contour_svg(const Step& step, std::uint32_t block, const ProjectionAxis& axis) {
  constexpr double kWidth = 640.0;
  const auto loop = step.patches().contours().loops[block];
  Fit fit;
  for (const VertexId v : loop) {
    fit.add(project(axis, step.paths[v].t0));
    fit.add(project(axis, step.paths[v].t1));
  }
  fit.into(kMargin, kWidth - 2.0 * kMargin, 420.0);
  const double bottom = fit.height() + 2.0 * kMargin;
  std::string svg = svg_head(kWidth, bottom + 22.0, "The contour of a patch, projected");
  auto out = std::back_inserter(svg);
  svg += "<g stroke=\"#9aa5b1\" stroke-width=\"0.8\">\n";
  for (const VertexId v : loop) {
    const Vec2 a = fit(project(axis, step.paths[v].t0));
    const Vec2 b = fit(project(axis, step.paths[v].t1));
    fmt::format_to(out, "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", a.x, a.y, b.x, b.y);
  }
  svg += "</g>\n";
  const auto polygon = [&](bool end, const char* style) {
    svg += "<polygon points=\"";
    for (const VertexId v : loop) {
      const Vec2 p = fit(project(axis, end ? step.paths[v].t1 : step.paths[v].t0));
      fmt::format_to(out, "{:.1f},{:.1f} ", p.x, p.y);
    }
    fmt::format_to(out, "\" {}/>\n", style);
  };
  polygon(false, "fill=\"#2f669022\" stroke=\"#2f6690\" stroke-width=\"1.6\" stroke-linejoin=\"round\"");
  polygon(true, "fill=\"#d1495b22\" stroke=\"#d1495b\" stroke-width=\"1.6\" stroke-linejoin=\"round\"");
  svg +=
      text_at(kMargin, bottom + 8.0,
              fmt::format("{} triangles, {} contour edges: blue at t = 0, red at t = 1, simple all the way between",
                          step.patches().contours().leaf_counts[block], loop.size()));
  return svg + "</svg>\n";
}

/// Draws directions about the axis of the cone: the angle to the axis is the distance from the centre.
std::string cone_svg(const Step& step, std::uint32_t block) {
  constexpr double kWidth = 640.0;
  constexpr double kRadius = 170.0;  // radius of the cone
  const NormalCone& cone = step.patches().cones()[block];
  const View view = view_from({cone.axis[0], cone.axis[1], cone.axis[2]});
  const double scale = kRadius / std::max(static_cast<double>(cone.angle), 1e-6);
  const Vec2 middle{0.5 * kWidth, kRadius + 2.0 * kMargin};
  std::string svg = svg_head(kWidth, 2.0 * kRadius + 4.0 * kMargin + 22.0, "Control normals within their cone");
  auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#2f669014\" stroke=\"#2f6690\" "
                 "stroke-width=\"1.6\"/>\n",
                 middle.x, middle.y, kRadius);
  constexpr std::array<const char*, 3> kFills = {"#2f6690", "#d99a3d", "#d1495b"};
  for (std::size_t i = 0; i < step.free_patch.size(); ++i) {
    if (step.free_patch[i] != block) continue;
    const Triangle t = step.hierarchy->leaf(static_cast<std::uint32_t>(i)).oriented();
    const auto control = control_normals(step.paths[t[0]], step.paths[t[1]], step.paths[t[2]]);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 n = unit(control.normal[k]);
      const double angle = std::acos(std::clamp(dot(n, view.eye), -1.0, 1.0));
      const Vec2 side = view.at(n);
      const double far = std::max(std::hypot(side.x, side.y), 1e-300);
      fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"{}\" fill-opacity=\"0.7\"/>\n",
                     middle.x + scale * angle * side.x / far, middle.y - scale * angle * side.y / far, kFills[k]);
    }
  }
  svg += text_at(
      kMargin, 2.0 * kRadius + 4.0 * kMargin + 8.0,
      fmt::format("Three control normals a triangle (blue, yellow, red) in their cone of half-angle {:.1f}°",
                  180.0 / std::numbers::pi * static_cast<double>(cone.angle)));
  return svg + "</svg>\n";
}

/// Draws one orphan with the triangles at its vertices, in the part of the picture that begins at `left`.
double draw_orphan(const Step& step, const FeaturePair& pair, double left, double width, std::string& svg) {
  std::vector<Triangle> around;
  Vec3 normal{0.0, 0.0, 0.0};
  for (const Leaf& leaf : step.hierarchy->leaves()) {
    const bool near = std::any_of(pair.vertices.begin(), pair.vertices.end(), [&](VertexId v) {
      return std::find(leaf.vertices.begin(), leaf.vertices.end(), v) != leaf.vertices.end();
    });
    if (!near) continue;
    around.push_back(leaf.oriented());
    normal = normal + step.normal(around.back());
  }
  const View view = view_from(normal);
  const auto at = [&](VertexId v) { return view.at(step.paths[v].t0); };
  Fit fit;
  for (const Triangle& t : around) {
    for (const VertexId v : t) fit.add(at(v));
  }
  fit.into(left, width, 260.0);
  auto out = std::back_inserter(svg);
  const auto polygon = [&](std::span<const VertexId> vertices, const char* style) {
    svg += "<polygon points=\"";
    for (const VertexId v : vertices) {
      const Vec2 p = fit(at(v));
      fmt::format_to(out, "{:.1f},{:.1f} ", p.x, p.y);
    }
    fmt::format_to(out, "\" {}/>\n", style);
  };
  for (const Triangle& t : around) polygon(t, "fill=\"#9aa5b122\" stroke=\"#9aa5b1\"");
  const std::span<const VertexId> v = pair.vertices;
  constexpr const char* kLine = "fill=\"none\" stroke-width=\"5\" stroke-linecap=\"round\"";
  if (pair.kind == FeatureKind::VertexFace) {
    polygon(v.subspan(1), "fill=\"#2f669088\" stroke=\"#2f6690\" stroke-width=\"2\"");
    const Vec2 p = fit(at(v[0]));
    fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"#d1495b\"/>\n", p.x, p.y);
  } else {
    polygon(v.first(2), fmt::format("{} stroke=\"#d1495b\"", kLine).c_str());
    polygon(v.subspan(2), fmt::format("{} stroke=\"#2f6690\"", kLine).c_str());
  }
  return fit.height();
}

std::string orphans_svg(const Step& step) {
  constexpr double kWidth = 640.0;
  constexpr double kHalf = 0.5 * kWidth - 2.0 * kMargin;
  const auto first = [&](FeatureKind kind) {
    return std::find_if(step.orphans.begin(), step.orphans.end(),
                        [&](const FeaturePair& pair) { return pair.kind == kind; });
  };
  const auto vf = first(FeatureKind::VertexFace);
  const auto ee = first(FeatureKind::EdgeEdge);
  if (vf == step.orphans.end() || ee == step.orphans.end()) return {};
  std::string body;
  const double height = std::max(draw_orphan(step, *vf, kMargin, kHalf, body),
                                 draw_orphan(step, *ee, 0.5 * kWidth + kMargin, kHalf, body));
  const double bottom = height + 2.0 * kMargin;
  body += text_at(kMargin, bottom + 8.0,
                  "Orphans, with all triangles at their vertices: a vertex and a face; two edges");
  return svg_head(kWidth, bottom + 22.0, "Orphans") + body + "</svg>\n";
}

}  // namespace

std::vector<PaperPicture> draw_patches(const PaperRequest& request) {
  std::vector<PaperPicture> pictures;
  with_threads(request.threads, [&] {
    for (const BenchScene* scene : request.scenes) {
      if (scene->scene.triangle_count() > kMaxTriangles) continue;
      Step step;
      if (!prove_step(*scene, scene->steps_before_change() - 1, step)) continue;
      pictures.push_back({"iccd-patches", patches_svg(step)});
      if (const auto piece = showpiece(step)) {
        pictures.push_back({"iccd-contour", contour_svg(step, piece->first, piece->second)});
        pictures.push_back({"iccd-cone", cone_svg(step, piece->first)});
      }
      std::string orphans = orphans_svg(step);
      if (!orphans.empty()) pictures.push_back({"iccd-orphans", std::move(orphans)});
      return;
    }
  });
  return pictures;
}

}  // namespace graze::papers::iccd
