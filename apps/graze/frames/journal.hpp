// The journal of a long run, FILE.partial beside its output, from which a second run continues where the first
// stopped.
//
// The journal is a text file that is only appended to. The first line identifies the computation. Each step adds
// its rows of the contacts CSV and one JSON line that commits them. Text after the last complete JSON line belongs
// to an interrupted step and is dropped. Memory: the JSON lines, not the contacts.
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
  /// Opens or creates the journal of an output file. Throws InputError, and changes nothing, if another command
  /// left a journal there.
  Journal(const std::filesystem::path& output, const Json& identity);

  /// The lines that earlier runs committed, in order.
  [[nodiscard]] const std::vector<Json>& committed() const { return committed_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Adds a step, which from then on survives the end of this process. Throws InputError if writing fails.
  void commit(const std::string& contact_lines, const Json& line);

  /// Writes the contact rows of all committed steps, in order.
  void copy_contacts(std::ostream& out) const;

  /// Deletes the journal, once the run is complete and its outputs are written.
  void remove();

 private:
  void load(const Json& identity);

  std::filesystem::path file_;
  std::vector<Json> committed_;
  std::ofstream stream_;
};

}  // namespace graze::app
