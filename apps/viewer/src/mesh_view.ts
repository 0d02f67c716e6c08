// The mesh: both ends of a step as vertex attributes, mixed by t in the vertex shader, so that the slider costs one
// uniform. Flat shading from screen-space derivatives: no normals to recompute, and every facet is seen as it is.
//
// Edges share the vertices; their list is made when first asked for, n log n in triangles. Both lists change with the
// step where something breaks.

import * as THREE from "three";
import { hexToRgb, palette, partColour, type Scheme } from "./colours";
import type { Positions, RunData, Triangles } from "./report";

const vertexShader = /* glsl */ `
  attribute vec3 position_t1;
  attribute float part;
  uniform float t;
  uniform vec3 extent;
  varying vec3 vView;
  flat varying float vPart;
  void main() {
    vec4 view = modelViewMatrix * vec4((mix(position, position_t1, t) - 0.5) * extent, 1.0);
    vView = view.xyz;
    vPart = part;
    gl_Position = projectionMatrix * view;
  }`;

const fragmentShader = /* glsl */ `
  uniform vec3 base;
  uniform vec3 sky;
  uniform vec3 ground;
  uniform vec3 up; // in view space
  uniform float opacity;
  uniform float black;
  uniform float byPart;
  uniform sampler2D partColours;
  uniform float partCount;
  varying vec3 vView;
  flat varying float vPart;
  void main() {
    // Towards the eye on either side of a sheet: both are lit.
    vec3 n = normalize(cross(dFdx(vView), dFdy(vView)));
    vec3 eye = normalize(-vView);
    vec3 colour = mix(base, texture2D(partColours, vec2((mod(vPart, partCount) + 0.5) / partCount, 0.5)).rgb, byPart);
    vec3 key = normalize(vec3(-0.45, 0.65, 0.62));
    vec3 hemisphere = mix(ground, sky, 0.5 + 0.5 * dot(n, up));
    float lit = max(dot(n, key), 0.0);
    float rim = pow(1.0 - max(dot(n, eye), 0.0), 3.0);
    float gloss = pow(max(dot(n, normalize(key + eye)), 0.0), 24.0);
    vec3 shaded = colour * (0.52 * hemisphere + 0.50 * lit) + 0.07 * gloss + 0.10 * rim * sky;
    gl_FragColor = black > 0.5 ? vec4(0.0, 0.0, 0.0, 1.0) : vec4(shaded, opacity);
  }`;

const edgeVertexShader = /* glsl */ `
  attribute vec3 position_t1;
  uniform float t;
  uniform vec3 extent;
  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4((mix(position, position_t1, t) - 0.5) * extent, 1.0);
  }`;

const edgeFragmentShader = /* glsl */ `
  uniform vec3 colour;
  uniform float opacity;
  void main() { gl_FragColor = vec4(colour, opacity); }`;

const hiddenMaterial = new THREE.MeshBasicMaterial({ visible: false });

/** Each edge of the triangles once. */
function uniqueEdges(triangles: ArrayLike<number>, vertices: number): Uint32Array {
  const keys = new Float64Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; ++k) {
      const a = triangles[i + k];
      const b = triangles[i + ((k + 1) % 3)];
      keys[i + k] = Math.min(a, b) * vertices + Math.max(a, b);
    }
  }
  keys.sort();
  const edges: number[] = [];
  for (let i = 0; i < keys.length; ++i) {
    if (i > 0 && keys[i] === keys[i - 1]) continue;
    const low = Math.floor(keys[i] / vertices);
    edges.push(low, keys[i] - low * vertices);
  }
  return Uint32Array.from(edges);
}

export class MeshView {
  readonly object = new THREE.Group();
  readonly surface: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private edges: THREE.LineSegments | null = null;
  private readonly geometry = new THREE.BufferGeometry();
  private triangles: Triangles;
  private readonly indices = new WeakMap<Triangles, { surface: THREE.BufferAttribute; edges?: THREE.BufferAttribute }>();
  private readonly attributes = new WeakMap<Positions, THREE.BufferAttribute>();
  private edgeOpacity = 0.2;
  private edgeLength = 1;
  private readonly edgeMaterial: THREE.ShaderMaterial;
  private readonly shared: { t: { value: number }; extent: { value: THREE.Vector3 } };

  constructor(private readonly data: RunData) {
    this.shared = { t: { value: 0 }, extent: { value: new THREE.Vector3(...data.extent) } };
    this.triangles = data.triangles(data.mesh.frames[0]);
    this.geometry.setIndex(this.index(this.triangles).surface);
    const parts = data.parts ?? new Uint16Array(data.mesh.vertices);
    this.geometry.setAttribute("part", new THREE.BufferAttribute(parts, 1));
    this.surface = new THREE.Mesh(
      this.geometry,
      new THREE.ShaderMaterial({
        vertexShader,
        fragmentShader,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
        uniforms: {
          ...this.shared,
          base: { value: new THREE.Vector3() },
          sky: { value: new THREE.Vector3() },
          ground: { value: new THREE.Vector3() },
          up: { value: new THREE.Vector3(0, 1, 0) },
          opacity: { value: 1 },
          black: { value: 0 },
          byPart: { value: 0 },
          partColours: { value: null },
          partCount: { value: 1 },
        },
      }),
    );
    this.surface.frustumCulled = false;
    this.edgeMaterial = new THREE.ShaderMaterial({
      vertexShader: edgeVertexShader,
      fragmentShader: edgeFragmentShader,
      transparent: true,
      depthWrite: false,
      uniforms: { ...this.shared, colour: { value: new THREE.Vector3() }, opacity: { value: 0.2 } },
    });
    this.object.add(this.surface);
  }

