// Decodes the PNG files of browser screenshots: 8 bits per channel, RGB or RGBA, not interlaced.
import { inflateSync } from "node:zlib";

export function decodePng(file) {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : file[25] === 2 ? 3 : 0;
  if (file[24] !== 8 || channels === 0 || file[28] !== 0) throw new Error("not the kind of PNG that is read here");
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const lines = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const bytes = new Uint8Array(stride * height);
  for (let row = 0; row < height; ++row) {
    const filter = lines[row * (stride + 1)];
    for (let i = 0; i < stride; ++i) {
      const left = i >= channels ? bytes[row * stride + i - channels] : 0;
      const above = row > 0 ? bytes[(row - 1) * stride + i] : 0;
      const corner = i >= channels && row > 0 ? bytes[(row - 1) * stride + i - channels] : 0;
      const guess = left + above - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? above : corner;
      const predicted = [0, left, above, (left + above) >> 1, paeth][filter];
      bytes[row * stride + i] = lines[row * (stride + 1) + 1 + i] + predicted;
    }
  }
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; ++i) {
    for (let k = 0; k < 4; ++k) rgba[4 * i + k] = k < channels ? bytes[i * channels + k] : 255;
  }
  return { width, height, rgba };
}
