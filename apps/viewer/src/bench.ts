// The page of a benchmark: for each scene the methods side by side, shortest time first, answers compared by hash; and
// the funnel of a method that is chosen.

import { byId, count, element, milliseconds } from "./format";
import { drawFunnel, drawTimes, sumFunnels } from "./funnel";
import type { BenchRow, ReportDocument, StageText } from "./report";

export function showBench(report: ReportDocument): void {
  const bench = report.bench!;
  const section = byId("bench");
  section.hidden = false;
  const machine = Object.entries(bench.machine ?? {}).map(([name, value]) => `${name} ${String(value)}`);
  byId("bench-machine").textContent = machine.join(" · ");

  const scenes = new Map<string, BenchRow[]>();
  for (const row of bench.rows) scenes.set(row.scene, [...(scenes.get(row.scene) ?? []), row]);
  for (const [scene, rows] of scenes) byId("bench-scenes").append(sceneCard(scene, rows, report.stages ?? {}));
}

/** The funnel of one row. */
function showFunnel(box: HTMLElement, row: BenchRow, stages: Record<string, StageText>): void {
  const list = element("ol", "funnel narrow");
  const reading = element("output", "reading");
  const times = element("div");
  drawFunnel(list, sumFunnels(stages, [row.funnel!]), null, (text) => (reading.textContent = text), () => {});
  if (row.ms) drawTimes(times, [{ ms: row.ms }]);
  const title = `${row.method}, ${row.threads} thread${row.threads === 1 ? "" : "s"}: pairs of all steps, time of a step`;
  box.replaceChildren(element("h3", "", title), list, times, reading);
}

function sceneCard(scene: string, rows: BenchRow[], stages: Record<string, StageText>): HTMLElement {
  const sorted = [...rows].sort((a, b) => a.median_ms - b.median_ms);
  const slowest = Math.max(...rows.map((row) => row.median_ms), 1e-9);
  const own = new Set(rows.filter((row) => !row.method.startsWith("peer:") && row.hash).map((row) => row.hash));
  const list = element("ul", "bench-rows");
  const funnel = element("div", "bench-funnel");
  const buttons: HTMLButtonElement[] = [];
  const nameOf = (row: BenchRow): HTMLElement => {
    const name = element("b", "", row.method.replace("peer:", ""));
    if (!row.funnel) return name;
    const button = element("button", "", name);
    button.type = "button";
    button.title = "How its pairs become fewer";
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      showFunnel(funnel, row, stages);
    });
    buttons.push(button);
    return button;
  };
  for (const row of sorted) {
    const peer = row.method.startsWith("peer:");
    const bar = element("i", peer ? "bar peer" : "bar");
    bar.style.width = `${Math.max((100 * row.median_ms) / slowest, 0.4)}%`;
    const contacts = row.vf === null ? "" : `${count((row.vf ?? 0) + (row.ee ?? 0))} contacts`;
    const bytes = row.bytes_per_triangle === null || row.bytes_per_triangle === undefined ? "" : `${row.bytes_per_triangle.toFixed(0)} B a triangle`;
    const line = element(
      "li",
      "",
      nameOf(row),
      element("span", "track", bar),
      element("span", "figure", milliseconds(row.median_ms)),
      element("small", "", [`${row.threads} thread${row.threads === 1 ? "" : "s"}`, contacts, bytes, `least ${milliseconds(row.min_ms)}`].filter(Boolean).join(" · ")),
    );
    list.append(line);
  }
  const agree = own.size <= 1 ? "all methods give the same contacts" : `${own.size} different answers`;
  const head = element("figcaption", "", element("h3", "", scene), element("span", own.size <= 1 ? "agree" : "disagree", agree));
  buttons[0]?.click();
  return element("figure", "card", head, list, ...(buttons.length > 0 ? [funnel] : []));
}
