/** Handoffs whose spending rules cannot count before it has ended (spec/policy.md §2.4). */
import { type CheckedLoop, compilePolicy } from "@turnseal/kernel";
import { type Grant, HANDOFF_TOOL, isPlainObject, type JsonValue } from "@turnseal/protocol";

export interface Uncapped {
  /** The loop that hands off. */
  readonly handoff: string;
  /** Units of `spend` that rules read and that its slice has no cap on; `all` without names. */
  readonly units: readonly string[] | "all";
}

export function listUncapped(
  policy: unknown,
  grant: Grant,
  loops: readonly CheckedLoop[],
): Uncapped[] {
  const compiled = compilePolicy(policy);
  if (compiled.kind === "refused" || compiled.policy.kind !== "compiled") return [];
  const { unitsRead } = compiled.policy;
  return loops.flatMap(({ definition: { id, tool } }): Uncapped[] => {
    const { loop: target, grant: asked } = tool?.config ?? {};
    const isHandoff = tool?.implementation === HANDOFF_TOOL;
    if (!isHandoff || !(grant.handoffs ?? []).some((each) => each === target)) return [];
    if (unitsRead === "all") return [{ handoff: id, units: "all" }];
    const units = unitsRead.filter((unit) => !isCapped(unit, asked, grant));
    return units.length === 0 ? [] : [{ handoff: id, units }];
  });
}

/** A cap that the request leaves out is that of the grant. */
function isCapped(
  unit: string,
  asked: JsonValue | undefined,
  { budget, perPeriod = {} }: Grant,
): boolean {
  const own = isPlainObject(asked) ? asked["budget"] : undefined;
  const counted = Object.values(perPeriod).some((caps) => Object.hasOwn(caps, unit));
  return counted || Object.hasOwn(isPlainObject(own) ? own : budget, unit);
}
