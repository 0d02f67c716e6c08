// The journal (journal.hpp): a line that starts with '{' commits a step; every other line is a contact.
#include "frames/journal.hpp"

#include <system_error>
#include <utility>

#include <graze/error.hpp>

namespace graze::app {
namespace {

bool is_commit(const std::string& line) {
  return !line.empty() && line.front() == '{';
}

}  // namespace

Journal::Journal(const std::filesystem::path& output, const Json& identity) : file_(output) {
  file_ += ".partial";
  std::error_code error;
  if (std::filesystem::exists(file_, error)) load(identity);
  const bool fresh = !std::filesystem::exists(file_, error);
  stream_.open(file_, std::ios::binary | std::ios::app);
  if (!stream_) throw InputError(file_.string() + ": cannot be written");
  if (fresh) {
    stream_ << json_text(identity) << '\n' << std::flush;
    if (!stream_) throw InputError(file_.string() + ": cannot be written");
  }
}

void Journal::load(const Json& identity) {
  std::ifstream in(file_, std::ios::binary);
  if (!in) throw InputError(file_.string() + ": cannot be read");
  std::string line;
  std::uintmax_t offset = 0;
  std::uintmax_t keep = 0;
  // A line without a newline is incomplete: getline then reaches the end of the file.
  while (std::getline(in, line) && !in.eof()) {
    offset += line.size() + 1;
    if (!is_commit(line)) {
      if (keep == 0) break;
      continue;
    }
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) break;
    if (keep == 0) {
      if (json_text(json) != json_text(identity)) break;
    } else {
      committed_.push_back(std::move(json));
    }
    keep = offset;
  }
  in.close();
  if (keep == 0 && offset > 0) {
    throw InputError(
        file_.string() +
        ": left by a run with other inputs or options; remove it to start again, or repeat that command");
  }
  if (keep == 0) {
    std::filesystem::remove(file_);  // the run stopped before it wrote the first line
  } else {
    std::filesystem::resize_file(file_, keep);
  }
}

void Journal::commit(const std::string& contact_lines, const Json& line) {
  stream_ << contact_lines << json_text(line) << '\n' << std::flush;
  if (!stream_) throw InputError(file_.string() + ": cannot be written; is the disk full?");
}

void Journal::copy_contacts(std::ostream& out) const {
  std::ifstream in(file_, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    if (!is_commit(line)) out << line << '\n';
  }
}

void Journal::remove() {
  stream_.close();
  std::error_code error;
  std::filesystem::remove(file_, error);
}

}  // namespace graze::app
