// Starts the page: reads the report, makes the views, and connects controls and keys to the state.

import "./style.css";
import { showBench } from "./bench";
import { Charts } from "./charts";
import { css, palette, partColour } from "./colours";
import { byId, count, element, milliseconds, plural, short } from "./format";
import { Funnel } from "./funnel";
import { ImpactList } from "./impact_list";
import { ImpactPanel } from "./impact_panel";
import { openCapture } from "./capture";
import { pageArrays, readDocument, RunData, type Arrays, type ReportDocument } from "./report";
import { Stage } from "./stage";
import { State, type ColourBy, type View } from "./state";
import { forgetScheme, onScheme, scheme, startTheme, switchScheme } from "./theme";
import { Timeline } from "./timeline";

const colourModes: ColourBy[] = ["time", "body", "kind"];

function showHead(report: ReportDocument): void {
  document.title = `${report.title} – graze`;
  byId("title").textContent = report.title;
  if (report.capture) {
    const { vf, ee } = report.capture;
    byId("summary").textContent = `A capture of one step with ${plural(vf + ee, "contact")}: ${count(vf)} vertex–face, ${count(ee)} edge–edge`;
    return;
  }
  const threads = report.threads ? plural(report.threads, "thread") : "";
  byId("summary").textContent = report.bench
    ? `A benchmark by graze ${report.graze}`
    : `Every contact of ${plural(report.steps!.length, "step")}, by graze ${report.graze}, method ${report.method}, ${threads}`;
}

function showFigures(report: ReportDocument): void {
  const rows = report.steps!;
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const figures: [string, string][] = [
    ["triangles", count(report.mesh!.triangles)],
    ["vertices", count(report.mesh!.vertices)],
  ];
  if (rows.some((row) => row.vf !== null)) {
    figures.push(["vertex–face contacts", count(sum((row) => row.vf ?? 0))]);
    figures.push(["edge–edge contacts", count(sum((row) => row.ee ?? 0))]);
  }
  if (report.capture) {
    figures.push(["vertex–face contacts", count(report.capture.vf)], ["edge–edge contacts", count(report.capture.ee)]);
  } else if (rows.length > 1) {
    const touched = rows.filter((row) => row.toi !== null).length;
    figures.push(["steps with contact", `${count(touched)} of ${count(rows.length)}`]);
  } else if (rows[0]?.toi !== null && rows[0] !== undefined) {
    figures.push(["earliest contact", `t = ${rows[0].toi!.toPrecision(4)}`]);
  }
  if (rows.length > 0) {
    const ms = sum((row) => row.ms.total);
    figures.push(["detection", milliseconds(ms)]);
    if (ms > 0) figures.push(["triangles a second", short((1000 * sum((row) => row.triangles)) / ms)]);
    const bytes = Math.max(...rows.map((row) => row.memory_bytes / Math.max(row.triangles, 1)));
    figures.push(["bytes a triangle", count(bytes)]);
  }
  byId("figures").replaceChildren(
    ...figures.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))),
  );
}

function showTable(report: ReportDocument, goto: (step: number) => void): void {
  const shown = new Set(report.shown!.map((step) => step.step));
  const titles = ["step", "vertex–face", "edge–edge", "earliest", "time", "hash"];
  const head = element("tr", "", ...titles.map((title) => element("th", "", title)));
  const body = element("tbody");
  const most = 2000; // rows of a table that nobody scrolls through to its end
  for (const row of report.steps!.slice(0, most)) {
    let step: Node = document.createTextNode(count(row.step));
    if (shown.has(row.step)) {
      const button = element("button", "text", count(row.step));
      button.type = "button";
      button.addEventListener("click", () => goto(row.step));
      step = button;
    }
    const cells = [count(row.vf), count(row.ee), row.toi === null ? "–" : row.toi.toFixed(6), milliseconds(row.ms.total)];
    const line = element("tr", "", element("td", "", step), ...cells.map((cell) => element("td", "", cell)));
    line.append(element("td", "", element("code", "", row.hash ?? "–")));
    line.dataset.step = String(row.step);
    body.append(line);
  }
  byId("table").replaceChildren(element("thead", "", head), body);
  if (report.steps!.length > most) {
    byId("table").after(element("p", "note", `The first ${count(most)} of ${count(report.steps!.length)} steps; the charts have all.`));
  }
}

