// Opens a capture (.graze): a step's meshes at both ends, and how many contacts it has. The format is in
// src/io/capture.hpp. Its checksum is the program's business; sizes, ids and values are checked before they are used.
//
// Contacts are not in a capture: `graze detect FILE.graze --report PAGE.html` finds them and writes a page that has them.

import { readImpacts, type Arrays, type ReportDocument } from "./report";

export interface OpenedCapture {
  report: ReportDocument;
  arrays: Arrays;
}

const headerBytes = 88;
const bodyBytes = 20;
const ignoredBytes = 8; // a pair of bodies
const none = 0xffffffff; // the body of a removed vertex, the vertices of a removed triangle

/** Throws an Error of one line for anything that is no capture. */
export function openCapture(buffer: ArrayBuffer, name: string): OpenedCapture {
  const view = new DataView(buffer);
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}`);
  };
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(8, buffer.byteLength)));
  if (magic !== "GRAZECAP") fail("not a capture");
  if (buffer.byteLength < headerBytes) fail("the file ends in its header");
  const version = view.getUint32(8, true);
  if (version !== 1 && version !== 2) fail(`version ${version} of the format; this page reads 1 and 2`);
  const edited = version === 2; // stores the body of each vertex; removed items keep their ids
  const bodies = view.getUint32(12, true);
  const count = (at: number) => Number(view.getBigUint64(at, true));
  const [vertices, triangles, ignored] = [count(16), count(24), count(32)];
  const expected = headerBytes + bodyBytes * bodies + ignoredBytes * ignored + 12 * triangles + (edited ? 52 : 48) * vertices + 8;
  if (buffer.byteLength !== expected) fail(`its counts make ${expected} bytes, but it has ${buffer.byteLength}`);

  const parts = new Uint16Array(vertices);
  let first = 0;
  for (let body = 0; body < bodies && !edited; ++body) {
    const own = view.getUint32(headerBytes + bodyBytes * body, true);
    if (first + own > vertices) fail("its bodies have more vertices than it has");
    parts.fill(body % 65536, first, first + own);
    first += own;
  }
  let at = headerBytes + bodyBytes * bodies + ignoredBytes * ignored;
  const ids = new Uint32Array(3 * triangles);
  for (let i = 0; i < ids.length; ++i, at += 4) {
    ids[i] = view.getUint32(at, true);
    if (edited && ids[i] === none) ids[i] = 0; // of a removed triangle: one without area
    if (ids[i] >= vertices) fail(`triangle ${Math.floor(i / 3)} has vertex ${ids[i]}, but there are ${vertices}`);
  }
  const removed = new Uint8Array(vertices);
  for (let v = 0; v < vertices && edited; ++v, at += 4) {
    const body = view.getUint32(at, true);
    if (body !== none && body >= bodies) fail(`vertex ${v} is of body ${body}, but there are ${bodies}`);
    removed[v] = body === none ? 1 : 0;
    parts[v] = body === none ? 0 : body % 65536;
  }
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  const ends = [0, 1].map(() => {
    const positions = new Float64Array(3 * vertices);
    for (let i = 0; i < positions.length; ++i, at += 8) {
      const value = view.getFloat64(at, true);
      if (removed[Math.floor(i / 3)]) {
        positions[i] = NaN; // may be anything: placed below
        continue;
      }
      if (!Number.isFinite(value)) fail(`vertex ${Math.floor(i / 3)} is not finite`);
      positions[i] = value;
      min[i % 3] = Math.min(min[i % 3], value);
      max[i % 3] = Math.max(max[i % 3], value);
    }
    return positions;
  });
  if (min[0] === Infinity) fail("it has no vertex");
  const half = min.map((low, k) => max[k] / 2 - low / 2);
  const shares = ends.map((positions) =>
    Float32Array.from(positions, (value, i) => (half[i % 3] > 0 && !Number.isNaN(value) ? (value / 2 - min[i % 3] / 2) / half[i % 3] : 0)),
  );
  const [vf, ee] = [count(56), count(64)];
  return {
    report: {
      graze: "",
      title: name,
      thickness: view.getFloat64(40, true),
      tolerance: view.getFloat64(48, true),
      capture: { name, vf, ee },
      mesh: {
        vertices,
        triangles,
        min: min as [number, number, number],
        max: max as [number, number, number],
        bits: 32,
        frames: [0, 1],
        parts: bodies,
        parts_are: "body",
      },
      shown: [{ step: 0, found: vf + ee, kept: 0 }],
      steps: [],
    },
    arrays: {
      triangles: () => ids,
      parts: () => (bodies > 1 ? parts : null),
      frame: (frame) => shares[frame],
      impacts: () => readImpacts(new ArrayBuffer(0)),
    },
  };
}
