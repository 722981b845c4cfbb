/**
 * Starts an item of a fan-out as a run of its own (spec/flow.md). The call of the fan-out makes the
 * handoff, and the log names the item.
 */
import {
  AMOUNT_MAX,
  type Amounts,
  compareGrants,
  digestOf,
  type Grant,
  HANDOFF_DEPTH_DEFAULT,
  HANDOFF_TOOL,
  type HandedItem,
  type JsonValue,
  type LoopDef,
  listUnits,
  parseBounds,
} from "@turnseal/protocol";
import { deny } from "../actions/admit-tool.ts";
import { type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import { findLevel, handoffAction, type Slice } from "./hand-off.ts";

export interface ItemRun {
  readonly loop: string;
  readonly loopVersion: string | undefined;
  readonly input: JsonValue;
  readonly item: HandedItem;
  /** The grant of the item, where it is narrower than the call's. */
  readonly narrowed: Grant | undefined;
  /** The most it may spend. */
  readonly share: Amounts;
  /** The composite that it is an item of. */
  readonly by: Pick<LoopDef, "id" | "version">;
  /** False where it is only asked whether it has ended. */
  readonly isWanted: boolean;
}

/** One turn: an item is called once. */
const itemBounds = { turnsMax: 1, failuresMax: 1 };

/** Starts the run of an item, and answers with what its turn gave. */
export async function handItem(
  run: ItemRun,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const { grant } = frame;
  if (grant === undefined) return deny(HANDOFF_TOOL, "grant-missing");
  const slice = cutItem(grant, run, frame.wallMs());
  if (slice.kind !== "ok") return slice;
  const { input, by, isWanted } = run;
  const { id: loop, version } = by;
  const action = handoffAction(slice.value, { input, grant, loop, version, isWanted });
  const outcome = await world.effects.journal.run(frame, action);
  return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
}

/** Cuts the item's slice: the call's grant one level lower, and the item's share of the budget. */
function cutItem(grant: Grant, run: ItemRun, nowMs: number): Outcome<Slice> {
  const { loop: target, loopVersion, item, narrowed = grant, share } = run;
  const lower = findLevel(grant, target, nowMs);
  if (lower.kind !== "ok") return lower;
  const depth = Math.min(lower.value, narrowed.depth ?? HANDOFF_DEPTH_DEFAULT);
  const given: Grant = { ...narrowed, depth, budget: lesserAmounts(narrowed.budget, share) };
  const compared = compareGrants(given, grant);
  const bounds = parseBounds(itemBounds);
  if (compared.kind === "wider") return deny(HANDOFF_TOOL, "grant-widened");
  if ("problem" in bounds) return deny(HANDOFF_TOOL, "bounds-unreadable");
  return succeed({
    target,
    grant: given,
    facts: {
      action: "handoff",
      target,
      ...(loopVersion === undefined ? {} : { targetVersion: loopVersion }),
      bounds,
      grant: given,
      slice: digestOf(given),
      proof: compared.proof,
      item,
    },
  });
}

/** The lesser of two caps, unit by unit. */
function lesserAmounts(one: Amounts, other: Amounts): Amounts {
  const units = listUnits(one, other);
  const least = units.map((unit) => [
    unit,
    Math.min(one[unit] ?? AMOUNT_MAX, other[unit] ?? AMOUNT_MAX),
  ]);
  return Object.fromEntries(least);
}
