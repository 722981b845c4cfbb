/**
 * A loop that is to be reversible calls nothing whose effect nothing takes back (spec/rollback.md
 * §1.5). What tools declare is known only where their functions are bound.
 */

import type { ToolBinding } from "@turnseal/ports";
import type { Problem, ToolSpec } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listBelow, type Resolve } from "./list-below.ts";

/** What a tool declares; undefined where nobody has bound its function here. */
export type FindDeclared = (
  implementation: ToolSpec["implementation"],
  version: string,
) => Pick<ToolBinding, "effect" | "compensation" | "irreversible"> | undefined;

/** What is wrong with a loop that is to be reversible, for what its tools declare. */
export function checkReversible(
  loop: CheckedLoop,
  resolve: Resolve,
  find: FindDeclared,
): Problem[] {
  return loop.definition.policy?.reversible === true
    ? listIrreversible(loop, resolve, find).map((problem) => ({
        ...problem,
        path: "/policy/reversible",
      }))
    : [];
}

/** What a loop can come to call that acts, and that nothing takes back. */
export function listIrreversible(
  loop: CheckedLoop,
  resolve: Resolve,
  find: FindDeclared,
): Problem[] {
  return listBelow(loop, resolve).flatMap(({ definition: { id, version, tool } }) => {
    const declared = tool === undefined ? undefined : find(tool.implementation, version);
    if (declared === undefined || declared.effect === "read") return [];
    return declared.compensation === undefined ? [refuse(id, declared.irreversible)] : [];
  });
}

function refuse(id: string, irreversible: string | undefined): Problem {
  const why = irreversible === undefined ? "declares no compensation" : "says that it is final";
  return {
    rule: "irreversible",
    path: "/reversible",
    message: `${id} acts, and ${why}`,
    mend: `give ${id} a \`compensate\`, do without it, or leave out \`reversible\``,
  };
}
