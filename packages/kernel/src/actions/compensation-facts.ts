/** Describes how an effect of a tool can be taken back, and which effects it takes back itself. */
import type { ToolBinding } from "@turnseal/ports";
import { isPlainObject, type JsonValue, type ToolFacts } from "@turnseal/protocol";
import { isTakenAction } from "@turnseal/protocol/authoring";
import { isShield } from "../hold.ts";
import { type Failed, fail } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";

/** UTF-16 units of why nothing takes an effect back. */
export const IRREVERSIBLE_LENGTH_MAX = 512;

/** Reads the declaration alone, so it is the same for every input. */
export function describeCompensation({
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

/** The action that it takes back, without its input and result, which are content. */
export function nameCompensated(
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
  readonly world: World;
}

/**
 * Refuses a compensation before its claim. A claim names the effect it takes back: only a rollback
 * may name one of another run, and only a group one of its own.
 */
export function refuseForeign(
  tool: Pick<ToolBinding, "takesBack">,
  input: JsonValue,
  { frame, world }: Caller,
): Failed | undefined {
  if (tool.takesBack !== true) return undefined;
  if (world.kind === "call")
    return fail("POLICY_DENIED", "a compensation needs a run", { denial: "run-missing" });
  if (isShield(frame.hold)) return undefined;
  const { takesBack } = nameCompensated(tool, input);
  const { run, isRollback } = world.identity;
  if (isRollback && takesBack?.run !== run) return undefined;
  const message = "only a rollback of the run takes back what it did, or the group that did it";
  return fail("POLICY_DENIED", message, { denial: "rollback-missing" });
}
