/**
 * An item of a fan-out that is a run of its own (spec/flow.md): a handoff by the call that the
 * fan-out stands in, of which the log says which item it is for.
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
import { type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import { deny } from "./admit-tool.ts";
import { findLevel, handoffAction, type Slice } from "./hand-off.ts";

export interface ItemRun {
  readonly loop: string;
  readonly loopVersion: string | undefined;
  readonly input: JsonValue;
  readonly item: HandedItem;
  /** What it may do, where that is less than the call may. */
  readonly narrowed: Grant | undefined;
  /** What it may spend at most. */
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
  const outcome = await world.journal.run(frame, action);
  return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
}

/** What the item is given: all that the call may do, one level lower, and its share. */
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
