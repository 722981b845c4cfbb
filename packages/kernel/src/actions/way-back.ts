/** What can be taken back of what a tool does, and what it takes back itself. */
import type { ToolBinding } from "@turnseal/ports";
import { isPlainObject, type JsonValue, type ToolFacts } from "@turnseal/protocol";
import { isTakenAction } from "@turnseal/protocol/authoring";
import { isShield } from "../hold.ts";
import { type Failed, fail } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";

/** UTF-16 units of why nothing takes an effect back. */
export const IRREVERSIBLE_LENGTH_MAX = 512;

/** From the declaration alone: the same whatever it is given. */
export function describeWayBack({
  effect,
  compensation,
  irreversible,
}: Pick<ToolBinding, "effect" | "compensation" | "irreversible">): Pick<
  ToolFacts,
  "compensation" | "irreversible"
> {
  if (effect === "read") return {};
  if (compensation !== undefined) return { compensation };
  if (irreversible === undefined) return {};
  return { irreversible: irreversible.slice(0, IRREVERSIBLE_LENGTH_MAX).toWellFormed() };
}

/** The action that it takes back, without what that was given and gave, which is content. */
export function nameTaken(
  { takesBack }: Pick<ToolBinding, "takesBack">,
  input: JsonValue,
): Pick<ToolFacts, "takesBack"> {
  const taken = takesBack && isPlainObject(input) ? input["takesBack"] : undefined;
  if (!isTakenAction(taken)) return {};
  const { run, turn, key, receipt } = taken;
  return { takesBack: { run, turn, key, receipt } };
}

interface Caller {
  readonly frame: Pick<Frame, "hold">;
  readonly world: Pick<World, "plans" | "rollback">;
}

/**
 * Why a compensation is not even claimed. A claim says what it takes back: only a rollback says so
 * of another run, and only a group of its own.
 */
export function refuseForeign(
  tool: Pick<ToolBinding, "takesBack">,
  input: JsonValue,
  { frame, world }: Caller,
): Failed | undefined {
  if (tool.takesBack !== true) return undefined;
  if (world.plans === undefined)
    return fail("POLICY_DENIED", "a compensation needs a run", { denial: "run-missing" });
  if (isShield(frame.hold)) return undefined;
  const { takesBack } = nameTaken(tool, input);
  if (world.rollback !== undefined && takesBack?.run !== world.rollback) return undefined;
  const message = "only a rollback of the run takes back what it did, or the group that did it";
  return fail("POLICY_DENIED", message, { denial: "rollback-missing" });
}
