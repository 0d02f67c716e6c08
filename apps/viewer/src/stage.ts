// The 3D view: scene, renderer, and drawing only when something changed. 500,000 triangles are one draw call.

import * as THREE from "three";
import { Camera } from "./camera";
import { Markers } from "./markers";
import { MeshView } from "./mesh_view";
import { pick } from "./pick";
import type { ReportDocument, RunData } from "./report";
import { Selection } from "./selection";
import type { State, View } from "./state";
import { onScheme, scheme } from "./theme";

export class Stage {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly root = new THREE.Group();
  private readonly mesh: MeshView;
  private readonly markers: Markers;
  private readonly selection: Selection;
  private readonly camera: Camera;
  private waiting = false;
  private drawn = 0;
  private slow = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly report: ReportDocument,
    private readonly data: RunData,
    private readonly state: State,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    // Colours are chosen as they are seen, and shading is by eye: no transfer curve in between.
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.mesh = new MeshView(data);
    this.markers = new Markers(data);
    this.selection = new Selection(data);
    this.root.add(this.mesh.object, this.markers.object, this.selection.object);
    this.scene.add(this.root);
    this.camera = new Camera(canvas, () => this.invalidate());

    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    this.listenToPointer();
    state.listen((view, changed) => this.apply(view, changed));
    onScheme(() => this.look());
    this.apply(state.view, new Set(Object.keys(state.view) as (keyof View)[]));
    this.camera.fit(this.bounds(), false);
  }

  dispose(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  fit(): void {
    this.camera.fit(this.bounds(), true);
  }

  /** A ball around the mesh as it is now, from a sample of its vertices. */
  private bounds(): THREE.Sphere {
    const { shown, t } = this.state.view;
    const step = this.report.shown![shown].step;
    const [from, to] = [this.data.frame(step), this.data.frame(step + 1)];
    const stride = Math.max(1, Math.floor(this.data.mesh.vertices / 20_000));
    const points: THREE.Vector3[] = [];
    for (let vertex = 0; vertex < this.data.mesh.vertices; vertex += stride) {
      const start = new THREE.Vector3(...this.data.place(from, vertex, [0, 0, 0]));
      points.push(start.lerp(new THREE.Vector3(...this.data.place(to, vertex, [0, 0, 0])), t));
    }
    const sphere = new THREE.Sphere(new THREE.Vector3(), 0.5);
    if (points.length > 0) sphere.setFromPoints(points);
    sphere.radius = Math.max(sphere.radius, 1e-3);
    return sphere.applyMatrix4(this.root.matrixWorld);
  }

  /** Brings the camera to the selected contact. */
  flyToSelected(): void {
    const { selected, t } = this.state.view;
    if (selected === null) return;
    const place = this.root.localToWorld(this.markers.placeOf(selected, t));
    const direction = this.selection.normalDirection().transformDirection(this.root.matrixWorld);
    if (this.selection.normalDirection().lengthSq() < 0.5) direction.set(0, 0, 0);
    this.camera.flyTo(place, direction, Math.max(this.selection.size(t) * 9, 2e-4));
  }

  invalidate(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      const more = this.camera.update(now);
      this.draw();
      this.relax(now);
      if (more) this.invalidate();
    });
  }

  /** On a dense screen a large mesh may be drawn too slowly to follow: then with fewer pixels. */
  private relax(now: number): void {
    const pause = now - this.drawn;
    this.drawn = now;
    this.slow = pause > 45 && pause < 400 ? this.slow + 1 : 0;
    if (this.slow < 6 || this.renderer.getPixelRatio() <= 1) return;
    this.renderer.setPixelRatio(1);
    this.resize();
    this.look();
  }

  private apply(view: Readonly<View>, changed: ReadonlySet<keyof View>): void {
    const step = this.report.shown![view.shown].step;
    if (changed.has("shown")) {
      this.mesh.showStep(step);
      this.markers.showStep(step, this.data.impacts(step));
    }
    if (changed.has("yUp")) {
      this.root.rotation.x = view.yUp ? Math.PI / 2 : 0;
      this.root.updateMatrixWorld(true);
    }
    if (changed.has("shown") || changed.has("selected")) {
      if (view.selected === null) this.selection.clear();
      else this.selection.show(step, this.data.impacts(step), view.selected);
    }
    this.mesh.setTime(view.t);
    this.markers.setTime(view.t);
    this.selection.setTime(view.t);
    if (changed.has("edges")) this.mesh.showEdges(view.edges);
    if (changed.size > 1 || !(changed.has("t") || changed.has("playing"))) this.look();
    this.invalidate();
  }

  private look(): void {
    const view = this.state.view;
    const dimmed = view.selected !== null;
    const ratio = this.renderer.getPixelRatio();
    this.mesh.setLook(scheme(), view.colourBy === "body", view.seeThrough);
    this.markers.setLook(scheme(), view.colourBy, view.kind, dimmed, view.hidden, ratio);
    this.selection.setLook(scheme(), ratio);
    this.invalidate();
  }

  private draw(): void {
    const up = new THREE.Vector3(0, 0, 1).transformDirection(this.camera.camera.matrixWorldInverse);
    this.mesh.setUp(up);
    this.mesh.setPixelSize(this.camera.pixelSize(this.canvas.clientHeight));
    this.renderer.render(this.scene, this.camera.camera);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.camera.aspect = width / height;
    this.camera.camera.updateProjectionMatrix();
    this.invalidate();
  }

  // A click is a press and release at one place; a drag turns the scene.
  private listenToPointer(): void {
    let down: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
      const bounds = this.canvas.getBoundingClientRect();
      this.pickAt(event.clientX - bounds.left, event.clientY - bounds.top);
    });
  }

  private pickAt(x: number, y: number): void {
    const view = this.state.view;
    const from = { renderer: this.renderer, camera: this.camera.camera, scene: this.scene };
    this.markers.identify(true);
    this.mesh.object.visible = true;
    this.selection.object.visible = false;
    this.markers.pickable(false);
    this.mesh.forPicking(true);
    let found = pick(from, x, y);
    if (found === null && (view.hidden || view.seeThrough)) {
      this.mesh.object.visible = false;
      found = pick(from, x, y);
      this.mesh.object.visible = true;
    }
    this.mesh.forPicking(false);
    this.markers.identify(false);
    this.selection.object.visible = view.selected !== null;
    this.look();
    if (found !== null) {
      this.state.set({ selected: found });
      this.flyToSelected();
    }
  }
}
