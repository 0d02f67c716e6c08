// The processor's name is read from /proc/cpuinfo (Linux); elsewhere it is unknown.
#include "bench/machine.hpp"

#include <fstream>
#include <string>
#include <thread>

#include <graze/version.hpp>

#include "research/filter_speed.hpp"

namespace graze::app {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos && colon + 2 < line.size()) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

Json machine_json() {
  return {{"cpu", cpu_name()},
          {"cores", std::thread::hardware_concurrency()},
          {"simd", papers::best_simd_target()},
          {"compiler", compiler_name()},
          {"graze", version()}};
}

}  // namespace graze::app
