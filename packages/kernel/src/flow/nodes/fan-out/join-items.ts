/** Returns the result of a fan-out, once it is decided and no item is open. */
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import { OUTPUT_BYTES_MAX } from "../../../limits.ts";
import { carryFailure, type Failed, fail } from "../../../outcome.ts";
import type { Frame } from "../../../resume/frame.ts";
import type { ClosedItem } from "../../../resume/item-place.ts";
import type { BesideOutcome } from "../../../resume/run-beside.ts";
import type { NodeOutcome } from "../node.ts";
import { failureCodeOf } from "../run-tries.ts";
import { tellFailure, tellReason } from "../tell-failure.ts";
import type { ItemValue } from "./fan-out-item.ts";
import {
  countWanted,
  endsFanOut,
  type FanOutNode,
  type Lost,
  type Standing,
} from "./judge-join.ts";

type Outcomes = readonly BesideOutcome<ItemValue>[];

interface EndedFanOut {
  readonly standing: Exclude<Standing, { readonly kind: "open" }>;
  readonly closed: readonly ClosedItem[];
  readonly outcomes: Outcomes;
  readonly frame: Frame;
  readonly labels: readonly (string | undefined)[];
}

export function joinItems(node: FanOutNode, ended: EndedFanOut): NodeOutcome {
  const { standing } = ended;
  if (standing.kind === "lost") return failJoin(node, standing, ended);
  const full = listOutputs(node, standing.winners, ended);
  // Reasons keep no output from being told.
  const hasReasons = findTooLarge(full) === undefined;
  const kept = hasReasons ? ended : { ...ended, outcomes: ended.outcomes.map(dropReason) };
  const values = hasReasons ? full : listOutputs(node, standing.winners, kept);
  const tooLarge = findTooLarge(values);
  if (tooLarge !== undefined) {
    const message = `the outputs up to that of item ${tooLarge} are larger than an output may be`;
    return fail("OUTPUT_VALIDATION_FAILED", message);
  }
  const output =
    node.join === "any" ? (values[0]?.value ?? null) : values.map(({ value }) => value);
  return { kind: "ok", value: output, result: { status: "ok", output, items: tellItems(kept) } };
}

function dropReason(outcome: Outcomes[number]): Outcomes[number] {
  if (outcome.kind !== "error") return outcome;
  const { reason: _, ...rest } = outcome;
  return rest;
}

interface ItemOutput {
  readonly index: number;
  readonly value: JsonValue;
}

/** In the order of the list. Where failures are tolerated, each entry says whether it is one. */
function listOutputs(
  { join, onItemError, tolerate }: FanOutNode,
  winners: readonly number[],
  { outcomes, labels }: Pick<EndedFanOut, "outcomes" | "labels">,
): ItemOutput[] {
  const isTold = join === "all" && (onItemError === "continue" || tolerate !== undefined);
  const isWinner = new Set(winners);
  return [...outcomes.entries()].flatMap(([index, outcome]) => {
    if (outcome.kind === "ok" && isWinner.has(index)) {
      const { value } = outcome;
      return [{ index, value: isTold ? { status: "ok", output: value } : value }];
    }
    if (!isTold || outcome.kind !== "error") return [];
    const failed = { status: "error", ...tellLabel(labels[index]), error: tellFailure(outcome) };
    return [{ index, value: failed }];
  });
}

/** The item with whose output all are too large. */
function findTooLarge(values: readonly ItemOutput[]): number | undefined {
  let bytes = 0;
  for (const { index, value } of values) {
    bytes += Buffer.byteLength(JSON.stringify(value)) + 1;
    if (bytes > OUTPUT_BYTES_MAX) return index;
  }
  return undefined;
}

function tellLabel(label: string | undefined): { label?: string } {
  return label === undefined ? {} : { label };
}

function tellItems({ closed, outcomes, labels }: EndedFanOut): JsonObject[] {
  const ends = new Map(closed.map((item) => [item.index, item]));
  return [...outcomes.entries()].map(([index, outcome]) => {
    const { status = "withdrawn", code } = ends.get(index) ?? {};
    if (code === undefined) return { index, status };
    const reason = outcome.kind === "error" ? tellReason(outcome) : {};
    return { index, status, code, ...tellLabel(labels[index]), ...reason };
  });
}

/** A failure that ends everything around it keeps its code; others become that of a child. */
function failJoin(
  node: FanOutNode,
  { by, errors }: Lost,
  { outcomes, closed, frame }: EndedFanOut,
): Failed {
  const failed = outcomes[by];
  const end = closed.find(({ index }) => index === by);
  const message = describeLoss(node, { by, errors, items: outcomes.length });
  // Too few of the items that were not skipped are left.
  if (failed?.kind !== "error") return fail("CHILD_FAILED", message);
  const { deadlineAt } = frame;
  if (end !== undefined && endsFanOut(end, { items: outcomes.length, deadlineAt })) return failed;
  const { lsr: _, ...details } = failed.error.details;
  const lost = fail("CHILD_FAILED", `${message}: ${failureCodeOf(failed)}`, details);
  return { ...lost, ...carryFailure(failed) };
}

function describeLoss(
  node: FanOutNode,
  { by, errors, items }: { readonly by: number; readonly errors: number; readonly items: number },
): string {
  if (node.join === "all" && node.tolerate === undefined) return `item ${by} failed`;
  const wanted = node.join === "all" ? "" : `, and ${countWanted(node)} had to succeed`;
  return `${errors} of ${items} items failed${wanted}; the last was item ${by}`;
}
