// How the work narrows, stage by stage: from bounds that were compared to contacts that are. Widths are logarithmic,
// or the last stages would be hairlines; the figures beside them are not. Which stages there are, and what they are
// called, stands in the report: apps/graze/output/funnel.cpp decides it.

import { phases, stepChart, type StepChart } from "./charts";
import { byId, count, element, milliseconds, percent, svg } from "./format";
import type { ReportDocument, StageText, StepRow } from "./report";

/** A stage with pairs in it. */
export interface FunnelStage extends StageText {
  key: string;
  pairs: number;
}

/** The stages of one or more funnels added up, in the order of the catalogue. */
export function sumFunnels(stages: Record<string, StageText>, funnels: Record<string, number>[]): FunnelStage[] {
  return Object.entries(stages)
    .filter(([key]) => funnels.some((funnel) => key in funnel))
    .map(([key, text]) => ({ ...text, key, pairs: funnels.reduce((sum, funnel) => sum + (funnel[key] ?? 0), 0) }));
}

/** The stage that a stage is compared with: the one above, of which asides are only a part. */
function above(funnel: FunnelStage[], i: number): FunnelStage | null {
  for (let k = i - 1; k >= 0; --k) if (!funnel[k].aside) return funnel[k];
  return null;
}

function below(funnel: FunnelStage[], i: number): FunnelStage | null {
  return funnel.slice(i + 1).find((stage) => !stage.aside) ?? null;
}

function compared(funnel: FunnelStage[], i: number): string {
  const from = above(funnel, i);
  if (!from || from.pairs === 0) return "\u00a0";
  const share = funnel[i].pairs / from.pairs;
  return share > 1 ? `${share.toFixed(1)} for each of those above` : `${percent(share)} of those above`;
}

/** What becomes of the pairs of a stage, in words. */
export function stageReading(funnel: FunnelStage[], i: number): string {
  const stage = funnel[i];
  const next = stage.aside ? null : below(funnel, i);
  const name = stage.name.charAt(0).toUpperCase() + stage.name.slice(1);
  if (!next || stage.pairs === 0) return `${name}: ${count(stage.pairs)}, ${stage.note}`;
  if (next.unit !== stage.unit || next.pairs > stage.pairs) return `${name}: ${count(stage.pairs)} lead to ${count(next.pairs)}, ${next.name}`;
  const gone = stage.pairs - next.pairs;
  return `${name}: ${count(gone)} of ${count(stage.pairs)} end here (${percent(gone / stage.pairs)}), ${count(next.pairs)} go on to ${next.name}`;
}

function shape(funnel: FunnelStage[], i: number, widthOf: (pairs: number) => number): SVGElement {
  const drawing = svg("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none", "aria-hidden": "true" });
  const stage = funnel[i];
  const wide = widthOf(stage.pairs);
  const from = above(funnel, i);
  if (from) {
    const top = widthOf(from.pairs) / 2;
    const bottom = stage.aside ? top : wide / 2;
    const end = stage.aside ? 40 : 12; // the stages beside an aside go on behind it
    drawing.append(svg("path", { class: "slope", d: `M${50 - top} 0L${50 + top} 0L${50 + bottom} ${end}L${50 - bottom} ${end}z` }));
  }
  const kind = stage.aside ? "aside" : i === funnel.length - 1 ? "last" : "bar";
  const [y, height] = stage.aside ? [16, 12] : [12, 28];
  drawing.append(svg("rect", { class: kind, x: 50 - wide / 2, y, width: wide, height }));
  return drawing;
}

/** Draws a funnel into a list: each stage a button. `read` is given what the pointer or the keyboard is at, or nothing. */
export function drawFunnel(
  box: HTMLElement,
  funnel: FunnelStage[],
  chosen: string | null,
  read: (text: string) => void,
  choose: (key: string) => void,
): void {
  const most = Math.max(...funnel.map((stage) => stage.pairs), 2);
  const widthOf = (pairs: number) => (pairs < 1 ? 0 : 6 + (94 * Math.log10(pairs)) / Math.log10(most));
  const focused = box.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.stage : null;
  box.replaceChildren(
    ...funnel.map((stage, i) => {
      const button = element(
        "button",
        "level",
        element("span", "name", element("b", "", stage.name), element("small", "", stage.note)),
        shape(funnel, i, widthOf) as unknown as HTMLElement,
        element("span", "value", element("b", "", count(stage.pairs)), element("small", "", compared(funnel, i))),
      );
      button.type = "button";
      button.dataset.stage = stage.key;
      button.setAttribute("aria-pressed", String(stage.key === chosen));
      for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => read(stageReading(funnel, i)));
      for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => read(""));
      button.addEventListener("click", () => choose(stage.key));
      return element("li", "", button);
    }),
  );
  if (focused) box.querySelector<HTMLElement>(`[data-stage="${focused}"]`)?.focus();
}

