// What is known of the selected contact: its features and ids, the interval that holds its time, weights, normal.

import { byId, element } from "./format";
import { idText } from "./impact_list";
import type { ReportDocument, RunData } from "./report";
import type { State } from "./state";

/** All digits of a time, the same that the contacts file has. */
function exactTime(value: number): string {
  return String(value);
}

function numbers(values: number[], digits = 5): string {
  return values.map((value) => String(Number(value.toPrecision(digits)))).join(", ");
}

export class ImpactPanel {
  private readonly card = byId("selected");
  private readonly empty = byId("unselected");
  private readonly facts = byId("selected-facts");
  private readonly title = byId("selected-title");

  constructor(
    private readonly report: ReportDocument,
    private readonly data: RunData,
    private readonly state: State,
  ) {
    byId("selected-copy").addEventListener("click", () => void this.copy());
    byId("selected-close").addEventListener("click", () => state.set({ selected: null }));
    state.listen((_, changed) => {
      if (changed.has("selected") || changed.has("shown")) this.refresh();
    });
    this.refresh();
  }

  private refresh(): void {
    const { selected, shown } = this.state.view;
    this.card.hidden = selected === null;
    this.empty.hidden = selected !== null;
    if (selected === null) return;
    const step = this.report.shown![shown].step;
    const impacts = this.data.impacts(step);
    const edges = impacts.kinds[selected] === 1;
    const ids = Array.from(impacts.ids.subarray(4 * selected, 4 * selected + 4));
    const weights = Array.from(impacts.weights.subarray(4 * selected, 4 * selected + 4));
    const normal = Array.from(impacts.normals.subarray(3 * selected, 3 * selected + 3));
    const { a, b } = idText(impacts, selected);
    const [lo, hi] = [impacts.toiLo[selected], impacts.toiHi[selected]];
    this.title.textContent = edges ? "Edge–edge" : "Vertex–face";

    const of = (vertex: number) => (this.data.parts ? `${this.report.mesh!.parts_are} ${this.data.parts[vertex]}` : "");
    const fact = (name: string, value: Node | string, note = "") => {
      const definition = element("dd", "", value);
      if (note) definition.append(element("small", "", note));
      return [element("dt", "", name), definition];
    };
    const feature = (side: "a" | "b", name: string, text: string) =>
      element("span", "feature", element("i", `swatch ${side}`), `${name} `, element("code", "", text));
    const noNormal = normal.every((c) => c === 0);
    const side = impacts.sides[selected];
    this.facts.replaceChildren(
      ...fact("a", feature("a", edges ? "edge" : "vertex", a), of(ids[0])),
      ...fact("b", feature("b", edges ? "edge" : "face", b), of(ids[edges ? 2 : 1])),
      ...fact("time of impact", element("code", "", exactTime(lo)), lo === hi ? "exactly" : `at the latest ${exactTime(hi)}`),
      ...fact("normal", element("code", "", noNormal ? "none" : numbers(normal)), noNormal ? "the features have none" : "from b to the side a came from"),
      ...fact("weights", element("code", "", numbers(edges ? weights : weights.slice(1), 4)), edges ? "on the ends of a, then b" : "of the face's corners"),
      ...fact("place", element("code", "", numbers(this.place(step, ids, weights, edges, hi), 4)), "scene units, as drawn"),
      ...fact("side", element("code", "", side > 0 ? "+1" : String(side)), side === 0 ? "touching from the start, or coplanar" : "before the contact"),
    );
  }

  private place(step: number, ids: number[], weights: number[], edges: boolean, t: number): number[] {
    const sum = [0, 0, 0];
    for (let corner = 0; corner < (edges ? 2 : 1); ++corner) {
      const from = this.data.place(this.data.frame(step), ids[corner], [0, 0, 0]);
      const to = this.data.place(this.data.frame(step + 1), ids[corner], [0, 0, 0]);
      const weight = edges ? weights[corner] : 1;
      for (let k = 0; k < 3; ++k) sum[k] += weight * (from[k] + t * (to[k] - from[k]));
    }
    return this.data.sceneUnits(sum);
  }

  /** The line that the contacts file has for it. */
  private async copy(): Promise<void> {
    const { selected, shown } = this.state.view;
    if (selected === null) return;
    const step = this.report.shown![shown].step;
    const impacts = this.data.impacts(step);
    const ids = Array.from(impacts.ids.subarray(4 * selected, 4 * selected + 4));
    const columns = impacts.kinds[selected] === 1 ? ["ee", ...ids, "-"] : ["vf", ids[0], "-", ...ids.slice(1)];
    const line = [step, ...columns, impacts.toiLo[selected], impacts.toiHi[selected]].join(",");
    const button = byId("selected-copy");
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = "Copied";
    } catch {
      button.textContent = line; // no clipboard here: at least show it
    }
    setTimeout(() => (button.textContent = "Copy"), 1600);
  }
}
