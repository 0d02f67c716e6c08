// See emulator.hpp. Fibers are those of Boost.Context; all of them, and the order of turns, belong to one grid at a
// time.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <unordered_map>
#include <utility>

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>

#include "memory.hpp"

namespace graze::emulator {

dim3 thread_index;
dim3 block_index;
dim3 block_size;
dim3 grid_size;

namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kStackBytes = std::size_t{1} << 17U;

enum class State : unsigned char { Ready, AtWarp, AtBlock, Done };

/// The values that the threads of a warp exchange. Two sets take turns: a thread may come to the next operation
/// before others have read the values of this one.
struct Warp {
  std::array<std::array<std::uint64_t, kWarp>, 2> values{};
};

struct Thread {
  boost::context::fiber own;
  boost::context::fiber scheduler;
  Warp* warp = nullptr;
  unsigned index = 0;
  unsigned operations = 0;  ///< so far
  Operation operation = Operation::Sync;
  State state = State::Done;
};

[[noreturn]] void fail(const char* message) {
  std::fprintf(stderr, "emulator: %s (block %u, thread %u)\n", message, block_index.x, thread_index.x);
  std::abort();
}

/// All threads that a block may have, and the kernel that they run.
class Grid {
 public:
  void run(const dim3& blocks, const dim3& threads, const std::function<void()>& kernel) {
    const std::lock_guard lock(mutex_);
    grid_size = blocks;
    block_size = threads;
    kernel_ = &kernel;
    prepare(threads.x);
    for (unsigned block = 0; block < blocks.x; ++block) {
      block_index = dim3(block);
      run_block(threads.x);
    }
  }

  const std::uint64_t* exchange(Operation operation, std::uint64_t value) {
    Thread& thread = *current_;
    std::array<std::uint64_t, kWarp>& values = thread.warp->values[thread.operations++ % 2];
    values[thread.index % kWarp] = value;
    thread.operation = operation;
    pause(State::AtWarp);
    return values.data();
  }

  void pause(State state) {
    Thread& thread = *current_;
    thread.state = state;
    thread.scheduler = std::move(thread.scheduler).resume();
  }

 private:
  void prepare(unsigned count) {
    while (threads_.size() < count) {
      const auto index = static_cast<unsigned>(threads_.size());
      if (index % kWarp == 0) warps_.push_back(std::make_unique<Warp>());
      threads_.push_back(std::make_unique<Thread>());
      Thread& thread = *threads_.back();
      thread.index = index;
      thread.warp = warps_.back().get();
      thread.own = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(kStackBytes),
                                         [this, &thread](boost::context::fiber&& scheduler) {
                                           thread.scheduler = std::move(scheduler);
                                           while (true) {
                                             (*kernel_)();
                                             pause(State::Done);
                                           }
                                           return std::move(thread.scheduler);
                                         });
    }
  }

  void run_block(unsigned count) {
    for (unsigned i = 0; i < count; ++i) threads_[i]->state = State::Ready;
    const unsigned warps = (count + kWarp - 1) / kWarp;
    order_.resize(warps);
    std::iota(order_.begin(), order_.end(), 0U);
    while (true) {
      std::shuffle(order_.begin(), order_.end(), random_);
      unsigned done = 0;
      unsigned waiting = 0;
      for (const unsigned warp : order_) {
        const State state = run_warp(warp * kWarp, std::min(count, (warp + 1) * kWarp));
        done += state == State::Done ? 1 : 0;
        waiting += state == State::AtBlock ? 1 : 0;
      }
      if (done == warps) return;
      if (done + waiting < warps) continue;
      for (unsigned i = 0; i < count; ++i) {
        if (threads_[i]->state == State::AtBlock) threads_[i]->state = State::Ready;
      }
    }
  }

