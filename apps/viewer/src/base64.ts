// Base64 text of the page to typed arrays. Linear; about 100 MB/s, so a frame of 250,000 vertices takes a few
// hundredths of a second, and is decoded only when it is first shown.

const digits = new Uint8Array(128);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((digit, value) => {
  digits[digit.charCodeAt(0)] = value;
});

export function decodeBase64(text: string): ArrayBuffer {
  const end = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const size = (text.length / 4) * 3 - end;
  const bytes = new Uint8Array(size);
  for (let i = 0, out = 0; i < text.length; i += 4) {
    const three =
      (digits[text.charCodeAt(i)] << 18) |
      (digits[text.charCodeAt(i + 1)] << 12) |
      (digits[text.charCodeAt(i + 2) & 127] << 6) |
      digits[text.charCodeAt(i + 3) & 127];
    bytes[out++] = three >> 16;
    if (out < size) bytes[out++] = (three >> 8) & 255;
    if (out < size) bytes[out++] = three & 255;
  }
  return bytes.buffer;
}
