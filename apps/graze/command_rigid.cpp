// graze rigid: do two posed polygon soups meet, where, and, if they move, when? (BOXTREE)
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/rigid.hpp>
#include <graze/version.hpp>

#include "command.hpp"
#include "detector_options.hpp"
#include "io/extension.hpp"
#include "output.hpp"
#include "rigid_objects.hpp"
#include "rigid_poses.hpp"
#include "rigid_queries.hpp"
#include "scenes/tumble.hpp"
#include "terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graze::app {
namespace {

struct RigidOptions {
  std::string a;
  std::string b;
  std::string pose_a;
  std::string pose_b;
  std::string pose_a_end;
  std::string pose_b_end;
  std::string path = "straight";
  std::string centre_a;
  std::string centre_b;
  double tolerance = AdvanceOptions{}.tolerance;
  std::string poses;
  std::size_t tumble = 0;
  std::vector<double> distances;
  std::string tree = "boxtree";
  std::string split = "free";
  std::string overlap = "sat";
  bool no_lift = false;
  bool coherence = false;
  std::string query;
  std::optional<unsigned> threads;
  bool stats = false;
  std::string json;
  std::string contacts;
  std::string save_tree;

  [[nodiscard]] bool moves() const { return !pose_a_end.empty() || !pose_b_end.empty(); }
  [[nodiscard]] bool posed() const { return !pose_a.empty() || !pose_b.empty(); }
};

/// The one of `all` with this name. Throws InputError, naming those there are.
template <typename T>
T named(const char* option, const std::string& name, std::span<const T> all) {
  std::string known;
  for (const T& each : all) {
    if (name_of(each) == name) return each;
    known += (known.empty() ? "" : ", ") + std::string(name_of(each));
  }
  throw InputError(fmt::format("{} '{}': there are {}", option, name, known));
}

RigidQueryKind query_kind(const RigidOptions& options) {
  if (options.query.empty()) return options.contacts.empty() ? RigidQueryKind::First : RigidQueryKind::Contacts;
  if (options.query == "first") return RigidQueryKind::First;
  if (options.query == "pairs") return RigidQueryKind::Pairs;
  if (options.query == "contacts") return RigidQueryKind::Contacts;
  throw InputError(fmt::format("--query '{}': there are first, pairs, contacts", options.query));
}

std::string_view query_name(RigidQueryKind kind) {
  switch (kind) {
    case RigidQueryKind::First:
      return "first";
    case RigidQueryKind::Pairs:
      return "pairs";
    case RigidQueryKind::Contacts:
      break;
  }
  return "contacts";
}

std::string_view shape_name(ContactShape shape) {
  switch (shape) {
    case ContactShape::Segment:
      return "segment";
    case ContactShape::Point:
      return "point";
    case ContactShape::Area:
      break;
  }
  return "area";
}

/// What goes together, before anything is read.
void check(const RigidOptions& options) {
  const bool tumbles = options.tumble > 0;
  if (options.b.empty()) {
    if (!options.stats && options.save_tree.empty() && options.json.empty()) {
      throw InputError("rigid takes A and B; A alone with --stats, --json or --save-tree");
    }
    if (options.posed() || options.moves() || tumbles || !options.poses.empty() || !options.contacts.empty()) {
      throw InputError("poses and contacts need A and B");
    }
  }
  if (tumbles == options.distances.empty()) throw InputError("--tumble and --distance go together");
  for (const double distance : options.distances) {
    if (!std::isfinite(distance)) throw InputError(fmt::format("--distance {}: must be a finite number", distance));
  }
  if ((tumbles ? 1 : 0) + (options.poses.empty() ? 0 : 1) + (options.posed() || options.moves() ? 1 : 0) > 1) {
    throw InputError("poses come from one place: --pose-a and --pose-b, --poses, or --tumble");
  }
  if (!options.moves() && !(options.centre_a.empty() && options.centre_b.empty())) {
    throw InputError("--centre-a and --centre-b are of motions: give --pose-a-end or --pose-b-end");
  }
  if (!(options.tolerance >= 0x1p-40) || !std::isfinite(options.tolerance)) {
    throw InputError(fmt::format("--tolerance {}: must be a number of at least 2^-40", options.tolerance));
  }
  if (options.path != "straight" && options.path != "screw") {
    throw InputError(fmt::format("--path '{}': there are straight, screw", options.path));
  }
  if (!options.contacts.empty() && query_kind(options) == RigidQueryKind::First) {
    throw InputError("--contacts writes what --query pairs or contacts finds, not first");
  }
  if (!options.contacts.empty() && (tumbles || options.moves())) {
    throw InputError("--contacts is of poses that stand: not with --tumble, --pose-a-end or --pose-b-end");
  }
  if (options.moves() && !options.query.empty()) throw InputError("--query is of poses that stand, not of motions");
  if ((options.moves() || !options.save_tree.empty()) && options.tree != "boxtree") {
    throw InputError(
        fmt::format("{} needs --tree boxtree, not {}", options.moves() ? "a motion" : "--save-tree", options.tree));
  }
  if (!options.save_tree.empty() && io::lower_extension(options.save_tree) != ".boxtree") {
    throw InputError(options.save_tree + ": a saved tree is named FILE.boxtree");
  }
}

class RigidCommand {
 public:
  explicit RigidCommand(const RigidOptions& options) : options_(options), text_(!to_stdout(options.json)) {
    check(options);
    require_writable(options.json);
    require_writable(options.contacts);
    require_writable(options.save_tree);
    require_different({options.json, options.contacts, options.save_tree}, {options.a, options.b, options.poses});
    if (to_stdout(options.contacts) || to_stdout(options.save_tree)) {
      throw InputError("only --json can go to standard output");
    }
    object_.tree = named("--tree", options.tree, all_rigid_trees());
    object_.split = named("--split", options.split, all_boxtree_splits());
    // The paper's protocol is about the time of one query, so one thread unless more are asked for.
    const unsigned threads = thread_count(options.threads.value_or(options.tumble > 0 ? 1 : 0));
    object_.threads = threads;
    query_ = {query_kind(options),
              {named("--overlap", options.overlap, all_box_overlaps()), !options.no_lift, options.coherence},
              threads};
  }

