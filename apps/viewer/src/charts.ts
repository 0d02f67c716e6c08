// Charts by step: stacked bars in SVG, one path a series, so ten thousand steps are still a handful of elements.
// The pointer reads a step, a click goes to it.

import { byId, element, roundUp, short, svg } from "./format";
import type { ReportDocument, StepRow } from "./report";

export interface Series {
  name: string;
  colour: string;
  of: (row: StepRow) => number;
  /** Left out where every step has none of it. */
  optional?: boolean;
}

export interface ChartPlan {
  title: string;
  unit: (value: number) => string;
  series: Series[];
}

const width = 400;
const height = 168;
const frame = { left: 46, right: 396, top: 8, bottom: 144 };

/** Where the time of a step goes; what is not in a stage of its own is the rest. */
export const phases: (Series & { of: (row: Pick<StepRow, "ms">) => number })[] = [
  { name: "edits", colour: "var(--vf)", of: (row) => row.ms.edit ?? 0, optional: true },
  { name: "bounds", colour: "var(--stage-1)", of: (row) => row.ms.update },
  { name: "candidates", colour: "var(--stage-2)", of: (row) => row.ms.traverse },
  { name: "elementary tests", colour: "var(--stage-3)", of: (row) => row.ms.narrow },
  {
    name: "sorting and the rest",
    colour: "var(--bar)",
    of: (row) => Math.max(row.ms.total - (row.ms.edit ?? 0) - row.ms.update - row.ms.traverse - row.ms.narrow, 0),
  },
];

const plans: ChartPlan[] = [
  {
    title: "Contacts",
    unit: (value) => short(value),
    series: [
      { name: "vertex–face", colour: "var(--vf)", of: (row) => row.vf ?? 0 },
      { name: "edge–edge", colour: "var(--ee)", of: (row) => row.ee ?? 0 },
    ],
  },
  {
    title: "Elementary tests",
    unit: (value) => short(value),
    series: [
      { name: "vertex–face", colour: "var(--vf)", of: (row) => row.counters.vf_tests },
      { name: "edge–edge", colour: "var(--ee)", of: (row) => row.counters.ee_tests },
    ],
  },
  { title: "Time", unit: (value) => `${short(value)} ms`, series: phases },
];

/** A chart that marks the step that the view shows. */
export interface StepChart {
  figure: HTMLElement;
  mark(step: number): void;
}

export class Charts {
  private readonly charts: StepChart[];

  constructor(report: ReportDocument, goto: (step: number) => void) {
    const rows = report.steps!;
    const counted = rows.some((row) => row.vf !== null);
    this.charts = plans.filter((plan) => counted || plan.title !== "Contacts").map((plan) => stepChart(plan, rows, goto));
    byId("charts").replaceChildren(...this.charts.map((chart) => chart.figure));
  }

  mark(step: number): void {
    for (const chart of this.charts) chart.mark(step);
  }
}

/** Stacked bars, a step each. */
export function stepChart(plan: ChartPlan, rows: StepRow[], goto: (step: number) => void): StepChart {
  const pitch = (frame.right - frame.left) / rows.length;
  const shown = plan.series.filter((series) => !series.optional || rows.some((row) => series.of(row) > 0));
  const totals = rows.map((row) => shown.reduce((sum, series) => sum + series.of(row), 0));
  const top = roundUp(Math.max(...totals));
  const scale = (frame.bottom - frame.top) / top;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart" });
  drawing.setAttribute("aria-label", `${plan.title} of each step, at most ${plan.unit(Math.max(...totals))}`);
  const mark = svg("rect", { class: "mark", y: frame.top, width: Math.max(pitch, 1.5), height: frame.bottom - frame.top });
  drawing.append(mark);
  for (const tick of [0, top / 2, top]) {
    const y = frame.bottom - tick * scale;
    drawing.append(
      svg("line", { x1: frame.left, x2: frame.right, y1: y, y2: y }),
      svg("text", { x: frame.left - 7, y: y + 4, "text-anchor": "end" }, short(tick)),
    );
  }
  const gap = pitch > 3 ? Math.min(pitch * 0.2, 6) : 0;
  const below = new Float64Array(rows.length);
  for (const series of shown) {
    let path = "";
    rows.forEach((row, i) => {
      const tall = series.of(row) * scale;
      if (!(tall > 0)) return;
      const x = frame.left + i * pitch + gap / 2;
      path += `M${x.toFixed(2)} ${(frame.bottom - below[i]).toFixed(2)}v${(-tall).toFixed(2)}h${Math.max(pitch - gap, 0.4).toFixed(2)}v${tall.toFixed(2)}z`;
      below[i] += tall;
    });
    const drawn = svg("path", { d: path });
    drawn.style.fill = series.colour;
    drawing.append(drawn);
  }
  const labels = Math.min(rows.length, 6);
  for (let i = 0; i < labels; ++i) {
    const at = labels === 1 ? 0 : Math.round((i * (rows.length - 1)) / (labels - 1));
    const x = frame.left + (at + 0.5) * pitch;
    drawing.append(svg("text", { x, y: frame.bottom + 17, "text-anchor": "middle" }, String(rows[at].step)));
  }

  const reading = element("output", "reading");
  const index = (event: MouseEvent) => {
    const bounds = drawing.getBoundingClientRect();
    const x = ((event.clientX - bounds.left) / bounds.width) * width;
    return Math.min(Math.max(Math.floor((x - frame.left) / pitch), 0), rows.length - 1);
  };
  drawing.addEventListener("mousemove", (event) => {
    const row = rows[index(event as MouseEvent)];
    const parts = shown.map((series) => `${series.name} ${plan.unit(series.of(row))}`);
    reading.textContent = `step ${row.step}: ${parts.join(", ")}`;
  });
  drawing.addEventListener("mouseleave", () => (reading.textContent = ""));
  drawing.addEventListener("click", (event) => goto(rows[index(event as MouseEvent)].step));

  const keys = element("p", "keys");
  for (const series of shown) {
    const swatch = element("i", "swatch");
    swatch.style.background = series.colour;
    keys.append(element("span", "", swatch, series.name));
  }
  const caption = element("figcaption", "", element("h3", "", plan.title), reading);
  return {
    figure: element("figure", "card", caption, drawing as unknown as HTMLElement, keys),
    mark: (step) => mark.setAttribute("x", String(frame.left + rows.findIndex((row) => row.step === step) * pitch)),
  };
}
