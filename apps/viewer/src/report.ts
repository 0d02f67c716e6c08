// What the page was given: the JSON document and the arrays beside it, as apps/graze/report/report.cpp writes them.
//
// Arrays are decoded when first needed. A few frames are kept decoded; the text stays in the page.

import { decodeBase64 } from "./base64";

export interface StepRow {
  step: number;
  vertices: number;
  triangles: number;
  vf: number | null;
  ee: number | null;
  toi: number | null;
  hash: string | null;
  ms: { update: number; traverse: number; narrow: number; total: number; edit?: number };
  counters: { bv_tests: number; triangle_pairs: number; vf_tests: number; ee_tests: number; exact: number };
  tiers: { filter: number; interval: number; exact: number };
  memory_bytes: number;
  /** Pairs that came to each stage, by its key. */
  funnel: Record<string, number>;
}

/** What a stage of the funnel is called, and what its pairs are; an aside is a part of the stage above. A stage with pairs
 *  of the same unit as the one above has some of its pairs; else one pair may lead to several. */
export interface StageText {
  name: string;
  note: string;
  unit: string;
  aside?: boolean;
}

export interface MeshHead {
  vertices: number;
  triangles: number;
  min: [number, number, number];
  max: [number, number, number];
  bits: 16 | 32;
  frames: number[];
  parts: number;
  parts_are: "body" | "component";
  /** Steps from which on the triangles are others; absent where they stay. */
  changes?: number[];
}

export interface BenchRow {
  scene: string;
  method: string;
  threads: number;
  vf: number | null;
  ee: number | null;
  hash: string | null;
  median_ms: number;
  min_ms: number;
  bytes_per_triangle: number | null;
  /** Of a step, in the mean; absent of peers, as is the funnel of all steps. */
  ms?: StepRow["ms"];
  funnel?: Record<string, number>;
}

export interface ReportDocument {
  graze: string;
  title: string;
  method?: string;
  threads?: number;
  thickness?: number;
  tolerance?: number;
  mesh?: MeshHead;
  shown?: { step: number; found: number; kept: number }[];
  /** All stages there are, in the order in which pairs pass them. */
  stages?: Record<string, StageText>;
  steps?: StepRow[];
  /** The name of the capture that is shown: positions and counts, no contacts. */
  capture?: { name: string; vf: number; ee: number };
  bench?: { machine?: Record<string, unknown>; rows: BenchRow[] };
}

/** Impacts of one step: an array for each field, all of the same count. */
export interface Impacts {
  count: number;
  toiLo: Float64Array;
  toiHi: Float64Array;
  ids: Uint32Array; // 4 each
  weights: Float32Array; // 4 each
  normals: Float32Array; // 3 each
  kinds: Uint8Array; // 0 vertex-face, 1 edge-edge
  sides: Int8Array; // -1, 0, 1
}

export type Triangles = Uint16Array | Uint32Array;

export type Positions = Uint16Array | Float32Array;

function elementText(id: string): string | null {
  return document.getElementById(`graze-${id}`)?.textContent ?? null;
}

export function readDocument(): ReportDocument | null {
  const text = elementText("report");
  return text === null ? null : (JSON.parse(text) as ReportDocument);
}

/** Where the arrays of a run come from. */
export interface Arrays {
  /** From the start, or from a change on. */
  triangles(change: number | null): Triangles;
  /** The part that each vertex is of, or null where there is one. */
  parts(): Uint16Array | null;
  frame(frame: number): Positions;
  impacts(step: number): Impacts;
}

function bytesOf(id: string): ArrayBuffer {
  const text = elementText(id);
  if (text === null) throw new Error(`the report lacks its array ${id}`);
  return decodeBase64(text);
}

/** The arrays that stand in the page. */
export function pageArrays(mesh: MeshHead): Arrays {
  return {
    triangles: (change) => {
      const bytes = bytesOf(change === null ? "triangles" : `triangles-${change}`);
      return mesh.vertices <= 65536 ? new Uint16Array(bytes) : new Uint32Array(bytes);
    },
    parts: () => (mesh.parts > 1 ? new Uint16Array(bytesOf("parts")) : null),
    frame: (frame) => (mesh.bits === 16 ? new Uint16Array(bytesOf(`frame-${frame}`)) : new Float32Array(bytesOf(`frame-${frame}`))),
    impacts: (step) => readImpacts(bytesOf(`impacts-${step}`)),
  };
}

