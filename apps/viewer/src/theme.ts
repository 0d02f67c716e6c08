// Light or dark: as the system says, until the reader says otherwise.

import type { Scheme } from "./colours";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const key = "graze-scheme";

// From file:// some browsers refuse storage; the choice then lasts as long as the page.
function stored(): Scheme | null {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

let chosen: Scheme | null = stored();
const listeners: (() => void)[] = [];

export function scheme(): Scheme {
  return chosen ?? (dark.matches ? "dark" : "light");
}

function apply(): void {
  document.documentElement.dataset.scheme = scheme();
  for (const listener of listeners) listener();
}

export function onScheme(listener: () => void): void {
  listeners.push(listener);
}

/** Nobody listens any more: what they drew is gone. */
export function forgetScheme(): void {
  listeners.length = 0;
}

export function switchScheme(): void {
  chosen = scheme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // nothing is kept
  }
  apply();
}

export function startTheme(): void {
  dark.addEventListener("change", apply);
  apply();
}
