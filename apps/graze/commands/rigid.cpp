// graze rigid: finds whether and where two posed polygon soups intersect, or, if they move, when they first touch
// (BOXTREE); or which objects of a world file intersect (rigid_world.hpp).
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/rigid.hpp>
#include <graze/version.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "commands/rigid_distance.hpp"
#include "commands/rigid_objects.hpp"
#include "commands/rigid_options.hpp"
#include "commands/rigid_poses.hpp"
#include "commands/rigid_queries.hpp"
#include "commands/rigid_world.hpp"
#include "output/output.hpp"
#include "output/shape_name.hpp"
#include "output/terminal.hpp"
#include "scenes/tumble.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

/// The value of `all` with this name. Throws InputError that lists the names.
template <typename T>
T named(const char* option, const std::string& name, std::span<const T> all) {
  std::string known;
  for (const T& each : all) {
    if (name_of(each) == name) return each;
    known += (known.empty() ? "" : ", ") + std::string(name_of(each));
  }
  throw InputError(fmt::format("{} '{}' is unknown; there are: {}", option, name, known));
}

std::string_view query_name(RigidQueryKind kind) {
  switch (kind) {
    case RigidQueryKind::First:
      return "first";
    case RigidQueryKind::Pairs:
      return "pairs";
    case RigidQueryKind::Distance:
      return "distance";
    case RigidQueryKind::Contacts:
      break;
  }
  return "contacts";
}

class RigidCommand {
 public:
  explicit RigidCommand(const RigidOptions& options) : options_(options), text_(!to_stdout(options.json)) {
    if (names_world(options)) {
      check_world_options(options);
    } else {
      check_rigid_options(options);
    }
    require_writable(options.json);
    require_writable(options.contacts);
    require_writable(options.save_tree);
    require_different({options.json, options.contacts, options.save_tree}, {options.a, options.b, options.poses});
    if (to_stdout(options.contacts) || to_stdout(options.save_tree)) {
      throw InputError("only --json can go to standard output");
    }
    object_.tree = named("--tree", options.tree, all_values<RigidTree>());
    object_.split = named("--split", options.split, all_values<BoxtreeSplit>());
    // The paper's protocol measures the time of one query: one thread unless the user asks for more.
    const unsigned threads = thread_count(options.threads.value_or(options.tumble > 0 ? 1 : 0));
    object_.threads = threads;
    query_ = {names_world(options) ? RigidQueryKind::First : query_kind(options),
              {named("--overlap", options.overlap, all_values<BoxOverlap>()), !options.no_lift, options.coherence},
              threads};
  }

  int run() {
    if (names_world(options_)) return run_rigid_world(options_, object_, query_.collider, query_.threads);
    const std::vector<PosePair> poses = given_poses();
    const RigidMotion motion_a = motion(options_.pose_a, options_.pose_a_end, options_.centre_a, "a");
    const RigidMotion motion_b = motion(options_.pose_b, options_.pose_b_end, options_.centre_b, "b");
    const LoadedObject a = load_object("a", options_.a, object_, options_.tumble > 0);
    std::optional<LoadedObject> b;
    if (options_.b == options_.a) {
      b = LoadedObject{"b", a.file, a.object, a.build_ms};  // shares the tree
    } else if (!options_.b.empty()) {
      b = load_object("b", options_.b, object_, options_.tumble > 0);
    }
    begin_json(a, b ? &*b : nullptr);
    if (text_ && options_.stats) {
      print_objects(a, b ? &*b : nullptr);
      if (b) fmt::print("\n");
    }
    bool contact = false;
    if (b && options_.moves()) {
      contact = run_motion(a.object, motion_a, b->object, motion_b);
    } else if (b && options_.tumble > 0) {
      contact = run_tumble(a.object, b->object);
    } else if (b && query_.kind == RigidQueryKind::Distance) {
      contact = run_rigid_distance(options_, a.object, b->object, poses, query_, json_);
    } else if (b) {
      contact = run_fixed_poses(a.object, b->object, poses);
    }
    if (!options_.save_tree.empty()) write_rigid(options_.save_tree, a.object);
    write_json(options_.json, json_);
    return contact ? kContact : kNoContact;
  }