export function readImpacts(bytes: ArrayBuffer): Impacts {
  const n = bytes.byteLength / 62;
  return {
    count: n,
    toiLo: new Float64Array(bytes, 0, n),
    toiHi: new Float64Array(bytes, 8 * n, n),
    ids: new Uint32Array(bytes, 16 * n, 4 * n),
    weights: new Float32Array(bytes, 32 * n, 4 * n),
    normals: new Float32Array(bytes, 48 * n, 3 * n),
    kinds: new Uint8Array(bytes, 60 * n, n),
    sides: Int8Array.from(new Uint8Array(bytes, 61 * n, n), (side) => side - 1),
  };
}

/** The mesh of a run, its frames and impacts. */
export class RunData {
  readonly parts: Uint16Array | null;
  /** Edge lengths of the drawn box: the longest is 1. */
  readonly extent: [number, number, number];
  /** What a drawn unit is in the scene's own. */
  readonly scale: number;

  private readonly lists = new Map<number | null, Triangles>();
  private readonly frames = new Map<number, Positions>();
  private readonly impactsOfStep = new Map<number, Impacts>();
  private static readonly framesKept = 8;

  constructor(
    readonly mesh: MeshHead,
    private readonly arrays: Arrays,
  ) {
    this.parts = arrays.parts();
    // Halves: the widest box of doubles has no finite width.
    const half = mesh.min.map((low, k) => mesh.max[k] / 2 - low / 2);
    const longest = Math.max(...half);
    this.extent = (longest > 0 ? half.map((h) => h / longest) : [1, 1, 1]) as [number, number, number];
    this.scale = longest * 2;
  }

  /** The triangles of a step: the same array for steps with the same. */
  triangles(step: number): Triangles {
    const change = (this.mesh.changes ?? []).filter((from) => from <= step).pop() ?? null;
    let list = this.lists.get(change);
    if (!list) {
      list = this.arrays.triangles(change);
      this.lists.set(change, list);
    }
    return list;
  }

  frame(frame: number): Positions {
    let positions = this.frames.get(frame);
    if (!positions) {
      positions = this.arrays.frame(frame);
      if (this.frames.size >= RunData.framesKept) this.frames.delete(this.frames.keys().next().value!);
    } else {
      this.frames.delete(frame); // the oldest used goes first
    }
    this.frames.set(frame, positions);
    return positions;
  }

  impacts(step: number): Impacts {
    let impacts = this.impactsOfStep.get(step);
    if (!impacts) {
      impacts = this.arrays.impacts(step);
      this.impactsOfStep.set(step, impacts);
    }
    return impacts;
  }

  /** A vertex in drawn units, the box around the origin. */
  place(positions: Positions, vertex: number, out: [number, number, number]): [number, number, number] {
    const unit = this.mesh.bits === 16 ? 1 / 65535 : 1;
    for (let k = 0; k < 3; ++k) out[k] = (positions[3 * vertex + k] * unit - 0.5) * this.extent[k];
    return out;
  }

  /** Files do not say which axis is up: y if the mesh sinks along y more than along z while it is shown, else z. */
  sinksAlongY(): boolean {
    const [first, last] = [this.mesh.frames[0], this.mesh.frames[this.mesh.frames.length - 1]];
    const [from, to] = [this.frame(first), this.frame(last)];
    const sum = [0, 0, 0];
    for (let i = 0; i < from.length; ++i) sum[i % 3] += (to[i] - from[i]) * this.extent[i % 3];
    return -sum[1] > 1.5 * Math.abs(sum[2]);
  }

  /** The same place in the scene's units. */
  sceneUnits(place: ArrayLike<number>): number[] {
    return [0, 1, 2].map((k) => this.mesh.min[k] / 2 + this.mesh.max[k] / 2 + place[k] * this.scale);
  }
}
