// Files and JSON that commands write. A file is replaced only once the new one is complete; "-" means stdout.
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

/// JSON whose keys stay in the order of insertion.
using Json = nlohmann::ordered_json;

/// A 64-bit hash as JSON and tables show it: 16 hexadecimal digits.
std::string hex16(std::uint64_t value);

/// Times of a query in milliseconds, rounded to the microsecond, and its counters, under the keys of docs/cli.md.
double to_microsecond(double milliseconds);
Json times_json(const Stats& stats);
Json counters_json(const Stats& stats);

/// A document as text. Bytes that are not UTF-8 (file names may have any) are replaced.
std::string json_text(const Json& document, int indent = -1);

/// The extension of a file name in lower case: ".ply" of "Frame.PLY". Only ASCII letters change.
std::string lower_extension(const std::filesystem::path& file);

/// Throws InputError if the file cannot be written, before any work is done. An empty name and "-" pass.
void require_writable(const std::string& target);

/// Throws InputError if two outputs go to one file, or if one of them is an input. Empty names and devices pass.
void require_different(std::initializer_list<std::string> targets, std::initializer_list<std::string> inputs = {});

/// Calls `write` on a new file and then renames it to the target; devices and pipes are written directly. Throws
/// InputError if that fails.
void write_whole_file(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write);

/// Writes a document and a newline to a file, or to stdout for "-"; nothing for an empty target.
void write_json(const std::string& target, const Json& document);

/// True if the document goes to stdout; tables are then not printed.
inline bool to_stdout(const std::string& target) {
  return target == "-";
}

/// The five id columns of a feature pair in the contacts CSV: "v,-,f0,f1,f2" or "a0,a1,b0,b1,-".
std::string pair_columns(const FeaturePair& pair);
std::string_view kind_name(FeatureKind kind);  ///< "vf" or "ee"

}  // namespace graze::app