  int run() {
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
    } else if (b) {
      contact = run_standing(a.object, b->object, poses);
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

  /// The document of many poses, or of all of a distance.
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

  bool run_standing(const RigidObject& a, const RigidObject& b, const std::vector<PosePair>& poses) {
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

void add_pose_options(CLI::App& command, RigidOptions& options) {
  command.add_option(
      "--pose-b,--pose", options.pose_b,
      "Where B is: \"x y z\", with a rotation \"x y z qw qx qy qz\" or \"x y z axis ax ay az degrees\", "
      "or a matrix of 3 rows of 4; commas do as well (default: as in its file)");
  command.add_option("--pose-a", options.pose_a, "Where A is");
  command
      .add_option("--poses", options.poses,
                  "A row a pair of poses, in the forms of --pose-b: of B, or of A and then of B")
      ->type_name("FILE.csv");
  command
      .add_option("--tumble", options.tumble,
                  "The paper's protocol: both scaled into a cube of size 2, B tumbles about z and x in N steps")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  command.add_option("--distance", options.distances, "With --tumble: distances of the centres")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("D,...");
  command.add_option("--pose-b-end,--end", options.pose_b_end,
                     "B moves, from --pose-b to this pose: when do they first touch?");
  command.add_option("--pose-a-end", options.pose_a_end, "A moves, from --pose-a to this pose");
  command
      .add_option("--path", options.path,
                  "Of a motion: straight, the centre on a line and a turn about it (default), or screw")
      ->type_name("straight|screw");
  command.add_option("--centre-b,--centre", options.centre_b,
                     "What moves on a straight line, in B's own coordinates (default 0 0 0)");
  command.add_option("--centre-a", options.centre_a, "The same of A");
  command.add_option("--tolerance", options.tolerance,
                     "Of a motion: how close counts as contact, as a share of sizes and ways (default 1e-6)");
}

}  // namespace

void add_rigid(CLI::App& program, Action& action) {
  const auto options = std::make_shared<RigidOptions>();
  CLI::App* command =
      program.add_subcommand("rigid", "Contacts of two posed rigid meshes, by trees of nine bytes a node");
  command->add_option("A", options->a, "A mesh (.ply, .obj, .stl, .off), or a .boxtree of --save-tree")
      ->type_name("FILE")
      ->required();
  command->add_option("B", options->b, "Another, or the same; without it A's tree is built and nothing asked")
      ->type_name("FILE");
  add_pose_options(*command, *options);
  command
      ->add_option(
          "--query", options->query,
          "first: do they meet (default); pairs: all triangles that do; contacts: these with what they share")
      ->type_name("first|pairs|contacts");
  command->add_option("--tree", options->tree, "boxtree (default), aabb, obb, kdop18, kdop26 or sphere")
      ->type_name("NAME");
  command->add_option("--split", options->split, "How a boxtree is built: free (default), volume or longest")
      ->type_name("NAME");
  command
      ->add_option("--overlap", options->overlap,
                   "How nodes of boxtrees are told apart: sat (default), sat-lite, axis or lut")
      ->type_name("NAME");
  command->add_flag("--no-lift", options->no_lift, "Work on single nodes for every pair, not once a level up");
  command->add_flag("--coherence", options->coherence, "Begin each pose where the one before ended");
  command->add_option("--threads", options->threads,
                      "Threads, 0 for all cores (default; with --tumble 1, and each pose is timed)");
  command->add_flag("--stats", options->stats, "Also what the trees take and how long they took to build");
  command
      ->add_option("--json", options->json, "Write the result as JSON; - is standard output, instead of the tables")
      ->type_name("FILE|-");
  command
      ->add_option("--contacts", options->contacts,
                   "Write every pair of triangles that meet, and what they share (but for --query pairs)")
      ->type_name("FILE.csv");
  command->add_option("--save-tree", options->save_tree, "Write A with its boxtree, nine bytes a node")
      ->type_name("FILE.boxtree");
  command->footer("Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure.");
  command->callback([options, &action] { action = [options] { return RigidCommand(*options).run(); }; });
}

}  // namespace graze::app
