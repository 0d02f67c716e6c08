// Runs CUDA kernels on the host, so that the logic of the queries on a GPU is tested where there is none.
//
// Each thread of a block is a fiber. A thread runs until it waits for its warp or its block; the threads of a warp,
// and the warps of a block, take their turns in an order that changes from turn to turn, so that a barrier that is
// missing shows as a wrong answer. Threads of a warp that wait at different operations, or of which some have
// ended, end the program with a message. What the emulator cannot show: races between blocks, which run one after
// the other, and time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace graze::emulator {

struct Stream;

/// Work in the order of a stream.
struct Graph {
  std::vector<std::function<void()>> work;
  std::vector<Stream*> joined;  ///< while it is made: streams that wait for an event in it
};
struct Stream {
  Graph* capture = nullptr;  ///< where work goes while a graph is made of it
};

/// A point in the order of a stream, and when the stream last came to it.
struct Event {
  std::optional<std::chrono::steady_clock::time_point> time;
  bool has_time = true;      ///< false: made without timing
  Graph* capture = nullptr;  ///< the graph in which it was recorded last, without External
};

/// Which operation of a warp a thread is at.
enum class Operation : unsigned char { Sync, Vote, Shuffle, Reduce };

extern dim3 thread_index;
extern dim3 block_index;
extern dim3 block_size;
extern dim3 grid_size;

/// Waits until all threads of the warp have come; returns their values, by lane.
const std::uint64_t* exchange(Operation operation, unsigned mask, std::uint64_t value);
void wait_for_block();

/// Runs the function, or keeps it in the graph that is being made.
void enqueue(Stream* stream, std::function<void()> work);
void enqueue_copy(Stream* stream, void* to, const void* from, std::size_t bytes);
void enqueue_fill(Stream* stream, void* to, int value, std::size_t bytes);
/// Records an event. `in_graph`: as a node of the graph that is being made; returns false if there is none, or if
/// an event that is no node is recorded while there is one.
bool record(Stream* stream, Event* event, bool in_graph);
/// Milliseconds between two events; returns false if one has not been recorded, or has no time.
bool elapsed(const Event& first, const Event& second, float& ms);
/// Runs the kernel in all threads of a grid.
void run_grid(const dim3& blocks, const dim3& threads, const std::function<void()>& kernel);

void* allocate(std::size_t bytes);
void release(void* from);

struct Configuration {
  dim3 blocks;
  dim3 threads;
  std::size_t shared_bytes = 0;
  Stream* stream = nullptr;
};

template <typename Kernel, typename... Arguments>
void launch(const Configuration& configuration, Kernel kernel, Arguments... arguments) {
  enqueue(configuration.stream,
          [=] { run_grid(configuration.blocks, configuration.threads, [&] { kernel(arguments...); }); });
}

}  // namespace graze::emulator