  /// Lets the threads of a warp run to where they wait next.
  State run_warp(unsigned first, unsigned end) {
    if (threads_[first]->state != State::Ready) return threads_[first]->state;
    // Every turn begins with another thread, and goes up or down.
    const auto turn = static_cast<unsigned>(random_());
    const unsigned count = end - first;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned step = (turn & 1U) != 0 ? i : count - 1 - i;
      resume(*threads_[first + (step + (turn >> 1U)) % count]);
    }
    const Thread& leader = *threads_[first];
    for (unsigned i = first; i < end; ++i) {
      const Thread& thread = *threads_[i];
      if (thread.state != leader.state) fail("the threads of a warp wait at different places, or some have ended");
      if (thread.state == State::AtWarp && thread.operation != leader.operation) {
        fail("the threads of a warp are at different operations");
      }
    }
    if (leader.state != State::AtWarp) return leader.state;
    if (count < kWarp) fail("an operation of a warp that is not full");
    for (unsigned i = first; i < end; ++i) threads_[i]->state = State::Ready;
    return State::Ready;
  }

  void resume(Thread& thread) {
    current_ = &thread;
    thread_index = dim3(thread.index);
    thread.own = std::move(thread.own).resume();
  }

  std::mutex mutex_;
  const std::function<void()>* kernel_ = nullptr;
  Thread* current_ = nullptr;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<unsigned> order_;
  std::minstd_rand random_;
};

/// Lives until the end of the program: fibers that wait are not ended.
Grid& grid() {
  static Grid& all = *new Grid;
  return all;
}

struct Memory {
  std::mutex mutex;
  std::unordered_map<void*, std::size_t> blocks;
  std::size_t bytes = 0;
  std::size_t count = 0;
  std::size_t limit = 0;
};
Memory& memory() {
  static Memory& all = *new Memory;
  return all;
}

}  // namespace

const std::uint64_t* exchange(Operation operation, unsigned mask, std::uint64_t value) {
  if (mask != 0xffffffffU) fail("an operation of a part of a warp");
  return grid().exchange(operation, value);
}

void wait_for_block() {
  grid().pause(State::AtBlock);
}

void run_grid(const dim3& blocks, const dim3& threads, const std::function<void()>& kernel) {
  grid().run(blocks, threads, kernel);
}

void enqueue(Stream* stream, std::function<void()> work) {
  if (stream != nullptr && stream->capture != nullptr) {
    stream->capture->work.push_back(std::move(work));
  } else {
    work();
  }
}

void enqueue_copy(Stream* stream, void* to, const void* from, std::size_t bytes) {
  enqueue(stream, [=] {
    if (bytes > 0) std::memcpy(to, from, bytes);
  });
}

void enqueue_fill(Stream* stream, void* to, int value, std::size_t bytes) {
  enqueue(stream, [=] {
    if (bytes > 0) std::memset(to, value, bytes);
  });
}

bool record(Stream* stream, Event* event, bool in_graph) {
  const bool captures = stream != nullptr && stream->capture != nullptr;
  if (in_graph && !captures) return false;
  event->capture = captures && !in_graph ? stream->capture : nullptr;
  if (event->capture != nullptr) return !event->has_time;  // an order of work in the graph, without a time
  enqueue(stream, [event] { event->time = std::chrono::steady_clock::now(); });
  return true;
}

bool elapsed(const Event& first, const Event& second, float& ms) {
  if (!first.time || !second.time || !first.has_time || !second.has_time) return false;
  ms = std::chrono::duration<float, std::milli>(*second.time - *first.time).count();
  return true;
}

void* allocate(std::size_t bytes) {
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  if (all.limit != 0 && all.bytes + bytes > all.limit) return nullptr;
  constexpr std::size_t kAlignment = 256;
  void* const block = std::aligned_alloc(kAlignment, (bytes + kAlignment) / kAlignment * kAlignment);
  if (block == nullptr) return nullptr;
  std::memset(block, 0xcd, bytes);
  all.blocks[block] = bytes;
  all.bytes += bytes;
  ++all.count;
  return block;
}

void release(void* from) {
  if (from == nullptr) return;
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  const auto block = all.blocks.find(from);
  if (block == all.blocks.end()) fail("memory that was not allocated is freed");
  std::memset(from, 0xdd, block->second);
  all.bytes -= block->second;
  all.blocks.erase(block);
  std::free(from);
}

std::size_t allocated_bytes() {
  return memory().bytes;
}

std::size_t allocation_count() {
  return memory().count;
}

void limit_memory(std::size_t bytes) {
  memory().limit = bytes;
}

}  // namespace graze::emulator
