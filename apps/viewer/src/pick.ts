// Picking: finds the contact under the pointer. Draws a few pixels around the pointer with ids as colours, together
// with the mesh, so that hidden contacts are not picked. Cost: one small draw, whatever the number of contacts.

import * as THREE from "three";

const side = 25;

export interface PickScene {
  renderer: THREE.WebGLRenderer;
  camera: THREE.PerspectiveCamera;
  scene: THREE.Scene;
}

/** The number of the contact nearest to a place on the canvas (CSS pixels), or null. */
export function pick({ renderer, camera, scene }: PickScene, x: number, y: number): number | null {
  const ratio = renderer.getPixelRatio();
  const size = renderer.getSize(new THREE.Vector2()).multiplyScalar(ratio);
  const target = new THREE.WebGLRenderTarget(side, side);
  const background = scene.background;
  camera.setViewOffset(size.x, size.y, x * ratio - side / 2, y * ratio - side / 2, side, side);
  scene.background = new THREE.Color(0);
  renderer.setRenderTarget(target);
  renderer.clear();
  renderer.render(scene, camera);
  const pixels = new Uint8Array(4 * side * side);
  renderer.readRenderTargetPixels(target, 0, 0, side, side, pixels);
  renderer.setRenderTarget(null);
  scene.background = background;
  camera.clearViewOffset();
  target.dispose();

  let best: number | null = null;
  let nearest = Infinity;
  for (let row = 0; row < side; ++row) {
    for (let column = 0; column < side; ++column) {
      const at = 4 * (row * side + column);
      const id = pixels[at] + 256 * pixels[at + 1] + 65536 * pixels[at + 2];
      const distance = Math.hypot(column - (side - 1) / 2, row - (side - 1) / 2);
      if (id > 0 && distance < nearest) {
        best = id - 1;
        nearest = distance;
      }
    }
  }
  return best;
}
