/** Names the result of a step. */
import { FLOW_NAMES, isReservedName } from "@turnseal/protocol";
import type { Place } from "./compile-call.ts";
import { addProblem, type Sight } from "./compiling.ts";
import { toName } from "./variables.ts";

/** Beside the names that a flow gives, a text may name what was gathered. */
const TAKEN: ReadonlySet<string> = new Set([...FLOW_NAMES, "context"]);

/** The name that was written, or a number where none was. */
export function nameStep(
  written: string | undefined,
  { number, sight }: { readonly number: string; readonly sight: Sight },
  { compiling, path }: Place,
): string {
  if (written === undefined) return number;
  const name = toName(written);
  const refuseName = (rule: "binding-name" | "binding-repeated", message: string): void =>
    addProblem(compiling, { rule, path: `${path}/name`, message, mend: "choose another name" });
  if (!/^[A-Za-z_]\w*$/.test(name))
    refuseName("binding-name", `\`${written}\` is not made of letters, digits, - and _`);
  else if (TAKEN.has(name) || isReservedName(name))
    refuseName("binding-name", `\`${written}\` means something else in a workflow`);
  else if (sight.names.has(name))
    refuseName("binding-repeated", `\`${written}\` is the name of a step before`);
  return name;
}
