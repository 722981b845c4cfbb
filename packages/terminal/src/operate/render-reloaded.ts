import type { CheckedLoop, Registry } from "@turnseal/kernel";
import { type LoopBounds, renderBounds } from "../loops/render-bounds.ts";
import { countOf } from "../screen/count-of.ts";
import { type Line, line, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";

export interface Reloaded {
  readonly before: Registry;
  readonly now: Registry;
  readonly bounds: readonly LoopBounds[];
  /** Unfinished runs that only earlier definitions can drive. */
  readonly needed: number;
}

/** Says what has changed, what it may do at most, and what becomes of runs that are open. */
export function renderReloaded({ before, now, bounds, needed }: Reloaded): Line[] {
  const [old, fresh] = [byName(before), byName(now)];
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !fresh.has(name));
  const changed = [...fresh].flatMap(([name, { digest }]) => {
    const known = old.get(name);
    return known === undefined || known.digest === digest ? [] : [name];
  });
  const told = new Set([...added, ...changed]);
  const isSame = told.size + removed.length === 0;
  const words = isSame ? "reloaded: no definition has changed, the code of tools may" : "reloaded";
  return [
    line(toned("good", "✓ "), words),
    ...renderNames("added", added),
    ...renderNames("changed", changed),
    ...renderNames("removed", removed),
    ...(needed === 0 ? [] : renderDetail("open", `${countOf(needed, "unfinished run")} ${KEPT}`)),
    ...bounds.filter(({ loop }) => told.has(nameOf(loop))).flatMap(renderBounds),
  ];
}

const KEPT = "of earlier definitions, which stay as they were for as long as this process runs";

function renderNames(what: string, names: readonly string[]): Line[] {
  return names.length === 0 ? [] : renderDetail(what, names.join(", "));
}

function byName(registry: Registry): ReadonlyMap<string, CheckedLoop> {
  return new Map(registry.list().map((loop) => [nameOf(loop), loop]));
}

function nameOf({ definition: { id, version } }: CheckedLoop): string {
  return `${id} ${version}`;
}
