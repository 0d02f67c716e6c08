// Figures as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : whole.format(value);
}

/** 12,345,678 as 12.3 M: for places with little room. */
export function short(value: number): string {
  for (const [unit, name] of [
    [1e12, " T"],
    [1e9, " G"],
    [1e6, " M"],
    [1e4, " k"],
  ] as const) {
    if (value >= unit) {
      const scaled = value / (name === " k" ? 1e3 : unit);
      return scaled.toFixed(scaled >= 100 ? 0 : 1).replace(/\.0$/, "") + name;
    }
  }
  return Number.isInteger(value) ? whole.format(value) : String(Number(value.toPrecision(3)));
}

export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 100 ? `${whole.format(ms)} ms` : `${Number(ms.toPrecision(3))} ms`;
}

export function percent(share: number): string {
  if (share === 0) return "0 %";
  if (share > 0 && share < 0.0001) return "< 0.01 %";
  return `${(100 * share).toFixed(share < 0.01 ? 2 : share < 0.1 ? 1 : 0)} %`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** The smallest of 1, 2, 5, 10, 20, ... that is not below: the top of a scale. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const digit of [1, 2, 5, 10]) if (digit * power >= value) return digit * power;
  return 10 * power;
}

/** A new element with a class and content; text is text, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

export function svg(tag: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page lacks #${id}`);
  return found as T;
}
