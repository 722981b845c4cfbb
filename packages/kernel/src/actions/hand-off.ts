/**
 * The body of a handoff: another run, started under a part of this one's grant (spec/run.md §10).
 *
 * The kernel claims it and reserves the whole slice; the host delivers the start, and settles the
 * claim once, from what the other run's last receipt says. The id of that run follows from the key
 * of the claim, so that it is started once however often it is delivered.
 */
import {
  addAmounts,
  attenuate,
  countFanout,
  digestOf,
  fanoutOf,
  type Grant,
  HANDOFF_DEPTH_DEFAULT,
  HANDOFF_TOOL,
  type HandoffFacts,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  parseBounds,
  type ToolSpec,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { deny } from "./admit-tool.ts";

/** Starts another run, and answers with what its last turn gave. */
export async function handOff(
  loop: CheckedLoop,
  spec: ToolSpec,
  input: JsonValue,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const { grant } = frame;
  if (grant === undefined) return deny(HANDOFF_TOOL, "grant-missing");
  const config = spec.config ?? {};
  const cut = cutSlice(grant, config, frame.wallMs());
  if (cut.kind !== "ok") return cut;
  const given = giveThread(config["thread"], frame, world);
  if (given.kind !== "ok") return given;
  const slice = { ...cut.value, facts: { ...cut.value.facts, ...given.value } };
  const { version } = loop.definition;
  const outcome = await world.journal.run(
    frame,
    handoffAction(slice, { input, grant, loop: loop.definition.id, version }),
  );
  return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
}

/** What the prompt was shown that asks for it, where the handoff says so. */
function giveThread(
  wanted: JsonValue | undefined,
  { asker }: Frame,
  { threads }: World,
): Outcome<Pick<HandoffFacts, "thread">> {
  if (wanted === undefined) return succeed({});
  if (wanted !== "copy") return deny(HANDOFF_TOOL, "thread-unreadable");
  const thread = asker === null ? undefined : threads?.give(asker);
  return thread === undefined ? deny(HANDOFF_TOOL, "thread-missing") : succeed({ thread });
}

export interface Slice {
  readonly target: string;
  /** What the claim records: who is started, and under what. */
  readonly facts: HandoffFacts;
  readonly grant: Grant;
}

/** The part of the grant that the other run is given. What is not within it is refused. */
function cutSlice(grant: Grant, config: JsonObject, nowMs: number): Outcome<Slice> {
  const { loop: target, version, grant: wanted = {} } = config;
  const bounds = parseBounds(config["bounds"] ?? {});
  if ("problem" in bounds) return deny(HANDOFF_TOOL, "bounds-unreadable");
  const lower = findLevel(grant, target, nowMs);
  if (lower.kind !== "ok") return lower;
  const depth = lower.value;
  if (typeof target !== "string") return deny(HANDOFF_TOOL, "handoff-not-granted");
  const cut = attenuate(grant, { tools: [], depth, ...(isPlainObject(wanted) ? wanted : {}) });
  if (cut.kind === "refused") return deny(HANDOFF_TOOL, "grant-widened");
  if ((cut.grant.depth ?? HANDOFF_DEPTH_DEFAULT) > depth) return deny(HANDOFF_TOOL, "depth-passed");
  if (isCrowd(grant, cut)) return deny(HANDOFF_TOOL, "grant-widened");
  return succeed({
    target,
    grant: cut.grant,
    facts: {
      action: "handoff",
      target,
      ...(typeof version === "string" ? { targetVersion: version } : {}),
      bounds,
      grant: cut.grant,
      slice: digestOf(cut.grant),
      proof: cut.proof,
    },
  });
}

/** True where its terms together let more act at the same time than one that they are parts of. */
function isCrowd({ terms = [] }: Grant, given: Pick<HandoffFacts, "grant" | "proof">): boolean {
  const counts = countFanout(given.grant, given.proof);
  return terms.some((term) => (counts.get(term.id) ?? 0) > fanoutOf(term));
}

/** The levels that are left below a loop that may be handed to now. */
export function findLevel(
  grant: Grant,
  target: JsonValue | undefined,
  nowMs: number,
): Outcome<number> {
  const isExpired = grant.expiresAt !== undefined && !(nowMs < Date.parse(grant.expiresAt));
  if (isExpired) return deny(HANDOFF_TOOL, "grant-expired");
  if (typeof target !== "string" || !(grant.handoffs ?? []).includes(target))
    return deny(HANDOFF_TOOL, "handoff-not-granted");
  const depth = (grant.depth ?? HANDOFF_DEPTH_DEFAULT) - 1;
  return depth < 0 ? deny(HANDOFF_TOOL, "depth-passed") : succeed(depth);
}

interface Handoff {
  readonly input: JsonValue;
  readonly grant: Grant;
  readonly loop: string;
  readonly version: string;
  readonly isWanted?: boolean;
}

export function handoffAction(
  { target, facts, grant: slice }: Slice,
  { input, grant, loop, version, isWanted = true }: Handoff,
): Action {
  return {
    kind: "handoff",
    name: target,
    ordinal: 0,
    isWanted,
    // The same key starts the same run.
    effect: "idempotent",
    facts,
    request: input,
    // Whatever the other run may spend counts here until it is known what it did spend.
    reserve: () => addAmounts(slice.budget, { handoffs: 1 }),
    attempt: { handoffs: 1 },
    judged: {
      loop,
      tool: { name: HANDOFF_TOOL, version, effect: "idempotent" },
      args: { loop: target, input },
      grant,
      needs: {},
      approvals: [],
    },
    act: async () => {
      throw new TypeError("a handoff is delivered by the host");
    },
  };
}
