// Writes a file as a C++ source: its text in string literals of a size that every compiler takes.
//
//   node embed.mjs page/index.html viewer_page.cpp
import { readFileSync, writeFileSync } from "node:fs";

const [page, source] = process.argv.slice(2);
const bytes = readFileSync(page);
const pieceBytes = 12_000; // MSVC takes no literal over 16 kB

// Octal escapes end after three digits; hexadecimal ones do not end.
const escaped = new Array(256);
for (let byte = 0; byte < 256; ++byte) {
  const plain = byte >= 0x20 && byte < 0x7f && !'"\\?'.includes(String.fromCharCode(byte));
  escaped[byte] = plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
}

const pieces = [];
for (let begin = 0; begin < bytes.length; begin += pieceBytes) {
  const piece = bytes.subarray(begin, begin + pieceBytes);
  let text = "";
  for (const byte of piece) text += escaped[byte];
  pieces.push(`    std::string_view("${text}", ${piece.length}),`);
}
writeFileSync(
  source,
  `// Made from apps/viewer by embed.mjs: the page of --report.
#include "report/viewer_page.hpp"

#include <array>

namespace graze::app {
namespace {

constexpr std::array kPage = {
${pieces.join("\n")}
};

}  // namespace

std::span<const std::string_view> viewer_page() {
  return kPage;
}

}  // namespace graze::app
`,
);
