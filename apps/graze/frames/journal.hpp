// The journal of a long run, FILE.partial beside its output: what a second run needs to go on where the first
// stopped.
//
// A text file that is only appended to. The first line says what is being computed; then, for each step, its
// rows of the contacts CSV followed by one JSON line that commits them. Whatever comes after the last whole
// JSON line is from a step that was cut off, and is dropped. Memory: the JSON lines, not the contacts.
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "output/output.hpp"

namespace graze::app {

class Journal {
 public:
  /// Opens or makes the journal of an output file. Throws InputError, and changes nothing, for a journal that
  /// another command left there.
  Journal(const std::filesystem::path& output, const Json& identity);

  /// The lines that earlier runs committed, in order.
  [[nodiscard]] const std::vector<Json>& committed() const { return committed_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Adds a step; on return it survives the end of this process. Throws InputError if the disk refuses.
  void commit(const std::string& contact_lines, const Json& line);

  /// All contact rows of all committed steps, in order.
  void copy_contacts(std::ostream& out) const;

  /// The run is complete and its outputs are written.
  void remove();

 private:
  void load(const Json& identity);

  std::filesystem::path file_;
  std::vector<Json> committed_;
  std::ofstream stream_;
};

}  // namespace graze::app