/** Where the time of some steps went: one bar, and its figures. */
export function drawTimes(box: HTMLElement, rows: Pick<StepRow, "ms">[]): void {
  const parts = phases.map((phase) => ({ ...phase, ms: rows.reduce((sum, row) => sum + phase.of(row), 0) })).filter((part) => part.ms > 0);
  const total = parts.reduce((sum, part) => sum + part.ms, 0);
  const drawing = svg("svg", { class: "times", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img" });
  drawing.setAttribute("aria-label", `time of the stages, ${milliseconds(total)} together`);
  const keys = element("p", "keys");
  let x = 0;
  for (const part of parts) {
    const share = part.ms / total;
    const text = `${part.name} ${milliseconds(part.ms)} (${percent(share)})`;
    const rect = svg("rect", { x: 100 * x, y: 0, width: 100 * share, height: 10 });
    rect.style.fill = part.colour;
    rect.append(svg("title", {}, text));
    drawing.append(rect);
    const swatch = element("i", "swatch");
    swatch.style.background = part.colour;
    keys.append(element("span", "", swatch, text));
    x += share;
  }
  box.replaceChildren(drawing as unknown as HTMLElement, keys);
}

/** The funnel of a run: of the step that is shown or of all, and of a stage that is chosen its pairs by step. */
export class Funnel {
  private readonly scope = byId<HTMLSelectElement>("funnel-scope");
  private readonly stages: Record<string, StageText>;
  private step = 0;
  private chosen: string | null = null;
  private chart: StepChart | null = null;

  constructor(
    private readonly report: ReportDocument,
    private readonly goto: (step: number) => void,
  ) {
    this.stages = report.stages ?? {};
    this.scope.addEventListener("change", () => this.draw());
    if (report.steps!.length < 2) this.scope.hidden = true;
  }

  show(step: number): void {
    this.step = step;
    this.chart?.mark(step);
    this.draw();
  }

  private draw(): void {
    const rows = this.report.steps!;
    const all = this.scope.value === "all" && rows.length > 1;
    const used = all ? rows : rows.filter((row) => row.step === this.step);
    const read = (text: string) => (byId("funnel-reading").textContent = text);
    const funnel = sumFunnels(this.stages, used.map((row) => row.funnel));
    drawFunnel(byId("funnel"), funnel, this.chosen, read, (key) => this.choose(key));
    drawTimes(byId("funnel-times"), used);
    const hint = rows.length > 1 ? " Choose a stage to see its pairs step by step." : "";
    byId("funnel-note").textContent = `Widths are logarithmic, the figures beside them are not.${hint}`;
  }

  /** Chosen again, a stage is let go. */
  private choose(key: string): void {
    const rows = this.report.steps!;
    if (rows.length < 2) return;
    this.chosen = key === this.chosen ? null : key;
    this.chart = this.chosen ? this.chartOf(this.chosen) : null;
    byId("funnel-stage").replaceChildren(...(this.chart ? [this.chart.figure] : []));
    this.chart?.mark(this.step);
    this.draw();
  }

  /** Pairs of a stage in each step; of those, what went on, where that is a part of them in every step. */
  private chartOf(key: string): StepChart {
    const rows = this.report.steps!;
    const funnel = sumFunnels(this.stages, rows.map((row) => row.funnel));
    const at = funnel.findIndex((stage) => stage.key === key);
    const pairs = (row: StepRow) => row.funnel[key] ?? 0;
    const next = funnel[at].aside ? null : below(funnel, at);
    const left = (row: StepRow) => (next ? (row.funnel[next.key] ?? 0) : 0);
    const parts = next !== null && next.unit === funnel[at].unit && rows.every((row) => left(row) <= pairs(row));
    const title = `${funnel[at].name}, by step`;
    return stepChart(
      {
        title: title.charAt(0).toUpperCase() + title.slice(1),
        unit: (value) => count(value),
        series: parts
          ? [
              { name: next.name, colour: "var(--stage-3)", of: left },
              { name: "end here", colour: "var(--bar)", of: (row) => pairs(row) - left(row) },
            ]
          : [{ name: funnel[at].name, colour: "var(--stage-2)", of: pairs }],
      },
      rows,
      this.goto,
    );
  }
}