  showStep(step: number): void {
    const triangles = this.data.triangles(step);
    if (triangles !== this.triangles) {
      this.triangles = triangles;
      this.geometry.setIndex(this.index(triangles).surface);
      this.edges?.geometry.setIndex(this.edgeIndex());
    }
    this.geometry.setAttribute("position", this.attribute(step));
    this.geometry.setAttribute("position_t1", this.attribute(step + 1));
    if (this.edges) this.copyPositions(this.edges.geometry);
    this.edgeLength = this.meanEdge(this.data.frame(step));
  }

  private index(triangles: Triangles): { surface: THREE.BufferAttribute; edges?: THREE.BufferAttribute } {
    let index = this.indices.get(triangles);
    if (!index) {
      index = { surface: new THREE.BufferAttribute(triangles, 1) };
      this.indices.set(triangles, index);
    }
    return index;
  }

  private edgeIndex(): THREE.BufferAttribute {
    const index = this.index(this.triangles);
    index.edges ??= new THREE.BufferAttribute(uniqueEdges(this.triangles, this.data.mesh.vertices), 1);
    return index.edges;
  }

  /** One attribute a frame, as long as its positions are kept: playing on uploads one frame a step, not two. */
  private attribute(frame: number): THREE.BufferAttribute {
    const positions = this.data.frame(frame);
    let attribute = this.attributes.get(positions);
    if (!attribute) {
      attribute = new THREE.BufferAttribute(positions, 3, this.data.mesh.bits === 16);
      this.attributes.set(positions, attribute);
    }
    return attribute;
  }

  setTime(t: number): void {
    this.shared.t.value = t;
  }

  setUp(up: THREE.Vector3): void {
    this.surface.material.uniforms.up.value.copy(up);
  }

  setLook(scheme: Scheme, byPart: boolean, seeThrough: boolean): void {
    const colours = palette(scheme);
    const material = this.surface.material;
    const uniforms = material.uniforms;
    uniforms.base.value.set(...hexToRgb(colours.mesh));
    uniforms.sky.value.set(...hexToRgb(colours.sky));
    uniforms.ground.value.set(...hexToRgb(colours.ground));
    uniforms.byPart.value = byPart ? 1 : 0;
    uniforms.opacity.value = seeThrough ? (scheme === "dark" ? 0.2 : 0.26) : 1;
    material.transparent = seeThrough;
    material.depthWrite = !seeThrough;
    material.needsUpdate = true;
    const count = Math.min(Math.max(this.data.mesh.parts, 1), 1024);
    const texels = new Uint8Array(4 * count);
    for (let part = 0; part < count; ++part) {
      partColour(part, scheme).forEach((c, k) => (texels[4 * part + k] = Math.round(255 * c)));
      texels[4 * part + 3] = 255;
    }
    (uniforms.partColours.value as THREE.DataTexture | null)?.dispose();
    const texture = new THREE.DataTexture(texels, count, 1);
    texture.needsUpdate = true;
    uniforms.partColours.value = texture;
    uniforms.partCount.value = count;
    // Dark edges on dark glass would not be seen.
    const edge = seeThrough && scheme === "dark" ? colours.mesh : colours.edge;
    this.edgeMaterial.uniforms.colour.value.set(...hexToRgb(edge));
    this.edgeOpacity = seeThrough ? colours.edgeOpacity * 0.7 : colours.edgeOpacity;
  }

  /** Sets the pixel size. Edges that are only a few pixels long fade, so that a distant mesh is not a grey blot. */
  setPixelSize(pixel: number): void {
    const pixels = this.edgeLength / pixel;
    this.edgeMaterial.uniforms.opacity.value = this.edgeOpacity * Math.min(Math.max((pixels - 2) / 10, 0.12), 1);
  }

  /** About the length of an edge at the start of the step, from a sample. */
  private meanEdge(positions: Positions): number {
    const a: [number, number, number] = [0, 0, 0];
    const b: [number, number, number] = [0, 0, 0];
    const triangles = this.triangles;
    const stride = 3 * Math.max(1, Math.floor(triangles.length / 3 / 2000));
    let sum = 0;
    let n = 0;
    for (let i = 0; i + 1 < triangles.length; i += stride, ++n) {
      this.data.place(positions, triangles[i], a);
      this.data.place(positions, triangles[i + 1], b);
      sum += Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    }
    return n > 0 ? sum / n : 1;
  }

  showEdges(on: boolean): void {
    if (on && !this.edges) {
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(this.edgeIndex());
      this.copyPositions(geometry);
      this.edges = new THREE.LineSegments(geometry, this.edgeMaterial);
      this.edges.frustumCulled = false;
      this.edges.renderOrder = 1;
      this.object.add(this.edges);
    }
    if (this.edges) this.edges.visible = on;
  }

  /** Draws the mesh black and without edges: it hides contacts behind it, and black is the id of no contact. */
  forPicking(on: boolean): void {
    this.surface.material.uniforms.black.value = on ? 1 : 0;
    if (this.edges) this.edges.material = on ? hiddenMaterial : this.edgeMaterial;
  }

  private copyPositions(geometry: THREE.BufferGeometry): void {
    for (const name of ["position", "position_t1"]) {
      const attribute = this.geometry.getAttribute(name);
      if (attribute) geometry.setAttribute(name, attribute);
    }
  }
}
