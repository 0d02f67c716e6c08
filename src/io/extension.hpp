// File extensions: conversion to lower case, and the list of mesh extensions.
#pragma once

#include <filesystem>
#include <string>

#include "core/namespaces.hpp"

namespace graze::io {

/// The extension in lower case, e.g. ".ply" for "Frame.PLY"; only ASCII letters change.
inline std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

inline bool has_mesh_extension(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  return extension == ".ply" || extension == ".obj" || extension == ".stl" || extension == ".off";
}

}  // namespace graze::io