function showNotes(report: ReportDocument, data: RunData): void {
  const shown = report.shown!;
  const steps = report.steps!;
  const notes = [
    report.mesh!.bits === 16
      ? `Positions are drawn from 16-bit numbers: steps of ${(data.scale / 65535).toPrecision(2)} scene units. Contacts were found on the doubles themselves; ids, times, normals and weights are as found.`
      : "Positions are drawn from 32-bit floats. Contacts were found on the doubles themselves; ids, times, normals and weights are as found.",
    "A contact is drawn on its first feature: a ring before its time of impact, a disc from then on.",
  ];
  if (shown.length < steps.length) {
    notes.push(
      `To keep the file small, positions and contacts of ${count(shown.length)} of the ${count(steps.length)} steps are in it: evenly chosen, and the busiest. Left out: ${leftOut(report)}. Charts and table have all steps.`,
    );
  }
  const sampled = report.capture ? [] : shown.filter((step) => step.kept < step.found);
  if (sampled.length > 0) {
    const kept = sampled.reduce((sum, step) => sum + step.kept, 0);
    const found = sampled.reduce((sum, step) => sum + step.found, 0);
    notes.push(`Of ${plural(sampled.length, "step")} with very many contacts an even sample is in this file: ${count(kept)} of ${count(found)}. All were found and counted.`);
  }
  if (report.capture) {
    notes.splice(1, 1, `A capture has the number of its contacts, not the contacts: graze detect ${report.capture.name} --report page.html writes a page with them.`);
  }
  if (report.thickness) notes.push(`A pair counts from a distance of ${report.thickness} scene units (--thickness).`);
  byId("notes").replaceChildren(...notes.map((note) => element("li", "", note)));
}

/** The steps without positions, as ranges. */
function leftOut(report: ReportDocument): string {
  const shown = new Set(report.shown!.map((step) => step.step));
  const ranges: [number, number][] = [];
  for (const { step } of report.steps!) {
    if (shown.has(step)) continue;
    const last = ranges[ranges.length - 1];
    if (last && last[1] === step - 1) last[1] = step;
    else ranges.push([step, step]);
  }
  const text = ranges.slice(0, 12).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return text.join(", ") + (ranges.length > 12 ? `, and ${count(ranges.length - 12)} more ranges` : "");
}

function showLegend(report: ReportDocument, view: Readonly<View>): void {
  const colours = palette(scheme());
  const legend = byId("legend");
  const key = (colour: string, text: string) => {
    const swatch = element("i", "swatch round");
    swatch.style.background = colour;
    return element("span", "", swatch, text);
  };
  if (view.colourBy === "time") {
    const ramp = element("i", "ramp");
    ramp.style.background = `linear-gradient(90deg, ${colours.time.join(", ")})`;
    legend.replaceChildren(element("b", "", "time of impact"), element("span", "", "0"), ramp, element("span", "", "1"));
  } else if (view.colourBy === "kind") {
    legend.replaceChildren(key(colours.vf, "vertex–face"), key(colours.ee, "edge–edge"));
  } else {
    const { parts, parts_are: what } = report.mesh!;
    const few = Math.min(parts, 6);
    const keys = Array.from({ length: few }, (_, part) => key(css(partColour(part, scheme())), `${what} ${part}`));
    if (parts > few) keys.push(element("span", "", `and ${count(parts - few)} more`));
    if (parts < 2) keys.splice(0, keys.length, element("span", "", "one connected mesh"));
    legend.replaceChildren(...keys);
  }
}

