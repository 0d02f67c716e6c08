// The contacts: a disc each, of one size in pixels, on the first feature, and moving with it. Before its time of
// impact a contact is a small ring; from then on a full disc.
//
// Drawn twice: what is in front of the mesh, and faintly what is behind. Linear in the contacts of the step.

import * as THREE from "three";
import { hexToRgb, palette, scaleAt, type Scheme } from "./colours";
import type { Impacts, RunData } from "./report";
import type { ColourBy, KindShown } from "./state";

const vertexShader = /* glsl */ `
  attribute vec3 position_t1;
  attribute float toi;
  attribute float kind;
  uniform float t;
  uniform float size;
  uniform float kindShown; // -1: both
  uniform float mode; // 0 time, 1 body, 2 kind
  uniform float identify;
  uniform sampler2D timeScale;
  uniform vec3 vf;
  uniform vec3 ee;
  uniform vec3 ink;
  varying vec3 vColour;
  varying float vTouched;
  void main() {
    vec4 view = modelViewMatrix * vec4(mix(position, position_t1, t), 1.0);
    gl_Position = projectionMatrix * view;
    // A little towards the eye, in depth only: a contact lies in the surface that it is on.
    vec4 nearer = projectionMatrix * vec4(view.xy, view.z + min(0.006, -0.02 * view.z), 1.0);
    gl_Position.z = nearer.z / nearer.w * gl_Position.w;
    vTouched = t >= toi - 1e-6 ? 1.0 : 0.0;
    gl_PointSize = size * (vTouched > 0.5 ? 1.0 : 0.72);
    if (kindShown >= 0.0 && abs(kindShown - kind) > 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    if (identify > 0.5) {
      float id = float(gl_VertexID + 1);
      vColour = vec3(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0)) / 255.0;
    } else if (mode < 0.5) {
      vColour = texture2D(timeScale, vec2(toi, 0.5)).rgb;
    } else if (mode < 1.5) {
      vColour = ink;
    } else {
      vColour = kind < 0.5 ? vf : ee;
    }
  }`;

const fragmentShader = /* glsl */ `
  uniform float rim;
  uniform float opacity;
  uniform float size;
  uniform float identify;
  varying vec3 vColour;
  varying float vTouched;
  void main() {
    float r = length(gl_PointCoord - 0.5) * 2.0;
    if (r > 1.0) discard;
    if (identify > 0.5) {
      gl_FragColor = vec4(vColour, 1.0);
      return;
    }
    float pixel = 2.0 / size;
    float edge = 1.0 - smoothstep(1.0 - pixel, 1.0, r);
    float inside = 1.0 - smoothstep(1.0 - 2.2 * pixel, 1.0 - 1.2 * pixel, r);
    if (vTouched < 0.5) {
      float ring = inside * smoothstep(0.42, 0.42 + 1.5 * pixel, r);
      if (ring < 0.05) discard;
      gl_FragColor = vec4(vColour, 0.8 * ring * opacity);
      return;
    }
    // The rim is a darker shade of the marker: crisp on any background, and dense markers keep their hue.
    gl_FragColor = vec4(mix(vColour * rim, vColour, inside), edge * opacity);
  }`;

export class Markers {
  readonly object = new THREE.Group();
  private readonly front: THREE.Points<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly behind: THREE.Points<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private geometry = new THREE.BufferGeometry();
  private readonly shared: Record<string, { value: unknown }>;
  private count = 0;

  constructor(private readonly data: RunData) {
    this.shared = {
      t: { value: 0 },
      size: { value: 8 },
      kindShown: { value: -1 },
      mode: { value: 0 },
      identify: { value: 0 },
      timeScale: { value: null },
      vf: { value: new THREE.Vector3() },
      ee: { value: new THREE.Vector3() },
      ink: { value: new THREE.Vector3() },
      rim: { value: 0.5 },
    };
    const points = (behind: boolean) => {
      const made = new THREE.Points(
        this.geometry,
        new THREE.ShaderMaterial({
          vertexShader,
          fragmentShader,
          transparent: true,
          depthWrite: !behind,
          depthFunc: behind ? THREE.GreaterDepth : THREE.LessEqualDepth,
          uniforms: { ...this.shared, opacity: { value: 1 } },
        }),
      );
      made.frustumCulled = false;
      made.renderOrder = behind ? 2 : 3;
      return made;
    };
    this.front = points(false);
    this.behind = points(true);
    this.object.add(this.front, this.behind);
  }

