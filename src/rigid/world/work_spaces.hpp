// Pool of work spaces of rigid queries: one for each run in progress, kept for the next queries.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rigid/collide.hpp"

namespace graze::rigid {

class WorkSpaces {
 public:
  std::unique_ptr<RigidWork> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<RigidWork>();
    std::unique_ptr<RigidWork> work = std::move(free_.back());
    free_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<RigidWork> work) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(work));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<RigidWork>> free_;
};

}  // namespace graze::rigid