/** Shows a run until it is told to stop: then its keys do nothing and its WebGL is given back. */
function showRun(report: ReportDocument, arrays: Arrays): () => void {
  byId("run").hidden = false;
  byId("run").classList.toggle("capture", report.capture !== undefined);
  const data = new RunData(report.mesh!, arrays);
  const shown = report.shown!;
  const busiest = shown.reduce((best, step, i) => (step.found > shown[best].found ? i : best), 0);
  const state = new State({
    shown: busiest,
    t: 1,
    playing: false,
    colourBy: report.capture ? "body" : "time", // a capture has no contact to colour
    kind: "all",
    edges: report.mesh!.triangles <= 60_000,
    seeThrough: false,
    hidden: true,
    yUp: data.sinksAlongY(),
    selected: null,
  });

  let stage: Stage | null = null;
  try {
    stage = new Stage(byId<HTMLCanvasElement>("canvas"), report, data, state);
  } catch {
    byId("no-webgl").hidden = false;
    byId("canvas").hidden = true;
  }
  const choose = (impact: number) => {
    const impacts = data.impacts(shown[state.view.shown].step);
    state.set({ selected: impact, t: impacts.toiHi[impact], playing: false });
    stage?.flyToSelected();
  };
  const timeline = new Timeline(report, data, state);
  const list = new ImpactList(report, data, state, choose);
  new ImpactPanel(report, data, state);
  const goto = (step: number) => {
    const index = shown.findIndex((one) => one.step === step);
    if (index < 0) return;
    timeline.goto(index);
    byId("canvas").scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  const funnel = new Funnel(report, goto);
  const charts = report.steps!.length > 1 ? new Charts(report, goto) : null;
  byId("by-step").hidden = charts === null;
  for (const id of ["narrowing", "all-steps"]) byId(id).hidden = report.steps!.length === 0;
  showFigures(report);
  showTable(report, goto);
  showNotes(report, data);

  const refresh = () => {
    const view = state.view;
    const step = shown[view.shown].step;
    charts?.mark(step);
    funnel.show(step);
    showLegend(report, view);
    const press = (id: string, on: boolean) => byId(id).setAttribute("aria-pressed", String(on));
    press("edges", view.edges);
    press("see-through", view.seeThrough);
    press("hidden", view.hidden);
    byId("up").textContent = view.yUp ? "Y up" : "Z up";
    for (const button of document.querySelectorAll<HTMLButtonElement>("#colour-by button")) {
      button.setAttribute("aria-pressed", String(button.value === view.colourBy));
    }
    for (const row of document.querySelectorAll<HTMLElement>("#table tbody tr")) {
      row.classList.toggle("current", row.dataset.step === String(step));
    }
  };
  state.listen((_, changed) => {
    if (changed.size > 1 || !changed.has("t")) refresh();
  });
  onScheme(refresh);
  refresh();

  const flip = (key: "edges" | "seeThrough" | "hidden" | "yUp") => state.set({ [key]: !state.view[key] });
  const nextColour = () => state.set({ colourBy: colourModes[(colourModes.indexOf(state.view.colourBy) + 1) % 3] });
  const neighbour = (by: number) => {
    const impact = list.neighbour(by);
    if (impact !== null) choose(impact);
  };
  byId("edges").addEventListener("click", () => flip("edges"));
  byId("see-through").addEventListener("click", () => flip("seeThrough"));
  byId("hidden").addEventListener("click", () => flip("hidden"));
  byId("up").addEventListener("click", () => flip("yUp"));
  byId("fit").addEventListener("click", () => stage?.fit());
  for (const button of document.querySelectorAll<HTMLButtonElement>("#colour-by button")) {
    button.addEventListener("click", () => state.set({ colourBy: button.value as ColourBy }));
  }
  const keys: Record<string, () => void> = {
    " ": () => timeline.toggle(),
    ArrowLeft: () => timeline.move(-1),
    ArrowRight: () => timeline.move(1),
    ",": () => timeline.nudge(-0.02),
    ".": () => timeline.nudge(0.02),
    n: () => neighbour(1),
    p: () => neighbour(-1),
    f: () => stage?.fit(),
    c: nextColour,
    e: () => flip("edges"),
    x: () => flip("seeThrough"),
    h: () => flip("hidden"),
    u: () => flip("yUp"),
    Escape: () => state.set({ selected: null }),
  };
  const stop = new AbortController();
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || byId<HTMLDialogElement>("help").open) return;
    if (target.matches("input:not([type=range]), select, textarea")) return;
    if (target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
    if (target.matches("button, summary") && event.key === " ") return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKey, { signal: stop.signal });
  return () => {
    stop.abort();
    state.set({ playing: false });
    stage?.dispose();
  };
}

/** A file that is opened or dropped: the page starts over with it. */
function listenForFiles(open: (file: File) => void): void {
  const input = byId<HTMLInputElement>("open-file");
  byId("open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files?.[0]) open(input.files[0]);
    input.value = "";
  });
  const over = (on: boolean) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

function start(): void {
  startTheme();
  const help = byId<HTMLDialogElement>("help");
  byId("scheme").addEventListener("click", switchScheme);
  byId("help-open").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    if ((event.target as HTMLElement).matches("input:not([type=range]), select") || event.ctrlKey || event.metaKey) return;
    if (event.key === "?" && !help.open) help.showModal();
    if (event.key === "d" || event.key === "D") switchScheme();
  });
  const main = document.querySelector("main")!;
  const pristine = main.innerHTML;
  let stop: (() => void) | null = null;
  const show = (report: ReportDocument, arrays: Arrays | null) => {
    stop?.();
    stop = null;
    forgetScheme();
    main.innerHTML = pristine;
    showHead(report);
    if (report.bench) showBench(report);
    if (arrays && report.shown?.length) stop = showRun(report, arrays);
  };
  listenForFiles((file) => {
    const problem = byId("problem");
    problem.hidden = true;
    file
      .arrayBuffer()
      .then((buffer) => {
        const { report, arrays } = openCapture(buffer, file.name);
        show(report, arrays);
      })
      .catch((error: Error) => {
        problem.textContent = error.message;
        problem.hidden = false;
      });
  });
  const report = readDocument();
  if (report) show(report, report.mesh ? pageArrays(report.mesh) : null);
  else byId("no-data").hidden = false;
}

start();
