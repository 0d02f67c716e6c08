// Work spaces of queries: one for each run in progress, kept for the next queries. Safe to use from several
// threads.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::rigid {

template <typename Work>
class WorkSpaces {
 public:
  std::unique_ptr<Work> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Work>();
    std::unique_ptr<Work> work = std::move(free_.back());
    free_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<Work> work) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(work));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> free_;
};

}  // namespace graze::rigid
