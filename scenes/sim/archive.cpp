// Saves and restores the state of a simulation between frames: the arrays of the model as they lie in memory, parts
// field by field, since the padding between fields has no value. Valid for the same program on the same kind of
// machine; a magic number identifies the format. Cost: linear in the model.
#include <algorithm>
#include <array>
#include <istream>
#include <ostream>
#include <type_traits>

#include <graze/error.hpp>

#include "scenes/sim/simulation.hpp"

namespace graze::scenes::sim {

namespace {

constexpr std::array<char, 8> kMagic = {'g', 'r', 'a', 'z', 's', 'i', 'm', '2'};

template <class T>
void put(std::ostream& stream, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  stream.write(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Calls action for each field of a part that the file holds, in the order of the file.
template <class PartType, class Action>
void each_field(PartType& part, const Action& action) {
  action(part.kind);
  auto& material = part.material;
  action(material.stretch);
  action(material.shear);
  action(material.bend);
  action(material.volume);
  action(material.shape);
  action(material.mass);
  action(material.strength);
  action(material.pieces_rigid);
  action(part.rotation);
  action(part.pose);
  action(part.velocity);
  action(part.spin);
  action(part.inverse_mass);
  action(part.inverse_inertia);
}

void put(std::ostream& stream, const std::vector<Part>& parts) {
  put(stream, static_cast<std::uint64_t>(parts.size()));
  for (const Part& part : parts) {
    each_field(part, [&](const auto& field) { put(stream, field); });
  }
}

template <class T>
void put(std::ostream& stream, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  put(stream, static_cast<std::uint64_t>(values.size()));
  stream.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(T)));
}

void read_bytes(std::istream& stream, char* to, std::size_t size) {
  stream.read(to, static_cast<std::streamsize>(size));
  if (static_cast<std::size_t>(stream.gcount()) != size) throw InputError("the saved state is truncated");
}

template <class T>
void get(std::istream& stream, T& value) {
  read_bytes(stream, reinterpret_cast<char*>(&value), sizeof value);
}

/// Reads in small chunks: a corrupt size then fails at the end of the file instead of in a huge allocation.
template <class T>
void get(std::istream& stream, std::vector<T>& values) {
  std::uint64_t size = 0;
  get(stream, size);
  values.clear();
  constexpr std::uint64_t kPortion = 65536;
  while (values.size() < size) {
    const std::size_t old = values.size();
    values.resize(old + static_cast<std::size_t>(std::min<std::uint64_t>(kPortion, size - old)));
    read_bytes(stream, reinterpret_cast<char*>(values.data() + old), (values.size() - old) * sizeof(T));
  }
}

void get(std::istream& stream, std::vector<Part>& parts) {
  std::uint64_t size = 0;
  get(stream, size);
  parts.clear();
  while (parts.size() < size) {
    each_field(parts.emplace_back(), [&](auto& field) { get(stream, field); });
  }
}

/// Calls action for each array, in the order of the file.
template <class ModelType, class Action>
void each_array(ModelType& model, const Action& action) {
  action(model.x);
  action(model.v);
  action(model.rest);
  action(model.inverse_mass);
  action(model.part);
  action(model.triangles);
  action(model.triangle_part);
  action(model.triangle_piece);
  action(model.parts);
}

}  // namespace

void Simulation::save(std::ostream& stream) const {
  put(stream, kMagic);
  put(stream, frame_);
  put(stream, clock_);
  put(stream, counts_);
  each_array(model_, [&](const auto& array) { put(stream, array); });
  put(stream, hits_);
  put(stream, kMagic);  // a file without this was not written completely
}

void Simulation::load(std::istream& stream) {
  std::array<char, 8> magic{};
  get(stream, magic);
  if (magic != kMagic) throw InputError("this is not a saved state of this version");
  Model model;
  std::uint64_t frame = 0;
  double clock = 0.0;
  SafetyCounts counts;
  std::vector<Contacts::Push> hits;
  get(stream, frame);
  get(stream, clock);
  get(stream, counts);
  each_array(model, [&](auto& array) { get(stream, array); });
  get(stream, hits);
  get(stream, magic);
  const std::size_t n = model.x.size();
  const std::size_t m = model.triangles.size();
  bool fits = magic == kMagic && m == model_.triangles.size() && n >= model_.x.size() && model.v.size() == n &&
              model.rest.size() == n && model.inverse_mass.size() == n && model.part.size() == n &&
              model.triangle_part.size() == m && model.triangle_piece.size() == m &&
              model.parts.size() >= model_.parts.size() && hits.size() == model.parts.size();
  const auto known = [&](PartId id) { return id < model.parts.size(); };
  for (const PartId id : model.part) fits = fits && known(id);
  for (const PartId id : model.triangle_part) fits = fits && known(id);
  for (const Triangle& t : model.triangles) fits = fits && t[0] < n && t[1] < n && t[2] < n;
  if (!fits) throw InputError("the saved state is corrupt or belongs to another scene");
  model_ = std::move(model);
  hits_ = std::move(hits);
  frame_ = frame;
  clock_ = clock;
  counts_ = counts;
  elastic_.rebuild(model_);
  rebuild_rigid_members();
  rebuild_detector();
}

}  // namespace graze::scenes::sim
