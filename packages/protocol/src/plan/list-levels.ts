import type { PlanStep } from "./plan-document.ts";
import { listDependencies } from "./step-sources.ts";

export interface Levels {
  /** Steps by how many stand before them in line, by their places, each level in their order. */
  readonly levels: readonly (readonly number[])[];
  /** The others, with what they depend on: they wait for each other, or for such that do. */
  readonly left: ReadonlyMap<string, readonly string[]>;
}

export function listLevels(steps: readonly PlanStep[]): Levels {
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  const left = new Map(steps.map((step) => [step.id, listDependencies(step)]));
  const levels: number[][] = [];
  for (;;) {
    const ready = [...left].filter(([, needs]) => needs.every((id) => !left.has(id)));
    if (ready.length === 0) return { levels, left };
    levels.push(ready.flatMap(([id]) => places.get(id) ?? []));
    for (const [id] of ready) left.delete(id);
  }
}
