// The selected contact, drawn over everything: its two features, the paths of their vertices through the step, and
// the contact normal. Four points, so it is recomputed at every change of t.

import * as THREE from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { palette, type Scheme } from "./colours";
import type { Impacts, RunData } from "./report";

function lines(width: number, opacity = 1): LineSegments2 {
  const material = new LineMaterial({ linewidth: width, depthTest: false, transparent: true, opacity });
  const made = new LineSegments2(new LineSegmentsGeometry(), material);
  made.frustumCulled = false;
  return made;
}

export class Selection {
  readonly object = new THREE.Group();
  private readonly halo = lines(7);
  private readonly featureA = lines(3.5);
  private readonly featureB = lines(3.5);
  private readonly paths = lines(1.25, 0.55);
  private readonly normal = lines(2.25);
  private readonly head: THREE.Mesh<THREE.ConeGeometry, THREE.MeshBasicMaterial>;
  private readonly face: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private readonly dot: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private start: THREE.Vector3[] = [];
  private end: THREE.Vector3[] = [];
  private weights: number[] = [];
  private direction = new THREE.Vector3();
  private edgeEdge = false;

  constructor(private readonly data: RunData) {
    const flat = { depthTest: false, transparent: true };
    this.face = new THREE.Mesh(
      new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(9), 3)),
      new THREE.MeshBasicMaterial({ ...flat, side: THREE.DoubleSide, opacity: 0.35 }),
    );
    this.dot = new THREE.Points(
      new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(3), 3)),
      new THREE.PointsMaterial({ ...flat, size: 11, sizeAttenuation: false }),
    );
    this.dot.material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        "#include <clipping_planes_fragment>",
        "if (length(gl_PointCoord - 0.5) > 0.5) discard;\n#include <clipping_planes_fragment>",
      );
    };
    this.head = new THREE.Mesh(new THREE.ConeGeometry(0.5, 1.4, 20), new THREE.MeshBasicMaterial(flat));
    const order = [this.paths, this.face, this.halo, this.featureB, this.featureA, this.normal, this.head, this.dot];
    order.forEach((object, i) => {
      object.renderOrder = 10 + i;
      object.frustumCulled = false;
      this.object.add(object);
    });
    this.object.visible = false;
  }

  clear(): void {
    this.object.visible = false;
  }

  show(step: number, impacts: Impacts, impact: number): void {
    const at = (frame: number) =>
      [0, 1, 2, 3].map(
        (k) => new THREE.Vector3(...this.data.place(this.data.frame(frame), impacts.ids[4 * impact + k], [0, 0, 0])),
      );
    this.start = at(step);
    this.end = at(step + 1);
    this.edgeEdge = impacts.kinds[impact] === 1;
    this.weights = Array.from(impacts.weights.subarray(4 * impact, 4 * impact + 4));
    this.direction.fromArray(impacts.normals, 3 * impact);
    this.object.visible = true;
  }

  /** The four vertices at a time. */
  private at(t: number): THREE.Vector3[] {
    return this.start.map((point, k) => point.clone().lerp(this.end[k], t));
  }

  /** How large the pair is: what a camera close by should see. */
  size(t: number): number {
    return Math.max(new THREE.Sphere().setFromPoints(this.at(t)).radius, 1e-6);
  }

  normalDirection(): THREE.Vector3 {
    return this.direction.clone();
  }

  setTime(t: number): void {
    if (!this.object.visible) return;
    const p = this.at(t);
    const flat = (...points: THREE.Vector3[]) => points.flatMap((point) => point.toArray());
    const set = (object: LineSegments2, positions: number[]) => {
      object.visible = positions.length > 0;
      if (object.visible) {
        object.geometry.dispose();
        object.geometry = new LineSegmentsGeometry().setPositions(positions);
      }
    };
    const a = this.edgeEdge ? flat(p[0], p[1]) : [];
    const b = this.edgeEdge ? flat(p[2], p[3]) : flat(p[1], p[2], p[2], p[3], p[3], p[1]);
    set(this.halo, [...a, ...b]);
    set(this.featureA, a);
    set(this.featureB, b);
    set(
      this.paths,
      this.start.flatMap((point, k) => flat(point, this.end[k])),
    );
    this.face.visible = !this.edgeEdge;
    const corners = this.face.geometry.getAttribute("position") as THREE.BufferAttribute;
    for (let k = 0; k < 3; ++k) corners.setXYZ(k, p[k + 1].x, p[k + 1].y, p[k + 1].z);
    corners.needsUpdate = true;
    const contact = this.edgeEdge
      ? p[0].clone().multiplyScalar(this.weights[0]).addScaledVector(p[1], this.weights[1])
      : p[0].clone();
    const dot = this.dot.geometry.getAttribute("position") as THREE.BufferAttribute;
    dot.setXYZ(0, contact.x, contact.y, contact.z);
    dot.needsUpdate = true;

    const known = this.direction.lengthSq() > 0.5;
    const length = this.size(t) * 0.9;
    const tip = contact.clone().addScaledVector(this.direction, length);
    set(this.normal, known ? flat(contact, tip) : []);
    this.head.visible = known;
    this.head.position.copy(tip);
    this.head.scale.setScalar(length * 0.1);
    this.head.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.direction);
  }

  setLook(scheme: Scheme, ratio: number): void {
    const colours = palette(scheme);
    const paint = (material: THREE.Material & { color: THREE.Color }, hex: string) =>
      material.color.setStyle(hex, THREE.LinearSRGBColorSpace);
    paint(this.halo.material, colours.outline);
    paint(this.featureA.material, colours.featureA);
    paint(this.featureB.material, colours.featureB);
    paint(this.paths.material, colours.ink);
    paint(this.normal.material, colours.ink);
    paint(this.head.material, colours.ink);
    paint(this.face.material, colours.featureB);
    paint(this.dot.material, colours.featureA);
    this.dot.material.size = 11 * ratio;
  }
}
