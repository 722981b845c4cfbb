/**
 * A node that waits (spec/flow.md): for a signal, for the answer to a question, or for a time. The
 * turn stays open and nobody holds the run meanwhile.
 */
import { type JsonValue, toInstant } from "@turnseal/protocol";
import type { CheckedLoop } from "../../definition/check-loop.ts";
import type { CheckedNodeOf } from "../../definition/flow/checked-node.ts";
import { fail, findRefusal, type Outcome, succeed } from "../../outcome.ts";
import { type FlowParts, give, type NodeOutcome, type NodePlace } from "./node.ts";
import { mapKnown } from "./read-known.ts";
import { runCallNode } from "./run-call-node.ts";

type Wait = CheckedNodeOf<"wait">;

export async function runWait(
  node: Wait,
  place: NodePlace,
  parts: FlowParts,
): Promise<NodeOutcome> {
  const { for: awaited } = node;
  if ("question" in awaited) return waitForAnswer(node, awaited.question, { place, parts });
  const outcome =
    "signal" in awaited
      ? await waitForSignal(node, awaited, { place, parts })
      : await waitUntil(node, awaited.until, { place, parts });
  return outcome.kind === "ok" ? give(outcome.value) : outcome;
}

interface WaitParts {
  readonly place: NodePlace;
  readonly parts: FlowParts;
}

type Awaited<Field extends string> = Extract<Wait["for"], { readonly [Key in Field]: unknown }>;

async function waitForSignal(
  { withinMs, onTimeout }: Wait,
  { signal, schema }: Awaited<"signal">,
  { place: { frame, path }, parts: { loop, world } }: WaitParts,
): Promise<Outcome<JsonValue>> {
  if (world.kind === "call")
    return fail("POLICY_DENIED", "to wait for a signal needs a run", { denial: "run-missing" });
  const { id, version } = loop.definition;
  const outcome = await world.effects.journal.waitForSignal(frame, {
    ...{ loop: id, version, path, signal, schema, withinMs },
  });
  if (outcome.kind !== "error" || outcome.error.code !== "TIMEOUT") return outcome;
  if (onTimeout === "continue") return succeed(null);
  return fail("TIMEOUT", outcome.error.message, { wait: path });
}

/** The question is a call of its own; when it runs out is for the node to say, and no denial. */
async function waitForAnswer(
  node: Wait,
  question: Awaited<"question">["question"],
  { place, parts }: WaitParts,
): Promise<NodeOutcome> {
  const { for: _, withinMs, onTimeout, ...fields } = node;
  const callChild: FlowParts["callChild"] = (child) =>
    parts.callChild({ ...child, loop: limitTime(child.loop, withinMs) });
  const none = { grantMapping: undefined, preview: undefined, cache: undefined };
  const call = { ...fields, ...question, ...none, kind: "call" } as const;
  const outcome = await runCallNode(call, place, { ...parts, callChild });
  const isLate = outcome.kind === "error" && findRefusal(outcome.error) === "approval-expired";
  if (!isLate) return outcome;
  if (onTimeout === "continue") return give(null);
  return fail("TIMEOUT", `${question.loopId} was not answered within ${withinMs} ms`, {
    wait: place.path,
  });
}

/** The same loop, which waits no longer than its caller does. */
function limitTime(loop: CheckedLoop, withinMs: number): CheckedLoop {
  const { tool } = loop.definition;
  if (tool === undefined) return loop;
  const own = tool.config?.["withinMs"];
  const config = {
    ...tool.config,
    withinMs: typeof own === "number" ? Math.min(own, withinMs) : withinMs,
  };
  return { ...loop, definition: { ...loop.definition, tool: { ...tool, config } } };
}

async function waitUntil(
  { withinMs }: Wait,
  source: Awaited<"until">["until"],
  { place, parts: { world } }: WaitParts,
): Promise<Outcome<JsonValue>> {
  const { frame } = place;
  const mapped = mapKnown([{ field: "until", source }], place, place.path);
  if (mapped.kind !== "ok") return mapped;
  const instant = readInstant(mapped.value["until"]);
  if (instant === undefined)
    return fail("MAPPING_FAILED", "what is waited for is no instant, such as 2026-01-31T12:00:00Z");
  const untilMs = Date.parse(instant);
  if (untilMs - frame.wallMs() > withinMs)
    return fail("TIMEOUT", `the time is further away than the ${withinMs} ms of the wait`, {
      wait: place.path,
    });
  const paused = await world.effects.journal.waitUntil(frame, untilMs);
  if (paused !== undefined) return paused;
  return frame.isCancelled() ? fail("CANCELLED", "the call was cancelled") : succeed(instant);
}

const written = /^(.{19})(\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))$/;

/** An instant as RFC 3339 has it, in the form of records. */
function readInstant(value: JsonValue | undefined): string | undefined {
  const match = typeof value === "string" ? written.exec(value) : null;
  if (match === null) return undefined;
  const [, local = "", fraction = "", sign, hours = "0", minutes = "0"] = match;
  const instant = toInstant(`${local}${fraction.slice(0, 4)}Z`);
  if (instant === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const aheadMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(Date.parse(instant) + (sign === "+" ? -aheadMs : aheadMs)).toISOString();
}
