// The camera: orbits by mouse, touch and keys; flies to a contact; fits the scene.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

interface Flight {
  begin: number;
  fromTarget: THREE.Vector3;
  toTarget: THREE.Vector3;
  fromOffset: THREE.Vector3;
  toOffset: THREE.Vector3;
}

export class Camera {
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 20);
  readonly controls: OrbitControls;
  private flight: Flight | null = null;
  private static readonly flightMs = 650;

  constructor(canvas: HTMLCanvasElement, private readonly invalidate: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 1e-4;
    this.controls.maxDistance = 12;
    this.controls.addEventListener("change", invalidate);
    this.controls.addEventListener("start", () => (this.flight = null));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** A view of the whole, from in front and a little above. */
  fit(sphere: THREE.Sphere, animated: boolean): void {
    const fov = THREE.MathUtils.degToRad(this.camera.fov) / 2;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (1.06 * sphere.radius) / Math.sin(Math.atan(Math.tan(fov) * narrow));
    const offset = new THREE.Vector3(0.5, -0.95, 0.5).setLength(distance);
    // The controls at the bottom cover some of the view: what is looked at sits a little above them.
    const target = sphere.center.clone();
    target.z -= 0.2 * sphere.radius;
    this.fly(target, offset, animated);
  }

  /** Size of a pixel at the distance of the target, in drawn units. */
  pixelSize(height: number): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan(THREE.MathUtils.degToRad(this.camera.fov) / 2)) / Math.max(height, 1);
  }

  /** Flies to a place, to look at it along the direction, from whichever of its two sides is nearer. */
  flyTo(place: THREE.Vector3, direction: THREE.Vector3, distance: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).normalize();
    if (direction.lengthSq() > 0.5) {
      // Look along the normal, because the features lie across it, but at a slant: its arrow would else be a dot.
      const side = direction.dot(offset) < 0 ? -1 : 1;
      const across = offset.addScaledVector(direction, -direction.dot(offset));
      if (across.lengthSq() < 1e-6) across.set(0, 0, 1).addScaledVector(direction, -direction.z);
      offset.setLength(0.65).addScaledVector(direction, side);
    }
    this.fly(place, offset.setLength(distance), true);
  }

  private fly(target: THREE.Vector3, offset: THREE.Vector3, animated: boolean): void {
    if (!animated || still.matches) {
      this.flight = null;
      this.controls.target.copy(target);
      this.camera.position.copy(target).add(offset);
    } else {
      this.flight = {
        begin: performance.now(),
        fromTarget: this.controls.target.clone(),
        toTarget: target.clone(),
        fromOffset: this.camera.position.clone().sub(this.controls.target),
        toOffset: offset.clone(),
      };
    }
    this.invalidate();
  }

  /** Advances the flight and the controls to a time; returns whether the camera still moves. */
  update(now: number): boolean {
    if (this.flight) {
      const f = this.flight;
      const share = Math.min((now - f.begin) / Camera.flightMs, 1);
      const eased = share * share * (3 - 2 * share);
      this.controls.target.lerpVectors(f.fromTarget, f.toTarget, eased);
      // Distance by its logarithm: a flight from far to very near looks even.
      const length = f.fromOffset.length() ** (1 - eased) * f.toOffset.length() ** eased;
      const offset = f.fromOffset.clone().normalize().lerp(f.toOffset.clone().normalize(), eased).setLength(length);
      this.camera.position.copy(this.controls.target).add(offset);
      if (share >= 1) this.flight = null;
    }
    const moved = this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance * 0.02, 1e-6);
    this.camera.far = distance + 4;
    this.camera.updateProjectionMatrix();
    return moved || this.flight !== null;
  }

  private key(event: KeyboardEvent): void {
    const turn = 0.12;
    const offset = new THREE.Spherical();
    const toY = new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
    offset.setFromVector3(this.camera.position.clone().sub(this.controls.target).applyQuaternion(toY));
    if (event.key === "ArrowLeft") offset.theta -= turn;
    else if (event.key === "ArrowRight") offset.theta += turn;
    else if (event.key === "ArrowUp") offset.phi -= turn;
    else if (event.key === "ArrowDown") offset.phi += turn;
    else if (event.key === "+" || event.key === "=") offset.radius *= 0.85;
    else if (event.key === "-") offset.radius /= 0.85;
    else return;
    offset.makeSafe();
    const place = new THREE.Vector3().setFromSpherical(offset).applyQuaternion(toY.invert());
    this.camera.position.copy(this.controls.target).add(place);
    event.preventDefault();
    event.stopPropagation();
    this.invalidate();
  }
}
