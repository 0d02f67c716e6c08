// Edits as data (support/edit_script.hpp): performing, printing, and shrinking by halves.
#include "support/edit_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include <graze/error.hpp>

namespace graze::testing {

namespace {

void call(SceneEdit& edit, const EditOp& op) {
  const auto& id = op.ids;
  switch (op.kind) {
    case OpKind::AddVertex:
      static_cast<void>(edit.add_vertex(id[0], op.position));
      return;
    case OpKind::RemoveVertex:
      return edit.remove_vertex(id[0]);
    case OpKind::AddTriangle:
      static_cast<void>(edit.add_triangle({id[0], id[1], id[2]}));
      return;
    case OpKind::SetTriangle:
      return edit.set_triangle(id[0], {id[1], id[2], id[3]});
    case OpKind::RemoveTriangle:
      return edit.remove_triangle(id[0]);
    case OpKind::SplitVertex:
      static_cast<void>(edit.split_vertex(id[0], std::span(id).subspan(1)));
      return;
    case OpKind::TearEdge:
      static_cast<void>(edit.tear_edge(id[0], id[1]));
      return;
    case OpKind::SplitEdge:
      static_cast<void>(edit.split_edge(id[0], id[1], op.position));
      return;
    case OpKind::AddBody:
      static_cast<void>(edit.add_body({.positions = op.points,
                                       .triangles = op.triangles,
                                       .motion = op.motion,
                                       .groups = op.body_groups,
                                       .meets = op.meets}));
      return;
    case OpKind::RemoveBody:
      return edit.remove_body(id[0]);
    case OpKind::SplitGroups:
      static_cast<void>(edit.split_body(id[0], op.groups));
      return;
    case OpKind::SplitPieces:
      static_cast<void>(edit.split_body(id[0]));
      return;
  }
}

std::string point(const Vec3& p) {
  return fmt::format("{{{}, {}, {}}}", p.x, p.y, p.z);
}

std::string braced(std::span<const std::uint32_t> ids) {
  return fmt::format("{{{}}}", fmt::join(ids, ", "));
}

/// The script without `count` units from `first`; a unit is an edit, or an operation of any edit.
EditScript without(const EditScript& script, bool edits, std::size_t first, std::size_t count) {
  EditScript rest;
  std::size_t unit = 0;
  for (const EditRound& round : script) {
    if (edits) {
      if (unit < first || unit >= first + count) rest.push_back(round);
      ++unit;
      continue;
    }
    rest.push_back({.round = round.round});
    for (const EditOp& op : round.ops) {
      if (unit < first || unit >= first + count) rest.back().ops.push_back(op);
      ++unit;
    }
  }
  return rest;
}

std::size_t units(const EditScript& script, bool edits) {
  if (edits) return script.size();
  std::size_t count = 0;
  for (const EditRound& round : script) count += round.ops.size();
  return count;
}

}  // namespace

bool perform(SceneEdit& edit, const EditOp& op) {
  const auto counts = [&] {
    return std::array{edit.vertex_count(), edit.triangle_count(), edit.body_count(), edit.copies().size()};
  };
  const auto before = counts();
  try {
    call(edit, op);
    return true;
  } catch (const InputError&) {
    if (counts() != before) throw std::logic_error("refused, but not without a trace: " + to_string(op));
    return false;
  }
}

std::string to_string(const EditOp& op) {
  const auto& id = op.ids;
  switch (op.kind) {
    case OpKind::AddVertex:
      return fmt::format("add_vertex({}, {})", id[0], point(op.position));
    case OpKind::RemoveVertex:
      return fmt::format("remove_vertex({})", id[0]);
    case OpKind::AddTriangle:
      return fmt::format("add_triangle({})", braced(id));
    case OpKind::SetTriangle:
      return fmt::format("set_triangle({}, {})", id[0], braced(std::span(id).subspan(1)));
    case OpKind::RemoveTriangle:
      return fmt::format("remove_triangle({})", id[0]);
    case OpKind::SplitVertex:
      return fmt::format("split_vertex({}, {})", id[0], braced(std::span(id).subspan(1)));
    case OpKind::TearEdge:
      return fmt::format("tear_edge({}, {})", id[0], id[1]);
    case OpKind::SplitEdge:
      return fmt::format("split_edge({}, {}, {})", id[0], id[1], point(op.position));
    case OpKind::AddBody: {
      std::string triangles;
      for (const Triangle& t : op.triangles) triangles += braced(t) + ", ";
      std::string points;
      for (const Vec3& p : op.points) points += point(p) + ", ";
      return fmt::format("add_body({{points {{{}}}, triangles {{{}}}, motion {}, groups {:#x}, meets {:#x}}})",
                         points, triangles, static_cast<int>(op.motion), op.body_groups, op.meets);
    }
    case OpKind::RemoveBody:
      return fmt::format("remove_body({})", id[0]);
    case OpKind::SplitGroups: {
      std::string groups;
      for (const auto& group : op.groups) groups += braced(group) + ", ";
      return fmt::format("split_body({}, {{{}}})", id[0], groups);
    }
    case OpKind::SplitPieces:
      return fmt::format("split_body({})", id[0]);
  }
  return "?";
}

std::string to_string(const EditScript& script) {
  std::string text;
  for (const EditRound& round : script) {
    text += fmt::format("  edit {}:\n", round.round);
    for (const EditOp& op : round.ops) text += "    " + to_string(op) + ";\n";
  }
  return text;
}

EditScript shrink(EditScript script, const std::function<bool(const EditScript&)>& fails, int attempts) {
  for (const bool edits : {true, false, true}) {
    for (std::size_t count = std::max<std::size_t>(1, units(script, edits) / 2); count > 0; count /= 2) {
      std::size_t last = units(script, edits);  // from the end: late units rarely matter to earlier ones
      while (last > 0 && attempts > 0) {
        const std::size_t first = last > count ? last - count : 0;
        --attempts;
        EditScript less = without(script, edits, first, last - first);
        if (fails(less)) script = std::move(less);
        last = first;
      }
    }
  }
  return script;
}

}  // namespace graze::testing