 private:
  [[nodiscard]] std::vector<PosePair> given_poses() const {
    if (!options_.poses.empty()) return read_poses(options_.poses);
    PosePair pair;
    if (!options_.pose_a.empty()) pair.a = parse_pose(options_.pose_a, "--pose-a");
    if (!options_.pose_b.empty()) pair.b = parse_pose(options_.pose_b, "--pose-b");
    return {pair};
  }

  [[nodiscard]] RigidMotion motion(const std::string& start, const std::string& end, const std::string& centre,
                                   const std::string& side) const {
    RigidMotion result;
    if (!start.empty()) result.start = parse_pose(start, "--pose-" + side);
    result.end = end.empty() ? result.start : parse_pose(end, "--pose-" + side + "-end");
    result.path = options_.path == "screw" ? MotionPath::Screw : MotionPath::Straight;
    if (!centre.empty()) result.centre = parse_point(centre, "--centre-" + side);
    return result;
  }

  void begin_json(const LoadedObject& a, const LoadedObject* b) {
    json_["graze"] = version();
    json_["tree"] = options_.tree;
    json_["split"] = options_.split;
    json_["overlap"] = options_.overlap;
    json_["lift"] = query_.collider.lift;
    json_["coherence"] = query_.collider.coherence;
    json_["query"] = options_.moves() ? "motion" : query_name(query_.kind);
    json_["threads"] = query_.threads;
    json_["objects"] = Json::array({object_json(a)});
    if (b != nullptr) json_["objects"].push_back(object_json(*b));
  }

  /// JSON of many poses together.
  [[nodiscard]] Json totals_json(const RigidTotals& totals) const {
    Json json;
    json["poses"] = totals.poses;
    json["hits"] = totals.hits;
    json["pairs"] = query_.kind == RigidQueryKind::First ? Json(nullptr) : Json(totals.pairs);
    json["hash"] = hex16(totals.hash);
    json["us"] = rigid_times_json(totals);
    json["counters"] = rigid_counters_json(totals.stats);
    return json;
  }

