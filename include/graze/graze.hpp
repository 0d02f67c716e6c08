// Umbrella header: all of graze but its file formats (graze/io.hpp).
#pragma once

#include <graze/batch.hpp>
#include <graze/boxes.hpp>
#include <graze/detector.hpp>
#include <graze/edit.hpp>
#include <graze/elementary.hpp>
#include <graze/error.hpp>
#include <graze/methods.hpp>
#include <graze/results.hpp>
#include <graze/rigid.hpp>
#include <graze/scene.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>
#include <graze/version.hpp>
