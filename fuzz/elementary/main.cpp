// fuzz_elementary: checks the elementary tests against the oracle on adversarial queries of every family.
//
// Query number i is family i mod F, kind (i / F) mod 2; it depends only on the seed and i, so that a run can be
// limited (--seconds), resumed (--offset) and repeated at any number of threads. Exit status: 0 all agree, 1 a
// disagreement (printed with a test that repeats it), 2 bad usage. The table goes to stdout, progress to stderr.
#include "oracle/elementary_library.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace {

using graze::FeatureKind;
using graze::oracle::CheckCounts;
using graze::oracle::QueryFamily;
using Clock = std::chrono::steady_clock;

// Number of disagreements printed in full.
constexpr std::uint64_t kPrinted = 20;

struct Options {
  std::uint64_t count = 10'000'000;
  std::uint64_t seed = 1;
  std::uint64_t offset = 0;
  unsigned threads = 0;
  double seconds = 0.0;
  std::string family;
  bool keep_going = false;
};

bool stderr_is_terminal() {
#if defined(__unix__) || defined(__APPLE__)
  return isatty(STDERR_FILENO) != 0;
#else
  return false;
#endif
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Row {
  CheckCounts counts;
  std::uint64_t disagreements = 0;
};

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {
    for (const QueryFamily& family : graze::oracle::query_families()) {
      if (options.family.empty() || options.family == family.name) families_.push_back(&family);
    }
    rows_.resize(2 * families_.size());
  }

  int execute() {
    const unsigned hardware = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> workers;
    running_ = options_.threads != 0 ? options_.threads : hardware;
    const unsigned count = running_;
    for (unsigned i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
    show_progress();
    for (std::thread& worker : workers) worker.join();
    print_table();
    return found_ == 0 ? 0 : 1;
  }

 private:
  // Blocks of consecutive indices are handed out in order, so that all below the resume point are done.
  static constexpr std::uint64_t kBlock = 512;

  void work() {
    std::vector<Row> rows(rows_.size());
    while (!stop_) {
      const std::uint64_t begin = next_.fetch_add(kBlock);
      if (begin >= options_.count) break;
      const std::uint64_t end = std::min(begin + kBlock, options_.count);
      for (std::uint64_t i = begin; i < end; ++i) check(options_.offset + i, rows);
      done_ += end - begin;
    }
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows_[i].counts += rows[i].counts;
      rows_[i].disagreements += rows[i].disagreements;
    }
    --running_;
  }

  void check(std::uint64_t index, std::vector<Row>& rows) {
    const std::size_t row = index % rows.size();
    const QueryFamily& family = *families_[row % families_.size()];
    const FeatureKind kind = row < families_.size() ? FeatureKind::VertexFace : FeatureKind::EdgeEdge;
    const std::string text =
        graze::oracle::check_query(graze::oracle::library(), family, kind, options_.seed, index, rows[row].counts);
    if (text.empty()) return;
    ++rows[row].disagreements;
    const std::lock_guard lock(mutex_);
    if (found_++ < kPrinted) {
      fmt::print("DISAGREEMENT: {}\n{}\n", text,
                 graze::oracle::regression_test(family, kind, options_.seed, index));
      std::fflush(stdout);
    }
    if (!options_.keep_going) stop_ = true;
  }

  void show_progress() {
    const bool terminal = stderr_is_terminal();
    const double period = terminal ? 0.5 : 10.0;
    double last = 0.0;
    while (running_ != 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const double elapsed = seconds_since(start_);
      if (options_.seconds > 0.0 && elapsed > options_.seconds) stop_ = true;
      if (elapsed - last < period) continue;
      last = elapsed;
      const std::uint64_t done = done_;
      fmt::print(stderr, "{}{} of {} queries, {:.0f} per second{}", terminal ? "\r" : "", done, options_.count,
                 static_cast<double>(done) / elapsed, terminal ? "  " : "\n");
      std::fflush(stderr);
    }
    if (terminal) fmt::print(stderr, "\n");
  }

  void print_table() const {
    fmt::print("{:<20} {:<4} {:>10} {:>10} {:>9} {:>9} {:>9} {:>10} {:>10} {:>10} {:>5}\n", "family", "kind",
               "queries", "contacts", "thick", "undecided", "discrete", "filter", "interval", "exact", "wrong");
    Row sum;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string name(families_[i % families_.size()]->name);
      print_row(name, i < families_.size() ? "vf" : "ee", rows_[i]);
      sum.counts += rows_[i].counts;
      sum.disagreements += rows_[i].disagreements;
    }
    print_row("all", "", sum);
    fmt::print("seed {}, offset {}, {:.1f} s; go on with --offset {}\n", options_.seed, options_.offset,
               seconds_since(start_), options_.offset + done_);
  }

  static void print_row(const std::string& name, const char* kind, const Row& row) {
    const CheckCounts& c = row.counts;
    fmt::print("{:<20} {:<4} {:>10} {:>10} {:>9} {:>9} {:>9} {:>10} {:>10} {:>10} {:>5}\n", name, kind, c.queries,
               c.contacts, c.thick, c.undecided, c.discrete, c.tiers.filter, c.tiers.interval, c.tiers.exact,
               row.disagreements);
  }

  Options options_;
  std::vector<const QueryFamily*> families_;
  std::vector<Row> rows_;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<unsigned> running_ = 0;
  std::atomic<bool> stop_ = false;
  std::uint64_t found_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Judges graze's elementary tests by an exact oracle on adversarial queries.", "fuzz_elementary");
  Options options;
  bool list = false;
  app.add_option("--count", options.count, "queries to make")->capture_default_str();
  app.add_option("--seed", options.seed, "seed of all queries")->capture_default_str();
  app.add_option("--offset", options.offset, "number of the first query: resumes an earlier run");
  app.add_option("--threads", options.threads, "0: all cores")->check(CLI::Range(0U, 1024U));
  app.add_option("--seconds", options.seconds, "stop after this time; 0: never")->check(CLI::NonNegativeNumber);
  app.add_option("--family", options.family, "this family only")->check([](const std::string& name) {
    return graze::oracle::find_query_family(name) != nullptr ? std::string() : "no such family; see --list";
  });
  app.add_flag("--keep-going", options.keep_going, "count further disagreements instead of stopping at the first");
  app.add_flag("--list", list, "list the families and stop");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (list) {
    for (const QueryFamily& family : graze::oracle::query_families()) {
      fmt::print("{:<20} {}\n", family.name, family.summary);
    }
    return 0;
  }
  return Run(options).execute();
} catch (const std::exception& error) {
  std::fprintf(stderr, "fuzz_elementary: %s\n", error.what());
  return 3;
}
