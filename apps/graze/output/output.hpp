// Files and JSON that commands write. A file is replaced only once the new one is whole; "-" is stdout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>

#include <graze/stats.hpp>
#include <graze/types.hpp>

#include <nlohmann/json.hpp>

namespace graze::app {

/// Keeps keys in the order they were written: the documents read like their description.
using Json = nlohmann::ordered_json;

/// A 64-bit hash as JSON and tables show it: 16 hexadecimal digits.
std::string hex16(std::uint64_t value);

/// Times of a query in milliseconds, to the microsecond, and its counters, under the keys of the contract.
double to_microsecond(double milliseconds);
Json times_json(const Stats& stats);
Json counters_json(const Stats& stats);

/// A document as text. File names may be any bytes: what is not UTF-8 is replaced.
std::string json_text(const Json& document, int indent = -1);

/// Throws InputError if a file of that name cannot be made: before the work rather than after. Empty and "-" pass.
void require_writable(const std::string& target);

/// Throws InputError if two outputs go to one file, or if one of them is an input. Empty names and devices pass.
void require_different(std::initializer_list<std::string> targets, std::initializer_list<std::string> inputs = {});

/// Lets `write` fill a new file beside the target and then puts it in its place; devices and pipes are written
/// directly. Throws InputError where the system refuses.
void write_whole_file(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write);

/// Writes a document and a newline to a file, or to stdout for "-"; nothing for an empty target.
void write_json(const std::string& target, const Json& document);

/// Is stdout taken by the document? Then tables stay away from it.
inline bool to_stdout(const std::string& target) {
  return target == "-";
}

/// The five id columns of a feature pair in the contacts CSV: "v,-,f0,f1,f2" or "a0,a1,b0,b1,-".
std::string pair_columns(const FeaturePair& pair);
std::string_view kind_name(FeatureKind kind);  ///< "vf" or "ee"

}  // namespace graze::app
