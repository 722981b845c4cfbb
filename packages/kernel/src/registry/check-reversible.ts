/**
 * A reversible loop calls no effect without a compensation (spec/rollback.md §1.5). The
 * declarations of tools are known only where their functions are bound.
 */

import type { ToolBinding } from "@turnseal/ports";
import { HANDOFF_TOOL, type Problem, type ToolSpec } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listBelow, type Resolve } from "./list-below.ts";

/** Returns a tool's declaration; undefined if its function is not bound here. */
export type FindDeclared = (
  implementation: ToolSpec["implementation"],
  version: string,
) =>
  | Pick<ToolBinding, "effect" | "compensation" | "irreversible" | "takesBack" | "artifacts">
  | undefined;

/** Checks a reversible loop against the declarations of its tools. */
export function checkReversible(
  loop: CheckedLoop,
  resolve: Resolve,
  find: FindDeclared,
): Problem[] {
  const shadowed = findShadow(loop, resolve, find);
  if (shadowed !== undefined) return [shadowed];
  return loop.definition.policy?.reversible === true
    ? listIrreversible(loop, resolve, find).map((problem) => ({
        ...problem,
        path: "/policy/reversible",
      }))
    : [];
}

/**
 * Finds another loop with the name of the compensation: the promise of a card would not be kept.
 */
function findShadow(
  { definition: { id, version, tool } }: CheckedLoop,
  resolve: Resolve,
  find: FindDeclared,
): Problem | undefined {
  const declared = tool === undefined ? undefined : find(tool.implementation, version);
  const { compensation } = declared ?? {};
  if (compensation === undefined) return undefined;
  const undo = resolve(compensation.loop, compensation.version)?.definition.tool?.implementation;
  const bound = undo === undefined ? undefined : find(undo, compensation.version);
  const isThere = resolve(compensation.loop, compensation.version) !== undefined;
  if (!isThere || bound?.takesBack === true) return undefined;
  return {
    rule: "name-reserved",
    path: "/id",
    message: `${compensation.loop} is what takes back ${id}, and is something else here`,
    mend: `give the loop ${compensation.loop}, or its function, another name`,
  };
}

/** Lists effects without a compensation that a loop can reach. */
export function listIrreversible(
  loop: CheckedLoop,
  resolve: Resolve,
  find: FindDeclared,
): Problem[] {
  const { reached, missing } = listReached(loop, resolve);
  const unseen = missing.map(([id, target]) => refuse(id, `hands to ${target}, which is not here`));
  return [...listFinal(reached, find), ...unseen];
}

/** Lists acting loops without a compensation. */
export function listFinal(reached: readonly CheckedLoop[], find: FindDeclared): Problem[] {
  return reached.flatMap(({ definition: { id, version, tool } }) => {
    const declared = tool === undefined ? undefined : find(tool.implementation, version);
    if (declared === undefined || declared.effect === "read") return [];
    if (declared.compensation !== undefined) return [];
    const isSilent = declared.irreversible === undefined;
    return [
      refuse(id, `acts, and ${isSilent ? "declares no compensation" : "says that it is final"}`),
    ];
  });
}

interface Reached {
  readonly reached: readonly CheckedLoop[];
  /** Which loop hands to which that nobody knows here. */
  readonly missing: readonly (readonly [string, string])[];
}

/** A loop, everything that it can call, and everything below the loops that it hands to. */
function listReached(root: CheckedLoop, resolve: Resolve): Reached {
  const reached = new Set(listBelow(root, resolve));
  const missing: [string, string][] = [];
  for (const { definition } of reached) {
    const { implementation, config = {} } = definition.tool ?? {};
    if (implementation !== HANDOFF_TOOL) continue;
    const { loop, version } = config;
    const named = typeof version === "string" ? version : undefined;
    const target = typeof loop === "string" ? resolve(loop, named) : undefined;
    if (target === undefined) missing.push([definition.id, String(loop)]);
    else for (const below of listBelow(target, resolve)) reached.add(below);
  }
  return { reached: [...reached], missing };
}

function refuse(id: string, why: string): Problem {
  return {
    rule: "irreversible",
    path: "/reversible",
    message: `${id} ${why}`,
    mend: `give ${id} a \`compensate\`, do without it, or leave out \`reversible\``,
  };
}
