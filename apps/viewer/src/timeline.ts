// The two sliders and the play button. Above each slider stands what it runs through: contacts of the shown steps,
// and contacts of this step by their time of impact.

import { count, byId, plural, svg } from "./format";
import { css, palette, scaleAt } from "./colours";
import type { ReportDocument, RunData } from "./report";
import type { State } from "./state";
import { onScheme, scheme } from "./theme";

const stepMs = 900; // of a played step
const bins = 60;

/** Bar i of n, as high as its share of the most, in a drawing of 1000 by 100. */
function bar(heights: number[], most: number, i: number): [x: number, y: number, width: number, height: number] {
  const width = 1000 / heights.length;
  const gap = Math.min(width * 0.18, 4);
  const height = heights[i] > 0 ? Math.max((heights[i] / most) * 100, 4) : 0;
  return [i * width + gap / 2, 100 - height, Math.max(width - gap, 0.5), height];
}

function rectangle([x, y, width, height]: [number, number, number, number], fill: string): SVGElement {
  return svg("rect", { x, y, width, height, fill });
}

export class Timeline {
  private readonly stepSlider = byId<HTMLInputElement>("step-slider");
  private readonly timeSlider = byId<HTMLInputElement>("time-slider");
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly stepText = byId("step-text");
  private readonly timeText = byId("time-text");
  private readonly stepBars = byId("step-bars") as unknown as SVGElement;
  private readonly timeBars = byId("time-bars") as unknown as SVGElement;
  private last = 0;

  constructor(
    private readonly report: ReportDocument,
    private readonly data: RunData,
    private readonly state: State,
  ) {
    const shown = report.shown!;
    this.stepSlider.max = String(shown.length - 1);
    this.stepSlider.disabled = shown.length < 2;
    byId("step-row").classList.toggle("single", shown.length < 2);
    this.stepSlider.addEventListener("input", () => this.goto(Number(this.stepSlider.value)));
    this.timeSlider.addEventListener("input", () => state.set({ t: Number(this.timeSlider.value), playing: false }));
    this.play.addEventListener("click", () => this.toggle());
    byId("previous").addEventListener("click", () => this.move(-1));
    byId("next").addEventListener("click", () => this.move(1));
    state.listen((_, changed) => {
      if (changed.has("playing") && state.view.playing) this.run();
      this.refresh(changed.has("shown"));
    });
    onScheme(() => this.refresh(true));
    this.refresh(true);
  }

  goto(shown: number): void {
    this.state.set({ shown, selected: null });
  }

  move(by: number): void {
    const next = this.state.view.shown + by;
    if (next >= 0 && next < this.report.shown!.length) this.goto(next);
  }

  nudge(by: number): void {
    this.state.set({ t: Math.min(Math.max(this.state.view.t + by, 0), 1), playing: false });
  }

  toggle(): void {
    const { playing, t, shown } = this.state.view;
    if (playing) {
      this.state.set({ playing: false });
    } else if (t >= 1 && shown === this.report.shown!.length - 1) {
      this.state.set({ shown: 0, t: 0, selected: null, playing: true }); // from the start again
    } else if (t >= 1) {
      this.state.set({ shown: shown + 1, t: 0, selected: null, playing: true });
    } else {
      this.state.set({ playing: true });
    }
  }

  private run(): void {
    this.last = performance.now();
    const tick = (now: number) => {
      const { playing, t, shown } = this.state.view;
      if (!playing) return;
      const next = t + Math.max(now - this.last, 0) / stepMs;
      this.last = now;
      if (next < 1) this.state.set({ t: next });
      else if (shown + 1 < this.report.shown!.length) this.state.set({ shown: shown + 1, t: next % 1, selected: null });
      else this.state.set({ t: 1, playing: false });
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private refresh(barsToo: boolean): void {
    const { shown, t, playing } = this.state.view;
    const current = this.report.shown![shown];
    this.stepSlider.value = String(shown);
    this.timeSlider.value = String(t);
    this.stepSlider.setAttribute("aria-valuetext", `step ${current.step}, ${plural(current.found, "contact")}`);
    this.timeSlider.setAttribute("aria-valuetext", `t ${t.toFixed(3)}`);
    this.stepText.textContent = `${count(current.step)} of ${count(this.report.steps!.length - 1)}`;
    this.timeText.textContent = t.toFixed(3);
    this.play.setAttribute("aria-pressed", String(playing));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!barsToo) return;
    const colours = palette(scheme());
    // One path for all steps, of which there may be thousands, and the current one over it.
    const found = this.report.shown!.map((step) => step.found);
    const mostFound = found.reduce((most, value) => Math.max(most, value), 1);
    const path = found.map((_, i) => {
      const [x, y, width, height] = bar(found, mostFound, i);
      return height > 0 ? `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}V100h${(-width).toFixed(2)}z` : "";
    });
    const marked = rectangle(bar(found, mostFound, shown), "var(--ink)");
    this.stepBars.replaceChildren(svg("path", { d: path.join(""), fill: "var(--bar)" }), marked);
    const heights = new Array<number>(bins).fill(0);
    const impacts = this.data.impacts(current.step);
    for (let i = 0; i < impacts.count; ++i) ++heights[Math.min(Math.floor(impacts.toiLo[i] * bins), bins - 1)];
    const most = Math.max(...heights, 1);
    this.timeBars.replaceChildren(
      ...heights.map((_, i) => rectangle(bar(heights, most, i), css(scaleAt(colours.time, (i + 0.5) / bins)))),
    );
    this.timeSlider.style.setProperty("--track", `linear-gradient(90deg, ${colours.time.join(", ")})`);
  }
}
