// The colours of the 3D view, light and dark.
//
// Time of impact runs from violet to amber with rising lightness, so the order is visible to every kind of colour
// vision and in grey. Kinds of contacts have the blue and vermilion of Okabe and Ito. Hues of bodies advance by the
// golden angle, at one lightness, so that consecutive bodies differ.

export type Scheme = "light" | "dark";

const timeStops: Record<Scheme, string[]> = {
  light: ["#2c0f6b", "#6a1b9a", "#b02a84", "#dd5b5b", "#ee8f3c", "#f6c445"],
  dark: ["#7d55f5", "#b052ee", "#e5589f", "#fa7d6a", "#ffac57", "#ffe27a"],
};

export interface Palette {
  time: string[];
  vf: string;
  ee: string;
  mesh: string;
  edge: string;
  edgeOpacity: number;
  sky: string;
  ground: string;
  featureA: string;
  featureB: string;
  outline: string;
  ink: string;
}

export function palette(scheme: Scheme): Palette {
  const dark = scheme === "dark";
  return {
    time: timeStops[scheme],
    vf: dark ? "#ff9a4d" : "#cf4a06",
    ee: dark ? "#5db7f0" : "#0a69ad",
    mesh: dark ? "#8a97a6" : "#dbdee2",
    edge: dark ? "#05070a" : "#343b45",
    edgeOpacity: dark ? 0.5 : 0.3,
    sky: dark ? "#dfe8f5" : "#ffffff",
    ground: dark ? "#454d57" : "#b3aba0",
    featureA: dark ? "#ff9a4d" : "#cf4a06",
    featureB: dark ? "#5db7f0" : "#0a69ad",
    outline: dark ? "#0e1216" : "#fffdf8",
    ink: dark ? "#f2f0ea" : "#15191e",
  };
}

export function hexToRgb(hex: string): [number, number, number] {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** A scale at a share in [0, 1], in sRGB. */
export function scaleAt(stops: string[], share: number): [number, number, number] {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  const from = hexToRgb(stops[i]);
  const to = hexToRgb(stops[i + 1]);
  return from.map((c, k) => c + (to[k] - c) * (place - i)) as [number, number, number];
}

export function css([r, g, b]: [number, number, number]): string {
  return `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)})`;
}

/** The colour of a body, in sRGB: OKLCH of one lightness and a modest chroma. */
export function partColour(part: number, scheme: Scheme): [number, number, number] {
  const first = 75; // a warm cloth, then a blue ball
  const hue = ((first + part * 137.508) % 360) * (Math.PI / 180);
  const lightness = scheme === "dark" ? 0.66 : 0.78;
  const chroma = 0.085;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((c) => {
    const x = Math.min(Math.max(c, 0), 1);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
  }) as [number, number, number];
}
