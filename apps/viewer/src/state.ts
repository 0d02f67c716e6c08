// What the page shows now, and who wants to know when it changes. Every control writes here and nothing else;
// every view reads from here.

export type ColourBy = "time" | "body" | "kind";
export type KindShown = "all" | "vf" | "ee";

export interface View {
  /** Index into the shown steps. */
  shown: number;
  /** Time inside the step, in [0, 1]. */
  t: number;
  playing: boolean;
  colourBy: ColourBy;
  kind: KindShown;
  edges: boolean;
  seeThrough: boolean;
  hidden: boolean;
  /** Is y up instead of z? */
  yUp: boolean;
  /** Index of an impact of the step. */
  selected: number | null;
}

type Listener = (view: Readonly<View>, changed: ReadonlySet<keyof View>) => void;

export class State {
  private readonly listeners: Listener[] = [];

  constructor(private readonly current: View) {}

  get view(): Readonly<View> {
    return this.current;
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(change: Partial<View>): void {
    const changed = new Set<keyof View>();
    const target = this.current as unknown as Record<string, unknown>;
    for (const [key, value] of Object.entries(change)) {
      if (target[key] === value) continue;
      target[key] = value;
      changed.add(key as keyof View);
    }
    if (changed.size === 0) return;
    for (const listener of this.listeners) listener(this.current, changed);
  }
}
