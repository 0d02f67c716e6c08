// How the work narrows, stage by stage: from bounds that were compared to contacts that are. Widths are logarithmic,
// or the last stages would be hairlines; the figures beside them are not.

import { byId, count, element, percent, svg } from "./format";
import type { ReportDocument, StepRow } from "./report";

interface FunnelStage {
  name: string;
  note: string;
  of: (row: StepRow) => number;
}

const stages: FunnelStage[] = [
  { name: "Bounds compared", note: "pairs of bounding volumes", of: (row) => row.counters.bv_tests },
  { name: "Triangle pairs", note: "whose bounds overlap", of: (row) => row.counters.triangle_pairs },
  { name: "Elementary tests", note: "feature pairs, each one tested", of: (row) => row.counters.vf_tests + row.counters.ee_tests },
  { name: "Past the filter", note: "not proved apart in plain doubles", of: (row) => row.tiers.interval + row.tiers.exact },
  {
    name: "Contacts",
    note: "every one, and no other",
    of: (row) => (row.vf === null ? (row.toi === null ? 0 : 1) : row.vf + (row.ee ?? 0)),
  },
];

export class Funnel {
  private readonly box = byId("funnel");
  private readonly scope = byId<HTMLSelectElement>("funnel-scope");
  private step = 0;

  constructor(private readonly report: ReportDocument) {
    this.scope.addEventListener("change", () => this.draw());
    if (report.steps!.length < 2) this.scope.hidden = true;
  }

  show(step: number): void {
    this.step = step;
    this.draw();
  }

  private draw(): void {
    const rows = this.report.steps!;
    const all = this.scope.value === "all" && rows.length > 1;
    const used = all ? rows : rows.filter((row) => row.step === this.step);
    const values = stages.map((stage) => used.reduce((sum, row) => sum + stage.of(row), 0));
    const most = Math.max(...values, 2);
    const widthOf = (value: number) => (value < 1 ? 0 : 6 + (94 * Math.log10(value)) / Math.log10(most));

    this.box.replaceChildren(
      ...stages.map((stage, i) => {
        const wide = widthOf(values[i]);
        const shape = svg("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none", "aria-hidden": "true" });
        if (i > 0) {
          // The slope from the stage above into this one.
          const [top, bottom] = [widthOf(values[i - 1]) / 2, wide / 2];
          shape.append(svg("path", { class: "slope", d: `M${50 - top} 0L${50 + top} 0L${50 + bottom} 12L${50 - bottom} 12z` }));
        }
        const last = i === stages.length - 1;
        shape.append(svg("rect", { class: last ? "last" : "bar", x: 50 - wide / 2, y: 12, width: wide, height: 28 }));
        return element(
          "li",
          "",
          element("div", "name", element("b", "", stage.name), element("small", "", stage.note)),
          shape as unknown as HTMLElement,
          element("div", "value", element("b", "", count(values[i])), element("small", "", this.compared(values, i))),
        );
      }),
    );
    const exact = used.reduce((sum, row) => sum + row.tiers.exact, 0);
    const decided = exact === 0 ? "all by intervals, none in exact arithmetic" : `${count(exact)} in exact arithmetic, the rest by intervals`;
    byId("funnel-note").textContent = `Widths are logarithmic. Past the filter, pairs were decided: ${decided}.`;
  }

  /** A stage against the one above it. */
  private compared(values: number[], i: number): string {
    if (i === 0) return "\u00a0";
    const share = values[i - 1] > 0 ? values[i] / values[i - 1] : 0;
    return share > 1 ? `${share.toFixed(1)} for each of those above` : `${percent(share)} of those above`;
  }
}