  showStep(step: number, impacts: Impacts): void {
    const n = impacts.count;
    this.count = n;
    const ends = [new Float32Array(3 * n), new Float32Array(3 * n)];
    const place: [number, number, number] = [0, 0, 0];
    ends.forEach((end, which) => {
      const frame = this.data.frame(step + which);
      for (let i = 0; i < n; ++i) {
        const corners = impacts.kinds[i] === 0 ? 1 : 2;
        for (let corner = 0; corner < corners; ++corner) {
          const weight = corners === 1 ? 1 : impacts.weights[4 * i + corner];
          this.data.place(frame, impacts.ids[4 * i + corner], place);
          for (let k = 0; k < 3; ++k) end[3 * i + k] += weight * place[k];
        }
      }
    });
    this.geometry.dispose();
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(ends[0], 3));
    this.geometry.setAttribute("position_t1", new THREE.BufferAttribute(ends[1], 3));
    this.geometry.setAttribute("toi", new THREE.BufferAttribute(Float32Array.from(impacts.toiLo), 1));
    this.geometry.setAttribute("kind", new THREE.BufferAttribute(impacts.kinds, 1));
    this.front.geometry = this.geometry;
    this.behind.geometry = this.geometry;
  }

  /** The place of a contact at a time, in drawn units. */
  placeOf(impact: number, t: number): THREE.Vector3 {
    const from = this.geometry.getAttribute("position");
    const to = this.geometry.getAttribute("position_t1");
    const start = new THREE.Vector3().fromBufferAttribute(from, impact);
    return start.lerp(new THREE.Vector3().fromBufferAttribute(to, impact), t);
  }

  setTime(t: number): void {
    this.shared.t.value = t;
  }

  setLook(scheme: Scheme, colourBy: ColourBy, kind: KindShown, dimmed: boolean, hidden: boolean, ratio: number): void {
    const colours = palette(scheme);
    const texels = new Uint8Array(4 * 256);
    for (let i = 0; i < 256; ++i) {
      scaleAt(colours.time, i / 255).forEach((c, k) => (texels[4 * i + k] = Math.round(255 * c)));
      texels[4 * i + 3] = 255;
    }
    (this.shared.timeScale.value as THREE.DataTexture | null)?.dispose();
    const texture = new THREE.DataTexture(texels, 256, 1);
    texture.magFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    this.shared.timeScale.value = texture;
    (this.shared.vf.value as THREE.Vector3).set(...hexToRgb(colours.vf));
    (this.shared.ee.value as THREE.Vector3).set(...hexToRgb(colours.ee));
    (this.shared.ink.value as THREE.Vector3).set(...hexToRgb(colours.ink));
    this.shared.rim.value = scheme === "dark" ? 0.35 : 0.62;
    this.shared.mode.value = colourBy === "time" ? 0 : colourBy === "body" ? 1 : 2;
    this.shared.kindShown.value = kind === "all" ? -1 : kind === "vf" ? 0 : 1;
    // From 13 pixels for a handful to 6 for a hundred thousand.
    this.shared.size.value = ratio * Math.max(6, 13 - 1.6 * Math.log10(Math.max(this.count, 1)));
    this.front.material.uniforms.opacity.value = dimmed ? 0.35 : 1;
    this.behind.material.uniforms.opacity.value = dimmed ? 0.05 : this.count > 20_000 ? 0.1 : 0.2;
    this.behind.visible = hidden;
  }

  /** Draws ids instead of colours: the number of a contact plus one, in 24 bits. */
  identify(on: boolean): void {
    this.shared.identify.value = on ? 1 : 0;
  }

  pickable(behindToo: boolean): void {
    this.behind.visible = behindToo;
  }
}
