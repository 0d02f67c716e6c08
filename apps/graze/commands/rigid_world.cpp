// Contacts of all objects of a world (rigid_world.hpp): reads each mesh once, builds the world, asks one query, and
// shows a row for each pair of objects that intersects.
#include "commands/rigid_world.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <graze/error.hpp>
#include <graze/rigid_world.hpp>
#include <graze/version.hpp>

#include "commands/commands.hpp"
#include "commands/rigid_objects.hpp"
#include "commands/rigid_queries.hpp"
#include "commands/rigid_scene.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/shape_name.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

/// A cell of a CSV file: in quotes if it holds a comma, a quote or the end of a line.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

/// Two objects that intersect: the first of their pairs of triangles, and how many were asked for and found.
struct Meeting {
  ObjectId a;
  ObjectId b;
  TrianglePair first;
  std::size_t pairs = 0;
};

class WorldCommand {
 public:
  WorldCommand(const RigidOptions& options, const RigidObjectOptions& object, const ColliderOptions& collider,
               unsigned threads)
      : options_(options),
        object_(object),
        query_(options.query.empty() ? (options.contacts.empty() ? "hits" : "contacts") : options.query),
        scene_(read_rigid_scene(options.a)) {
    for (const RigidSceneObject& entry : scene_.objects) {
      require_different({options.json, options.contacts}, {entry.file});
    }
    world_options_.collider = collider;
    world_options_.threads = threads;
    world_options_.progress = [](double) { return !interrupted(); };
  }

  int run() {
    fill();
    const auto start = std::chrono::steady_clock::now();
    ask();
    us_ = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    if (!to_stdout(options_.json)) print();
    if (!options_.contacts.empty()) {
      write_whole_file(options_.contacts, [&](std::ostream& stream) { stream << csv(); });
    }
    write_json(options_.json, json());
    return meetings_.empty() ? kNoContact : kContact;
  }

 private:
  void fill() {
    std::map<std::string, RigidObject> meshes;
    for (const RigidSceneObject& entry : scene_.objects) {
      auto found = meshes.find(entry.file);
      if (found == meshes.end()) {
        found = meshes.emplace(entry.file, load_object(entry.name, entry.file, object_, false).object).first;
      }
      names_.emplace(world_.add(found->second, entry.pose,
                                {.motion = entry.is_static ? Motion::Static : Motion::Rigid,
                                 .groups = entry.groups,
                                 .meets = entry.meets}),
                     names_.size());
    }
    std::vector<ObjectId> ids = world_.ids();  // in the order of the file: nothing was removed
    for (const auto& [a, b] : scene_.ignored) world_.ignore_pair(ids[a], ids[b]);
  }

  void ask() {
    const auto add = [&](ObjectId a, ObjectId b, const TrianglePair& pair) {
      if (meetings_.empty() || meetings_.back().a != a || meetings_.back().b != b)
        meetings_.push_back({a, b, pair});
      ++meetings_.back().pairs;
    };
    if (query_ == "first") {
      const WorldFirstHit found = world_.first_hit(world_options_);
      if (found.first) add(found.first->a, found.first->b, found.first->pair);
      stats_ = found.stats;
    } else if (query_ == "contacts") {
      WorldContacts found = world_.contacts(world_options_);
      for (const WorldContact& each : found.contacts) add(each.a, each.b, each.contact.pair);
      contacts_ = std::move(found.contacts);
      stats_ = found.stats;
    } else {
      WorldHits found = query_ == "pairs" ? world_.triangle_pairs(world_options_) : world_.hits(world_options_);
      for (const WorldHit& each : found.hits) add(each.a, each.b, each.pair);
      hits_ = std::move(found.hits);
      stats_ = found.stats;
    }
  }

  [[nodiscard]] const std::string& name(ObjectId id) const { return scene_.objects[names_.at(id)].name; }
  [[nodiscard]] bool counts_pairs() const { return query_ == "pairs" || query_ == "contacts"; }
  [[nodiscard]] std::size_t pair_count() const {
    std::size_t count = 0;
    for (const Meeting& meeting : meetings_) count += meeting.pairs;
    return count;
  }