  bool run_fixed_poses(const RigidObject& a, const RigidObject& b, const std::vector<PosePair>& poses) {
    const bool first = query_.kind == RigidQueryKind::First;
    std::vector<Column> columns = {{"pose", 8}, {"contact", 7}};
    if (first) {
      columns.insert(columns.end(), {{"a", 9}, {"b", 9}});
    } else {
      columns.push_back({"pairs", 10});
    }
    columns.insert(columns.end(), {{"node tests", 12}, {"triangle tests", 14}, {"exact", 8}, {"µs", 10}});
    Table table(columns);
    const auto row = [&](const std::string& name, const std::string& contact, const std::vector<std::string>& what,
                         const RigidStats& stats, const std::string& us) {
      std::vector<std::string> cells = {name, contact};
      cells.insert(cells.end(), what.begin(), what.end());
      cells.insert(cells.end(), {with_separators(stats.node_tests), with_separators(stats.triangle_tests),
                                 with_separators(stats.tiers.exact), us});
      progress_.clear();
      table.row(cells);
    };
    std::string csv = query_.kind == RigidQueryKind::Contacts ? "pose,a,b,shape,px,py,pz,qx,qy,qz\n" : "pose,a,b\n";
    json_["poses"] = Json::array();
    const auto show = [&](std::size_t pose, const RigidAnswer& answer) {
      if (text_) {
        std::vector<std::string> what = {with_separators(answer.pairs.size())};
        if (first && answer.hit()) what = {std::to_string(answer.pair->a), std::to_string(answer.pair->b)};
        if (first && !answer.hit()) what = {"-", "-"};
        row(std::to_string(pose), answer.hit() ? "yes" : "no", what, answer.stats,
            answer.us ? format_ms(*answer.us) : "-");
      }
      Json entry;
      entry["pose"] = pose;
      entry["hit"] = answer.hit();
      entry["pair"] = triangle_pair_json(answer.pair);
      entry["pairs"] = first ? Json(nullptr) : Json(answer.pairs.size());
      entry["hash"] = hex16(answer.hash);
      entry["us"] = answer.us ? Json(to_microsecond(*answer.us)) : Json(nullptr);
      entry["counters"] = rigid_counters_json(answer.stats);
      json_["poses"].push_back(std::move(entry));
      if (options_.contacts.empty()) return;
      for (const RigidContact& c : answer.contacts) {
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", pose, c.pair.a, c.pair.b, shape_name(c.shape), c.p.x,
                           c.p.y, c.p.z, c.q.x, c.q.y, c.q.z);
      }
      if (!answer.contacts.empty()) return;
      for (const TrianglePair& pair : answer.pairs) csv += fmt::format("{},{},{}\n", pose, pair.a, pair.b);
    };
    const RigidTotals totals = run_poses(a, b, poses, query_, "poses", progress_, show);
    progress_.clear();
    if (text_ && poses.size() > 1) {
      table.rule();
      std::vector<std::string> what = {with_separators(totals.pairs)};
      if (first) what = {"", ""};
      row("all", with_separators(totals.hits), what, totals.stats, format_ms(totals.total_us));
    }
    json_["total"] = totals_json(totals);
    if (!options_.contacts.empty()) {
      write_whole_file(options_.contacts, [&](std::ostream& stream) { stream << csv; });
    }
    return totals.hits > 0;
  }

  bool run_tumble(const RigidObject& a, const RigidObject& b) {
    Table table({{"distance", 8},
                 {"poses", 7},
                 {"hits", 7},
                 {"pairs", 10},
                 {"mean µs", 10},
                 {"max µs", 10},
                 {"node tests", 11},
                 {"triangle tests", 14},
                 {"exact", 8}});
    json_["distances"] = Json::array();
    bool contact = false;
    for (const double distance : options_.distances) {
      const std::vector<PosePair> poses = scenes::tumble(distance, options_.tumble);
      const RigidTotals totals = run_poses(a, b, poses, query_, fmt::format("distance {}", distance), progress_);
      progress_.clear();
      const auto mean = [&](std::uint64_t count) {
        return fmt::format("{:.1f}", static_cast<double>(count) / static_cast<double>(totals.poses));
      };
      if (text_) {
        table.row({fmt::format("{:g}", distance), with_separators(totals.poses), with_separators(totals.hits),
                   query_.kind == RigidQueryKind::First ? "-" : with_separators(totals.pairs),
                   format_ms(totals.mean_us()), totals.max_us ? format_ms(*totals.max_us) : "-",
                   mean(totals.stats.node_tests), mean(totals.stats.triangle_tests),
                   with_separators(totals.stats.tiers.exact)});
      }
      Json entry = {{"distance", distance}};
      entry.update(totals_json(totals));
      json_["distances"].push_back(std::move(entry));
      contact = contact || totals.hits > 0;
    }
    return contact;
  }

  bool run_motion(const RigidObject& a, const RigidMotion& motion_a, const RigidObject& b,
                  const RigidMotion& motion_b) {
    Collider collider(a, b, query_.collider);
    const auto start = std::chrono::steady_clock::now();
    const RigidImpact impact = collider.first_contact(motion_a, motion_b, {options_.tolerance});
    const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    if (text_) {
      Table table({{"contact", 7},
                   {"toi", 11},
                   {"a", 9},
                   {"b", 9},
                   {"distance", 12},
                   {"node tests", 12},
                   {"triangle tests", 14},
                   {"µs", 10}});
      table.row(
          {impact.pair ? "yes" : "no", impact.pair ? format_toi(impact.toi) : "-",
           impact.pair ? std::to_string(impact.pair->a) : "-", impact.pair ? std::to_string(impact.pair->b) : "-",
           impact.pair ? fmt::format("{:.6g}", impact.distance) : "-", with_separators(impact.stats.node_tests),
           with_separators(impact.stats.triangle_tests), format_ms(us)});
    }
    Json json;
    json["path"] = options_.path;
    json["tolerance"] = options_.tolerance;
    json["toi"] = impact.pair ? Json(impact.toi) : Json(nullptr);
    json["pair"] = triangle_pair_json(impact.pair);
    json["distance"] = impact.pair ? Json(impact.distance) : Json(nullptr);
    json["us"] = to_microsecond(us);
    json["counters"] = rigid_counters_json(impact.stats);
    json_["motion"] = std::move(json);
    return impact.pair.has_value();
  }

  const RigidOptions& options_;
  bool text_;
  RigidObjectOptions object_;
  RigidQuery query_;
  Progress progress_;
  Json json_;
};

}  // namespace

void add_rigid(CommandLine& program) {
  const auto options = std::make_shared<RigidOptions>();
  Command command = program.add("rigid", "Contacts of two posed rigid meshes, or of a world of them");
  add_rigid_options(command, *options);
  command.footer("Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure.");
  command.run([options] { return RigidCommand(*options).run(); });
}

}  // namespace graze::app
