// The contacts of the step as a list that scrolls: only the rows in sight exist, so a hundred thousand are no slower
// than ten. Sorting is n log n, once a step and order.

import { css, hexToRgb, palette, scaleAt } from "./colours";
import { byId, count, element } from "./format";
import type { Impacts, ReportDocument, RunData } from "./report";
import type { KindShown, State } from "./state";
import { onScheme, scheme } from "./theme";

const rowHeight = 34;
const mostHeight = 8_000_000; // browsers draw no taller element reliably

export function idText(impacts: Impacts, impact: number): { a: string; b: string } {
  const ids = Array.from(impacts.ids.subarray(4 * impact, 4 * impact + 4), String);
  return impacts.kinds[impact] === 0
    ? { a: ids[0], b: ids.slice(1).join(" ") }
    : { a: ids.slice(0, 2).join(" "), b: ids.slice(2).join(" ") };
}

export class ImpactList {
  private readonly box = byId("impact-list");
  private readonly tall = element("div", "tall");
  private readonly order = byId<HTMLSelectElement>("list-order");
  private readonly vertex = byId<HTMLInputElement>("list-vertex");
  private readonly note = byId("list-note");
  private rows: Uint32Array = new Uint32Array(0);
  private impacts!: Impacts;

  constructor(
    private readonly report: ReportDocument,
    private readonly data: RunData,
    private readonly state: State,
    private readonly choose: (impact: number) => void,
  ) {
    this.box.append(this.tall);
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.box.addEventListener("click", (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[data-impact]");
      if (row) this.choose(Number(row.dataset.impact));
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.order.addEventListener("change", () => this.rebuild());
    this.vertex.addEventListener("input", () => this.rebuild());
    for (const button of document.querySelectorAll<HTMLButtonElement>("#list-kind button")) {
      button.addEventListener("click", () => state.set({ kind: button.value as KindShown }));
    }
    state.listen((view, changed) => {
      if (changed.has("shown") || changed.has("kind")) this.rebuild();
      else if (changed.has("selected")) {
        this.reveal(view.selected);
        this.draw();
      } else if (changed.has("colourBy")) this.draw();
    });
    onScheme(() => this.draw());
    this.rebuild();
  }

  /** The contact so many rows on from the selected one, or the first. */
  neighbour(by: number): number | null {
    if (this.rows.length === 0) return null;
    const selected = this.state.view.selected;
    const at = selected === null ? -1 : this.rows.indexOf(selected);
    if (at < 0) return this.rows[by > this.rows.length ? this.rows.length - 1 : 0];
    return this.rows[Math.min(Math.max(at + by, 0), this.rows.length - 1)];
  }

  private rebuild(): void {
    const { shown, kind } = this.state.view;
    const step = this.report.shown![shown];
    this.impacts = this.data.impacts(step.step);
    const { kinds, ids, toiLo, count: n } = this.impacts;
    const vertex = this.vertex.value.trim() === "" ? null : Number(this.vertex.value);
    let rows = new Uint32Array(n);
    let kept = 0;
    for (let i = 0; i < n; ++i) {
      if (kind !== "all" && kinds[i] !== (kind === "vf" ? 0 : 1)) continue;
      if (vertex !== null && !ids.subarray(4 * i, 4 * i + 4).includes(vertex)) continue;
      rows[kept++] = i;
    }
    rows = rows.slice(0, kept);
    if (this.order.value === "time") rows.sort((a, b) => toiLo[a] - toiLo[b] || a - b);
    this.rows = rows;
    for (const button of document.querySelectorAll<HTMLButtonElement>("#list-kind button")) {
      button.setAttribute("aria-pressed", String(button.value === kind));
    }
    byId("list-count").textContent = count(kept);
    const onlyFirst = this.report.steps![step.step]?.vf === null;
    const capture = this.report.capture;
    this.note.textContent = capture
      ? `A capture has the number of its contacts, not the contacts. They are in the page that this writes: graze detect ${capture.name} --report page.html`
      : onlyFirst
      ? "Only the earliest contact was looked for (--first)."
      : step.kept < step.found
        ? `An even sample: ${count(step.kept)} of the step's ${count(step.found)} contacts are in this file.`
        : "";
    this.note.hidden = this.note.textContent === "";
    this.box.scrollTop = 0;
    this.tall.style.height = `${Math.min(kept * rowHeight, mostHeight)}px`;
    this.reveal(this.state.view.selected);
    this.draw();
  }

  /** Rows a pixel of scrolling stands for: more than 1/34 only in lists that are too tall. */
  private get stretch(): number {
    const room = Math.max(this.tall.clientHeight - this.box.clientHeight, 1);
    const rows = Math.max(this.rows.length - this.box.clientHeight / rowHeight, 0);
    return this.rows.length * rowHeight > mostHeight ? rows / room : 1 / rowHeight;
  }

  private reveal(impact: number | null): void {
    const at = impact === null ? -1 : this.rows.indexOf(impact);
    if (at < 0) return;
    const top = this.box.scrollTop * this.stretch;
    const visible = this.box.clientHeight / rowHeight;
    if (at < top || at > top + visible - 1) this.box.scrollTop = Math.max(0, (at - visible / 2) / this.stretch);
  }

  private draw(): void {
    const first = Math.floor(this.box.scrollTop * this.stretch);
    const shift = this.box.scrollTop - (this.box.scrollTop * this.stretch - first) * rowHeight;
    const visible = Math.ceil(this.box.clientHeight / rowHeight) + 1;
    const colours = palette(scheme());
    const made: HTMLElement[] = [];
    for (let at = first; at < Math.min(first + visible, this.rows.length); ++at) {
      const impact = this.rows[at];
      const edges = this.impacts.kinds[impact] === 1;
      const { a, b } = idText(this.impacts, impact);
      const dot = element("i", "dot");
      const kindColour = edges ? colours.ee : colours.vf;
      const time = scaleAt(colours.time, this.impacts.toiLo[impact]);
      dot.style.background = css(this.state.view.colourBy === "kind" ? hexToRgb(kindColour) : time);
      const row = element(
        "div",
        "impact",
        dot,
        element("b", "", edges ? "EE" : "VF"),
        element("span", "ids", `${a} `, element("em", "", "×"), ` ${b}`),
        element("span", "toi", this.impacts.toiLo[impact].toFixed(5)),
      );
      row.setAttribute("role", "option");
      row.id = `impact-${impact}`;
      row.dataset.impact = String(impact);
      row.setAttribute("aria-selected", String(impact === this.state.view.selected));
      row.setAttribute("aria-posinset", String(at + 1));
      row.setAttribute("aria-setsize", String(this.rows.length));
      row.style.transform = `translateY(${shift + (at - first) * rowHeight}px)`;
      made.push(row);
    }
    if (this.rows.length === 0) made.push(element("p", "empty", this.report.capture ? "" : this.impacts.count === 0 ? "No contact in this step." : "None of these."));
    this.tall.replaceChildren(...made);
    const selected = this.state.view.selected;
    if (selected !== null && document.getElementById(`impact-${selected}`)) {
      this.box.setAttribute("aria-activedescendant", `impact-${selected}`);
    } else {
      this.box.removeAttribute("aria-activedescendant");
    }
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(Math.floor(this.box.clientHeight / rowHeight) - 1, 1);
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 };
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.neighbour(by);
    if (next !== null) this.choose(next);
  }
}