  void print() const {
    Table table({{"a", -16}, {"b", -16}, {"triangle of a", 13}, {"triangle of b", 13}, {"pairs", 10}});
    for (const Meeting& meeting : meetings_) {
      table.row({name(meeting.a), name(meeting.b), std::to_string(meeting.first.a), std::to_string(meeting.first.b),
                 counts_pairs() ? with_separators(meeting.pairs) : "-"});
    }
    fmt::print("{} objects, {} pairs of boxes, {} intersect{}; {} µs\n", with_separators(scene_.objects.size()),
               with_separators(stats_.object_pairs), with_separators(meetings_.size()),
               query_ == "first" ? " (stopped at the first)" : "", format_ms(us_));
  }

  [[nodiscard]] std::string csv() const {
    const auto objects = [&](ObjectId a, ObjectId b) { return csv_cell(name(a)) + ',' + csv_cell(name(b)); };
    if (query_ != "contacts") {
      std::string text = "object_a,object_b,a,b\n";
      for (const WorldHit& hit : hits_) {
        text += fmt::format("{},{},{}\n", objects(hit.a, hit.b), hit.pair.a, hit.pair.b);
      }
      return text;
    }
    std::string text = "object_a,object_b,a,b,shape,px,py,pz,qx,qy,qz\n";
    for (const WorldContact& each : contacts_) {
      const RigidContact& c = each.contact;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", objects(each.a, each.b), c.pair.a, c.pair.b,
                          shape_name(c.shape), c.p.x, c.p.y, c.p.z, c.q.x, c.q.y, c.q.z);
    }
    return text;
  }

  [[nodiscard]] Json json() const {
    Json document;
    document["graze"] = version();
    document["tree"] = options_.tree;
    document["query"] = query_;
    document["threads"] = world_options_.threads;
    document["objects"] = Json::array();
    for (const RigidSceneObject& entry : scene_.objects) {
      document["objects"].push_back({{"name", entry.name}, {"file", entry.file}, {"static", entry.is_static}});
    }
    document["hits"] = Json::array();
    for (const Meeting& meeting : meetings_) {
      document["hits"].push_back({{"a", name(meeting.a)},
                                  {"b", name(meeting.b)},
                                  {"pair", {meeting.first.a, meeting.first.b}},
                                  {"pairs", counts_pairs() ? Json(meeting.pairs) : Json(nullptr)}});
    }
    Json counters = rigid_counters_json(stats_.narrow);
    counters["box_tests"] = stats_.box_tests;
    counters["object_pairs"] = stats_.object_pairs;
    document["total"] = {{"hits", meetings_.size()},
                         {"pairs", counts_pairs() ? Json(pair_count()) : Json(nullptr)},
                         {"us", to_microsecond(us_)},
                         {"counters", std::move(counters)}};
    return document;
  }

  const RigidOptions& options_;
  RigidObjectOptions object_;
  std::string query_;
  RigidScene scene_;
  RigidWorld world_;
  WorldOptions world_options_;
  std::map<ObjectId, std::size_t> names_;  ///< position in the file of each object
  std::vector<Meeting> meetings_;          ///< in the order of the file
  std::vector<WorldHit> hits_;
  std::vector<WorldContact> contacts_;
  WorldStats stats_;
  double us_ = 0.0;
};

}  // namespace

bool names_world(const RigidOptions& options) {
  return lower_extension(options.a) == ".json";
}

void check_world_options(const RigidOptions& options) {
  const auto refuse = [](bool given, const char* what) {
    if (given) throw InputError(fmt::format("{} is for two objects: the file of a world has its poses", what));
  };
  refuse(!options.b.empty(), "B");
  refuse(options.posed(), "--pose");
  refuse(options.moves(), "--end");
  refuse(!options.poses.empty(), "--poses");
  refuse(options.tumble > 0 || !options.distances.empty(), "--tumble");
  refuse(!options.centre_a.empty() || !options.centre_b.empty(), "--centre");
  refuse(!options.save_tree.empty(), "--save-tree");
  refuse(options.coherence, "--coherence");
  refuse(options.stats, "--stats");
  const std::string& query = options.query;
  if (!query.empty() && query != "first" && query != "hits" && query != "pairs" && query != "contacts") {
    throw InputError(
        fmt::format("--query '{}' is unknown for a world; there are: first, hits, pairs, contacts", query));
  }
  if (!options.contacts.empty() && query == "first") {
    throw InputError("--contacts needs --query hits, pairs or contacts, not first");
  }
}

int run_rigid_world(const RigidOptions& options, const RigidObjectOptions& object, const ColliderOptions& collider,
                    unsigned threads) {
  return WorldCommand(options, object, collider, threads).run();
}

}  // namespace graze::app
